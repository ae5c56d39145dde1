package runner

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
)

// Report is what a run did.
type Report struct {
	Seconds float64  `json:"seconds"`
	Nodes   []Counts `json:"nodes"`
	// Warnings are what a person should know, such as records that nobody gets to see.
	Warnings []string `json:"warnings"`
	// Stopped says that the run was cancelled before its input had ended, Closed that an output's reader went
	// away.
	Stopped bool `json:"-"`
	Closed  bool `json:"-"`
	// Failed says that the run ended with an error.
	Failed bool `json:"-"`
}

// report fills in counts and warnings.
func (e *engine) report(r *Report) {
	r.Warnings = append([]string{}, e.warnings...)
	r.Nodes = []Counts{}
	for _, c := range e.counts {
		r.Nodes = append(r.Nodes, *c)
		r.Warnings = append(r.Warnings, c.warnings()...)
	}
	r.Warnings = append(r.Warnings, e.leapWarnings()...)
	for _, n := range e.nodes {
		if t, ok := n.(*transform); ok && t.split != nil {
			r.Warnings = append(r.Warnings, t.split.warnings()...)
		}
	}
	for _, s := range e.sinks {
		r.Warnings = append(r.Warnings, s.nonFinite()...)
	}
}

// Read gives the number of records that were read.
func (r *Report) Read() int64 {
	var n int64
	for _, c := range r.Nodes {
		if c.Kind == "source" {
			n += c.In
		}
	}
	return n
}

// WriteJSON writes the report for programs, in one line.
func (r *Report) WriteJSON(w io.Writer) error { return json.NewEncoder(w).Encode(r) }

// WriteText writes the report for people.
func (r *Report) WriteText(w io.Writer) error {
	read, skipped := r.Read(), int64(0)
	for _, c := range r.Nodes {
		skipped += c.Skipped
	}
	if read > 0 || !r.Failed {
		if err := r.writeTable(w); err != nil {
			return err
		}
	}
	for _, text := range r.Warnings {
		if _, err := fmt.Fprintln(w, "warning:", text); err != nil {
			return err
		}
	}
	rate := ""
	if r.Seconds > 0.05 && read > 10_000 {
		rate = ", " + perSecond(float64(read)/r.Seconds)
	}
	if skipped > 0 {
		rate += fmt.Sprintf("; %d of them were not read, since statistics say that none counts", skipped)
	}
	end := "done"
	switch {
	case r.Failed:
		end = "failed"
	case r.Stopped:
		end = "stopped"
	}
	_, err := fmt.Fprintf(w, "%s: %s in %.2f s%s\n", end, count(read, "record", "records"), r.Seconds, rate)
	return err
}

// writeTable writes what became of the records of each node.
func (r *Report) writeTable(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "node\t in\tfiltered\tlate\tdirty\tused\tout\t")
	for _, c := range r.Nodes {
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t\n", c.Node, cell(c.In), cell(c.Filtered), cell(c.Late), cell(c.Dirty), cell(c.Used), cell(c.Out))
	}
	return t.Flush()
}

// cell gives a count, and a dot for none, so that what happened stands out.
func cell(n int64) string {
	if n == 0 {
		return "."
	}
	return fmt.Sprint(n)
}

// perSecond words how many records were read in a second.
func perSecond(records float64) string {
	if records < 100_000 {
		return fmt.Sprintf("%.0f records a second", records)
	}
	return fmt.Sprintf("%.2f million a second", records/1e6)
}
