package screencapture

import "time"

const (
	defaultTimeout = 200 * time.Second // longer than the service takes for a capture: 90 seconds, and a retry
	defaultRetries = 2
)

// CallOption changes one call. Every method that sends a request takes such options.
type CallOption func(*call)

type call struct {
	timeout        time.Duration
	retries        int
	idempotencyKey string
}

// WithTimeout limits the time of the whole call with its retries: 200 seconds by default. A capture that takes longer is finished and
// billed all the same; the same request with the same idempotency key gets its result for free. The option Timeout of a capture ends
// the capture itself, and bounds its retries, too.
func WithTimeout(timeout time.Duration) CallOption {
	return func(c *call) { c.timeout = timeout }
}

// WithRetries says how often an error that is retryable is retried: 2 times by default.
func WithRetries(retries int) CallOption {
	return func(c *call) { c.retries = retries }
}

// WithIdempotencyKey names a POST, so that the service runs it once. Default: a random name, unless there are no retries.
func WithIdempotencyKey(key string) CallOption {
	return func(c *call) { c.idempotencyKey = key }
}

func newCall(timeout time.Duration, options []CallOption) call {
	c := call{timeout: timeout, retries: defaultRetries}
	for _, option := range options {
		option(&c)
	}
	return c
}
