package metrics

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"syscall"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Server serves the metrics of a run, and those of the process, at /metrics.
type Server struct {
	listener net.Listener
	server   http.Server
	done     chan struct{}
}

// What a scrape may take: to ask, and to go on when the run has ended.
const (
	slowestRequest = 10 * time.Second
	lastScrape     = time.Second
)

// Serve begins to serve at an address such as ":9090"; of port 0 the system chooses one. The error says what to do, and
// not the address.
func Serve(address string, c *Collector) (*Server, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, refusal(err)
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(c, collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{}))
	s := &Server{listener: listener, done: make(chan struct{})}
	s.server = http.Server{Handler: mux, ReadHeaderTimeout: slowestRequest}
	go func() {
		defer close(s.done)
		_ = s.server.Serve(listener) // it ends by Close alone
	}()
	return s, nil
}

// refusal words why nobody can listen at an address.
func refusal(err error) error {
	if errors.Is(err, syscall.EADDRINUSE) {
		return errors.New("the address is in use; end what listens there, or give another one, such as :0 for any free port")
	}
	reason := err
	if op := (*net.OpError)(nil); errors.As(err, &op) {
		reason = op.Err
	}
	if dns := (*net.DNSError)(nil); errors.As(err, &dns) {
		reason = errors.New(dns.Err)
	}
	if wrong := (*net.AddrError)(nil); errors.As(err, &wrong) {
		reason = errors.New(wrong.Err)
	}
	return fmt.Errorf("nobody can listen there (%w); give an address of this machine, such as :9090 or localhost:9090", reason)
}

// URL is where the metrics are.
func (s *Server) URL() string { return "http://" + s.listener.Addr().String() + "/metrics" }

// Close ends the server. A scrape that is under way may come to its end.
func (s *Server) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), lastScrape)
	defer cancel()
	if s.server.Shutdown(ctx) != nil {
		_ = s.server.Close() // whoever is left has had the time
	}
	<-s.done
}
