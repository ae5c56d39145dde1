package oracle

import (
	"encoding/csv"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
)

// headerCSV names the columns of all files of CSV.
const headerCSV = "ts,k,g,v,p"

var textsCSV = []string{"a", "b", "c", "é", `"q""t"`, `"a longer key, 1"`, `"two\nlines"`, `" a"`}

// brokenRecords are records that can't be used, whatever is asked of them. None of them swallows the lines behind it.
var brokenRecords = []string{"nope", "5,a", "5,a,1,2,3,4", "x,a,1,2,3", `5,"a"b,1,2,3`, ",a,1,2,3"}

// recordCSV writes one record.
func (in input) recordCSV(r *rand.Rand, ts int64) string {
	k := in.gap(r, textsCSV[r.IntN(1+r.IntN(len(textsCSV)))])
	v := in.gap(r, fmt.Sprint(r.IntN(200)-50))
	fields := []string{fmt.Sprint(ts), k, fmt.Sprint(r.IntN(4) - 1), v, fmt.Sprint(r.IntN(10))}
	for i := range fields {
		if fields[i] == "null" {
			fields[i] = ""
		}
	}
	if in.spaced {
		fields[2] = `"` + fields[2] + `"`
	}
	return strings.Join(fields, ",")
}

// parseCSV reads a record; an error means that it is dirty. Written as JSON it has the fields of the header, in order.
func parseCSV(record string) (Row, error) {
	fields, err := csv.NewReader(strings.NewReader(record)).Read()
	names := strings.Split(headerCSV, ",")
	if err != nil || len(fields) != len(names) {
		return Row{}, errors.New("not one record of five")
	}
	values := map[string]any{}
	var text []string
	for i, name := range names {
		var value any
		switch {
		case fields[i] == "":
		case name == "k":
			value = fields[i]
		default:
			number, err := strconv.ParseInt(fields[i], 10, 64)
			if err != nil {
				return Row{}, err
			}
			value = number
		}
		values[name] = value
		text = append(text, encode(name, false)+":"+encode(value, false))
	}
	ts, ok := values["ts"].(int64)
	if !ok {
		return Row{}, errors.New("no time")
	}
	return Row{base: "{" + strings.Join(text, ",") + "}", values: values, time: ts}, nil
}
