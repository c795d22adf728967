package screencapture

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const webhookTolerance = 5 * time.Minute // as Standard Webhooks recommends

// VerifyWebhook returns the event of a webhook whose signature is valid, and a *WebhookError otherwise. The body is the raw body of
// the request. It needs SigningSecret.
func (c *Client) VerifyWebhook(header http.Header, body []byte) (*WebhookEvent, error) {
	if c.signingSecret == "" {
		return nil, usageErrorf("The verification of webhooks needs Config.SigningSecret of an API key.")
	}
	return VerifyWebhook(header, body, c.signingSecret)
}

// VerifyWebhook verifies the signature of Standard Webhooks (https://www.standardwebhooks.com) over id, time, and body. The time may
// be at most 5 minutes from now.
func VerifyWebhook(header http.Header, body []byte, signingSecret string) (*WebhookEvent, error) {
	id, timestamp := header.Get("Webhook-Id"), header.Get("Webhook-Timestamp")
	sentAt, err := strconv.ParseUint(timestamp, 10, 40)
	if err != nil || time.Since(time.Unix(int64(sentAt), 0)).Abs() > webhookTolerance {
		return nil, &WebhookError{"The time of the webhook is missing or not close to now."}
	}
	secret, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(signingSecret, "whsec_"))
	if err != nil {
		return nil, &WebhookError{"The signing secret isn't one: it looks like whsec_…."}
	}
	hash := hmac.New(sha256.New, secret)
	hash.Write([]byte(id + "." + timestamp + "."))
	hash.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(hash.Sum(nil))
	for _, signature := range strings.Split(header.Get("Webhook-Signature"), " ") {
		if hmac.Equal([]byte(signature), []byte(expected)) {
			event := &WebhookEvent{}
			if err := json.Unmarshal(body, event); err != nil {
				return nil, &WebhookError{"The body of the webhook isn't an event."}
			}
			return event, nil
		}
	}
	return nil, &WebhookError{"The signature of the webhook doesn't match. Pass the raw body and the secret of its API key."}
}
