package main

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// rooms says for each folder which of our packages those in it may import. A name with /… is the package and all
// below it.
var rooms = []struct {
	room string
	may  []string
}{
	{"stream", nil},
	{"spec", nil},
	{"operators/…", []string{"stream", "operators/…"}},
	{"io/connector", []string{"stream", "io/codec"}},
	{"io/codec", []string{"stream"}},
	{"io/…", []string{"stream", "io/…"}},
	{"runner/plan", []string{"spec", "stream", "operators/…", "io/connector", "io/codec"}},
	{"runner", []string{"runner/plan", "spec", "stream", "operators/…", "io/connector", "io/codec"}},
	{"cmd/run/internal/oracle", nil},
	{"cmd/run/internal/infer", []string{"spec", "stream", "operators/watermark", "io/…"}},
	{"cmd/run/internal/envfile", nil},
	{"cmd/run/internal/metrics", []string{"runner", "stream"}},
	{"cmd/run/internal/progress", []string{"runner", "stream"}},
	{"cmd/run/internal/orders", nil},
	{"cmd/run", []string{"cmd/…", "runner/…", "spec", "stream", "operators/…", "io/…"}},
	{"bench/…", nil},
}

// roomsOfTests are what tests may import besides.
var roomsOfTests = map[string][]string{
	"io/all":      {"spec"},
	"runner/plan": {"io/all"},
	"runner":      {"io/…"},
	"bench":       {"io/all", "runner/…", "spec"},
}

// edges are libraries and the only packages that may import them, tests aside.
var edges = map[string][]string{
	"gopkg.in/yaml.v3":              {"spec"},
	"github.com/expr-lang/expr":     {"operators/expression"},
	"github.com/spf13/cobra":        {"cmd/run"},
	"github.com/spf13/pflag":        {"cmd/run"},
	"github.com/prometheus":         {"cmd/run/internal/metrics"},
	"github.com/zeebo/xxh3":         {"operators/state"},
	"github.com/klauspost":          {"io/fileio", "io/parquetio", "io/kafkaio/internal/recordbatch"},
	"github.com/parquet-go":         {"io/parquetio"},
	"pgregory.net/rapid":            {"cmd/run/internal/oracle"},
	"github.com/rogpeppe":           {},
	"go.uber.org/goleak":            {},
	"honnef.co/go/tools":            {},
	"github.com/pierrec/lz4":        {"io/parquetio", "io/kafkaio/internal/recordbatch"},
	"github.com/segmentio/kafka-go": {"io/kafkaio/internal/client", "io/kafkaio/internal/kafkabench", "io/kafkaio/internal/kafkatest"},
	"github.com/twmb/franz-go":      {"io/kafkaio/internal/kafkatest", "io/kafkaio/internal/kafkabench"},
	"github.com/andybalholm/brotli": {"io/parquetio"},
}

// TestRooms keeps the directions of imports.
func TestRooms(t *testing.T) {
	const format = `{{.ImportPath}}{{range .Imports}} {{.}}{{end}}{{"\n"}}` +
		`{{if or .TestImports .XTestImports}}{{.ImportPath}} test{{range .TestImports}} {{.}}{{end}}{{range .XTestImports}} {{.}}{{end}}{{"\n"}}{{end}}`
	c := exec.Command("go", "list", "-f", format, "./...")
	c.Dir = root
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		if len(words) == 0 {
			continue
		}
		room, imports := strings.TrimPrefix(words[0], "tidemark/"), words[1:]
		test := len(imports) > 0 && imports[0] == "test"
		for _, path := range imports {
			if problem := refused(room, path, test); problem != "" {
				t.Error(problem)
			}
		}
	}
}

// refused says why a package must not import another, or nothing.
func refused(room, path string, test bool) string {
	own, ours := strings.CutPrefix(path, "tidemark/")
	if !ours {
		for library, may := range edges {
			if !test && within(path, library+"/…") && !slices.Contains(may, room) {
				return fmt.Sprintf("%s imports %s, which is for %v", room, path, may)
			}
		}
		if strings.Contains(strings.Split(path, "/")[0], ".") && !test && !known(path) {
			return fmt.Sprintf("%s imports %s, which no table of libraries has", room, path)
		}
		return ""
	}
	if test && (own == room || allowed(own, roomsOfTests[room])) {
		return ""
	}
	for _, r := range rooms {
		if within(room, r.room) {
			if allowed(own, r.may) {
				return ""
			}
			return fmt.Sprintf("%s imports %s; it may import %v", room, own, r.may)
		}
	}
	return fmt.Sprintf("%s is in no room", room)
}

func known(path string) bool {
	for library := range edges {
		if within(path, library+"/…") {
			return true
		}
	}
	return false
}

func allowed(path string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return within(path, p) })
}

// within reports whether a path is what a pattern names.
func within(path, pattern string) bool {
	folder, below := strings.CutSuffix(pattern, "/…")
	return path == folder || below && strings.HasPrefix(path, folder+"/")
}

// TestNoPackageIsCalledIO keeps the folder io free of Go files, so that the name io always means the standard
// library's.
func TestNoPackageIsCalledIO(t *testing.T) {
	entries, err := os.ReadDir(root + "/io")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".go") {
			t.Errorf("io/%s: the folder io holds packages, no files", e.Name())
		}
	}
}
