package spec

// The rules about the file's own structure. Other groups are registered where they are checked.
func init() {
	for _, r := range []Rule{ruleSyntax, ruleTwice, ruleUnknownKey, ruleUnknownType, ruleMissing, ruleWrongType, ruleDuration,
		ruleUnset, ruleExclusive, ruleSwallowed, ruleOctal, ruleComment, ruleNoScalar, ruleSecret, ruleTag, ruleComma} {
		r.Group = "structure"
		r.Fixed = r.Severity == Error
		RegisterRule(r)
	}
	RegisterRule(ruleAllow)
}

var ruleSyntax = Rule{ID: "TM001", Severity: Error, Title: "the file is not YAML, or no pipeline file",
	Text: `A pipeline file is one YAML document in UTF-8: a map with sources, transforms and sinks.

Most often a value has characters that mean something to YAML: ": " or " #" within it, or one of ! & * > | @ % { [ ? at its
start. Put such values in single quotes. Within { } and [ ] quote everything but plain words. Indent with spaces.`,
	Fails: `
description: buyers: the new ones
`, Passes: `
description: "buyers: the new ones"
`}

var ruleTwice = Rule{ID: "TM002", Severity: Error, Title: "a key or a name is given twice",
	Text: `A key stands once in its map. Sources, transforms and sinks share their names, since "from" speaks of all of them. The words
meta, row, window, pane, watermark, clock and end mean something in expressions and tests and are no names.`,
	Fails: `
sources:
  clicks: {type: file, path: a.jsonl}
sinks:
  clicks: {from: clicks, type: stdout}
`, Passes: `
sources:
  clicks: {type: file, path: a.jsonl}
sinks:
  clicks_out: {from: clicks, type: stdout}
`}

var ruleUnknownKey = Rule{ID: "TM003", Severity: Error, Title: "unknown key",
	Text: `The key is not known at this place. The hint names the known key that is nearest, also for words of other tools: group_by is
key, hop is sliding, bootstrap_servers is brokers.`,
	Fails: `
steps:
  uv: {from: clicks}
`, Passes: `
transforms:
  uv: {from: clicks}
`}

var ruleUnknownType = Rule{ID: "TM004", Severity: Error, Title: "unknown type of a source or sink",
	Text: "There is no connector of this name. The hint lists those that there are.",
	Fails: `
sinks:
  out: {from: clicks, type: stdot}
`, Passes: `
sinks:
  out: {from: clicks, type: stdout}
`}

var ruleMissing = Rule{ID: "TM005", Severity: Error, Title: "a required key is missing",
	Text: "The block can't work without the key. The hint shows how it is written.",
	Fails: `
sources:
  clicks: {type: file}
`, Passes: `
sources:
  clicks: {type: file, path: clicks.jsonl}
`}

var ruleWrongType = Rule{ID: "TM006", Severity: Error, Title: "a value is of the wrong type",
	Text: `The key wants another kind of value: a map, a list, a number, true or false, or one of a few words. A value in quotes is text: it is
no number. Names are a-z, then a-z, 0-9 and _.`,
	Fails: `
sources: [clicks]
`, Passes: `
sources:
  clicks: {type: file, path: clicks.jsonl}
`}

var ruleDuration = Rule{ID: "TM007", Severity: Error, Title: "a duration that can't be read",
	Text: `A duration is whole numbers with the units ms, s, m, h, d (24 hours) and w, combined at will: 500ms, 90s, 1h30m. A bare number says
not what it counts. Months and years have no fixed length: they are windows of their own, window: {calendar: month}. Only an
offset may be negative.`,
	Fails: `
transforms:
  visits: {from: clicks, window: {tumbling: 30}, aggregate: {n: count()}}
`, Passes: `
transforms:
  visits: {from: clicks, window: {tumbling: 30s}, aggregate: {n: count()}}
`}

var ruleUnset = Rule{ID: "TM008", Severity: Error, Title: "a variable has no value",
	Text: `${NAME} is looked up in --set, then in vars, then in the environment and --env-file. ${NAME:-default} gives a value for when it is
missing or empty, ${NAME:?message} a message of your own. $${ is a literal ${. With --no-env it is a warning.`,
	Fails: `
sources:
  clicks: {type: file, path: "${NOWHERE}/clicks.jsonl"}
`, Passes: `
sources:
  clicks: {type: file, path: "${NOWHERE:-data}/clicks.jsonl"}
`}

