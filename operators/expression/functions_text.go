package expression

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
)

// toJSON is json(x). Names are in the order of the alphabet; NaN and infinities are null.
func toJSON(args ...any) (any, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	v, problem := normal(args[0])
	if problem != "" {
		return nil, fmt.Errorf("json: the value %s", problem)
	}
	if err := e.Encode(finite(v)); err != nil {
		return nil, fmt.Errorf("json can't write %s", typeWord(args[0]))
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// finite gives v with nil in the place of the floats that JSON has no text for.
func finite(v any) any {
	switch v := v.(type) {
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil
		}
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = finite(v[i])
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for k := range v {
			out[k] = finite(v[k])
		}
		return out
	}
	return v
}

// hashOf is hash(x): FNV-1a over the text, or over the JSON of anything else.
func hashOf(args ...any) (any, error) {
	text, ok := args[0].(string)
	if !ok {
		j, err := toJSON(args[0])
		if err != nil {
			return nil, err
		}
		text = "\x00" + j.(string)
	}
	return int(fnv1a([]byte(text))), nil
}

// patterns keeps compiled regular expressions, up to a number that no pipeline file reaches by itself.
var (
	patterns     sync.Map
	patternCount atomic.Int32
)

const maxPatterns = 1000

func compiled(pattern string) (*regexp.Regexp, error) {
	if re, ok := patterns.Load(pattern); ok {
		return re.(*regexp.Regexp), nil
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	if patternCount.Add(1) <= maxPatterns {
		patterns.Store(pattern, re)
	}
	return re, nil
}

func regexExtract(args ...any) (any, error) {
	s, ok := args[0].(string)
	if !ok {
		return nil, fmt.Errorf("regex_extract wants a string, got %s", typeWord(args[0]))
	}
	re, err := compiled(args[1].(string))
	if err != nil {
		return nil, err
	}
	n := 1
	if len(args) == 3 {
		n, ok = asInt(args[2])
		if !ok || n < 0 {
			return nil, fmt.Errorf("regex_extract wants the number of a group, got %v", args[2])
		}
	}
	if n > re.NumSubexp() {
		return nil, fmt.Errorf("regex_extract: %q has no group %d", args[1], n)
	}
	m := re.FindStringSubmatchIndex(s)
	if m == nil || m[2*n] < 0 {
		return nil, nil
	}
	return s[m[2*n]:m[2*n+1]], nil
}

func asInt(v any) (int, bool) {
	switch v := v.(type) {
	case int:
		return v, true
	case int64:
		return int(v), true
	}
	return 0, false
}

func urlHost(args ...any) (any, error) {
	s, ok := args[0].(string)
	if !ok {
		return nil, fmt.Errorf("url_host wants a string, got %s", typeWord(args[0]))
	}
	u, err := url.Parse(s)
	if err != nil || u.Hostname() == "" {
		return nil, nil
	}
	return strings.ToLower(u.Hostname()), nil
}

func newUUID(...any) (any, error) {
	var b [16]byte
	if _, err := rand.Read(b[:]); err != nil {
		return nil, err
	}
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	h := hex.EncodeToString(b[:])
	return strings.Join([]string{h[:8], h[8:12], h[12:16], h[16:20], h[20:]}, "-"), nil
}
