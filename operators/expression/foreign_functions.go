package expression

import (
	"strconv"
	"strings"

	"github.com/expr-lang/expr/ast"
)

// foreignFunctions are functions of SQL and of other languages with what to write here. In a template $1 is the
// first argument, and so on; a word alone is a function of the same arguments.
var foreignFunctions = func() map[string]string {
	templates := map[string]string{}
	for template, words := range wordsOf {
		for _, word := range strings.Fields(words) {
			templates[word] = template
		}
	}
	return templates
}()

// wordsOf gives for each template the functions in whose place it stands.
var wordsOf = map[string]string{
	"not ($1)":            "not",
	"$1 ?? $2":            "coalesce nvl ifnull zeroifnull",
	"$1 == nil":           "isnull is_null isnil is_nil isna",
	"$1 != nil":           "isnotnull is_not_null notnull exists has notna",
	"$1 == $2 ? nil : $1": "nullif",
	`$1 == ""`:            "isempty is_empty empty",
	"$1 ? $2 : $3":        "if iff iif ifelse if_else",
	"len":                 "length char_length character_length strlen size array_length cardinality",
	"$1[:$2]":             "left",
	"$1 startsWith $2":    "startswith starts_with has_prefix",
	"$1 endsWith $2":      "endswith ends_with has_suffix",
	"$1 contains $2":      "includes has_substring",
	"$1 matches $2":       "regexp_like regexp_matches regexp_match rlike regexp match regexp_contains",
	"indexOf":             "strpos instr charindex index_of",
	"indexOf($2, $1)":     "position locate",
	"$2 in $1":            "array_contains list_contains array_has",
	"string":              "str to_string tostring varchar text to_text to_varchar",
	"int":                 "to_int toint integer bigint parse_int parseint trunc truncate to_integer to_int64",
	"float":               "to_float tofloat double parse_float parsefloat to_double to_number tonumber number numeric decimal to_float64",
	"upper":               "ucase toupper touppercase to_upper uppercase upcase",
	"lower":               "lcase tolower tolowercase to_lower lowercase downcase",
	"ceil":                "ceiling",
	"max":                 "greatest",
	"min":                 "least",
	"$1 % $2":             "mod modulo",
	"$1 ** $2":            "power pow",
	"$1 ** 0.5":           "sqrt",
	"$1 + $2":             "concatenate string_concat",
	"hash($1), a number":  "md5 sha1 sha256 sha2 crc32 xxhash xxhash64 farm_fingerprint murmur hash_code",
	"json":                "to_json tojson_string json_encode to_json_string",
	"fromJSON":            "from_json parse_json json_decode json_parse",
	"fromJSON($1).name":   "json_extract json_value json_query get_json_object json_extract_scalar json_extract_path_text",
	"url_host":            "host hostname domain parse_host url_extract_host",
	"uuid":                "gen_random_uuid newid generate_uuid uuid_v4 uuid4",
	"$1.Year()":           "year",
	"$1.Day()":            "day dayofmonth day_of_month",
	"$1.Hour()":           "hour",
	"$1.Minute()":         "minute",
	"$1.Second()":         "second",
	"$1.YearDay()":        "dayofyear day_of_year",
	"int($1.Month())":     "month",
	"int($1.Weekday())":   "weekday dayofweek day_of_week dow",
	"$1.Unix()":           "unix_timestamp to_unixtime unix_seconds epoch to_unix to_epoch",
	"$1.UnixMilli()":      "unix_millis epoch_ms to_unix_millis epoch_millis",
	"date($1), or time($1, \"ms\") of a number": "to_timestamp to_date to_datetime todatetime parse_time strptime timestamp parse_timestamp datetime parse_date parse_datetime to_timestamp_ltz",
	`time($1, "s")`:                 "from_unixtime timestamp_seconds fromtimestamp from_unix",
	`time($1, "ms")`:                "timestamp_millis from_unix_millis",
	"now()":                         "current_timestamp getdate sysdate current_date localtimestamp utcnow systimestamp",
	"($2 - $1).Seconds()":           "datediff timestampdiff date_diff timestamp_diff timediff age",
	"$1 + duration(\"1h\")":         "date_add dateadd timestampadd date_sub timestamp_add add_time",
	`format_time($1, "2006-01-02")`: "strftime date_format to_char format_timestamp formatdatetime format_datetime format_date",
}

