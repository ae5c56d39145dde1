package spec

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// WriteGitHub prints the faults as workflow commands, which GitHub shows beside the lines of a change.
func (d Diagnostics) WriteGitHub(w io.Writer) error {
	var out bytes.Buffer
	text := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	for _, g := range d {
		level := map[Severity]string{Error: "error", Warning: "warning", Info: "notice"}[g.Severity]
		message := g.Message
		if g.Hint != "" {
			message += "\nhint: " + g.Hint
		}
		fmt.Fprintf(&out, "::%s file=%s,line=%d,col=%d,endColumn=%d,title=%s::%s\n", level, property.Replace(g.File), g.Line,
			g.Column, g.EndColumn, g.Rule, text.Replace(message))
	}
	_, err := w.Write(out.Bytes())
	return err
}

// The parts of SARIF 2.1.0 that hold our faults.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name  string      `json:"name"`
		Rules []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID    string    `json:"id"`
		Short sarifText `json:"shortDescription"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		Rule      string          `json:"ruleId"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifLocation struct {
		Physical sarifPlace `json:"physicalLocation"`
	}
	sarifPlace struct {
		Artifact sarifFile   `json:"artifactLocation"`
		Region   sarifRegion `json:"region"`
	}
	sarifFile struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		Line      int `json:"startLine"`
		Column    int `json:"startColumn"`
		EndColumn int `json:"endColumn"`
	}
)

// WriteSARIF prints the faults, and the rules that they break, as a SARIF 2.1.0 log.
func (d Diagnostics) WriteSARIF(w io.Writer) error {
	run := sarifRun{Tool: sarifTool{sarifDriver{Name: "tidemark", Rules: []sarifRule{}}}, ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	broken := map[string]bool{}
	for _, g := range d {
		broken[g.Rule] = true
		level := map[Severity]string{Error: "error", Warning: "warning", Info: "note"}[g.Severity]
		message := g.Message
		if g.Hint != "" {
			message += " (hint: " + g.Hint + ")"
		}
		place := sarifPlace{sarifFile{g.File}, sarifRegion{g.Line, g.Column, g.EndColumn}}
		run.Results = append(run.Results, sarifResult{g.Rule, level, sarifText{message}, []sarifLocation{{place}}})
	}
	for _, r := range Rules() {
		if broken[r.ID] {
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{r.ID, sarifText{r.Title}})
		}
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}
