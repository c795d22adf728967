package screencapture

import (
	"context"
	"fmt"
	"net/http"
)

const keysPath = "/api/v1/keys"

// Keys has the API keys of the account. The key of the client needs the scope keys.
type Keys struct {
	transport *transport
}

// List returns the keys, oldest first.
func (k *Keys) List(ctx context.Context, call ...CallOption) ([]Key, error) {
	keys, err := sendJSON[part[Key]](ctx, k.transport, newCall(defaultTimeout, call), request{method: http.MethodGet, path: keysPath})
	return keys.Data, err
}

// Create creates a key. Its text and signing secret appear in this answer only.
func (k *Keys) Create(ctx context.Context, key *NewKey, call ...CallOption) (*IssuedKey, error) {
	r := request{method: http.MethodPost, path: keysPath, body: key}
	return sendJSON[*IssuedKey](ctx, k.transport, newCall(defaultTimeout, call), r)
}

// Get returns a key without its secrets.
func (k *Keys) Get(ctx context.Context, keyID int64, call ...CallOption) (*Key, error) {
	return k.send(ctx, request{method: http.MethodGet, path: keyPath(keyID)}, call)
}

// Change changes a key.
func (k *Keys) Change(ctx context.Context, keyID int64, changes *KeyChanges, call ...CallOption) (*Key, error) {
	return k.send(ctx, request{method: http.MethodPatch, path: keyPath(keyID), body: changes}, call)
}

// Revoke revokes a key for good.
func (k *Keys) Revoke(ctx context.Context, keyID int64, call ...CallOption) (*Key, error) {
	return k.send(ctx, request{method: http.MethodDelete, path: keyPath(keyID)}, call)
}

// Rotate gives a key a new text and signing secret. The old text works for Overlap seconds more, and so do links that the old secret
// signed; without Overlap, both stop at once, unless you give a LinkGracePeriod for the links.
func (k *Keys) Rotate(ctx context.Context, keyID int64, rotation *KeyRotation, call ...CallOption) (*IssuedKey, error) {
	if rotation == nil {
		rotation = &KeyRotation{}
	}
	r := request{method: http.MethodPost, path: keyPath(keyID) + "/rotate", body: rotation}
	return sendJSON[*IssuedKey](ctx, k.transport, newCall(defaultTimeout, call), r)
}

// EndPreviousTexts ends the overlap of a rotation now: the old texts of the key stop working, and so do links that its old secrets signed.
func (k *Keys) EndPreviousTexts(ctx context.Context, keyID int64, call ...CallOption) (*Key, error) {
	return k.send(ctx, request{method: http.MethodDelete, path: keyPath(keyID) + "/previous"}, call)
}

func (k *Keys) send(ctx context.Context, r request, options []CallOption) (*Key, error) {
	return sendJSON[*Key](ctx, k.transport, newCall(defaultTimeout, options), r)
}

func keyPath(keyID int64) string {
	return fmt.Sprintf("%s/%d", keysPath, keyID)
}
