package generateio

import (
	"context"

	"tidemark/io/codec"
	"tidemark/io/connector"
	"tidemark/stream"
)

// The model is that of the public Nexmark generator. Of each 50 events the first is a person, the next three are
// auctions and the others bids. An event's number is also its place in time.
const (
	persons, auctions, bids = 1, 3, 46
	total                   = persons + auctions + bids

	firstPerson, firstAuction, firstCategory = 1000, 1000, 10
	categories                               = 5

	// baseTime is the time of the first event, 2015-07-15T00:00:00Z, and delay the microseconds between two.
	baseTime = 1436918400000
	delay    = 100

	// Half of the bids go to the hot auction, the last whose number is a multiple of hotAuction. Three of four come
	// from a hot bidder, and three of four auctions are a hot seller's.
	hotAuction, hotPerson = 100, 100
	// inFlight is the number of auctions that are open at once, activePersons that of people who take part. A few
	// events speak of an auction or a person that is yet to come.
	inFlight, activePersons, lead = 100, 1000, 10
)

// valueName is a value of an event.
type valueName uint8

const (
	eventType valueName = iota
	dateTime
	extra
	person
	auction
	bid
	id
	name
	emailAddress
	creditCard
	city
	state
	itemName
	description
	initialBid
	reserve
	expires
	seller
	category
	bidder
	price
	channel
	url
)

var valueNames = [...]string{"event_type", "dateTime", "extra", "person", "auction", "bid", "id", "name", "emailAddress", "creditCard",
	"city", "state", "itemName", "description", "initialBid", "reserve", "expires", "seller", "category", "bidder", "price", "channel", "url"}

// String is the name of the value's field.
func (v valueName) String() string { return valueNames[v] }

// kind gives the kind of a value, Any for an object.
func (v valueName) kind() stream.Kind {
	switch v {
	case dateTime, expires:
		return stream.Instant
	case person, auction, bid:
		return stream.Any
	case id, initialBid, reserve, seller, category, bidder, price:
		return stream.Int
	}
	return stream.String
}

// values are those of each kind of event, in order. The auction of a bid is a number.
var values = map[string][]valueName{
	"person":  {id, name, emailAddress, creditCard, city, state, dateTime, extra},
	"auction": {id, itemName, description, initialBid, reserve, dateTime, expires, seller, category, extra},
	"bid":     {auction, bidder, price, channel, url, dateTime, extra},
	"all":     {eventType, dateTime, person, auction, bid},
}

// nexmarkFields are the fields of each kind of event.
var nexmarkFields = func() map[string][]stream.Field {
	all := map[string][]stream.Field{}
	for events, list := range values {
		for _, v := range list {
			t := stream.Type{Kind: v.kind()}
			if t.Kind == stream.Any {
				t.Shape, t.Null = stream.Object, true
			}
			if events == "bid" && v == auction {
				t = stream.Type{Kind: stream.Int}
			}
			all[events] = append(all[events], stream.Field{Name: v.String(), Type: t})
		}
	}
	return all
}()

// nexmark makes events.
type nexmark struct {
	events  string
	seed    int64
	columns []valueName
	text    []byte
}

func newNexmark(o *Options, columns []string) *nexmark {
	n := &nexmark{events: o.Nexmark}
	if o.Seed != nil {
		n.seed = *o.Seed
	}
	for _, c := range columns {
		for v, name := range valueNames {
			if name == c {
				n.columns = append(n.columns, valueName(v))
			}
		}
	}
	return n
}

// Load implements [connector.ColumnReader].
func (n *nexmark) Load(ctx context.Context, _ connector.ColumnPartition, c connector.Chunk, b *stream.Batch) ([]codec.Bad, error) {
	rows := int(c.End - c.Offset)
	b.N, b.Sel = rows, nil
	b.Columns = stream.Resize(b.Columns, len(n.columns))
	for i, v := range n.columns {
		column, kind := &b.Columns[i], v.kind()
		if n.events == "bid" && v == auction {
			kind = stream.Int
		}
		column.Reset(kind, rows)
		for row := range rows {
			e := event{seed: n.seed, number: numberOf(n.events, c.Offset+int64(row))}
			switch kind {
			case stream.Int, stream.Instant:
				column.Ints[row] = e.integer(v)
			case stream.String:
				n.text = e.appendText(n.text[:0], v)
				column.SetBytes(row, n.text)
			default:
				column.SetValue(row, e.object(v))
			}
		}
	}
	return nil, ctx.Err()
}

// numberOf gives the number of an event from its number among those of its kind.
func numberOf(events string, i int64) int64 {
	switch events {
	case "person":
		return i * total
	case "auction":
		return i/auctions*total + persons + i%auctions
	case "bid":
		return i/bids*total + persons + auctions + i%bids
	}
	return i
}
