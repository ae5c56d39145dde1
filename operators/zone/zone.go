// Package zone gives time zones by their names, the same on every machine: it has the IANA time zone database
// within itself, and never looks at the one of the system.
package zone

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// database is lib/time/zoneinfo.zip of the Go distribution: a file for each zone, not compressed.
//
//go:embed zoneinfo.zip
var database []byte

var files = sync.OnceValue(func() *zip.Reader {
	r, err := zip.NewReader(bytes.NewReader(database), int64(len(database)))
	if err != nil {
		panic("zone: the embedded database: " + err.Error())
	}
	return r
})

// loaded has the zones met so far, by name.
var loaded sync.Map

// Load gives the zone of a name such as Europe/Berlin, spelled just so; UTC is one too. The error names what is
// unknown.
func Load(name string) (*time.Location, error) {
	if name == "UTC" {
		return time.UTC, nil
	}
	if known, ok := loaded.Load(name); ok {
		return known.(*time.Location), nil
	}
	data, err := read(name)
	if err != nil {
		return nil, fmt.Errorf("unknown time zone %q", name)
	}
	z, err := time.LoadLocationFromTZData(name, data)
	if err != nil {
		return nil, fmt.Errorf("time zone %q: %w", name, err)
	}
	loaded.Store(name, z)
	return z, nil
}

// Names gives the names of all zones, in the order of the database.
func Names() []string {
	var names []string
	for _, f := range files().File {
		if !f.FileInfo().IsDir() {
			names = append(names, f.Name)
		}
	}
	return names
}

// Meant gives the zone that a name which is none stands for without doubt: one in other letters, or that of a city
// without its continent, such as Berlin.
func Meant(name string) (string, bool) {
	name = strings.ToLower(strings.ReplaceAll(name, " ", "_"))
	city := ""
	for _, known := range Names() {
		lower := strings.ToLower(known)
		switch {
		case lower == name:
			return known, true
		case strings.HasSuffix(lower, "/"+name) && (city == "" || len(known) < len(city)):
			city = known
		}
	}
	return city, city != ""
}

func read(name string) ([]byte, error) {
	f, err := files().Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(f)
}
