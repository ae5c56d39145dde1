package zone_test

import (
	"testing"
	"time"

	"tidemark/operators/zone"
)

// TestAll loads every zone of the database.
func TestAll(t *testing.T) {
	names := zone.Names()
	if len(names) < 500 {
		t.Fatalf("only %d zones", len(names))
	}
	for _, name := range names {
		z, err := zone.Load(name)
		if err != nil || z.String() != name {
			t.Errorf("%s: %v, %v", name, z, err)
		}
		if again, _ := zone.Load(name); again != z && name != "UTC" {
			t.Errorf("%s is read twice", name)
		}
	}
}

// TestIgnoresTheMachine loads zones where the system's own database would give others.
func TestIgnoresTheMachine(t *testing.T) {
	t.Setenv("ZONEINFO", t.TempDir())
	t.Setenv("TZ", "Asia/Tokyo")
	z, err := zone.Load("Australia/Lord_Howe")
	if err != nil {
		t.Fatal(err)
	}
	if _, offset := time.Date(2024, 1, 1, 0, 0, 0, 0, z).Zone(); offset != 11*3600 {
		t.Errorf("summer on Lord Howe is %d s ahead", offset)
	}
}

// TestUnknown refuses what is no zone, and the machine's own.
func TestUnknown(t *testing.T) {
	for _, name := range []string{"", "Local", "europe/berlin", "Europe", "Europe/", "../zone.go", "/etc/passwd", "Mars/Olympus"} {
		if z, err := zone.Load(name); err == nil {
			t.Errorf("%q is %v", name, z)
		}
	}
}

// TestMeant finds zones by what people write in their place.
func TestMeant(t *testing.T) {
	for name, want := range map[string]string{
		"Berlin": "Europe/Berlin", "new york": "America/New_York", "europe/berlin": "Europe/Berlin", "utc": "UTC",
		"": "", "/": "", "Olympus": "", "UTC+1": "",
	} {
		if got, ok := zone.Meant(name); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v; want %q", name, got, ok, want)
		}
	}
}
