package produce

import (
	"testing"

	"github.com/segmentio/kafka-go"
	"pgregory.net/rapid"
)

// TestMurmur2 has the values of Kafka's own test (UtilsTest.testMurmur2).
func TestMurmur2(t *testing.T) {
	for key, want := range map[string]int32{
		"21": -973932308, "foobar": -790332482, "a-little-bit-long-string": -985981536,
		"a-little-bit-longer-string": -1486304829, "lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8": -58897971, "abc": 479470107,
	} {
		if got := int32(murmur2([]byte(key))); got != want {
			t.Errorf("%q: %d, want %d", key, got, want)
		}
	}
}

func TestPartitionOf(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := append([]byte{}, rapid.SliceOf(rapid.Byte()).Draw(t, "key")...)
		n := rapid.IntRange(1, 50).Draw(t, "partitions")
		numbers := make([]int, n)
		for i := range numbers {
			numbers[i] = i
		}
		if want := (kafka.Murmur2Balancer{}).Balance(kafka.Message{Key: key}, numbers...); partitionOf(key, n) != want {
			t.Fatalf("%q: %d, want %d", key, partitionOf(key, n), want)
		}
	})
}

func TestSequences(t *testing.T) {
	for _, c := range []struct{ s, n, want int32 }{{0, 5, 5}, {1<<31 - 1, 1, 0}, {1<<31 - 3, 5, 2}} {
		if got := after(c.s, int(c.n)); got != c.want {
			t.Errorf("%d behind %d: %d, want %d", c.n, c.s, got, c.want)
		}
	}
}
