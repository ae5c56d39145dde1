package stream

// Mix spreads a change of any bit over all of them (the finalizer of SplitMix64). Its results do not change from version
// to version: sketches and random numbers of one seed rest on them.
func Mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
