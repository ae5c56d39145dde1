package plan

import "tidemark/spec"

// orders gives a whole file around a transform named t, for the examples of the rules of expressions.
func orders(transform string) string {
	return `
sources:
  orders:
    type: file
    path: orders.jsonl
    schema: {user: string, page: string, amount: float, ts: int, vat: "float|null"}
    timestamp: {expr: ts, unit: ms}
    watermark: 5s
transforms:
  t:
    from: orders
` + transform + `sinks:
  out: {from: t, type: stdout}
`
}

var unknownField = rule{Rule: spec.Rule{ID: "TM110", Group: "expressions", Severity: spec.Error, Fixed: true, Title: "an unknown field",
	Text: `The records have a schema, or come from a transform that names their fields, and this is none of them. In having the fields are
those of the result.

Without a schema fields are not checked: one that a record lacks is nil.`,
	Fails: orders("    where: amont > 10\n"), Passes: orders("    where: amount > 10\n")}}

var syntax = rule{Rule: spec.Rule{ID: "TM111", Group: "expressions", Severity: spec.Error, Fixed: true, Title: "an expression that can't be read",
	Text:  `A bracket or a quote is not closed, an operand is missing, or a function has too many or too few arguments.`,
	Fails: orders("    where: (amount + 1\n"), Passes: orders("    where: (amount + 1) > 10\n")}}

var mismatch = rule{Rule: spec.Rule{ID: "TM112", Group: "expressions", Severity: spec.Error, Fixed: true, Title: "types that don't go together",
	Text: `The schema says what the fields are, and the operator or function can't use it. Text becomes a number by int(x) or float(x), a
number text by string(x).`,
	Fails: orders("    where: amount > '10'\n"), Passes: orders("    where: amount > 10\n")}}

var noCondition = rule{Rule: spec.Rule{ID: "TM113", Group: "expressions", Severity: spec.Error, Fixed: true, Title: "a condition that is neither true nor false",
	Text: `where, having and the last argument of an aggregate with _if keep what they are true for. Numbers and text are not true or false
by themselves: compare them.`,
	Fails: orders("    where: amount\n"), Passes: orders("    where: amount > 0\n")}}

var unknownFunction = rule{Rule: spec.Rule{ID: "TM114", Group: "expressions", Severity: spec.Error, Fixed: true, Title: "an unknown function",
	Text:  `Nothing has this name. Aggregates such as sum and count are functions only within aggregate.`,
	Fails: orders("    set: {page: uper(page)}\n"), Passes: orders("    set: {page: upper(page)}\n")}}

var foreignOperator = rule{Rule: spec.Rule{ID: "TM115", Group: "expressions", Severity: spec.Error, Fixed: true, Title: "a word of another language",
	Text: `Equality is ==, and not =. Inequality is !=, and not <>. Conditions are joined by and, or and not, in lower case, and the missing
value is nil.

// begins a comment, so 7 // 2 is 7; that is a warning. A whole quotient is int(a / b).`,
	Fails: orders("    where: page = 'home'\n"), Passes: orders("    where: page == 'home'\n")}}

var aggregateMisused = rule{Rule: spec.Rule{ID: "TM117", Group: "expressions", Severity: spec.Error, Fixed: true, Title: "aggregates and fields of single records mixed up",
	Text: `Within aggregate there are many records for each result row. A field of theirs needs an aggregate that says which value is meant, such
as first(page), or belongs into key.

Elsewhere there is one record, so nothing can be aggregated. having speaks of the fields of the result: give the aggregate a
name in aggregate, and use the name. An aggregate of an aggregate takes two transforms.`,
	Fails:  orders("    key: user\n    window: {tumbling: 1m}\n    aggregate: {n: count(), page: page}\n"),
	Passes: orders("    key: user\n    window: {tumbling: 1m}\n    aggregate: {n: count(), page: first(page)}\n")}}

var nullable = rule{Rule: spec.Rule{ID: "TM118", Group: "expressions", Severity: spec.Warning, Title: "a field that can be null, used where null is a fault",
	Text: `The schema says that the field may be null. An operator on null has no result, so such a record goes to .dirty. x ?? 0 gives a value in
its place, and so does a condition before: x != nil and x > 1. The arguments of aggregates may be null: nulls are skipped.`,
	Fails: orders("    where: vat > 1\n"), Passes: orders("    where: (vat ?? 0) > 1\n")}}

var constantArgument = rule{Rule: spec.Rule{ID: "TM120", Group: "expressions", Severity: spec.Warning, Title: "an aggregate of a text that is the same for every record",
	Text: `A text in quotes is that text, whatever the quotes: SQL's "user" for a field is user here, without any. One of other letters is
row["order id"].`,
	Fails: orders("    window: {tumbling: 1m}\n    aggregate: {n: 'count_distinct(\"user\")'}\n"), Passes: orders("    window: {tumbling: 1m}\n    aggregate: {n: count_distinct(user)}\n")}}

var division = rule{Rule: spec.Rule{ID: "TM119", Group: "expressions", Severity: spec.Warning, Title: "a division that may not give what is wanted",
	Text: `/ gives a float, also of whole numbers: int(a / b) cuts the fraction off. By zero, / gives an infinite value, and % none, so the record
goes to .dirty, unless a condition says that it is not 0: n > 0 ? x / n : nil. Times don't need to be divided: timestamp has a unit.`,
	Fails: orders("    set: {share: amount / ts}\n"), Passes: orders("    set: {share: amount / 100}\n")}}
