package runner

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"tidemark/io/codec"
	"tidemark/spec"
)

// misnamed tells of columns that a pipeline asks for and a CSV file does not have, the first time of each. Their values are
// null, so that a misspelt name would show in the results alone.
type misnamed struct {
	warn func(string)

	mutex sync.Mutex
	told  []string
}

// look compares what is asked for with the header of a file.
func (m *misnamed) look(file string, s *codec.CSVScanner) {
	lacking := s.Lacking()
	if len(lacking) == 0 || m.warn == nil {
		return
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	header := s.Names()
	if delimiter := strings.IndexAny(header[0], ";,\t|"); len(header) == 1 && delimiter >= 0 {
		if len(m.told) == 0 {
			m.warn(fmt.Sprintf("%s has one column, %q; if these are several, write delimiter: %q", file, header[0], header[0][delimiter:delimiter+1]))
		}
		m.told = append(m.told, lacking...)
		return
	}
	for _, name := range lacking {
		if slices.Contains(m.told, name) {
			continue
		}
		m.told = append(m.told, name)
		hint := "its columns: " + strings.Join(header, ", ")
		if near, ok := spec.Nearest(name, header); ok {
			hint = "did you mean " + near + "?"
		}
		m.warn(fmt.Sprintf("%s has no column %s, which is null then; %s", file, name, hint))
	}
}
