// Package screencapture is the typed client of the Screen Capture API. It needs no other modules.
//
//	client, err := screencapture.New(screencapture.Config{}) // reads SCREEN_CAPTURE_KEY and SCREEN_CAPTURE_URL
//	capture, err := client.Capture(ctx, &screencapture.CaptureOptions{URL: "https://example.com"})
package screencapture

import (
	"net/http"
	"os"
)

// Config is what a client needs to know.
type Config struct {
	// Key is an API key, cap_…, or one for tests, cap_test_…. Default: SCREEN_CAPTURE_KEY of the environment. Links and webhooks don't need it.
	Key string

	// BaseURL is the address of the service, such as https://api.example.com. Default: SCREEN_CAPTURE_URL of the environment.
	BaseURL string

	// KeyID is the id of the API key that signs links.
	KeyID int64

	// SigningSecret is the secret of the API key that signs links and webhooks, whsec_….
	SigningSecret string

	// HTTPClient sends the requests, for example with certificates of your own. The client follows no redirects with it.
	HTTPClient *http.Client
}

// Client calls the service. Several goroutines can use it.
type Client struct {
	// Keys has the API keys of the account.
	Keys *Keys

	// Receivers has the saved receivers of webhooks.
	Receivers *Receivers

	transport     *transport
	keyID         int64
	signingSecret string
}

// New creates a client. It returns a *UsageError for an address or a key that no request could use.
func New(config Config) (*Client, error) {
	transport, err := newTransport(
		firstNonEmpty(config.Key, os.Getenv("SCREEN_CAPTURE_KEY")),
		firstNonEmpty(config.BaseURL, os.Getenv("SCREEN_CAPTURE_URL")),
		config.HTTPClient,
	)
	if err != nil {
		return nil, err
	}
	return &Client{
		Keys:          &Keys{transport},
		Receivers:     &Receivers{transport},
		transport:     transport,
		keyID:         config.KeyID,
		signingSecret: config.SigningSecret,
	}, nil
}

// BaseURL is the address of the service, without a slash at the end.
func (c *Client) BaseURL() string {
	return c.transport.baseURL
}

// Ptr returns a pointer to a value, for options that are numbers or booleans: Ptr(true), Ptr(800).
func Ptr[T any](value T) *T {
	return &value
}

func firstNonEmpty(values ...string) string {
	for _, value := range values {
		if value != "" {
			return value
		}
	}
	return ""
}
