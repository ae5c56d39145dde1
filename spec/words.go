package spec

import (
	"fmt"
	"slices"
	"strings"
)

// otherWords are the keys of other tools (Flink SQL, Beam YAML, Vector, Redpanda Connect, Kafka's own clients, SQL)
// and ours. Where several are given, the first that is known at the place is meant.
var otherWords = map[string][]string{
	// sections
	"source": {"sources"}, "input": {"from", "sources"}, "inputs": {"from", "sources"}, "sink": {"sinks"},
	"steps": {"transforms"}, "pipeline": {"transforms"}, "processors": {"transforms"}, "nodes": {"transforms"},
	"transformations": {"transforms"}, "operators": {"transforms"}, "stages": {"transforms"}, "queries": {"transforms"},
	"output": {"sinks"}, "outputs": {"sinks"}, "destinations": {"sinks"}, "targets": {"sinks"}, "exports": {"sinks"},
	"env": {"vars"}, "variables": {"vars"}, "parameters": {"vars"}, "params": {"vars"}, "args": {"vars"},
	"config": {"settings"}, "options": {"settings"}, "title": {"name"}, "doc": {"description"}, "comment": {"description"},
	// transforms
	"upstream": {"from"}, "depends_on": {"from"}, "source_name": {"from"}, "reads": {"from"}, "uses": {"from"},
	"group_by": {"key"}, "groupby": {"key"}, "key_by": {"key"}, "keyby": {"key"}, "partition_key": {"key"},
	"keys": {"key"}, "group": {"key"}, "partition_by": {"key"}, "primary_key": {"key"},
	"filter": {"where"}, "condition": {"where"}, "when": {"where"}, "if": {"where"}, "predicate": {"where"},
	"map": {"set"}, "mapping": {"set"}, "project": {"select"}, "projection": {"select"}, "compute": {"set"},
	"derive": {"set"}, "assign": {"set"}, "add_fields": {"set"}, "with_columns": {"set"},
	"fields": {"select"}, "columns": {"select"}, "remove": {"drop"}, "exclude": {"drop"}, "except": {"drop"},
	"flatten": {"explode"}, "unnest": {"explode"}, "flat_map": {"explode"}, "flatmap": {"explode"},
	"lateness": {"allowed_lateness"}, "grace": {"allowed_lateness"}, "grace_period": {"allowed_lateness"},
	"allowedlateness": {"allowed_lateness"}, "late": {"late", "allowed_lateness"},
	"windows": {"window"}, "windowing": {"window"}, "trigger": {"emit"}, "triggers": {"emit"}, "triggering": {"emit"},
	"aggregations": {"aggregate"}, "aggregates": {"aggregate"}, "agg": {"aggregate"}, "aggs": {"aggregate"},
	"metrics": {"aggregate", "metrics"}, "combine": {"aggregate"}, "reduce": {"aggregate"}, "measures": {"aggregate"},
	"distinct": {"dedup"}, "dedupe": {"dedup"}, "deduplicate": {"dedup"}, "unique": {"dedup"}, "top_n": {"top"}, "topn": {"top"},
	"route": {"split"}, "routes": {"split"}, "branches": {"split"}, "cases": {"split"}, "switch": {"split"},
	// windows
	"tumble": {"tumbling"}, "fixed": {"tumbling"}, "size": {"tumbling", "sliding"}, "length": {"tumbling"}, "duration": {"tumbling"},
	"hop": {"sliding"}, "hopping": {"sliding"}, "slide": {"every"}, "hop_size": {"every"}, "period": {"every", "interval"}, "advance": {"every"},
	"step": {"every"}, "gap": {"session"}, "session_gap": {"session"}, "sessions": {"session"}, "inactivity_gap": {"session"},
	"tz": {"timezone"}, "zone": {"timezone"}, "time_zone": {"timezone"},
	// emit and joins
	"pane": {"pane_fields"}, "mode": {"accumulation", "mode"}, "accumulation_mode": {"accumulation"}, "early_firings": {"early"},
	"late_firings": {"late"}, "join_type": {"type"}, "how": {"type"}, "kind": {"type", "format"}, "connector": {"type"}, "plugin": {"type"}, "driver": {"type"},
	"interval": {"within", "every"}, "bounds": {"within"}, "lower": {"before"}, "upper": {"after"}, "limit": {"n", "count"},
	"order_by": {"by", "order"}, "sort_by": {"by"}, "sort": {"order"},
	// sources and sinks
	"auto_offset_reset": {"start"}, "offset_reset": {"start"}, "startup_mode": {"start"}, "scan_startup_mode": {"start"}, "start_from": {"start"},
	"starting_offsets": {"start"}, "initial_offset": {"start"}, "from_beginning": {"start"}, "start_from_oldest": {"start"},
	"bootstrap_servers": {"brokers"}, "bootstrap": {"brokers"}, "bootstrap.servers": {"brokers"}, "servers": {"brokers"}, "broker": {"brokers"},
	"addresses": {"brokers"}, "seed_brokers": {"brokers"}, "hosts": {"brokers"}, "topic": {"topics", "topic"}, "topics": {"topic"},
	"topic_pattern": {"pattern"}, "regex": {"pattern"}, "group_id": {"group"}, "group.id": {"group"}, "consumer_group": {"group"},
	"isolation_level": {"isolation"}, "scan_bounded_mode": {"stop"}, "until": {"stop"}, "bounded_mode": {"stop"},
	"file": {"path"}, "filename": {"path"}, "paths": {"path"}, "glob": {"path"}, "include": {"path"}, "dir": {"path", "dir"}, "directory": {"path", "dir"}, "uri": {"path"}, "url": {"path"}, "location": {"path"},
	"codec": {"format"}, "encoding": {"format"}, "decoding": {"format"}, "encode": {"format"}, "decode": {"format"}, "value_format": {"format"},
	"separator": {"delimiter"}, "sep": {"delimiter"}, "has_header": {"header"}, "headers": {"header"}, "null_value": {"null_values"}, "null_if": {"null_values"},
	"types": {"schema"}, "field_types": {"schema"}, "message_key": {"key"}, "key_fields": {"key"}, "guarantee": {"delivery"}, "delivery_guarantee": {"delivery"}, "semantic": {"delivery"},
	"compress": {"compression"}, "gzip": {"compression"}, "rolling": {"roll"}, "rotate": {"roll"}, "rotation": {"roll"}, "batch_size": {"row_group"}, "row_group_size": {"row_group"},
	"ssl": {"tls"}, "auth": {"sasl"}, "username": {"user"}, "pass": {"password"}, "write_mode": {"mode"}, "change_mode": {"mode"}, "tail": {"follow"}, "timestamp_format": {"time_format"}, "records": {"rows", "count"}, "data": {"rows"}, "values": {"rows"},
	// time
	"event_time": {"timestamp"}, "time_field": {"timestamp"}, "timestamp_field": {"timestamp"}, "time_attribute": {"timestamp"}, "rowtime": {"timestamp"}, "ts": {"timestamp"},
	"watermarks": {"watermark"}, "watermark_strategy": {"watermark"}, "out_of_orderness": {"bounded"}, "max_out_of_orderness": {"bounded"}, "delay": {"bounded"}, "disorder": {"bounded"}, "bounded_out_of_orderness": {"bounded"},
	"ascending": {"monotonous"}, "monotonic": {"monotonous"}, "idleness": {"idle"}, "idle_timeout": {"idle"}, "with_idleness": {"idle"}, "max_drift": {"align"}, "alignment": {"align"}, "emit_interval": {"interval"},
	"field": {"expr"}, "column": {"expr"}, "expression": {"expr"}, "precision": {"unit"},
	// settings
	"workers": {"parallelism"}, "threads": {"parallelism"}, "concurrency": {"parallelism"}, "checkpointing": {"checkpoint"}, "checkpoints": {"checkpoint"}, "savepoint": {"checkpoint"},
	"on_error": {"on_dirty"}, "error_handling": {"on_dirty"}, "memory_limit": {"memory"}, "max_memory": {"memory"}, "prometheus": {"metrics"}, "retain": {"keep"}, "retention": {"keep"},
}

