package screencapture

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

const (
	capturesPath = "/api/v1/screenshot"
	bulkTimeout  = 300 * time.Second // the service answers a bulk request after at most 240 seconds
	defaultWait  = 600 * time.Second
)

// Capture captures a page and returns the bytes of the result.
func (c *Client) Capture(ctx context.Context, options *CaptureOptions, call ...CallOption) (*Capture, error) {
	received, err := c.transport.send(ctx, newCall(defaultTimeout, call), captureRequest(options))
	if err != nil {
		return nil, err
	}
	return &Capture{newCaptureInfo(received.header), received.content}, nil
}

// CaptureToFile captures a page into a file, piece by piece, so that a large result needs no memory. The file is complete or, after an
// error, as it was before.
func (c *Client) CaptureToFile(ctx context.Context, options *CaptureOptions, path string, call ...CallOption) (*CaptureInfo, error) {
	part := fmt.Sprintf("%s.%s.part", path, randomID())
	defer os.Remove(part)
	r := captureRequest(options)
	r.openFile = func() (io.WriteCloser, error) { return os.Create(part) }
	received, err := c.transport.send(ctx, newCall(defaultTimeout, call), r)
	if err != nil {
		return nil, err
	}
	info := newCaptureInfo(received.header)
	return &info, os.Rename(part, path)
}

// Store captures a page and stores the result, which has a link and the metadata that you request.
func (c *Client) Store(ctx context.Context, options *CaptureOptions, call ...CallOption) (*CaptureResult, error) {
	r := captureRequest(options)
	r.set = map[string]any{"response_type": "json"}
	return sendJSON[*CaptureResult](ctx, c.transport, newCall(defaultTimeout, call), r)
}

// StoreOutputs captures several results of a page and stores each one, which has a link. The options of each one are in outputs, and
// all others in options. It returns an error if all of them fail; one that fails alone has an Error in its place.
func (c *Client) StoreOutputs(ctx context.Context, options *CaptureOptions, outputs []CaptureOutput, call ...CallOption) (*OutputsResult, error) {
	r := captureRequest(options)
	r.set = map[string]any{"outputs": outputs}
	return sendJSON[*OutputsResult](ctx, c.transport, newCall(defaultTimeout, call), r)
}

// Validate checks a request without a capture: it returns all options that apply, or the error that the capture would get.
func (c *Client) Validate(ctx context.Context, options *CaptureOptions, call ...CallOption) (*CaptureValidation, error) {
	r := request{method: http.MethodPost, path: capturesPath, body: options, set: map[string]any{"validate": true}}
	return sendJSON[*CaptureValidation](ctx, c.transport, newCall(defaultTimeout, call), r)
}

// Enqueue queues an asynchronous capture. Wait returns its result.
func (c *Client) Enqueue(ctx context.Context, options *CaptureOptions, call ...CallOption) (*CaptureAccepted, error) {
	r := request{method: http.MethodPost, path: capturesPath, body: options, set: map[string]any{"async": true}}
	return sendJSON[*CaptureAccepted](ctx, c.transport, newCall(defaultTimeout, call), r)
}

// Get returns the status of an asynchronous capture.
func (c *Client) Get(ctx context.Context, requestID int64, call ...CallOption) (*CaptureState, error) {
	return sendJSON[*CaptureState](ctx, c.transport, newCall(defaultTimeout, call), request{method: http.MethodGet, path: capturePath(requestID)})
}

// Wait waits for an asynchronous capture, at most 10 minutes unless WithTimeout says otherwise. It returns the error of a capture that
// failed.
func (c *Client) Wait(ctx context.Context, requestID int64, call ...CallOption) (*CaptureState, error) {
	state, err := c.waitForEnd(ctx, requestID, call)
	if err == nil && state.Error != nil {
		return nil, errorFromBody(state.Error)
	}
	return state, err
}

// Cancel cancels an asynchronous capture, and waits until it has ended, which takes at most two seconds. It returns its status: failed
// with the code CANCELLED, or success if it had ended before. A success is billed, and its result is deleted.
func (c *Client) Cancel(ctx context.Context, requestID int64, call ...CallOption) (*CaptureState, error) {
	if err := c.DeleteResult(ctx, requestID, call...); err != nil {
		return nil, err
	}
	return c.waitForEnd(ctx, requestID, call)
}

