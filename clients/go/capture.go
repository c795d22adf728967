package screencapture

import (
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"time"
)

// CaptureInfo is what the headers of a capture say.
type CaptureInfo struct {
	// Header has all headers of the response, such as X-Image-Width with MetadataImageSize.
	Header http.Header

	// MimeType is that of the result, such as image/png.
	MimeType  string
	RequestID int64

	// ResponseTime is the duration of the request in the service.
	ResponseTime time.Duration

	// FromCache is true if the result came from the cache.
	FromCache bool

	// FinalURL is the URL of the page after redirects: "" for HTML and Markdown.
	FinalURL string

	// Warnings say how the result differs from what you requested: "" if it doesn't.
	Warnings string

	// Problems are the codes of what looks wrong in the result, the worst first. Client.Details says more.
	Problems []ProblemCode

	// Quality is 100 minus what the problems take from it. It is nil without problems, unless the request asks for it.
	Quality *int
}

// Capture is a capture with its bytes.
type Capture struct {
	CaptureInfo
	Content []byte
}

// Text is the result as text, for the formats html, markdown, text, and json.
func (c *Capture) Text() string {
	return string(c.Content)
}

// Save writes the bytes to a file.
func (c *Capture) Save(path string) error {
	return os.WriteFile(path, c.Content, 0o666)
}

func newCaptureInfo(header http.Header) CaptureInfo {
	info := CaptureInfo{
		Header:    header,
		MimeType:  header.Get("Content-Type"),
		FromCache: header.Get("X-Cache") == "HIT" || header.Get("X-Cache") == "STALE",
		FinalURL:  header.Get("X-Final-URL"),
	}
	info.RequestID, _ = strconv.ParseInt(header.Get("X-Request-Id"), 10, 64)
	milliseconds, _ := strconv.Atoi(header.Get("X-Response-Time"))
	info.ResponseTime = time.Duration(milliseconds) * time.Millisecond
	if warnings, err := url.PathUnescape(header.Get("X-Warnings")); err == nil {
		info.Warnings = warnings
	}
	for _, code := range strings.Split(header.Get("X-Problems"), ",") {
		if code = strings.TrimSpace(code); code != "" {
			info.Problems = append(info.Problems, ProblemCode(code))
		}
	}
	if quality, err := strconv.Atoi(header.Get("X-Quality")); err == nil {
		info.Quality = &quality
	}
	return info
}