// homes says where keys belong that are often written beside their place.
var homes = map[string]string{
	"allowed_lateness": "a transform, beside its window", "idle": "watermark: {bounded: 5s, idle: 1m} of a source",
	"bounded": "watermark: {bounded: 5s} of a source", "max_ahead": "the watermark of a source", "unit": "timestamp: {expr: ts, unit: ms} of a source",
	"tumbling": "window: {tumbling: 1m}", "sliding": "window: {sliding: 10m, every: 1m}", "session": "window: {session: 30m}", "calendar": "window: {calendar: day}",
	"accumulation": "emit: {accumulation: …} of a transform", "pane_fields": "emit: {pane_fields: true} of a transform", "within": "join: {…, within: {before: 1m}} or dedup",
	"watermark": "a source", "timestamp": "a source", "schema": "a source", "aggregate": "a transform", "window": "a transform", "where": "a transform", "key": "a transform or an upsert sink",
	"parallelism": "settings", "checkpoint": "settings", "on_dirty": "settings", "on_late": "settings", "memory": "settings",
	"password": "sasl: {mechanism: plain, user: …, password: …}", "user": "sasl", "overwrite": "a file sink", "mode": "a sink",
}

// ofEnds are keys of sources and sinks, which belong in no other place.
var ofEnds = []string{"type", "format", "path", "brokers", "topics", "topic", "header", "delimiter", "compression"}

