package codec

import "tidemark/stream"

// number reads a JSON number into a field.
func (s *JSONScanner) number(f *field, text []byte, integer bool) {
	if f.accepts&formNumber == 0 {
		f.wrong(formNumber)
		return
	}
	switch f.wants() {
	case stream.Int:
		v, fits, whole := wholeInt(text)
		switch {
		case !whole:
			f.fail("is " + sample(text) + ", wants int")
		case !fits:
			f.fail("is " + sample(text) + ", beyond an int of 64 bits")
		default:
			f.out.Ints[s.row] = v
		}
	case stream.Float:
		v, ok := parseFloat(text)
		if !ok {
			f.fail("is " + sample(text) + ", beyond a float of 64 bits")
		}
		f.out.Floats[s.row] = v
	case stream.String:
		if _, fits := parseInt(text); !integer || fits {
			f.wrong(formNumber)
			return
		}
		f.out.SetBytes(s.row, text)
	default:
		s.freeNumber(f, text, integer)
	}
}

// freeNumber reads a number whose kind no schema says.
func (s *JSONScanner) freeNumber(f *field, text []byte, integer bool) {
	kind := stream.Float
	if integer {
		kind = stream.Int
	}
	if f.kind != kind && f.kind != undecided {
		v, problem := boxNumber(text, integer)
		if problem != "" {
			f.fail("is " + problem)
			return
		}
		f.box(s.row, s.rows, stream.TagOther, v)
		return
	}
	i, x, ok := int64(0), 0.0, false
	if integer {
		i, ok = parseInt(text)
	} else {
		x, ok = parseFloat(text)
	}
	switch {
	case !ok:
		_, problem := boxNumber(text, integer)
		f.fail("is " + problem)
		return
	case f.kind == undecided:
		f.decide(kind, s.row, s.rows)
	}
	if integer {
		f.out.Ints[s.row] = i
	} else {
		f.out.Floats[s.row] = x
	}
}

// boxNumber gives a number as int64 or float64, or says why that can't be.
func boxNumber(text []byte, integer bool) (v any, problem string) {
	if integer {
		if x, ok := parseInt(text); ok {
			return x, ""
		}
		return nil, sample(text) + ", an integer beyond 64 bits: a schema that says float or string can hold it"
	}
	if x, ok := parseFloat(text); ok {
		return x, ""
	}
	return nil, sample(text) + ", beyond a float of 64 bits"
}

// wrong notes that the field's value is of a form that its schema does not have.
func (f *field) wrong(is form) {
	wants := f.Type
	wants.Null = false
	f.fail("is " + formNames[is] + ", wants " + wants.String())
}

// sample gives the start of a text for a message.
func sample(text []byte) string {
	const most = 40
	if len(text) > most {
		return string(text[:most]) + "…"
	}
	return string(text)
}
