package all

import (
	"reflect"
	"testing"

	"tidemark/io/codec"
	"tidemark/io/connector"
)

func TestPaddingIsWhatScannersWant(t *testing.T) {
	if connector.Padding != codec.Padding {
		t.Errorf("connector.Padding = %d, codec.Padding = %d", connector.Padding, codec.Padding)
	}
}

func TestEveryKindIsWhole(t *testing.T) {
	count := map[connector.Role]int{}
	for _, role := range []connector.Role{connector.SourceRole, connector.SinkRole} {
		for _, k := range connector.Kinds(role) {
			count[role]++
			if k.Name == "" || k.Doc == "" {
				t.Errorf("%s %q has no name or no doc", role, k.Name)
			}
			var right bool
			if role == connector.SourceRole {
				_, lines := k.New().(connector.Source)
				_, records := k.New().(connector.RecordSource)
				right = lines != records
			} else {
				_, right = k.New().(connector.Sink)
			}
			if !right {
				t.Errorf("the options of %s %s are not a %s", role, k.Name, role)
			}
			checkOptions(t, k.Name, reflect.TypeOf(k.New()).Elem())
		}
	}
	if count[connector.SourceRole] < 1 || count[connector.SinkRole] < 3 {
		t.Errorf("kinds: %v", count)
	}
}

// checkOptions checks that every option says its name and what it is for.
func checkOptions(t *testing.T, kind string, options reflect.Type) {
	for i := range options.NumField() {
		f := options.Field(i)
		if f.Anonymous { // its options count as the struct's own
			checkOptions(t, kind, f.Type)
			continue
		}
		if f.IsExported() && (f.Tag.Get("spec") == "" || f.Tag.Get("doc") == "") {
			t.Errorf("%s: option %s lacks a tag", kind, f.Name)
		}
		if f.Type.Kind() == reflect.Pointer && f.Type.Elem().Kind() == reflect.Struct {
			checkOptions(t, kind+"."+f.Name, f.Type.Elem())
		}
	}
}