var ruleExclusive = Rule{ID: "TM009", Severity: Error, Title: "keys that exclude each other",
	Text: "Both keys say the same thing in different ways, such as two kinds of window. Keep one of them.",
	Fails: `
transforms:
  uv: {from: clicks, window: {tumbling: 1m, session: 30m}, aggregate: {n: count()}}
`, Passes: `
transforms:
  uv: {from: clicks, window: {tumbling: 1m}, aggregate: {n: count()}}
`}

var ruleSwallowed = Rule{ID: "TM010", Severity: Warning, Title: "a list item became part of the one before it",
	Text: "A dash that is indented deeper than the one above it begins no item: YAML reads both lines as one text.",
	Fails: `
sources:
  clicks:
    type: file
    path:
      - a.jsonl
        - b.jsonl
`, Passes: `
sources:
  clicks:
    type: file
    path:
      - a.jsonl
      - b.jsonl
`}

var ruleOctal = Rule{ID: "TM011", Severity: Warning, Title: "a number that other YAML tools read otherwise",
	Text: "Here 010 is ten, or the text 010 where text is wanted. Tools of YAML 1.1 read it as octal.",
	Fails: `
settings: {parallelism: 010}
`, Passes: `
settings: {parallelism: 10}
`}

var ruleComment = Rule{ID: "TM012", Severity: Error, Title: "an expression is cut off by a YAML comment",
	Text: "In a value without quotes a # behind a space begins a comment. Expressions that use # for an element need quotes.",
	Fails: `
transforms:
  big:
    from: orders
    where: any(items, # > 1)
`, Passes: `
transforms:
  big:
    from: orders
    where: 'any(items, # > 1)'
`}

var ruleNoScalar = Rule{ID: "TM013", Severity: Error, Title: "an expression that YAML reads as a map or a list",
	Text: "An expression that begins with { or [, or holds \": \", needs quotes.",
	Fails: `
transforms:
  big: {from: orders, where: [1, 2]}
`, Passes: `
transforms:
  big: {from: orders, where: 'n in [1, 2]'}
`}

var ruleSecret = Rule{ID: "TM014", Severity: Warning, Title: "a secret is written in the file",
	Text: "Whoever can read the file can read it, and it stays in the history. What comes from the environment is never printed.",
	Fails: `
sources:
  orders:
    type: kafka
    brokers: localhost:9092
    topics: [orders]
    sasl: {mechanism: plain, user: reader, password: opensesame}
`, Passes: `
sources:
  orders:
    type: kafka
    brokers: localhost:9092
    topics: [orders]
    sasl: {mechanism: plain, user: reader, password: "${KAFKA_PASSWORD:-}"}
`}

var ruleTag = Rule{ID: "TM015", Severity: Error, Title: "a YAML tag",
	Text: "A word behind a ! is a tag to YAML: where: !ok is an empty value. Write not ok, or quote the expression.",
	Fails: `
transforms:
  good: {from: orders, where: !ok }
`, Passes: `
transforms:
  good: {from: orders, where: not ok}
`}

var ruleComma = Rule{ID: "TM016", Severity: Error, Title: "an expression is split at a comma within { } or [ ]",
	Text: "Within { } a comma begins the next key, also in a call. Quote the expression, or write one line per entry.",
	Fails: `
transforms:
  p: {from: pages, aggregate: {p95: quantile(bytes, 0.95)}}
`, Passes: `
transforms:
  p:
    from: pages
    aggregate:
      p95: quantile(bytes, 0.95)
`}

var ruleAllow = Rule{ID: "TM090", Group: "tests", Severity: Warning, Title: "a lint comment without reason or without effect",
	Text: `The comment "# lint: allow TM204 reason" silences a rule on the line below it. Say why, so that others can tell whether it still
holds, and remove it when there is nothing left to silence. Errors of the file's structure can't be silenced.`,
	Fails: `
# lint: allow TM011
settings: {parallelism: 010}
`, Passes: `
# lint: allow TM011 the number comes from a generator that pads
settings: {parallelism: 010}
`}