// nothingLike says what to do instead of words of other tools that have no like here.
var nothingLike = map[string]string{
	"limit": "a sink writes every row: shorten what it wrote, for example by head", "order_by": rowsInOrder, "sort_by": rowsInOrder, "sort": rowsInOrder,
}

const rowsInOrder = "rows come in the order of their windows: sort what the sink wrote"

// unknownKey makes the fault of a key that is not known, and gives the known key that was meant, if one is likely.
// Keys of later versions are known too, but not worth a proposal.
func unknownKey(e *Entry, what string, known, later []string) (Diagnostic, string) {
	word, refused := meant(e.Key, known), meant(e.Key, later)
	if strings.HasPrefix(home(e.Key, what), "it belongs") && !slices.Contains(otherWords[e.Key], word) {
		word = "" // a word of ours in a wrong place is no misspelled one
		if refused != e.Key {
			refused = ""
		}
	}
	hint := ""
	switch {
	case word == "" && refused != "":
		word = refused
		hint = fmt.Sprintf("it is %s, which is not supported in this version", word)
		return e.Diagnose("TM003", fmt.Sprintf("unknown key %q in %s", e.Key, what), hint), word
	case word != "":
		hint = fmt.Sprintf("did you mean %s?", word)
	case home(e.Key, what) != "":
		hint = home(e.Key, what)
	case len(known) == 0:
		hint = "no keys are known here"
	default:
		sorted := slices.Clone(known)
		slices.Sort(sorted)
		hint = "known: " + strings.Join(sorted, ", ")
	}
	d := e.Diagnose("TM003", fmt.Sprintf("unknown key %q in %s", e.Key, what), hint)
	if word != "" && !e.Value.alias {
		d.Fix = word
	}
	return d, word
}

// home says where a key that is unknown in a map, or our word for it, belongs; empty if nowhere.
func home(key, what string) string {
	if strings.HasPrefix(what, "transform") && slices.Contains(ofEnds, key) {
		return "it belongs in a source or a sink"
	}
	if homes[key] != "" {
		return "it belongs in " + homes[key]
	}
	for _, ours := range otherWords[key] {
		if homes[ours] != "" {
			return fmt.Sprintf("it is %s, which belongs in %s", ours, homes[ours])
		}
	}
	return nothingLike[key]
}

// UnknownKey makes the fault TM003 for a key that a map checked by hand does not know; what is the map as messages
// name it. It gives the known key that was meant too, empty if none is likely.
func UnknownKey(e *Entry, what string, known []string) (Diagnostic, string) {
	return unknownKey(e, what, known, nil)
}
