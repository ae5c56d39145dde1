package client

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// Pause gives the time to wait after so many failures in a row: 5 ms and doubling up to a second, less a random part so
// that many waiting do not come back at once.
func Pause(failures int) time.Duration {
	d := time.Second
	if failures < 9 {
		d = 5 * time.Millisecond << max(failures-1, 0)
	}
	d = min(d, time.Second)
	return d - rand.N(d/4+1)
}

// Wait waits for d, or until the context ends, whose error it then gives.
func Wait(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// repeat is repeatFor with the client's patience.
func (c *Client) repeat(ctx context.Context, what string, try func(context.Context) error) error {
	return c.repeatFor(ctx, c.options.Patience, what, try)
}

// repeatFor calls try until it works, fails for a reason that will not pass, or patience or the context ends. what
// names it for people.
func (c *Client) repeatFor(ctx context.Context, patience time.Duration, what string, try func(context.Context) error) error {
	end := time.Now().Add(patience)
	for failures := 0; ; {
		err := try(ctx)
		if err == nil {
			c.trouble(what, nil)
			return nil
		}
		if ctx.Err() != nil {
			return fmt.Errorf("%s: %w", what, ctx.Err())
		}
		if !Retriable(err) {
			return wrap(what, err)
		}
		failures++
		c.trouble(what, err)
		pause := Pause(failures)
		if time.Now().Add(pause).After(end) {
			return wrap(what, err)
		}
		if Wait(ctx, pause) != nil {
			return fmt.Errorf("%s: %w", what, ctx.Err())
		}
	}
}

// wrap puts before an error what was asked, unless the error says enough by itself.
func wrap(what string, err error) error {
	var speaking interface{ speaks() }
	if errors.As(err, &speaking) {
		return err
	}
	return fmt.Errorf("%s: %w", what, err)
}

func (*AccessError) speaks()         {}
func (*TopicError) speaks()          {}
func (*FencedError) speaks()         {}
func (*StateError) speaks()          {}
func (*TimeoutTooLongError) speaks() {}

// Trouble lets whoever repeats requests by itself tell of failures, and with a nil error that it works again.
func (c *Client) Trouble(what string, err error) { c.trouble(what, err) }
