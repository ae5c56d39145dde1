package spec

import (
	"fmt"
	"regexp"
	"strings"
)

// secretKey are options whose value nobody else should read.
var secretKey = regexp.MustCompile(`(?i)(^|[_.-])(password|passwd|passphrase|secret|token|credentials?|(api|access|private|secret)[_-]?key)$`)

// notOptions are keys whose maps hold names and data of the user's own.
var notOptions = map[string]bool{"schema": true, "rows": true, "fields": true, "columns": true, "key": true, "headers": true, "timestamp": true, "watermark": true}

// clearSecrets finds secrets that are written in the file.
func clearSecrets(f *File) Diagnostics {
	var faults Diagnostics
	if f.Vars != nil {
		faults = secretsIn(f.Vars, faults)
	}
	for _, blocks := range [][]*Block{f.Sources, f.Sinks} {
		for _, b := range blocks {
			faults = secretsIn(b.Node, faults)
		}
	}
	return faults
}

func secretsIn(n *Node, faults Diagnostics) Diagnostics {
	for _, e := range n.Entries {
		switch {
		case notOptions[e.Key]:
		case e.Value.Kind == Map:
			faults = secretsIn(e.Value, faults)
		case e.Value.Kind == Scalar && e.Value.Text != "" && !strings.Contains(e.Value.Raw, "${") && secretKey.MatchString(e.Key):
			name := strings.ToUpper(regexp.MustCompile(`\W`).ReplaceAllString(e.Key, "_"))
			faults = append(faults, e.Value.Diagnose("TM014", fmt.Sprintf("%s is written in the file", e.Key),
				fmt.Sprintf("take it from the environment: ${KAFKA_%s}", name)))
		}
	}
	return faults
}
