// Package state keeps what grouped operators remember: which keys there are, and where each one's values lie.
//
// # Keys
//
// A batch's grouping keys are put into a canonical form first ([Keys]), which needs nothing but the batch and
// so runs on any worker. The form depends on the data: one column of integers stays integers, one column of
// text stays text, everything else (several columns, nulls, floats, lists) becomes encoded bytes.
//
// Two keys are the same if they are equal in value: 1 and 1.0 are, 1 and "1" are not, -0 is 0, all NaNs are
// one key, and null and a missing field are one key. Integral floats are integers within ±2^53, where every
// float is exact. The spelling that is printed is the one that came first.
//
// The hash of a key depends on its value alone, never on the form its batch took, so that a key stays in its
// lane ([Lane]) whatever comes with it. Seeds are fixed: results must be the same on any machine.
//
// # Tables
//
// A [Table] gives each key a dense id, in order of first appearance. Whoever groups keeps its values in plain
// slices by id. Ids of removed keys are given out again; without removals they are 0 to Len()-1.
package state
