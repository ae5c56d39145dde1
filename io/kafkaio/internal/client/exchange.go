package client

import (
	"context"
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/segmentio/kafka-go/protocol"

	"tidemark/io/kafkaio/internal/wire"
)

// anyBroker routes a request to whichever broker of the first addresses answers.
const anyBroker int32 = -1

// exchange is a request that we put on a connection of the transport, and whose answer we take off it. It implements
// protocol.Message, BrokerMessage and RawExchanger.
type exchange struct {
	key    protocol.ApiKey
	broker int32
	// speak writes and reads. version is the highest that both the broker and kafka-go know.
	speak   func(conn io.ReadWriter, version int16) error
	version int16

	mutex     sync.Mutex
	conn      net.Conn // while speak runs
	cancelled bool
	done      chan struct{} // closed when speak has ended; nil before it begins
}

// ApiKey is for protocol.Message.
func (x *exchange) ApiKey() protocol.ApiKey { return x.key }

// Broker is for protocol.BrokerMessage.
func (x *exchange) Broker(protocol.Cluster) (protocol.Broker, error) {
	return protocol.Broker{ID: x.broker}, nil
}

// Required is for protocol.RawExchanger.
func (x *exchange) Required(versions map[protocol.ApiKey]int16) bool {
	x.version = versions[x.key]
	return true
}

// RawExchange is for protocol.RawExchanger.
func (x *exchange) RawExchange(conn io.ReadWriter) (protocol.Message, error) {
	x.mutex.Lock()
	if x.cancelled {
		x.mutex.Unlock()
		return nil, context.Canceled
	}
	x.conn, _ = conn.(net.Conn)
	x.done = make(chan struct{})
	x.mutex.Unlock()
	defer close(x.done)
	err := x.speak(conn, x.version)
	x.mutex.Lock()
	x.conn = nil
	if x.cancelled && err == nil {
		err = context.Canceled // its deadline is spoilt
	}
	x.mutex.Unlock()
	if err != nil {
		return nil, err
	}
	return x, nil
}

// cancel makes sure that speak does not run any more.
func (x *exchange) cancel() {
	x.mutex.Lock()
	x.cancelled = true
	if x.conn != nil {
		x.conn.SetDeadline(time.Unix(1, 0))
	}
	done := x.done
	x.mutex.Unlock()
	if done != nil {
		<-done
	}
}

// exchange has speak called with a connection to a broker. When it returns, speak has ended or will never be called.
func (c *Client) exchange(ctx context.Context, timeout time.Duration, key protocol.ApiKey, broker int32, speak func(conn io.ReadWriter, version int16) error) error {
	ctx, cancel := c.limited(ctx, timeout)
	defer cancel()
	x := &exchange{key: key, broker: broker, speak: speak}
	_, err := c.transport.RoundTrip(ctx, c.address, x)
	if err != nil {
		x.cancel()
	}
	return c.explain(c.ended(err))
}

var requestID atomic.Int32

// ask sends one request and gives the answer's body. A non-nil buf is used for the answer.
func ask(conn io.ReadWriter, q wire.Request, buf []byte, body func(*wire.Writer)) (wire.Reader, error) {
	q.ID = requestID.Add(1)
	var w wire.Writer
	q.Start(&w)
	body(&w)
	q.Finish(&w, 0)
	if _, err := conn.Write(w.B); err != nil {
		return wire.Reader{}, err
	}
	return q.ReadFrame(conn, buf, 0, smallAnswer)
}

// smallAnswer is the greatest size of an answer that holds no records.
const smallAnswer = 64 << 20

// errOldBroker says that a broker does not know a request in a form that we write.
var errOldBroker = errors.New("the broker is older than Kafka 1.0, which is not supported: upgrade it")
