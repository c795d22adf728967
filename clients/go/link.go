package screencapture

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"time"
)

const (
	day                 = 24 * time.Hour
	defaultLinkLifetime = 30 * day
	maxLinkLifetime     = 366 * day
)

// Link returns a link that shows a capture to everyone who opens it, such as the src of an <img>. It is made without a request, and
// needs KeyID and SigningSecret. The lifetime is at most 366 days; 0 is 30 days.
func (c *Client) Link(options *CaptureOptions, lifetime time.Duration) (string, error) {
	if c.keyID == 0 || c.signingSecret == "" {
		return "", usageErrorf("Links need Config.KeyID and Config.SigningSecret of an API key.")
	}
	if lifetime == 0 {
		lifetime = defaultLinkLifetime
	}
	if lifetime < 0 || lifetime > maxLinkLifetime {
		return "", usageErrorf("The lifetime of a link must be more than 0 and at most 366 days.")
	}
	sent, err := fieldsOf(options)
	if err != nil {
		return "", err
	}
	values := sent.query()
	values.Set("key_id", strconv.FormatInt(c.keyID, 10))
	values.Set("expires", strconv.FormatInt(time.Now().Add(lifetime).Unix(), 10))
	query := values.Encode() // sorted by name
	hash := hmac.New(sha256.New, []byte(c.signingSecret))
	hash.Write([]byte(query))
	return c.transport.baseURL + capturesPath + "?" + query + "&signature=" + hex.EncodeToString(hash.Sum(nil)), nil
}
