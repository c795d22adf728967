package screencapture

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// Error is an error that the service answered with. Its message says what failed, why, and how to fix it. Compare its code with
// errors.Is(err, screencapture.CodeValidationError), or read it with errors.As.
type Error struct {
	Code    ErrorCode
	Message string

	// Status is the HTTP status code: 0 for the error of an asynchronous capture.
	Status int

	// Retryable is true if the same request can succeed later.
	Retryable bool

	// RequestID is the number of the request, or "" if the service has none.
	RequestID string

	// Details are messages by option, or figures that explain the error.
	Details map[string]any

	// Target says how the page responded, if it was reached or tried.
	Target *Target

	// Problems are what was wrong with the page, for a capture that broke a rule.
	Problems []Problem

	// Docs is the address of the documentation of this error.
	Docs string

	// RetryAfter is the time to wait before the next attempt, if the service says so.
	RetryAfter *time.Duration
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s (%s)", e.Message, e.Code)
}

// Is makes errors.Is(err, screencapture.CodeNotFound) true for an error with this code.
func (e *Error) Is(target error) bool {
	code, isCode := target.(ErrorCode)
	return isCode && code == e.Code
}

// Error makes a code an error, for errors.Is.
func (c ErrorCode) Error() string {
	return string(c)
}

// ConnectionError says that the service couldn't be reached, or that its response was cut off.
type ConnectionError struct {
	Message string

	// Retryable is true if the same request can succeed later.
	Retryable bool
	cause     error
}

func (e *ConnectionError) Error() string {
	return e.Message
}

func (e *ConnectionError) Unwrap() error {
	return e.cause
}

// TimeoutError says that a call took longer than its timeout.
type TimeoutError struct {
	Message string
}

func (e *TimeoutError) Error() string {
	return e.Message
}

// Timeout is true, as for the timeouts of the package net.
func (e *TimeoutError) Timeout() bool {
	return true
}

func (e *TimeoutError) Unwrap() error {
	return context.DeadlineExceeded
}

// WebhookError says that a webhook isn't authentic.
type WebhookError struct {
	Message string
}

func (e *WebhookError) Error() string {
	return e.Message
}

// UsageError says that a call can't be made: a setting of the client is missing or wrong.
type UsageError struct {
	Message string
}

func (e *UsageError) Error() string {
	return e.Message
}

func timeoutError(task string, timeout time.Duration) *TimeoutError {
	return &TimeoutError{fmt.Sprintf("%s took longer than %g s. Raise the timeout.", task, timeout.Seconds())}
}

func usageErrorf(format string, values ...any) *UsageError {
	return &UsageError{fmt.Sprintf(format, values...)}
}

// errorFromResponse returns the error of a response with a status of 300 or above.
func errorFromResponse(status int, header http.Header, content []byte) error {
	var body ErrorBody
	if err := json.Unmarshal(content, &body); err != nil || body.Error == "" || body.Code == "" {
		return &ConnectionError{
			Message:   fmt.Sprintf("Got status %d without an error of the service. Check the base URL, and proxies in front of it.", status),
			Retryable: 502 <= status && status <= 504,
		}
	}
	failed := errorFromBody(&body)
	failed.Status = status
	if wait, isThere := seconds(header.Get("Retry-After")); isThere {
		failed.RetryAfter = &wait
	}
	return failed
}

// errorFromBody returns the error that a body of the service describes.
func errorFromBody(body *ErrorBody) *Error {
	failed := &Error{
		Code:      body.Code,
		Message:   body.Error,
		Retryable: body.Retryable,
		Details:   body.Details,
		Target:    body.Target,
		Problems:  body.Problems,
		Docs:      body.Docs,
	}
	if failed.Details == nil {
		failed.Details = map[string]any{}
	}
	switch id := body.RequestID.(type) {
	case string:
		failed.RequestID = id
	case float64:
		failed.RequestID = strconv.FormatFloat(id, 'f', -1, 64)
	}
	if body.Retryable && body.Target != nil && body.Target.RetryAfter != nil {
		wait := time.Duration(*body.Target.RetryAfter) * time.Second
		failed.RetryAfter = &wait
	}
	return failed
}

func seconds(text string) (time.Duration, bool) {
	value, err := strconv.ParseFloat(text, 64)
	return time.Duration(value * float64(time.Second)), err == nil
}
