package generateio

import (
	"strconv"
	"strings"

	"tidemark/stream"
)

// event is an event by its number.
type event struct{ seed, number int64 }

// kind gives what the event is.
func (e event) kind() valueName {
	switch n := e.number % total; {
	case n < persons:
		return person
	case n < persons+auctions:
		return auction
	}
	return bid
}

func (e event) random(v valueName) *random {
	r := randomOf(e.seed, e.number, v)
	return &r
}

// at gives the time of an event.
func at(number int64) int64 { return baseTime + number*delay/1000 }

// lastPerson and lastAuction give the numbers, from 0, of the person and the auction made last.
func (e event) lastPerson() int64 {
	return e.number/total*persons + min(e.number%total, persons-1)
}

func (e event) lastAuction() int64 {
	epoch, n := e.number/total, e.number%total-persons
	if n < 0 {
		return epoch*auctions - 1
	}
	return epoch*auctions + min(n, auctions-1)
}

// anyPerson and anyAuction give one of those that take part, or one of the next.
func (e event) anyPerson(r *random) int64 {
	people := e.lastPerson() + 1
	active := min(people, activePersons)
	return people - active + r.below(active+lead)
}

func (e event) anyAuction(r *random) int64 {
	last := e.lastAuction()
	first := max(last-inFlight, 0)
	return first + r.below(last-first+1+lead)
}

// integer gives a value that is a number or a time.
func (e event) integer(v valueName) int64 {
	r := e.random(v)
	switch v {
	case dateTime:
		return at(e.number)
	case id:
		if e.kind() == person {
			return firstPerson + e.lastPerson()
		}
		return firstAuction + e.lastAuction()
	case initialBid, price:
		return r.price()
	case reserve:
		return e.integer(initialBid) + r.price()
	case expires:
		horizon := at(e.number+inFlight*total/auctions) - at(e.number)
		return at(e.number) + 1 + r.below(max(horizon*2, 1))
	case category:
		return firstCategory + r.below(categories)
	case seller:
		if r.below(4) > 0 {
			return firstPerson + e.lastPerson()/hotPerson*hotPerson
		}
		return firstPerson + e.anyPerson(r)
	case bidder:
		if r.below(4) > 0 {
			return firstPerson + e.lastPerson()/hotPerson*hotPerson + 1
		}
		return firstPerson + e.anyPerson(r)
	}
	if r.below(2) > 0 { // the auction of a bid
		return firstAuction + e.lastAuction()/hotAuction*hotAuction
	}
	return firstAuction + e.anyAuction(r)
}

var (
	firstNames = strings.Fields("Peter Paul Luke John Saul Vicky Kate Julie Sarah Deiter Walter")
	lastNames  = strings.Fields("Shultz Abrams Spencer White Bartels Walton Smith Jones Noris")
	cities     = strings.Split("Phoenix,Los Angeles,San Francisco,Boise,Portland,Bend,Redmond,Seattle,Kent,Cheyenne", ",")
	states     = strings.Fields("AZ CA ID OR WA WY")
	hot        = strings.Fields("Google Facebook Baidu Apple")
)

// channels is the number of channels beside the hot ones.
const channels = 10_000

func pick(r *random, from []string) string { return from[r.below(int64(len(from)))] }

// appendText appends a value that is text.
func (e event) appendText(dst []byte, v valueName) []byte {
	r := e.random(v)
	switch v {
	case eventType:
		return append(dst, e.kind().String()...)
	case name:
		return append(append(append(dst, pick(r, firstNames)...), ' '), pick(r, lastNames)...)
	case emailAddress:
		dst = append(r.text(dst, 7, ' '), '@')
		return append(r.text(dst, 5, ' '), ".com"...)
	case creditCard:
		for i := range 4 {
			if i > 0 {
				dst = append(dst, ' ')
			}
			dst = append(dst, byte('0'+r.below(10)), byte('0'+r.below(10)), byte('0'+r.below(10)), byte('0'+r.below(10)))
		}
		return dst
	case city:
		return append(dst, pick(r, cities)...)
	case state:
		return append(dst, pick(r, states)...)
	case itemName:
		return r.text(dst, 20, ' ')
	case description:
		return r.text(dst, 100, ' ')
	case channel:
		return e.appendChannel(dst)
	case url:
		return e.appendURL(dst)
	}
	size, average := e.sizes()
	return r.extra(dst, size, average)
}

// sizes gives how many bytes an event has without extra, and with it on average.
func (e event) sizes() (size, average int64) {
	var text []byte
	switch e.kind() {
	case person:
		for _, v := range []valueName{name, emailAddress, creditCard, city, state} {
			text = e.appendText(text, v)
		}
		return 8 + int64(len(text)), 200
	case auction:
		text = e.appendText(e.appendText(text, itemName), description)
		return 48 + int64(len(text)), 500
	}
	return 32, 100
}

// channel gives the channel of a bid: its number, which for the hot ones begins behind those of all others.
func (e event) channel() int64 {
	r := e.random(channel)
	if r.below(2) > 0 {
		return channels + r.below(int64(len(hot)))
	}
	return r.below(channels)
}

// appendChannel appends the name of a bid's channel.
func (e event) appendChannel(dst []byte) []byte {
	number := e.channel()
	if number >= channels {
		return append(dst, hot[number-channels]...)
	}
	return strconv.AppendInt(append(dst, "channel-"...), number, 10)
}

// appendURL appends the address of a bid, which is the same for all bids of a channel.
func (e event) appendURL(dst []byte) []byte {
	number := e.channel()
	r := randomOf(e.seed, number, url)
	dst = append(dst, "https://www.nexmark.com/"...)
	for range 3 {
		dst = append(r.text(dst, 5, '_'), '/')
	}
	dst = append(dst, "item.htm?query=1"...)
	if number < channels && r.below(10) > 0 {
		dst = strconv.AppendInt(append(dst, "&channel_id="...), r.below(1<<31), 10)
	}
	return dst
}

// object gives the event as an object if it is of a kind, else nil.
func (e event) object(of valueName) any {
	if e.kind() != of {
		return nil
	}
	object := map[string]any{}
	for _, v := range values[of.String()] {
		switch kind := v.kind(); {
		case kind == stream.Instant:
			object[v.String()] = stream.Time(e.integer(v)).Std()
		case kind == stream.String:
			object[v.String()] = string(e.appendText(nil, v))
		default:
			object[v.String()] = e.integer(v)
		}
	}
	return object
}
