package kafkatest

import (
	"context"
	"errors"
	"net"
	"sync"
	"sync/atomic"
)

// Gate opens connections, and can cut them all, as a broker that goes away does. Its Dial is for client.Options.
type Gate struct {
	mutex sync.Mutex
	shut  bool
	bar   string
	conns map[*gated]bool
}

// Dial opens a connection while the gate is open.
func (g *Gate) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	c, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if g.shut || g.bar == address {
		c.Close()
		return nil, &net.OpError{Op: "dial", Net: network, Err: errors.New("connection refused")}
	}
	if g.conns == nil {
		g.conns = make(map[*gated]bool)
	}
	through := &gated{Conn: c}
	g.conns[through] = true
	return through, nil
}

// gated is a connection through a gate.
type gated struct {
	net.Conn
	mute atomic.Bool
}

// Read reads what comes; of a mute connection nothing but its end.
func (c *gated) Read(b []byte) (int, error) {
	for {
		n, err := c.Conn.Read(b)
		if err != nil || !c.mute.Load() {
			return n, err
		}
	}
}

// Mute loses every answer on the connections that there are, of requests that arrive and are carried out.
func (g *Gate) Mute() {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	for c := range g.conns {
		c.mute.Store(true)
	}
}

// Shut cuts all connections, and refuses new ones until Open.
func (g *Gate) Shut() {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.shut = true
	for c := range g.conns {
		c.Close()
	}
	clear(g.conns)
}

// Bar cuts the connections to an address, and refuses new ones to it.
func (g *Gate) Bar(address string) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.bar = address
	for c := range g.conns {
		if c.RemoteAddr().String() == address {
			c.Close()
			delete(g.conns, c)
		}
	}
}

// Open lets connections through again.
func (g *Gate) Open() {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.shut = false
}

// Cut cuts all connections that there are.
func (g *Gate) Cut() {
	g.Shut()
	g.Open()
}
