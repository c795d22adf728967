package screencapture

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode"
)

// transport sends requests with the API key, and retries those that can succeed later.
type transport struct {
	baseURL string
	key     string
	client  *http.Client
}

// request is one call.
type request struct {
	method string
	path   string
	query  any
	body   any

	// openFile opens what an attempt writes the result to. Default: memory.
	openFile func() (io.WriteCloser, error)

	// capture is true if the call waits for the result of a capture, whose option timeout is the time of all attempts.
	capture bool

	// set are values of the body that follow from the method.
	set map[string]any
}

// response was read to its end.
type response struct {
	header  http.Header
	content []byte
}

func newTransport(key, baseURL string, client *http.Client) (*transport, error) {
	if baseURL == "" {
		return nil, usageErrorf("The address of the service is missing: set Config.BaseURL, such as https://api.example.com, or SCREEN_CAPTURE_URL.")
	}
	address, err := url.Parse(baseURL)
	if err != nil || (address.Scheme != "http" && address.Scheme != "https") || address.Hostname() == "" || strings.IndexFunc(baseURL, unicode.IsSpace) >= 0 {
		return nil, usageErrorf("Config.BaseURL isn't a URL of a service, such as https://api.example.com. Correct it, or SCREEN_CAPTURE_URL.")
	}
	key = strings.TrimSpace(key)
	if strings.IndexFunc(key, func(each rune) bool { return each < '!' || each > '~' }) >= 0 {
		return nil, usageErrorf("Config.Key isn't an API key: it looks like cap_…, without spaces.")
	}
	if client == nil {
		client = &http.Client{}
	}
	unredirected := *client // a redirect could lead the key to another host
	unredirected.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &transport{strings.TrimRight(baseURL, "/"), key, &unredirected}, nil
}

// sendJSON sends a call and decodes the JSON of its response into a value of the type.
func sendJSON[T any](ctx context.Context, t *transport, c call, r request) (T, error) {
	var value T
	received, err := t.send(ctx, c, r)
	if err != nil {
		return value, err
	}
	return value, decode(received.content, &value)
}

func decode(content []byte, value any) error {
	if err := json.Unmarshal(content, value); err != nil {
		return &ConnectionError{Message: "The response isn't what the service answers. Check the base URL, and proxies in front of it.", cause: err}
	}
	return nil
}

// send returns the response of a success, and otherwise the last error if there is no time for another attempt.
func (t *transport) send(ctx context.Context, c call, r request) (*response, error) {
	started := time.Now()
	deadline := started.Add(c.timeout)
	limited, cancel := context.WithDeadline(ctx, deadline)
	defer cancel()
	prepared, err := t.prepare(c, r)
	if err != nil {
		return nil, err
	}
	original := prepared.body
	for attempt := 0; ; attempt++ {
		received, err := t.attempt(limited, prepared, r.openFile)
		if err == nil {
			return received, nil
		}
		if ctx.Err() != nil {
			return nil, contextError(ctx, r, err)
		}
		if limited.Err() != nil {
			return nil, timeoutError(r.task(), c.timeout)
		}
		delay := retryDelay(err, attempt)
		if !canRetry(err) || attempt >= c.retries || delay >= time.Until(deadline) {
			return nil, err
		}
		if r.capture {
			next := nextBody(original, err, time.Since(started)+delay, c.idempotencyKey != "")
			if next == nil {
				return nil, err
			}
			if next.number("timeout") != prepared.body.number("timeout") {
				prepared = prepared.withBody(next, c)
			}
		}
		if err := sleep(limited, delay); err != nil {
			return nil, contextError(ctx, r, timeoutError(r.task(), c.timeout))
		}
	}
}

// contextError is the error of a call whose context was canceled by the caller, or whose time is over.
func contextError(ctx context.Context, r request, otherwise error) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		return &TimeoutError{fmt.Sprintf("%s took longer than the deadline of its context.", r.task())}
	}
	if ctx.Err() != nil {
		return fmt.Errorf("%s: %w", r.task(), ctx.Err())
	}
	return otherwise
}

func (r request) task() string {
	return r.method + " " + r.path
}

// prepared is what each attempt sends.
type prepared struct {
	method string
	url    string
	header http.Header
	body   fields
}

