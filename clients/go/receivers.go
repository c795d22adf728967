package screencapture

import (
	"context"
	"net/http"
	"net/url"
)

const receiversPath = "/api/v1/webhooks/receivers"

// Receivers has the saved receivers of webhooks. The key of the client needs the scopes keys and capture; for deliveries, usage.
type Receivers struct {
	transport *transport
}

// List returns the receivers with their health: saved ones, oldest first, and automatic ones that fail or are paused.
func (s *Receivers) List(ctx context.Context, call ...CallOption) ([]WebhookReceiver, error) {
	r := request{method: http.MethodGet, path: receiversPath}
	receivers, err := sendJSON[part[WebhookReceiver]](ctx, s.transport, newCall(defaultTimeout, call), r)
	return receivers.Data, err
}

// Create saves a receiver. Send its ID as WebhookReceiver, and verify its webhooks with its SigningSecret.
func (s *Receivers) Create(ctx context.Context, receiver *NewWebhookReceiver, call ...CallOption) (*IssuedWebhookReceiver, error) {
	r := request{method: http.MethodPost, path: receiversPath, body: receiver}
	return sendJSON[*IssuedWebhookReceiver](ctx, s.transport, newCall(defaultTimeout, call), r)
}

// Get returns a receiver without its secret.
func (s *Receivers) Get(ctx context.Context, receiverID string, call ...CallOption) (*WebhookReceiver, error) {
	return s.send(ctx, request{method: http.MethodGet, path: receiverPath(receiverID)}, call)
}

// Change changes the name or the URL.
func (s *Receivers) Change(ctx context.Context, receiverID string, changes *WebhookReceiverChanges, call ...CallOption) (*WebhookReceiver, error) {
	return s.send(ctx, request{method: http.MethodPatch, path: receiverPath(receiverID), body: changes}, call)
}

// Delete deletes a receiver: captures that name it are refused.
func (s *Receivers) Delete(ctx context.Context, receiverID string, call ...CallOption) error {
	r := request{method: http.MethodDelete, path: receiverPath(receiverID)}
	_, err := s.transport.send(ctx, newCall(defaultTimeout, call), r)
	return err
}

// Secret returns the secret that signs its webhooks.
func (s *Receivers) Secret(ctx context.Context, receiverID string, call ...CallOption) (string, error) {
	r := request{method: http.MethodGet, path: receiverPath(receiverID) + "/secret"}
	secret, err := sendJSON[struct {
		SigningSecret string `json:"signing_secret"`
	}](ctx, s.transport, newCall(defaultTimeout, call), r)
	return secret.SigningSecret, err
}

// RotateSecret gives a receiver a new secret. For Overlap seconds, a day unless you say otherwise, both secrets sign.
func (s *Receivers) RotateSecret(ctx context.Context, receiverID string, rotation *WebhookSecretRotation, call ...CallOption) (*IssuedWebhookReceiver, error) {
	if rotation == nil {
		rotation = &WebhookSecretRotation{}
	}
	r := request{method: http.MethodPost, path: receiverPath(receiverID) + "/rotate", body: rotation}
	return sendJSON[*IssuedWebhookReceiver](ctx, s.transport, newCall(defaultTimeout, call), r)
}

// Pause pauses a receiver: its webhooks are kept for 7 days each.
func (s *Receivers) Pause(ctx context.Context, receiverID string, call ...CallOption) (*WebhookReceiver, error) {
	return s.send(ctx, request{method: http.MethodPost, path: receiverPath(receiverID) + "/pause"}, call)
}

// Resume resumes a receiver: what was kept is sent, oldest first.
func (s *Receivers) Resume(ctx context.Context, receiverID string, call ...CallOption) (*WebhookReceiver, error) {
	return s.send(ctx, request{method: http.MethodPost, path: receiverPath(receiverID) + "/resume"}, call)
}

// Deliveries lists the deliveries of the last 30 days, newest first.
func (s *Receivers) Deliveries(receiverID string, filter *WebhookDeliveryFilter, call ...CallOption) *Pager[WebhookDelivery] {
	return listOlder[WebhookDelivery](s.transport, receiverPath(receiverID)+"/deliveries", filter, call)
}

// Test sends a test event, and returns what the receiver answered.
func (s *Receivers) Test(ctx context.Context, receiverID string, call ...CallOption) (*WebhookTest, error) {
	r := request{method: http.MethodPost, path: receiverPath(receiverID) + "/test"}
	return sendJSON[*WebhookTest](ctx, s.transport, newCall(defaultTimeout, call), r)
}

// Replay sends the webhooks of a time again, such as those of an outage.
func (s *Receivers) Replay(ctx context.Context, receiverID string, time *WebhookReplayRequest, call ...CallOption) (*WebhookReplay, error) {
	r := request{method: http.MethodPost, path: receiverPath(receiverID) + "/replay", body: time}
	return sendJSON[*WebhookReplay](ctx, s.transport, newCall(defaultTimeout, call), r)
}

func (s *Receivers) send(ctx context.Context, r request, options []CallOption) (*WebhookReceiver, error) {
	return sendJSON[*WebhookReceiver](ctx, s.transport, newCall(defaultTimeout, options), r)
}

func receiverPath(receiverID string) string {
	return receiversPath + "/" + url.PathEscape(receiverID)
}
