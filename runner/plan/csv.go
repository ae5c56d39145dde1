package plan

import (
	"fmt"
	"strings"

	"tidemark/io/codec"
	"tidemark/io/connector"
	"tidemark/spec"
	"tidemark/stream"
)

// The formats of records that are text.
const (
	JSON = "json"
	CSV  = "csv"
	Text = "text"
)

// csvOptions are what stands beside format: csv.
type csvOptions struct {
	Header     bool       `spec:"header"`
	Delimiter  string     `spec:"delimiter"`
	Columns    []string   `spec:"columns"`
	NullValues *spec.Node `spec:"null_values"`
}

var csvKeys = spec.Keys(&csvOptions{})

// format reads a source's format and what belongs to it.
func (c *compiler) format(s *Source, b *spec.Block, format string) {
	switch s.Format = format; format {
	case CSV:
		c.csv(s, b)
		return
	case Text:
		c.text(s, b)
	case "":
		s.Format = JSON
	case JSON:
	default:
		s.Format = JSON
		c.choice(b, "format", []string{JSON, CSV, Text})
	}
	for _, key := range csvKeys {
		if n := b.Node.Get(key); n != nil {
			c.report("TM009", spec.Error, n, spec.Diagnostic{Node: s.Name, Message: fmt.Sprintf("%q does not go with format: %s", key, s.Format), Hint: "write format: csv, or remove it"})
		}
	}
}

// text gives a source the one field that lines of text have.
func (c *compiler) text(s *Source, b *spec.Block) {
	if n := b.Node.Get("schema"); n != nil {
		c.report("TM009", spec.Error, n, spec.Diagnostic{Node: s.Name, Message: `"schema" does not go with format: text`, Hint: "remove it: a line of text has one field, message"})
	}
	s.Main.Fields, s.Main.Declared = []stream.Field{{Name: codec.Message, Type: stream.Type{Kind: stream.String}}}, true
}

// csv reads the options of a source of CSV. Its fields are those of columns, else of the schema, else what the header
// of each file names. They are text where no schema says otherwise.
func (c *compiler) csv(s *Source, b *spec.Block) {
	o := csvOptions{Delimiter: ","}
	columns, header := b.Node.Get("columns"), b.Node.Get("header")
	_, records := s.Options.(connector.RecordSource)
	o.Header = columns == nil && !records
	c.decode(b, &o)
	s.CSV = &codec.CSVFormat{Header: o.Header, Names: o.Columns, Delimiter: c.delimiter(s, b, o.Delimiter), Nulls: c.nulls(s, o.NullValues)}
	c.cells(s, b.Node.Get("schema"))
	switch {
	case records && o.Header:
		c.report("TM009", spec.Error, header, spec.Diagnostic{Node: s.Name, Message: fmt.Sprintf("records of %s have no header", b.Type), Hint: "columns: [user, price]"})
	case columns != nil:
		c.columnFields(s, b, columns)
	case !o.Header && s.Main.Declared:
		s.CSV.Names = names(s.Main.Fields)
	case !o.Header:
		at := header
		if at == nil {
			at = b.Node.Get("format")
		}
		c.report("TM005", spec.Error, at, spec.Diagnostic{Node: s.Name, Message: `CSV without a header needs "columns"`, Hint: "columns: [user, price], in the order of the file"})
	}
	s.CSV.Fields = s.Main.Fields
}

// delimiter reads the byte between fields.
func (c *compiler) delimiter(s *Source, b *spec.Block, text string) byte {
	if text == `\t` {
		text = "\t"
	}
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	if len(text) == 1 && text[0] < 0x80 && !strings.ContainsAny(text, letters+"\"\r\n.+-\x00") {
		return text[0]
	}
	c.report("TM006", spec.Error, c.option(b, "delimiter"), spec.Diagnostic{Node: s.Name,
		Message: fmt.Sprintf(`"delimiter" wants one character that numbers and quotes don't have, got %q`, text), Hint: `write "," or ";" or "|" or "\t"`})
	return ','
}

// nulls reads the texts that mean null: the empty one, unless others are listed.
func (c *compiler) nulls(s *Source, n *spec.Node) []string {
	if n == nil {
		return []string{""}
	}
	list := []string{}
	for _, e := range n.List() {
		if e.Kind == spec.Map || e.Kind == spec.List {
			c.report("TM006", spec.Error, e, spec.Diagnostic{Node: s.Name, Message: `"null_values" wants a list of texts`, Hint: `null_values: ["", "NULL"]`})
			continue
		}
		list = append(list, e.Text)
	}
	return list
}

// cells reports types that a cell cannot have.
func (c *compiler) cells(s *Source, schema *spec.Node) {
	for i, f := range s.Main.Fields {
		if f.Type.Shape == stream.Unknown || i >= len(schema.Entries) {
			continue
		}
		c.report("TM004", spec.Error, schema.Entries[i].Value, spec.Diagnostic{Node: s.Name,
			Message: fmt.Sprintf("field %q of CSV can't be %s", f.Name, f.Type), Hint: fmt.Sprintf("%s: string, and fromJSON(%s) where it is used", f.Name, f.Name)})
	}
}

// columnFields makes the fields those that columns names, with the types of the schema.
func (c *compiler) columnFields(s *Source, b *spec.Block, columns *spec.Node) {
	var fields []stream.Field
	for i, name := range s.CSV.Names {
		f, known := field(s.Main.Fields, name)
		if !known {
			f = stream.Field{Name: name, Type: stream.Type{Kind: stream.String, Null: true}}
		}
		if hasField(fields, name) {
			at := columns
			if list := columns.List(); i < len(list) {
				at = list[i]
			}
			c.report("TM002", spec.Error, at, spec.Diagnostic{Node: s.Name, Message: fmt.Sprintf("two columns are called %q", name), Hint: "names of columns differ"})
			continue
		}
		fields = append(fields, f)
	}
	for i, f := range s.Main.Fields {
		if !hasField(fields, f.Name) {
			c.reportKey("TM110", spec.Error, b.Node.Get("schema").Entries[i], spec.Diagnostic{Node: s.Name, Message: fmt.Sprintf("the schema names %q, which columns does not", f.Name),
				Hint: "columns here: " + strings.Join(s.CSV.Names, ", ")})
		}
	}
	s.Main.Fields, s.Main.Declared = fields, len(fields) > 0
}

// text is the path of a record as it is written in JSON.
func (s *Source) text() stream.Path {
	if s.Format == CSV || s.Format == Text {
		return codec.Object
	}
	return codec.Raw
}
