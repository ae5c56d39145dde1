package runner

import (
	"fmt"
	"time"

	"tidemark/stream"
)

// fit leaves the rows out of a batch that columns of fixed types cannot take, and counts them: a record must not
// end a run. The columns of b are those of the sink's fields, in their order; in is the batch as it came in.
func (s *sink) fit(b, in *stream.Batch) {
	var bad map[int32]string
	for i, f := range s.plan.Fields {
		c := &b.Columns[i]
		if c.Odd == 0 && (c.Kind == f.Type.Kind && c.Kind != stream.Any || c.Kind == stream.Int && f.Type.Kind == stream.Float) {
			continue
		}
		each(b, func(row int32) {
			got := s.misfit(c, int(row), f.Type)
			if _, known := bad[row]; got == "" || known {
				return
			}
			if bad == nil {
				bad = map[int32]string{}
			}
			bad[row] = fmt.Sprintf("column %q is %s, got %s", f.Name, f.Type, got)
		})
	}
	if len(bad) == 0 {
		return
	}
	kept := make([]int32, 0, b.N)
	each(b, func(row int32) {
		reason, misfit := bad[row]
		if !misfit {
			kept = append(kept, row)
			return
		}
		s.unwritten(in, 0, row, reason, nil)
	})
	b.Sel = kept
}

// misfit says what a value is that a column of type t cannot hold, or nothing.
func (s *sink) misfit(c *stream.Column, row int, t stream.Type) string {
	v := c.Value(row)
	if v == nil {
		if s.plan.Strict && !t.Null {
			return "null"
		}
		return ""
	}
	fits := true
	switch t.Kind {
	case stream.Int:
		_, fits = v.(int64)
	case stream.Float:
		_, fits = v.(float64)
		if !fits {
			_, fits = v.(int64)
		}
	case stream.Bool:
		_, fits = v.(bool)
	case stream.String:
		_, fits = v.(string)
	case stream.Instant:
		_, fits = v.(time.Time)
	}
	if fits {
		return ""
	}
	return fmt.Sprintf("%s %.40s", stream.KindOf(v), fmt.Sprint(v))
}
