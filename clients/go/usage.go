package screencapture

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

const (
	invoicesPath      = "/api/v1/account/invoices"
	usagePath         = "/api/v1/usage"
	exportsPath       = "/api/v1/usage/exports"
	defaultExportWait = time.Hour
	firstExportPoll   = 500 * time.Millisecond
	maxExportPoll     = 15 * time.Second
)

// Captures lists the captures of the account, newest first.
func (c *Client) Captures(filter *CaptureFilter, call ...CallOption) *Pager[CaptureLog] {
	return listCaptures(c.transport, filter, call)
}

// Search lists the captures of the account that match, newest first, also by format, cache, and address.
func (c *Client) Search(filter *SearchFilter, call ...CallOption) *Pager[CaptureLog] {
	return listOlder[CaptureLog](c.transport, usagePath+"/search", filter, call)
}

// Details returns a capture of the account with its times by phase, its warnings, and the link to its result.
func (c *Client) Details(ctx context.Context, requestID int64, call ...CallOption) (*CaptureDetails, error) {
	r := request{method: http.MethodGet, path: fmt.Sprintf("%s/%d", usagePath, requestID)}
	return sendJSON[*CaptureDetails](ctx, c.transport, newCall(defaultTimeout, call), r)
}

// Thumbnail returns the thumbnail of a capture, as WebP. A capture without one has the error CodeNotFound.
func (c *Client) Thumbnail(ctx context.Context, requestID int64, call ...CallOption) ([]byte, error) {
	return c.bytes(ctx, fmt.Sprintf("%s/%d/thumbnail", usagePath, requestID), nil, call)
}

// DeleteCapture deletes the result, the report, and the thumbnail of a capture, which stays in the list.
func (c *Client) DeleteCapture(ctx context.Context, requestID int64, call ...CallOption) error {
	r := request{method: http.MethodDelete, path: fmt.Sprintf("%s/%d", usagePath, requestID)}
	_, err := c.transport.send(ctx, newCall(defaultTimeout, call), r)
	return err
}

// ExportCaptures returns the captures of the account that match, as CSV, or as NDJSON with Output ndjson.
func (c *Client) ExportCaptures(ctx context.Context, filter *ExportFilter, call ...CallOption) (string, error) {
	content, err := c.bytes(ctx, usagePath+"/export", filter, call)
	return string(content), err
}

// StartExport starts an export of any number of captures that match, as CSV, or as NDJSON with Output ndjson. WaitForExport returns
// the link to its file.
func (c *Client) StartExport(ctx context.Context, filter *ExportRequest, call ...CallOption) (*DataExport, error) {
	if filter == nil {
		filter = &ExportRequest{}
	}
	r := request{method: http.MethodPost, path: exportsPath, body: filter}
	return sendJSON[*DataExport](ctx, c.transport, newCall(defaultTimeout, call), r)
}

// GetExport returns the state of an export, with a new link to its file.
func (c *Client) GetExport(ctx context.Context, exportID int64, call ...CallOption) (*DataExport, error) {
	r := request{method: http.MethodGet, path: fmt.Sprintf("%s/%d", exportsPath, exportID)}
	return sendJSON[*DataExport](ctx, c.transport, newCall(defaultTimeout, call), r)
}

// WaitForExport waits until an export has ended, at most an hour unless WithTimeout says otherwise. Download DownloadURL, a gzip file,
// within an hour. It returns an error if the export failed: start another one then.
func (c *Client) WaitForExport(ctx context.Context, exportID int64, call ...CallOption) (*DataExport, error) {
	settings := newCall(defaultExportWait, call)
	limited, cancel := context.WithTimeout(ctx, settings.timeout)
	defer cancel()
	task := request{method: http.MethodGet, path: fmt.Sprintf("%s/%d", exportsPath, exportID)}
	for delay := firstExportPoll; ; delay *= 2 {
		export, err := c.GetExport(limited, exportID, call...)
		if err != nil || export.Status == ExportStatusReady {
			return export, err
		}
		if export.Status == ExportStatusFailed {
			return nil, fmt.Errorf("export %d failed: start another one", exportID)
		}
		if delay > maxExportPoll {
			delay = maxExportPoll
		}
		if err := sleep(limited, delay); err != nil {
			return nil, contextError(ctx, task, timeoutError(task.task(), settings.timeout))
		}
	}
}

// Usage lists the days of the account with their captures, newest first; the last 7 unless the filter says otherwise.
func (c *Client) Usage(filter *StatisticsFilter, call ...CallOption) *Pager[UsageDay] {
	return listDays(c.transport, filter, call)
}

// Statistics returns statistics of up to 90 days, with totals.
func (c *Client) Statistics(ctx context.Context, filter *StatisticsFilter, call ...CallOption) (*UsageStatistics, error) {
	r := request{method: http.MethodGet, path: usagePath + "/stats", query: filter}
	return sendJSON[*UsageStatistics](ctx, c.transport, newCall(defaultTimeout, call), r)
}

// Breakdown returns the newest 2,000 captures of up to 90 days by format, host, and API key, with percentiles.
func (c *Client) Breakdown(ctx context.Context, filter *BreakdownFilter, call ...CallOption) (*UsageBreakdown, error) {
	r := request{method: http.MethodGet, path: usagePath + "/breakdown", query: filter}
	return sendJSON[*UsageBreakdown](ctx, c.transport, newCall(defaultTimeout, call), r)
}

// Account returns plan, billing period, quotas, and cost.
func (c *Client) Account(ctx context.Context, call ...CallOption) (*Account, error) {
	r := request{method: http.MethodGet, path: "/api/v1/account"}
	return sendJSON[*Account](ctx, c.transport, newCall(defaultTimeout, call), r)
}

// Settings returns name, e-mail address, and plan.
func (c *Client) Settings(ctx context.Context, call ...CallOption) (*AccountSettings, error) {
	r := request{method: http.MethodGet, path: "/api/v1/account/settings"}
	return sendJSON[*AccountSettings](ctx, c.transport, newCall(defaultTimeout, call), r)
}

// Invoices returns the invoices of all billing periods, newest first.
func (c *Client) Invoices(ctx context.Context, call ...CallOption) ([]Invoice, error) {
	r := request{method: http.MethodGet, path: invoicesPath}
	invoices, err := sendJSON[part[Invoice]](ctx, c.transport, newCall(defaultTimeout, call), r)
	return invoices.Data, err
}

// InvoicePDF returns an invoice as a PDF.
func (c *Client) InvoicePDF(ctx context.Context, invoice *Invoice, call ...CallOption) ([]byte, error) {
	return c.bytes(ctx, fmt.Sprintf("%s/%s/pdf", invoicesPath, url.PathEscape(invoice.Period.Start)), nil, call)
}

func (c *Client) bytes(ctx context.Context, path string, query any, options []CallOption) ([]byte, error) {
	received, err := c.transport.send(ctx, newCall(defaultTimeout, options), request{method: http.MethodGet, path: path, query: query})
	if err != nil {
		return nil, err
	}
	return received.content, nil
}
