// Command behaviour_driver calls the client as a test says: a line of JSON for each call, and one for its answer.
package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"reflect"
	"strconv"
	"strings"
	"time"

	screencapture "screencapture.internal/client"
)

type call struct {
	Call   string `json:"call"`
	Client struct {
		Key           string `json:"key"`
		BaseURL       string `json:"base_url"`
		KeyID         int64  `json:"key_id"`
		SigningSecret string `json:"signing_secret"`
	} `json:"client"`
	Options        json.RawMessage   `json:"options"`
	Timeout        *float64          `json:"timeout"`
	Retries        *int              `json:"retries"`
	IdempotencyKey string            `json:"idempotency_key"`
	ID             json.RawMessage   `json:"id"`
	Path           string            `json:"path"`
	Limit          int               `json:"limit"`
	ExpiresIn      float64           `json:"expires_in"`
	Headers        map[string]string `json:"headers"`
	Body           string            `json:"body"`
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	output := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var asked call
		value, err := any(nil), json.Unmarshal(lines.Bytes(), &asked)
		if err == nil {
			value, err = answer(asked)
		}
		if err != nil {
			_ = output.Encode(map[string]any{"error": describe(err)})
		} else {
			_ = output.Encode(map[string]any{"value": value})
		}
	}
}

func answer(asked call) (any, error) {
	ctx := context.Background()
	client, err := screencapture.New(screencapture.Config{
		Key:           asked.Client.Key,
		BaseURL:       asked.Client.BaseURL,
		KeyID:         asked.Client.KeyID,
		SigningSecret: asked.Client.SigningSecret,
	})
	if err != nil {
		return nil, err
	}
	settings := asked.settings()
	options := func() *screencapture.CaptureOptions { return decode[screencapture.CaptureOptions](asked.Options) }
	switch asked.Call {
	case "capture":
		capture, err := client.Capture(ctx, options(), settings...)
		if err != nil {
			return nil, err
		}
		value := infoOf(capture.CaptureInfo)
		sum := sha256.Sum256(capture.Content)
		value["size"], value["sha256"] = len(capture.Content), hex.EncodeToString(sum[:])
		if strings.HasPrefix(capture.MimeType, "text/") || strings.HasPrefix(capture.MimeType, "application/json") {
			value["text"] = capture.Text()
		}
		return value, nil
	case "capture_to_file":
		info, err := client.CaptureToFile(ctx, options(), asked.Path, settings...)
		if err != nil {
			return nil, err
		}
		value := infoOf(*info)
		file, err := os.Stat(asked.Path)
		if err != nil {
			return nil, err
		}
		value["size"] = file.Size()
		return value, nil
	case "store":
		return client.Store(ctx, options(), settings...)
	case "store_outputs":
		var several struct {
			Outputs []json.RawMessage `json:"outputs"`
		}
		if err := json.Unmarshal(asked.Options, &several); err != nil {
			return nil, err
		}
		outputs := []screencapture.CaptureOutput{}
		for _, each := range several.Outputs {
			outputs = append(outputs, *decode[screencapture.CaptureOutput](each))
		}
		shared := options()
		delete(shared.Extra, "outputs")
		return client.StoreOutputs(ctx, shared, outputs, settings...)
	case "validate":
		return client.Validate(ctx, options(), settings...)
	case "enqueue":
		return client.Enqueue(ctx, options(), settings...)
	case "get":
		return client.Get(ctx, asked.number(), settings...)
	case "wait":
		return client.Wait(ctx, asked.number(), settings...)
	case "cancel":
		return client.Cancel(ctx, asked.number(), settings...)
	case "bulk":
		return client.Bulk(ctx, decode[screencapture.Bulk](asked.Options), settings...)
	case "account":
		return client.Account(ctx, settings...)
	case "statistics":
		return client.Statistics(ctx, decode[screencapture.StatisticsFilter](asked.Options), settings...)
	case "test_webhook":
		return client.TestWebhook(ctx, decode[screencapture.WebhookTestRequest](asked.Options), settings...)
	case "details":
		return client.Details(ctx, asked.number(), settings...)
	case "delete_result":
		return nil, client.DeleteResult(ctx, asked.number(), settings...)
	case "export_captures":
		text, err := client.ExportCaptures(ctx, decode[screencapture.ExportFilter](asked.Options), settings...)
		return map[string]string{"text": text}, err
	case "link":
		link, err := client.Link(options(), duration(asked.ExpiresIn))
		return map[string]string{"url": link}, err
	case "verify_webhook":
		header := http.Header{}
		for name, value := range asked.Headers {
			header.Set(name, value)
		}
		return client.VerifyWebhook(header, []byte(asked.Body))
	case "captures":
		return first(ctx, client.Captures(decode[screencapture.CaptureFilter](asked.Options), settings...), asked.Limit)
	case "jobs":
		return first(ctx, client.Jobs(decode[screencapture.AsyncCaptureFilter](asked.Options), settings...), asked.Limit)
	case "search":
		return first(ctx, client.Search(decode[screencapture.SearchFilter](asked.Options), settings...), asked.Limit)
	case "usage":
		return first(ctx, client.Usage(decode[screencapture.StatisticsFilter](asked.Options), settings...), asked.Limit)
	case "keys.list":
		return client.Keys.List(ctx, settings...)
	case "keys.create":
		return client.Keys.Create(ctx, decode[screencapture.NewKey](asked.Options), settings...)
	case "keys.get":
		return client.Keys.Get(ctx, asked.number(), settings...)
	case "keys.change":
		return client.Keys.Change(ctx, asked.number(), decode[screencapture.KeyChanges](asked.Options), settings...)
	case "keys.rotate":
		return client.Keys.Rotate(ctx, asked.number(), decode[screencapture.KeyRotation](asked.Options), settings...)
	case "keys.revoke":
		return client.Keys.Revoke(ctx, asked.number(), settings...)
	case "receivers.list":
		return client.Receivers.List(ctx, settings...)
	case "receivers.create":
		return client.Receivers.Create(ctx, decode[screencapture.NewWebhookReceiver](asked.Options), settings...)
	case "receivers.get":
		return client.Receivers.Get(ctx, asked.text(), settings...)
	case "receivers.change":
		return client.Receivers.Change(ctx, asked.text(), decode[screencapture.WebhookReceiverChanges](asked.Options), settings...)
	case "receivers.pause":
		return client.Receivers.Pause(ctx, asked.text(), settings...)
	case "receivers.resume":
		return client.Receivers.Resume(ctx, asked.text(), settings...)
	case "receivers.test":
		return client.Receivers.Test(ctx, asked.text(), settings...)
	case "receivers.delete":
		return nil, client.Receivers.Delete(ctx, asked.text(), settings...)
	}
	return nil, fmt.Errorf("unknown call %s", asked.Call)
}

