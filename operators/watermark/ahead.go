package watermark

import "tidemark/stream"

// Ahead makes the steps of a partition's watermark where records that are too far ahead of those before them do not
// move it. A record is ahead if it is more than Most after the greatest time that has moved the watermark; the first
// record always moves it, and RealGap records in a row that are ahead are a real gap, which moves it to the least of
// them. It is for input that is read to its end, where no clock says what is too far.
type Ahead struct {
	Strategy Strategy
	// Most is in milliseconds.
	Most stream.Time

	moved stream.Time
	begun bool
	inRow int // records ahead, one after the other
	least stream.Time
}

// RealGap is how many records in a row that are ahead make a gap.
const RealGap = 100

// Within reports whether none of the records of a piece whose greatest time is greatest can be ahead, so that their
// steps are those of the strategy alone, and takes them over.
func (a *Ahead) Within(greatest stream.Time) bool {
	if !a.begun || greatest-a.moved > a.Most {
		return false
	}
	a.moved, a.inRow = max(a.moved, greatest), 0
	return true
}

// AppendMarks appends the steps that rows make (nil: all of times), which are above w, and calls far with each row
// that is ahead and moves nothing: not with the one that makes a gap real. Causes are row numbers.
func (a *Ahead) AppendMarks(marks []stream.Mark, times []stream.Time, rows []int32, w stream.Time, far func(row int32)) []stream.Mark {
	n := len(times)
	if rows != nil {
		n = len(rows)
	}
	for i := range n {
		row := int32(i)
		if rows != nil {
			row = rows[i]
		}
		t, moves := a.Move(times[row])
		if !moves {
			far(row)
			continue
		}
		if a.moved == t {
			if next := a.Strategy.At(t); next > w {
				w = next
				marks = append(marks, stream.Mark{Cause: uint64(row), Watermark: w})
			}
		}
	}
	return marks
}

// Move takes a record's time, and reports whether it moves the watermark, and as which time.
func (a *Ahead) Move(t stream.Time) (as stream.Time, moves bool) {
	if a.begun && t-a.moved > a.Most {
		if a.inRow++; a.inRow == 1 || t < a.least {
			a.least = t
		}
		if a.inRow < RealGap {
			return t, false
		}
		t = a.least
	}
	a.begun, a.inRow = true, 0
	a.moved = max(a.moved, t)
	return t, true
}

// Greatest gives the greatest time that has moved the watermark, MinTime where none has.
func (a *Ahead) Greatest() stream.Time { return a.moved }

// NewAhead makes the machine for one partition.
func NewAhead(s Strategy, most int64) *Ahead {
	return &Ahead{Strategy: s, Most: stream.Time(most), moved: stream.MinTime}
}
