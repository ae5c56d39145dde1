package parquetio

import (
	"fmt"

	"tidemark/stream"
)

// Logical types, by their numbers in the union of annotations.
const (
	logicalString    = 1
	logicalMap       = 2
	logicalList      = 3
	logicalEnum      = 4
	logicalDecimal   = 5
	logicalDate      = 6
	logicalTime      = 7
	logicalTimestamp = 8
	logicalInteger   = 10
	logicalNull      = 11
	logicalJSON      = 12
	logicalUUID      = 14
	logicalFloat16   = 15
)

// Units of times, by their numbers in the annotation.
const (
	unitMillis = 1
	unitMicros = 2
	unitNanos  = 3
)

// Types that were written before there were annotations.
const (
	convertedUTF8            = 0
	convertedMap             = 1
	convertedMapKeyValue     = 2
	convertedList            = 3
	convertedEnum            = 4
	convertedDecimal         = 5
	convertedDate            = 6
	convertedTimeMillis      = 7
	convertedTimeMicros      = 8
	convertedTimestampMillis = 9
	convertedTimestampMicros = 10
	convertedUint8           = 11
	convertedUint64          = 14
	convertedJSON            = 19
	convertedInterval        = 21
)

// meaning is what the values of a leaf are to us.
type meaning uint8

const (
	meansNull meaning = iota
	meansBool
	meansInt
	meansUnsigned // 64 bits without a sign
	meansFloat
	meansHalf // a float of 16 bits
	meansInstant
	meansInt96
	meansDate
	meansText
	meansDecimal
	meansTime
	meansUUID
	meansInterval
	meansBinary
)

// leafType is how the values of a leaf are stored and what they mean.
type leafType struct {
	physical int64
	length   int // of fixed-length bytes
	means    meaning
	scale    int
	unit     int64
	narrow   bool // an unsigned integer of up to 32 bits
}

// leafTypeOf reads the type of a leaf out of its element. An annotation that doesn't fit what is stored counts as
// none.
func leafTypeOf(e *element) leafType {
	a := modern(e)
	t := leafType{physical: e.physical, length: int(e.length), means: plainMeaning[e.physical], scale: int(a.scale), unit: a.unit}
	isInt := e.physical == physicalInt32 || e.physical == physicalInt64
	isBytes := e.physical == physicalBytes || e.physical == physicalFixed
	fixed := func(n int) bool { return e.physical == physicalFixed && t.length == n }
	switch {
	case a.of == logicalNull:
		t.means = meansNull
	case a.of == logicalDecimal && (isInt || isBytes) && a.scale >= 0 && a.scale <= 1<<10:
		t.means = meansDecimal
	case a.of == logicalDate && e.physical == physicalInt32:
		t.means = meansDate
	case a.of == logicalTime && isInt && t.unit != 0:
		t.means = meansTime
	case a.of == logicalTimestamp && e.physical == physicalInt64 && t.unit != 0:
		t.means = meansInstant
	case a.of == logicalInteger && isInt && a.unsigned:
		t.narrow = e.physical == physicalInt32
		if !t.narrow && a.width == 64 {
			t.means = meansUnsigned
		}
	case (a.of == logicalString || a.of == logicalEnum || a.of == logicalJSON) && isBytes:
		t.means = meansText
	case a.of == logicalUUID && fixed(16):
		t.means = meansUUID
	case a.of == logicalFloat16 && fixed(2):
		t.means = meansHalf
	case e.converted == convertedInterval && fixed(12):
		t.means = meansInterval
	}
	return t
}

var plainMeaning = map[int64]meaning{
	physicalBool: meansBool, physicalInt32: meansInt, physicalInt64: meansInt, physicalInt96: meansInt96,
	physicalFloat: meansFloat, physicalDouble: meansFloat, physicalBytes: meansBinary, physicalFixed: meansBinary,
}

// modern gives an element's annotation, or what its converted type stands for.
func modern(e *element) annotation {
	if e.annotation.of != noType {
		return e.annotation
	}
	a := annotation{of: noType}
	switch c := e.converted; {
	case c == convertedUTF8:
		a.of = logicalString
	case c == convertedEnum:
		a.of = logicalEnum
	case c == convertedJSON:
		a.of = logicalJSON
	case c == convertedDecimal:
		a.of, a.scale = logicalDecimal, e.scale
	case c == convertedDate:
		a.of = logicalDate
	case c == convertedTimeMillis, c == convertedTimeMicros:
		a.of, a.unit = logicalTime, c-convertedTimeMillis+unitMillis
	case c == convertedTimestampMillis, c == convertedTimestampMicros:
		a.of, a.unit = logicalTimestamp, c-convertedTimestampMillis+unitMillis
	case c >= convertedUint8 && c <= convertedUint64:
		a.of, a.unsigned, a.width = logicalInteger, true, 8<<(c-convertedUint8)
	case c == convertedMap, c == convertedMapKeyValue:
		a.of = logicalMap
	case c == convertedList:
		a.of = logicalList
	}
	return a
}

// kind gives the kind of a column of the type's values.
func (t leafType) kind() stream.Kind {
	switch t.means {
	case meansNull:
		return stream.Any
	case meansBool:
		return stream.Bool
	case meansInt, meansUnsigned:
		return stream.Int
	case meansFloat, meansHalf:
		return stream.Float
	case meansInstant, meansInt96, meansDate:
		return stream.Instant
	}
	return stream.String
}

var meaningNames = [...]string{"null", "bool", "int", "unsigned int", "float", "float16", "timestamp", "INT96 timestamp",
	"date", "text", "decimal", "time of day", "UUID", "interval", "binary"}

// String names the type for people.
func (t leafType) String() string {
	name := meaningNames[t.means]
	switch t.means {
	case meansInt:
		return fmt.Sprintf("%s (%s)", name, physicalNames[t.physical])
	case meansFloat:
		return fmt.Sprintf("%s (%s)", name, physicalNames[t.physical])
	}
	return name
}

var physicalNames = [...]string{"BOOLEAN", "INT32", "INT64", "INT96", "FLOAT", "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"}
