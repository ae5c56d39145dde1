package agg

import "tidemark/stream"

// defaultSeparator is that of SQL's LISTAGG.
const defaultSeparator = ","

func init() {
	register(Kind{
		Name: "string_join",
		Args: "x[, separator]",
		Doc: "The texts that are not null, one after the other in the order of the input, with a separator between them, a comma " +
			"by default; null if there are none. All of them are kept in memory.",
		Example:    Example{`string_join(user_id, "-")`, `"ann-bob-ann-eve"`, `"ann-bob"`},
		MinArgs:    1,
		MaxArgs:    2,
		Parameters: 1,
		ResultType: func(args []stream.Type) stream.Type {
			return stream.Type{Kind: stream.String, Null: args[0].Null || args[0].Kind == stream.Any}
		},
		accepts: textual,
		bind: func(constants []any) (opener, error) {
			separator := defaultSeparator
			if len(constants) > 0 {
				text, ok := constants[0].(string)
				if !ok {
					return nil, wants(`a text as its separator, such as ", "`, constants[0])
				}
				separator = text
			}
			return func([]stream.Type) Accumulators { return &joined{separator: separator} }, nil
		},
	})
}

// joined is the accumulators of string_join.
type joined struct {
	collected
	separator string
	text      []byte
}

func (j *joined) Merge(dst uint32, from Accumulators, src uint32) {
	j.merge(dst, &from.(*joined).collection, src)
}

func (j *joined) Append(id uint32, out *stream.Column) error {
	list := j.sorted(id)
	if len(list) == 0 {
		out.AppendNull()
		return nil
	}
	j.text = j.text[:0]
	for i, e := range list {
		if i > 0 {
			j.text = append(j.text, j.separator...)
		}
		text, _ := j.stored(e)
		j.text = append(j.text, text...)
	}
	out.AppendText(j.text)
	return nil
}

func (j *joined) Bytes() int64 { return j.bytes() + int64(cap(j.text)) }