func (t *transport) prepare(c call, r request) (prepared, error) {
	p := prepared{method: r.method, url: t.baseURL + r.path, header: http.Header{}}
	if t.key == "" {
		return p, usageErrorf("This call needs the API key of the client, cap_…. Set Config.Key, or SCREEN_CAPTURE_KEY.")
	}
	p.header.Set("User-Agent", "screen-capture-client-go/"+Version)
	p.header.Set("Authorization", "Bearer "+t.key)
	if r.query != nil {
		filters, err := fieldsOf(r.query)
		if err != nil {
			return p, err
		}
		if query := filters.query().Encode(); query != "" {
			p.url += "?" + query
		}
	}
	if r.body != nil {
		body, err := fieldsOf(r.body)
		if err != nil {
			return p, err
		}
		for name, value := range r.set {
			body = body.with(name, value)
		}
		p.header.Set("Content-Type", "application/json")
		p.body = body
	}
	return p.withBody(p.body, c), nil
}

// withBody returns the request with another body, which is another request to the service unless the caller has named it.
func (p prepared) withBody(body fields, c call) prepared {
	p.body = body
	p.header = p.header.Clone()
	if p.method == http.MethodPost && c.idempotencyKey != "" {
		p.header.Set("Idempotency-Key", c.idempotencyKey)
	} else if p.method == http.MethodPost && c.retries > 0 {
		p.header.Set("Idempotency-Key", randomID())
	}
	return p
}

func (t *transport) attempt(ctx context.Context, p prepared, openFile func() (io.WriteCloser, error)) (*response, error) {
	var body io.Reader
	if p.body != nil {
		text, err := encode(p.body)
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(text)
	}
	sent, err := http.NewRequestWithContext(ctx, p.method, p.url, body)
	if err != nil {
		return nil, usageErrorf("The address of the request can't be used: %v", err)
	}
	sent.Header = p.header
	answer, err := t.client.Do(sent)
	if err != nil {
		return nil, t.connectionError(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode >= 300 || openFile == nil {
		content, err := io.ReadAll(answer.Body)
		if err != nil {
			return nil, t.connectionError(err)
		}
		if answer.StatusCode >= 300 {
			return nil, errorFromResponse(answer.StatusCode, answer.Header, content)
		}
		return &response{answer.Header, content}, nil
	}
	return &response{answer.Header, nil}, t.copyTo(openFile, answer.Body)
}

func (t *transport) copyTo(openFile func() (io.WriteCloser, error), body io.Reader) error {
	file, err := openFile()
	if err != nil {
		return err
	}
	source := &failingReader{Reader: body}
	_, err = io.Copy(file, source)
	if closeErr := file.Close(); err == nil {
		err = closeErr
	}
	if source.err != nil {
		return t.connectionError(source.err)
	}
	return err
}

// failingReader remembers why reading failed, so that a full disk isn't taken for a lost connection.
type failingReader struct {
	io.Reader
	err error
}

func (r *failingReader) Read(piece []byte) (int, error) {
	count, err := r.Reader.Read(piece)
	if err != nil && err != io.EOF {
		r.err = err
	}
	return count, err
}

func (t *transport) connectionError(cause error) *ConnectionError {
	host := t.baseURL
	if address, err := url.Parse(t.baseURL); err == nil {
		host = address.Scheme + "://" + address.Host
	}
	return &ConnectionError{fmt.Sprintf("Can't reach %s. Is the service running?", host), true, cause}
}

// nextBody returns the body of the next attempt at a capture, which starts after the elapsed time; nil if the option timeout of the
// capture leaves no time for it. The service has ended a capture whose error it has told, so another one can have the rest of the
// time, under another name. After a lost response the same request is sent again, to get its result.
func nextBody(body fields, err error, elapsed time.Duration, isNamed bool) fields {
	given := body.number("timeout")
	if given == 0 {
		return body
	}
	timeout := math.Floor(given - elapsed.Seconds())
	if timeout < 1 || timeout <= body.number("delay") {
		return nil
	}
	var failed *Error
	if hasEnded := errors.As(err, &failed) && failed.Code != CodeConflict; hasEnded && !isNamed {
		return body.with("timeout", timeout)
	}
	return body
}

func randomID() string {
	id := make([]byte, 16)
	_, _ = rand.Read(id) // never fails on the systems that Go supports
	return fmt.Sprintf("%x", id)
}
