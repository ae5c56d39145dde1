package spec

import "gopkg.in/yaml.v3"

// Parse reads a pipeline file and reports every fault of its YAML and its outer shape. What stands within the
// blocks is checked by whoever decodes them. The File is nil only when there is no map to speak of.
func Parse(path string, text []byte, o Options) (*File, Diagnostics) {
	root, faults := load(path, text, o)
	const what, hint = "a pipeline file is a map with sources, transforms and sinks", "begin with sources:"
	if root == nil || root.Kind != Map {
		if !faults.HasErrors() {
			message := "the file is empty: " + what
			p := Pos{1, 1}
			if root != nil && root.Kind != Null {
				message, p = what+", this is "+root.describe(), root.Pos
			}
			d := newDocument(path, text)
			faults = append(faults, d.diagnose(p, p, "TM001", message, hint))
		}
		return nil, faults
	}
	r := reader{file: &File{Path: path, Node: root, Text: root.doc.text, Variables: root.doc.variables, Partial: len(root.doc.broken) > 0}, names: map[string]*Block{}}
	r.top(root)
	faults = append(r.withoutRepeated(faults), r.faults...)
	faults = append(faults, clearSecrets(r.file)...)
	nameNodes(r.file, faults)
	faults.Sort()
	return r.file, faults
}

// ParseNode reads another YAML document, such as a file of tests, with the same rules for YAML and ${NAME}s. The
// Node is nil when there is nothing in it.
func ParseNode(path string, text []byte, o Options) (*Node, Diagnostics) {
	root, faults := load(path, text, o)
	faults.Sort()
	return root, faults
}

// load reads a document into Nodes.
func load(path string, text []byte, o Options) (*Node, Diagnostics) {
	d := newDocument(path, text)
	y, faults := d.read()
	if y == nil {
		return nil, faults
	}
	c := &converter{doc: d, names: newVariables(y, o), done: map[*yaml.Node]*Node{}}
	c.findVars(y)
	root := c.node(y, false)
	d.variables = c.names.names()
	return root, append(faults, c.faults...)
}

// findVars notes where the section vars stands: from its key to the next.
func (c *converter) findVars(y *yaml.Node) {
	for i := 0; i+1 < len(y.Content) && y.Kind == yaml.MappingNode; i += 2 {
		if y.Content[i].Value != "vars" {
			continue
		}
		c.varsFrom, c.varsTo = Pos{y.Content[i].Line, y.Content[i].Column}, Pos{1 << 30, 1}
		if i+2 < len(y.Content) {
			c.varsTo = Pos{y.Content[i+2].Line, y.Content[i+2].Column}
		}
		return
	}
}

// nameNodes gives each fault the name of the block that it stands in.
func nameNodes(f *File, faults Diagnostics) {
	blocks := f.Blocks()
	for i := range faults {
		if faults[i].Node != "" {
			continue
		}
		p := Pos{faults[i].Line, faults[i].Column}
		for _, b := range blocks {
			if !p.Before(b.NamePos) && p.Before(b.Node.End) {
				faults[i].Node = b.Name
			}
		}
	}
}
