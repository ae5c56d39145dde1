package plan

import (
	"fmt"
	"strings"

	"tidemark/spec"
	"tidemark/stream"
)

var nullableKey = rule{check: checkKeys, Rule: spec.Rule{ID: "TM401", Group: "keys", Severity: spec.Warning, Title: "a key that can be null",
	Text: `The schema says that the field may be null. All records without it form one group, which is often by far the largest and means nothing.
Leave them out by where: user != nil, or give them a name: key: {user: user ?? "unknown"}.`,
	Fails:  nullableUser("    key: user\n"),
	Passes: nullableUser("    where: user != nil\n    key: user\n")}}

var endlessKey = rule{Rule: spec.Rule{ID: "TM402", Group: "keys", Severity: spec.Warning, Title: "groups without number in a window without end",
	Text: `A group is kept until its window ends, and a global window ends with the input. With a key that is another for almost every record, such as
a float, the state grows by a group for each. Use a window, or round the key: key: {price: int(price)}. Where the input does
not end, the same goes for raw times and ids.`,
	Fails:  orders("    key: amount\n    aggregate: {n: count()}\n"),
	Passes: orders("    key: {amount: int(amount)}\n    aggregate: {n: count()}\n")}}

// nullableUser gives a whole file around a transform that counts by a user who may be null.
func nullableUser(transform string) string {
	return `
sources:
  clicks: {type: file, path: clicks.jsonl, schema: {user: "string|null", ts: int}, timestamp: {expr: ts, unit: ms}, watermark: 5s}
transforms:
  visits:
    from: clicks
` + transform + `    window: {tumbling: 1m}
    aggregate: {n: count()}
sinks:
  out: {from: visits, type: stdout}
  late: {from: visits.late, type: stdout}
`
}

// checkKeys looks at the keys of aggregates that are fields as they came in.
func checkKeys(c *compiler) {
	for _, t := range c.plan.Transforms {
		if t.Window == nil || c.broken[t.Name] {
			continue
		}
		for _, key := range t.Window.keyed {
			switch {
			case !bare(key.program):
			case key.program.Type().Null && known(key.program.Type()) && !c.formal(key.program.Uses()[0][0]):
				name := redact(key.node, key.program.Source())
				c.report("TM401", spec.Warning, key.node, spec.Diagnostic{Node: t.Name,
					Message: fmt.Sprintf("records without %q share one group", name), Hint: "where: " + name + " != nil"})
			}
			c.endlessKey(t, key)
		}
	}
}

// endlessKey reports a key of a global window that is another for almost every record.
func (c *compiler) endlessKey(t *Transform, key keyExpression) {
	if t.Window.Bounds || !bare(key.program) {
		return
	}
	path := key.program.Uses()[0]
	name, kind := path[len(path)-1], key.program.Type().Kind
	id := name == "id" || name == "uuid" || strings.HasSuffix(name, "_id")
	if kind == stream.Float || !t.From.Bounded && (kind == stream.Instant || id) {
		c.report("TM402", spec.Warning, key.node, spec.Diagnostic{Node: t.Name,
			Message: fmt.Sprintf("%s is another for almost every record: state grows without end", redact(key.node, key.program.Source())), Hint: "a window, or a key with few values"})
	}
}
