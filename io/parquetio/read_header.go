package parquetio

// pageHeader stands before a page.
type pageHeader struct {
	kind                     int64
	compressed, uncompressed int64
	checksum                 uint32
	checked                  bool // whether there is a checksum
	values                   int64
	encoding                 int64
	defEncoding, repEncoding int64
	// The rest is for pages of version 2.
	rows     int64
	defBytes int64
	repBytes int64
	plain    bool // not compressed

}

// Kinds of pages.
const (
	pageData       = 0
	pageIndex      = 1
	pageDictionary = 2
	pageDataV2     = 3
)

// decodeHeader reads a page's header and gives its length, or 0 if it is none; short says that data ended in it.
func decodeHeader(data []byte) (h pageHeader, length int, short bool) {
	t := thrift{data: data}
	described := int64(noType)
	t.fields(func(id int64, kind byte) bool {
		switch {
		case id == 1 && kind == thriftI32:
			h.kind = t.int()
		case id == 2 && kind == thriftI32:
			h.uncompressed = t.int()
		case id == 3 && kind == thriftI32:
			h.compressed = t.int()
		case id == 4 && kind == thriftI32:
			h.checksum, h.checked = uint32(t.int()), true
		case id == 5 && kind == thriftStruct:
			described = pageData
			t.describe(&h, described)
		case id == 7 && kind == thriftStruct:
			described = pageDictionary
			t.describe(&h, described)
		case id == 8 && kind == thriftStruct:
			described = pageDataV2
			t.describe(&h, described)
		default:
			return false
		}
		return true
	})
	if t.bad {
		return h, 0, t.short
	}
	const most = 1<<31 - 1
	for _, n := range []int64{h.compressed, h.uncompressed, h.values, h.rows, h.defBytes, h.repBytes} {
		if n < 0 || n > most {
			return h, 0, false
		}
	}
	if h.kind != pageIndex && h.kind != described {
		return h, 0, false
	}
	return h, t.at, false
}

// describe reads the part of a header that is for one kind of page.
func (t *thrift) describe(h *pageHeader, of int64) {
	t.fields(func(id int64, kind byte) bool {
		switch {
		case of == pageDataV2 && id == 7 && (kind == thriftTrue || kind == thriftFalse):
			h.plain = kind == thriftFalse
			return true
		case kind != thriftI32:
			return false
		}
		var into *int64
		switch {
		case id == 1:
			into = &h.values
		case id == 2 && of != pageDataV2 || id == 4 && of == pageDataV2:
			into = &h.encoding
		case of == pageData && id == 3:
			into = &h.defEncoding
		case of == pageData && id == 4:
			into = &h.repEncoding
		case of == pageDataV2 && id == 3:
			into = &h.rows
		case of == pageDataV2 && id == 5:
			into = &h.defBytes
		case of == pageDataV2 && id == 6:
			into = &h.repBytes
		default:
			return false
		}
		*into = t.int()
		return true
	})
}
