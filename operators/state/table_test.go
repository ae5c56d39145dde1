package state

import (
	"testing"

	"pgregory.net/rapid"

	"tidemark/stream"
)

// model is what a Table should do, with keys as texts.
type model struct {
	ids   map[string]uint32
	keys  map[uint32][]any
	free  []uint32
	next  uint32
	names map[uint32]string
}

func newModel() *model {
	return &model{ids: map[string]uint32{}, keys: map[uint32][]any{}, names: map[uint32]string{}}
}

func (m *model) add(key []any) (id uint32, isNew bool) {
	name := identity(key)
	if id, ok := m.ids[name]; ok {
		return id, false
	}
	if n := len(m.free); n > 0 {
		id, m.free = m.free[n-1], m.free[:n-1]
	} else {
		id = m.next
		m.next++
	}
	m.ids[name], m.keys[id], m.names[id] = id, key, name
	return id, true
}

func (m *model) remove(id uint32) {
	delete(m.ids, m.names[id])
	delete(m.keys, id)
	delete(m.names, id)
	m.free = append(m.free, id)
}

// check compares all keys of a table, as printed, with the model's.
func (m *model) check(t *rapid.T, table *Table, columns int) {
	if table.Len() != int(m.next) || table.Live() != len(m.ids) {
		t.Fatalf("table has %d ids, %d live; want %d, %d", table.Len(), table.Live(), m.next, len(m.ids))
	}
	for id, key := range m.keys {
		out := make([]stream.Column, columns)
		list := make([]*stream.Column, columns)
		for i := range out {
			list[i] = &out[i]
		}
		table.AppendKey(id, list)
		got := make([]any, columns)
		for i := range out {
			got[i] = out[i].Value(0)
		}
		if written(got) != written(key) {
			t.Fatalf("key %d is %s, want %s", id, written(got), written(key))
		}
	}
}

func TestTableAgainstModel(t *testing.T) { rapid.Check(t, testTable) }

// FuzzTable lets the fuzzer choose the steps of TestTableAgainstModel.
func FuzzTable(f *testing.F) { f.Fuzz(rapid.MakeFuzz(testTable)) }

func testTable(t *rapid.T) {
	columns := rapid.IntRange(0, 2).Draw(t, "columns")
	table, want := new(Table), newModel()
	hashes := map[string]uint64{}
	var keys Keys
	for range rapid.IntRange(1, 6).Draw(t, "batches") {
		switch rapid.IntRange(0, 9).Draw(t, "step") {
		case 0:
			table.Reset()
			want = newModel()
		case 1:
			copyKeys(t, columns, table, want, hashes)
		default:
			addBatch(t, columns, &keys, table, want, hashes)
		}
		removeSome(t, table, want)
		want.check(t, table, columns)
	}
}

// copyKeys adds all keys of a table to another, which may have some already.
func copyKeys(t *rapid.T, columns int, from *Table, keys *model, hashes map[string]uint64) {
	to, want := new(Table), newModel()
	if rapid.Bool().Draw(t, "to keys") {
		addBatch(t, columns, new(Keys), to, want, hashes)
	}
	for id := range uint32(from.Len()) {
		key, live := keys.keys[id]
		if !live {
			continue
		}
		wanted, _ := want.add(key)
		if got := to.AddFrom(from, id); got != wanted {
			t.Fatalf("key %v has id %d in the copy, want %d", key, got, wanted)
		}
	}
	want.check(t, to, columns)
}

func addBatch(t *rapid.T, columns int, keys *Keys, table *Table, want *model, hashes map[string]uint64) {
	n := rapid.IntRange(0, 12).Draw(t, "rows")
	values, built := drawBatch(t, columns, n)
	rows := drawRows(t, n)
	if len(rows) == n {
		keys.Set(built, nil, n)
	} else {
		keys.Set(built, rows, n)
	}
	ids := table.Add(keys, rows, nil)
	fresh := table.Fresh()
	for i, r := range rows {
		id, isNew := want.add(values[r])
		if ids[i] != id {
			t.Fatalf("row %d %v has id %d, want %d", r, values[r], ids[i], id)
		}
		if isNew {
			if len(fresh) == 0 || fresh[0] != (Appearance{id, r}) {
				t.Fatalf("row %d %v should be fresh with id %d, have %v", r, values[r], id, fresh)
			}
			fresh = fresh[1:]
		}
		name := identity(values[r])
		if h, ok := hashes[name]; ok && h != keys.Hash[r] {
			t.Fatalf("%v is hashed in two ways", values[r])
		}
		hashes[name] = keys.Hash[r]
	}
	if len(fresh) > 0 {
		t.Fatalf("fresh has too many: %v", fresh)
	}
}

