package expression

// The loops of arithmetic. All slices have an element for each row of the batch. Integer sums wrap, as in the
// virtual machine; only floats are divided.

func arith[T int64 | float64](op byte, out, a, b []T) {
	a, b = a[:len(out)], b[:len(out)]
	switch op {
	case '+':
		for i := range out {
			out[i] = a[i] + b[i]
		}
	case '-':
		for i := range out {
			out[i] = a[i] - b[i]
		}
	case '*':
		for i := range out {
			out[i] = a[i] * b[i]
		}
	case '/':
		for i := range out {
			out[i] = a[i] / b[i]
		}
	}
}

func arithConst[T int64 | float64](op byte, out, a []T, c T) {
	a = a[:len(out)]
	switch op {
	case '+':
		for i := range out {
			out[i] = a[i] + c
		}
	case '-':
		for i := range out {
			out[i] = a[i] - c
		}
	case '*':
		for i := range out {
			out[i] = a[i] * c
		}
	case '/':
		for i := range out {
			out[i] = a[i] / c
		}
	}
}

func arithRows[T int64 | float64](op byte, out, a, b []T, rows []int32) {
	switch op {
	case '+':
		for _, i := range rows {
			out[i] = a[i] + b[i]
		}
	case '-':
		for _, i := range rows {
			out[i] = a[i] - b[i]
		}
	case '*':
		for _, i := range rows {
			out[i] = a[i] * b[i]
		}
	case '/':
		for _, i := range rows {
			out[i] = a[i] / b[i]
		}
	}
}
