package runner

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"tidemark/io/codec"
	"tidemark/spec"
)

// doubts tells what is doubtful in a source's CSV, the first time of each: a column that the pipeline asks for and a file does
// not have, which is null and would show in the results alone, and values that JSON has no words for.
type doubts struct {
	warn func(string)

	mutex sync.Mutex
	told  []string
}

// tellNonFinite tells of a field with values that JSON has no words for, the first time.
func (m *doubts) tellNonFinite(name string) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if key := "\x00" + name; m.warn != nil && !slices.Contains(m.told, key) {
		m.told = append(m.told, key)
		m.warn(fmt.Sprintf("%q has NaN or infinite values, which are null where its records are written as JSON", name))
	}
}

// look compares what is asked for with the header of a file.
func (m *doubts) look(file string, s *codec.CSVScanner) {
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
