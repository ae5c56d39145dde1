package produce

import "encoding/binary"

// partitionOf gives the partition of a key (Java: BuiltInPartitioner.partitionForKey).
func partitionOf(key []byte, partitions int) int {
	return int(murmur2(key)&0x7fffffff) % partitions
}

// murmur2 is the 32 bit hash of that name, with the seed that Kafka uses.
func murmur2(data []byte) uint32 {
	const m = 0x5bd1e995
	h := uint32(0x9747b28c) ^ uint32(len(data))
	for ; len(data) >= 4; data = data[4:] {
		k := binary.LittleEndian.Uint32(data) * m
		k = (k ^ k>>24) * m
		h = h*m ^ k
	}
	switch len(data) {
	case 3:
		h ^= uint32(data[2]) << 16
		fallthrough
	case 2:
		h ^= uint32(data[1]) << 8
		fallthrough
	case 1:
		h = (h ^ uint32(data[0])) * m
	}
	h = (h ^ h>>13) * m
	return h ^ h>>15
}