// notForOneRecord are functions over many records.
var notForOneRecord = map[string]string{
	"distinct": "count_distinct(x) in aggregate counts values; uniq(x) is for lists", "percentile": quantileHint, "percentile_cont": quantileHint,
	"percentile_disc": quantileHint, "approx_percentile": quantileHint, "row_number": rowsLater, "rank": rowsLater, "dense_rank": rowsLater,
	"lag": rowsLater, "lead": rowsLater, "over": rowsLater,
}

const (
	quantileHint = "quantile(x, 0.95) in aggregate is it: an expression sees one record"
	rowsLater    = "an expression sees one record: aggregate over a window"
)

// foreignCall gives what to write in the place of a call of another language's function, "" where nobody knows.
func foreignCall(name string, args []ast.Node) string {
	word := strings.ToLower(name)
	if hint := notForOneRecord[word]; hint != "" {
		return hint
	}
	shown := make([]string, len(args))
	for i, a := range args {
		shown[i] = show(a)
	}
	switch word {
	case "substr", "substring", "mid":
		return "write " + sliceOf(args, shown)
	case "date_trunc", "datetrunc", "timestamp_trunc", "trunc_date":
		return "write " + truncOf(args, shown)
	case "date_part", "datepart":
		if len(args) == 2 {
			return "write " + partOf(strings.Trim(shown[0], `"`), shown[1])
		}
	case "coalesce", "concat_ws", "concatenate":
		if len(args) > 2 {
			return "write " + strings.Join(shown, map[bool]string{true: " ?? ", false: " + "}[word == "coalesce"])
		}
	case "right":
		if len(args) == 2 {
			return "write " + shown[0] + "[-" + shown[1] + ":]"
		}
	}
	template := foreignFunctions[word]
	switch {
	case template == "":
		return ""
	case strings.Trim(template, "abcdefghijklmnopqrstuvwxyzJSONT_") == "":
		return "did you mean " + template + "()?"
	}
	return "write " + fill(template, shown)
}

// fill puts arguments into a template.
func fill(template string, args []string) string {
	for i, fallback := range []string{"x", "y", "z"} {
		if i < len(args) {
			fallback = args[i]
		}
		template = strings.ReplaceAll(template, "$"+strconv.Itoa(i+1), fallback)
	}
	return template
}

// sliceOf writes substr(s, from, n), which counts from 1, as a slice.
func sliceOf(args []ast.Node, shown []string) string {
	if len(args) < 2 {
		return "s[0:3]"
	}
	from, ok := args[1].(*ast.IntegerNode)
	if !ok {
		return shown[0] + "[from:to], counted from 0"
	}
	first := max(from.Value-1, 0)
	if len(args) == 2 {
		return shown[0] + "[" + strconv.Itoa(first) + ":]"
	}
	if n, ok := args[2].(*ast.IntegerNode); ok {
		return shown[0] + "[" + strconv.Itoa(first) + ":" + strconv.Itoa(first+n.Value) + "]"
	}
	return shown[0] + "[" + strconv.Itoa(first) + ":to]"
}

// truncOf writes date_trunc("hour", t), in whatever order.
func truncOf(args []ast.Node, shown []string) string {
	t, unit := "t", ""
	for i, a := range args {
		if s, ok := a.(*ast.StringNode); ok {
			unit = strings.ToLower(s.Value)
		} else {
			t = shown[i]
		}
	}
	switch unit {
	case "month":
		return "format_time(" + t + `, "2006-01")`
	case "year":
		return "format_time(" + t + `, "2006")`
	}
	span := map[string]string{"second": "1s", "minute": "1m", "day": "1d", "week": "1w"}[unit]
	if span == "" {
		span = "1h"
	}
	return "trunc_time(" + t + `, "` + span + `")`
}

// partOf writes a part of a time, such as its hour.
func partOf(part, t string) string {
	if template := foreignFunctions[strings.ToLower(part)]; strings.Contains(template, "()") && strings.Contains(template, "$1") {
		return fill(template, []string{t})
	}
	return t + ".Hour()"
}
