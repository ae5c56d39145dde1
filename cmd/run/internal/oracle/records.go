package oracle

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"pgregory.net/rapid"
)

// input is how a source's records are made. Record i of a partition follows from seed, partition and i alone, so
// that fewer records are the same ones up to there.
type input struct {
	seed uint64
	base int64
	// step is how far event time goes on from one record to the next at most, disorder how far a record may lie
	// behind; one in outliers lies further behind.
	step, disorder, outliers int64
	// gaps is the share of records in a hundred without k, v or e, broken that of lines that cannot be used.
	gaps, broken int
	// mixed lets k be a number at times.
	mixed bool
	// csv writes records of CSV.
	csv bool
	// spaced writes a space behind colons and commas.
	spaced bool
}

var texts = []string{`"a"`, `"b"`, `"c"`, `"é"`, `"\u00e9"`, `"q\"t"`, `""`, `"a longer key, 1"`}

var brokenLines = []string{`nope`, `{"ts":1`, `{"k":"a","g":1,"v":2,"p":3}`, `{"ts":null,"k":"a","g":0,"p":1}`, `[1,2]`, `{"ts":5,"k":"a","g":1,"p":1} x`, `{"ts":7,"k":"a\x","g":1,"p":1}`}

// lines makes the files of a source.
func (in input) lines(t *rapid.T) [][]string {
	most := rapid.SampledFrom([]int{6, 30, 30, 120}).Draw(t, "most")
	var files [][]string
	for partition := range rapid.IntRange(1, 4).Draw(t, "partitions") {
		files = append(files, in.file(partition, rapid.IntRange(0, most).Draw(t, "records")))
	}
	return files
}

func (in input) file(partition, records int) []string {
	var lines []string
	now := in.base
	for i := range records {
		r := rand.New(rand.NewPCG(in.seed, uint64(partition)<<32|uint64(i)))
		now += r.Int64N(in.step + 1)
		ts := now - r.Int64N(in.disorder+1)
		if r.Int64N(in.outliers) == 0 {
			ts -= r.Int64N(in.disorder*5 + in.step*20 + 1)
		}
		switch {
		case r.IntN(100) < in.broken && in.csv:
			lines = append(lines, brokenRecords[r.IntN(len(brokenRecords))])
		case r.IntN(100) < in.broken:
			lines = append(lines, brokenLines[r.IntN(len(brokenLines))])
		case r.IntN(100) < 1:
			lines = append(lines, "")
		}
		if in.csv {
			lines = append(lines, in.recordCSV(r, ts))
		} else {
			lines = append(lines, in.record(r, ts))
		}
	}
	return lines
}

// record writes one record, its fields in one of three orders.
func (in input) record(r *rand.Rand, ts int64) string {
	k := texts[r.IntN(1+r.IntN(len(texts)))]
	if in.mixed && r.IntN(4) == 0 {
		k = []string{`1`, `"1"`, `2`}[r.IntN(3)]
	}
	list := []string{"[]", "[1]", "[2,0]", "[1, 3,-1]"}[r.IntN(4)]
	if in.mixed && r.IntN(20) == 0 {
		list = "7" // which is none
	}
	fields := []string{
		fmt.Sprintf(`"ts":%d`, ts),
		`"k":` + in.gap(r, k),
		fmt.Sprintf(`"g":%d`, r.IntN(4)-1),
		`"v":` + in.gap(r, fmt.Sprint(r.IntN(200)-50)),
		fmt.Sprintf(`"p":%d`, r.IntN(10)),
		`"e":` + in.gap(r, list),
		`"o":{"ts":[1,"x}\"{"],"k":"in"}`,
	}
	switch r.IntN(3) {
	case 1:
		fields[0], fields[3], fields[6] = fields[3], fields[6], fields[0]
	case 2:
		fields = fields[:6]
	}
	var present []string
	for _, f := range fields {
		if !strings.HasSuffix(f, ":") {
			present = append(present, f)
		}
	}
	if in.spaced {
		for i, f := range present {
			present[i] = strings.Replace(f, ":", ": ", 1)
		}
		return "{" + strings.Join(present, ", ") + "}"
	}
	return "{" + strings.Join(present, ",") + "}"
}

// gap gives the value, or null, or nothing for a field that the record lacks.
func (in input) gap(r *rand.Rand, value string) string {
	switch n := r.IntN(200); {
	case n < in.gaps:
		return "null"
	case n < 2*in.gaps:
		return ""
	}
	return value
}
