package screencapture

import (
	"context"
	"errors"
	"math"
	"math/rand"
	"net/http"
	"strconv"
	"sync"
	"time"
)

const (
	firstRetry = 500 * time.Millisecond
	maxRetry   = 20 * time.Second
	firstPoll  = 400 * time.Millisecond
	maxPoll    = 5 * time.Second
)

var (
	jitterLock sync.Mutex
	jitter     = rand.New(rand.NewSource(time.Now().UnixNano())) // Go 1.19 seeds the shared source with 1
)

// canRetry is also true for Retry-After, which comes with a conflict that ends: a request with the same Idempotency-Key is in progress.
func canRetry(err error) bool {
	var failed *Error
	if errors.As(err, &failed) {
		return failed.Retryable || failed.RetryAfter != nil
	}
	var lost *ConnectionError
	return errors.As(err, &lost) && lost.Retryable
}

// retryDelay is the time before the next attempt: Retry-After, else exponential backoff with full jitter.
func retryDelay(err error, attempt int) time.Duration {
	var failed *Error
	if errors.As(err, &failed) && failed.RetryAfter != nil {
		return *failed.RetryAfter
	}
	jitterLock.Lock()
	defer jitterLock.Unlock()
	return time.Duration(jitter.Float64() * math.Min(float64(maxRetry), float64(firstRetry)*math.Pow(2, float64(attempt+1))))
}

// pollDelay is the time before the status of a capture is requested again. When a request of the rate limit is all that is left, it
// waits until more are available, so that polling doesn't keep the account from capturing.
func pollDelay(header http.Header, attempt int) time.Duration {
	backoff := time.Duration(math.Min(float64(maxPoll), float64(firstPoll)*math.Pow(1.5, float64(attempt))))
	remaining, err := strconv.Atoi(header.Get("X-RateLimit-Remaining"))
	reset, isThere := seconds(header.Get("X-RateLimit-Reset"))
	if err != nil || remaining > 1 || !isThere {
		return backoff
	}
	if wait := time.Until(time.Unix(0, int64(reset))); wait > backoff {
		return wait
	}
	return backoff
}

func sleep(ctx context.Context, duration time.Duration) error {
	timer := time.NewTimer(duration)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