func (c call) settings() []screencapture.CallOption {
	var settings []screencapture.CallOption
	if c.Timeout != nil {
		settings = append(settings, screencapture.WithTimeout(duration(*c.Timeout)))
	}
	if c.Retries != nil {
		settings = append(settings, screencapture.WithRetries(*c.Retries))
	}
	if c.IdempotencyKey != "" {
		settings = append(settings, screencapture.WithIdempotencyKey(c.IdempotencyKey))
	}
	return settings
}

func (c call) number() int64 {
	value, _ := strconv.ParseInt(string(c.ID), 10, 64)
	return value
}

func (c call) text() string {
	var text string
	_ = json.Unmarshal(c.ID, &text)
	return text
}

func duration(seconds float64) time.Duration {
	return time.Duration(seconds * float64(time.Second))
}

// decode sets the fields of the options, and in Extra what they can't hold, so that the service judges it.
func decode[T any](text json.RawMessage) *T {
	if text == nil {
		return nil
	}
	options := new(T)
	values := map[string]json.RawMessage{}
	_ = json.Unmarshal(text, &values)
	extra := map[string]any{}
	for name, value := range values {
		one, _ := json.Marshal(map[string]json.RawMessage{name: value})
		decoder := json.NewDecoder(bytes.NewReader(one))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(options); err != nil || string(value) == "null" {
			extra[name] = value
		}
	}
	reflect.ValueOf(options).Elem().FieldByName("Extra").Set(reflect.ValueOf(extra))
	return options
}

// first returns the items up to a limit; all of them for 0.
func first[T any](ctx context.Context, pager *screencapture.Pager[T], limit int) ([]T, error) {
	items := []T{}
	for (limit == 0 || len(items) < limit) && pager.Next(ctx) {
		items = append(items, pager.Item())
	}
	return items, pager.Err()
}

func infoOf(info screencapture.CaptureInfo) map[string]any {
	return map[string]any{
		"mime_type":  info.MimeType,
		"from_cache": info.FromCache,
		"final_url":  orNull(info.FinalURL),
		"warnings":   orNull(info.Warnings),
		"problems":   append([]screencapture.ProblemCode{}, info.Problems...),
		"quality":    info.Quality,
		"request_id": info.RequestID,
	}
}

func orNull(text string) any {
	if text == "" {
		return nil
	}
	return text
}

func describe(err error) map[string]any {
	described := map[string]any{"kind": "other", "message": err.Error(), "class": strings.TrimPrefix(fmt.Sprintf("%T", err), "*screencapture.")}
	var failed *screencapture.Error
	var lost *screencapture.ConnectionError
	var late *screencapture.TimeoutError
	var forged *screencapture.WebhookError
	var misused *screencapture.UsageError
	switch {
	case errors.As(err, &failed):
		described["kind"], described["message"] = "api", failed.Message
		described["code"], described["status"], described["retryable"] = failed.Code, failed.Status, failed.Retryable
		described["details"], described["target"], described["docs"] = failed.Details, failed.Target, failed.Docs
		described["request_id"] = failed.RequestID
		if id, err := strconv.ParseInt(failed.RequestID, 10, 64); err == nil {
			described["request_id"] = id
		}
	case errors.As(err, &lost):
		described["kind"], described["retryable"] = "connection", lost.Retryable
	case errors.As(err, &late):
		described["kind"] = "timeout"
	case errors.As(err, &forged):
		described["kind"] = "webhook"
	case errors.As(err, &misused):
		described["kind"] = "usage"
	}
	return described
}
