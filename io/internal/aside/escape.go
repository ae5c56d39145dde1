package aside

import "strings"

// NullPartition is the value in a folder's name that stands for null and for the empty text (Hive).
const NullPartition = "__HIVE_DEFAULT_PARTITION__"

// hexDigits are those of an escaped byte; Hive writes upper case.
const hexDigits = "0123456789ABCDEF"

// Escape writes a field or a value of a Hive folder's name: control characters and the characters that mean
// something in paths, URLs and globs become %XX (Hive: FileUtils.escapePathName).
func Escape(text string) string {
	if text == "" {
		return NullPartition
	}
	var out strings.Builder
	for i := range len(text) {
		c := text[i]
		if c < 0x20 || c == 0x7f || strings.IndexByte(`"#%'*/:=?\{[]^`, c) >= 0 || leadingDot(text, i) {
			out.Write([]byte{'%', hexDigits[c>>4], hexDigits[c&15]})
		} else {
			out.WriteByte(c)
		}
	}
	return out.String()
}

// leadingDot reports whether a dot would make a name hidden or lead out of its folder.
func leadingDot(text string, i int) bool { return i == 0 && text[0] == '.' }
