// Command kafkabench is what the benchmarks of bench/run.sh need beside the pipeline that they measure: it fills topics,
// reads them without doing anything with the records, and plays both ends of a pipeline to measure its latency.
//
//	kafkabench load -brokers HOST:PORT -topic TOPIC -partitions N FILE    line i of FILE is a record of partition i modulo N
//	kafkabench count -brokers HOST:PORT -topic TOPIC                      reads all of a topic
//	kafkabench other -brokers HOST:PORT -topic TOPIC                      the same with franz-go, a client by others
//	kafkabench latency -brokers HOST:PORT PIPELINE COMMAND…               runs COMMAND… run PIPELINE between two topics
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"

	"tidemark/io/kafkaio/internal/client"
)

// options are the flags of all commands.
type options struct {
	brokers    []string
	topic      string
	partitions int
	windows    int
	rate       int
	arguments  []string
}

func main() {
	if len(os.Args) < 2 {
		fail(fmt.Errorf("which command: load, count, other or latency?"))
	}
	run, known := map[string]func(context.Context, *client.Client, options) error{
		"load": load, "count": count, "other": other, "latency": latency,
	}[os.Args[1]]
	if !known {
		fail(fmt.Errorf("%q is no command: load, count, other or latency", os.Args[1]))
	}
	var o options
	flags := flag.NewFlagSet(os.Args[1], flag.ExitOnError)
	brokers := flags.String("brokers", "localhost:9092", "the cluster")
	flags.StringVar(&o.topic, "topic", "bids", "the topic")
	flags.IntVar(&o.partitions, "partitions", 4, "of the topics that are made")
	flags.IntVar(&o.windows, "windows", 60, "how many windows of one second to measure")
	flags.IntVar(&o.rate, "rate", 10_000, "events in a second")
	flags.Parse(os.Args[2:])
	o.arguments = flags.Args()
	o.brokers = strings.Split(*brokers, ",")
	c, err := client.Open(client.Options{Brokers: o.brokers})
	if err != nil {
		fail(err)
	}
	defer c.Close()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, c, o); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "kafkabench:", err)
	os.Exit(1)
}