func removeSome(t *rapid.T, table *Table, want *model) {
	for id := range want.next {
		if _, ok := want.keys[id]; ok && rapid.IntRange(0, 4).Draw(t, "remove") == 0 {
			table.Remove(id)
			want.remove(id)
		}
	}
}

// TestManyKeys grows, empties and refills a table, with integers and with text.
func TestManyKeys(t *testing.T) {
	for _, kind := range []stream.Kind{stream.Int, stream.String, stream.Float} {
		table := new(Table)
		for round, n := range []int{5000, 3, 2000, 40, 5000} {
			k, rows := numberedKeys(kind, n, n)
			ids := table.Add(k, rows, nil)
			ids = table.Add(k, rows, ids)
			for i, id := range ids {
				if int(id) != i%n {
					t.Fatalf("%v, round %d: row %d has id %d", kind, round, i%n, id)
				}
			}
			for id := range uint32(n) {
				if id%3 > 0 && round%2 == 0 {
					table.Remove(id)
				}
			}
			again := table.Add(k, rows, nil)
			seen := map[uint32]bool{}
			for i, id := range again {
				if i%3 == 0 && int(id) != i || int(id) >= n || seen[id] {
					t.Fatalf("%v, round %d: row %d has id %d after removals", kind, round, i, id)
				}
				seen[id] = true
			}
			table.Reset()
			for _, slot := range table.index {
				if slot != 0 {
					t.Fatalf("%v, round %d: Reset left a slot in use", kind, round)
				}
			}
		}
	}
}

// TestRemovedTextIsCollected churns keys of text, whose bytes must not pile up.
func TestRemovedTextIsCollected(t *testing.T) {
	table := new(Table)
	for round := range 200 {
		k, rows := numberedKeysFrom(stream.String, 500, 500, round*500)
		for _, id := range table.Add(k, rows, nil) {
			table.Remove(id)
		}
	}
	if b := table.Bytes(); b > 400<<10 {
		t.Errorf("an empty table holds %d bytes", b)
	}
}

func TestSteadyStateAllocatesNothing(t *testing.T) {
	for _, kind := range []stream.Kind{stream.Int, stream.String, stream.Float} {
		columns, rows := numberedColumns(kind, 1000, 100, 0)
		var k Keys
		var ids []uint32
		table := new(Table)
		allocs := testing.AllocsPerRun(10, func() {
			k.Set(columns, rows, len(rows))
			ids = table.Add(&k, rows, ids[:0])
			table.Reset()
			ids = table.Add(&k, rows, ids[:0])
		})
		if allocs > 0 {
			t.Errorf("%v: %v allocations a batch", kind, allocs)
		}
	}
}

func TestLanes(t *testing.T) {
	counts := make([]int, 16)
	for i := range int64(16000) {
		h := hashInt(i * 1000)
		lane := Lane(h, 16)
		counts[lane]++
		if Lane(h, 64)/4 != lane || Lane(h, 1) != 0 {
			t.Fatalf("lanes of %d don't nest", i)
		}
	}
	for lane, n := range counts {
		if n < 700 || n > 1300 {
			t.Errorf("lane %d has %d of 16000 keys", lane, n)
		}
	}
}

// TestCopyBetweenModes copies keys of each mode into tables that have some of each mode.
func TestCopyBetweenModes(t *testing.T) {
	kinds := []stream.Kind{stream.Int, stream.String, stream.Float}
	for _, source := range kinds {
		for _, target := range kinds {
			from, to := new(Table), new(Table)
			k, rows := numberedKeysFrom(source, 100, 100, 50)
			from.Add(k, rows, nil)
			k, rows = numberedKeys(target, 100, 100)
			to.Add(k, rows, nil)
			known := 0
			for range 2 {
				known = 0
				for id := range uint32(100) {
					got := to.AddFrom(from, id)
					if got < 100 {
						known++
					}
					a, b := &stream.Column{}, &stream.Column{}
					from.AppendKey(id, []*stream.Column{a})
					to.AppendKey(got, []*stream.Column{b})
					if written(a.Value(0)) != written(b.Value(0)) {
						t.Fatalf("%v to %v: key %v became %v", source, target, a.Value(0), b.Value(0))
					}
				}
			}
			if want := 50; source == target && (known != want || to.Len() != 150) || source != target && known > 0 {
				t.Errorf("%v to %v: %d keys were known, there are %d", source, target, known, to.Len())
			}
		}
	}
}