func (c *Client) waitForEnd(ctx context.Context, requestID int64, options []CallOption) (*CaptureState, error) {
	settings := newCall(defaultWait, options)
	deadline := time.Now().Add(settings.timeout)
	late := timeoutError(fmt.Sprintf("Capture %d", requestID), settings.timeout)
	for attempt := 0; ; attempt++ {
		rest := settings
		if rest.timeout = time.Until(deadline); rest.timeout <= 0 {
			return nil, late
		}
		state, delay, err := c.poll(ctx, requestID, attempt, rest)
		if err != nil || (state != nil && (state.Status == CaptureStatusSuccess || state.Status == CaptureStatusFailed)) {
			return state, err
		}
		if delay >= time.Until(deadline) {
			delay = time.Until(deadline)
		}
		if err := sleep(ctx, delay); err != nil {
			return nil, contextError(ctx, request{method: http.MethodGet, path: capturePath(requestID)}, late)
		}
	}
}

// poll returns the status, unless the rate limit refuses the request, and the time to wait before the next one.
func (c *Client) poll(ctx context.Context, requestID int64, attempt int, settings call) (*CaptureState, time.Duration, error) {
	received, err := c.transport.send(ctx, settings, request{method: http.MethodGet, path: capturePath(requestID)})
	if errors.Is(err, CodeRateLimited) {
		return nil, retryDelay(err, attempt), nil
	}
	if err != nil {
		return nil, 0, err
	}
	state := &CaptureState{}
	return state, pollDelay(received.header, attempt), decode(received.content, state)
}

// DeleteResult deletes the result of an asynchronous capture, or cancels one that hasn't ended; Cancel also waits for its end.
func (c *Client) DeleteResult(ctx context.Context, requestID int64, call ...CallOption) error {
	_, err := c.transport.send(ctx, newCall(defaultTimeout, call), request{method: http.MethodDelete, path: capturePath(requestID)})
	return err
}

// Report says how a capture with MetadataReport came about.
func (c *Client) Report(ctx context.Context, requestID int64, call ...CallOption) (*CaptureReport, error) {
	r := request{method: http.MethodGet, path: capturePath(requestID) + "/report"}
	return sendJSON[*CaptureReport](ctx, c.transport, newCall(defaultTimeout, call), r)
}

// RedeliverWebhook sends the webhook of an asynchronous capture again.
func (c *Client) RedeliverWebhook(ctx context.Context, requestID int64, call ...CallOption) (*WebhookRedelivery, error) {
	r := request{method: http.MethodPost, path: capturePath(requestID) + "/webhook/redeliver"}
	return sendJSON[*WebhookRedelivery](ctx, c.transport, newCall(defaultTimeout, call), r)
}

// TestWebhook sends a test event to the receiver of your webhooks, signed with the secret of the key, and returns what it answered.
func (c *Client) TestWebhook(ctx context.Context, test *WebhookTestRequest, call ...CallOption) (*WebhookTest, error) {
	r := request{method: http.MethodPost, path: "/api/v1/webhooks/test", body: test}
	return sendJSON[*WebhookTest](ctx, c.transport, newCall(defaultTimeout, call), r)
}

// Bulk makes up to 20 captures, and waits for them unless Execute is false. While too many other bulk requests wait, the captures are
// returned as they are: call Wait for those whose Status is queued or processing.
func (c *Client) Bulk(ctx context.Context, requests *Bulk, call ...CallOption) ([]BulkCapture, error) {
	r := request{method: http.MethodPost, path: "/api/v1/bulk", body: requests}
	captures, err := sendJSON[part[BulkCapture]](ctx, c.transport, newCall(bulkTimeout, call), r)
	return captures.Data, err
}

// Jobs lists the asynchronous captures of the last 30 days, newest first.
func (c *Client) Jobs(filter *AsyncCaptureFilter, call ...CallOption) *Pager[CaptureState] {
	return listOlder[CaptureState](c.transport, "/api/v1/jobs", filter, call)
}

func captureRequest(options *CaptureOptions) request {
	return request{method: http.MethodPost, path: capturesPath, body: options, capture: true}
}

func capturePath(requestID int64) string {
	return fmt.Sprintf("%s/%d", capturesPath, requestID)
}
