package screencapture

import (
	"context"
	"net/http"
	"time"
)

const (
	itemsPerPage = 100
	maxSpanDays  = 90 // of a request for statistics
)

// Pager walks through a list, page by page:
//
//	pager := client.Captures(nil)
//	for pager.Next(ctx) {
//		fmt.Println(pager.Item().URL)
//	}
//	if err := pager.Err(); err != nil {
//		return err
//	}
type Pager[T any] struct {
	// fetch returns the next items, which can be none, and whether more can follow.
	fetch  func(ctx context.Context) (items []T, hasMore bool, err error)
	items  []T
	item   T
	isLast bool
	err    error
}

// Next moves to the next item. It returns false at the end of the list, and after an error, which Err returns.
func (p *Pager[T]) Next(ctx context.Context) bool {
	for len(p.items) == 0 {
		if p.isLast || p.err != nil {
			return false
		}
		var hasMore bool
		p.items, hasMore, p.err = p.fetch(ctx)
		p.isLast = !hasMore
	}
	p.item, p.items = p.items[0], p.items[1:]
	return true
}

// Item is the item that Next moved to.
func (p *Pager[T]) Item() T {
	return p.item
}

// Err is the error that ended the list, if there was one.
func (p *Pager[T]) Err() error {
	return p.err
}

// part is a part of a list.
type part[T any] struct {
	Data       []T    `json:"data"`
	NextBefore *int64 `json:"next_before"`
	LastPage   int    `json:"last_page"`
}

// listOlder lists items whose parts continue at next_before. A part can be empty although more follow.
func listOlder[T any](t *transport, path string, filter any, options []CallOption) *Pager[T] {
	query, err := fieldsOf(filter)
	if _, isGiven := query["limit"]; !isGiven && err == nil {
		query = query.with("limit", itemsPerPage)
	}
	return &Pager[T]{err: err, fetch: func(ctx context.Context) ([]T, bool, error) {
		r := request{method: http.MethodGet, path: path, query: query}
		found, err := sendJSON[part[T]](ctx, t, newCall(defaultTimeout, options), r)
		if err == nil && found.NextBefore != nil {
			query = query.with("before", *found.NextBefore)
		}
		return found.Data, err == nil && found.NextBefore != nil, err
	}}
}

// listCaptures lists captures, newest first. Captures that are made meanwhile move later pages, but none is listed twice.
func listCaptures(t *transport, filter any, options []CallOption) *Pager[CaptureLog] {
	query, err := fieldsOf(filter)
	if _, isGiven := query["per_page"]; !isGiven && err == nil {
		query = query.with("per_page", itemsPerPage)
	}
	page := int(query.number("page"))
	if page == 0 {
		page = 1
	}
	oldest := int64(0) // ids increase with time
	return &Pager[CaptureLog]{err: err, fetch: func(ctx context.Context) ([]CaptureLog, bool, error) {
		r := request{method: http.MethodGet, path: "/api/v1/usage", query: query.with("page", page)}
		found, err := sendJSON[part[CaptureLog]](ctx, t, newCall(defaultTimeout, options), r)
		var items []CaptureLog
		for _, log := range found.Data {
			if oldest == 0 || log.ID < oldest {
				oldest = log.ID
				items = append(items, log)
			}
		}
		page++
		return items, page <= found.LastPage, err
	}}
}

// listDays lists days, newest first. A range can be longer than the 90 days that one request covers.
func listDays(t *transport, filter *StatisticsFilter, options []CallOption) *Pager[UsageDay] {
	asked := StatisticsFilter{}
	if filter != nil {
		asked = *filter
	}
	days := 7
	if asked.Days != nil {
		days = *asked.Days
	}
	last, err := parseDay(asked.To, time.Now().UTC())
	first, firstErr := parseDay(asked.From, last.AddDate(0, 0, 1-days))
	if err == nil {
		err = firstErr
	}
	return &Pager[UsageDay]{err: err, fetch: func(ctx context.Context) ([]UsageDay, bool, error) {
		since := last.AddDate(0, 0, 1-maxSpanDays)
		if since.Before(first) {
			since = first
		}
		part := asked
		part.From, part.To, part.Days = since.Format(dayFormat), last.Format(dayFormat), nil
		r := request{method: http.MethodGet, path: "/api/v1/usage/stats", query: part}
		found, err := sendJSON[UsageStatistics](ctx, t, newCall(defaultTimeout, options), r)
		last = since.AddDate(0, 0, -1)
		return found.Series, !last.Before(first), err
	}}
}

const dayFormat = "2006-01-02"

func parseDay(text string, otherwise time.Time) (time.Time, error) {
	if text == "" {
		return otherwise.Truncate(24 * time.Hour), nil
	}
	day, err := time.Parse(dayFormat, text)
	if err != nil {
		return day, usageErrorf("%q isn't a day such as 2026-01-31.", text)
	}
	return day, nil
}
