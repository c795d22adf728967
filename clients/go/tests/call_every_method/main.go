// Command call_every_method calls every method of the client once, for a test that compares what it requests with the routes of the
// service.
package main

import (
	"context"
	"log"
	"os"
	"path/filepath"

	screencapture "screencapture.internal/client"
)

func main() {
	ctx := context.Background()
	client, err := screencapture.New(screencapture.Config{})
	check(nil, err)
	page := &screencapture.CaptureOptions{URL: "https://example.com"}
	file := filepath.Join(os.TempDir(), "call_every_method.png")
	defer os.Remove(file)

	check(client.Capture(ctx, page))
	check(client.CaptureToFile(ctx, page, file))
	check(client.Store(ctx, page))
	check(client.StoreOutputs(ctx, page, []screencapture.CaptureOutput{{Name: "a"}, {Name: "b"}}))
	check(client.Validate(ctx, page))
	check(client.Enqueue(ctx, page))
	check(client.Get(ctx, 7))
	check(client.Wait(ctx, 7))
	check(nil, client.DeleteResult(ctx, 7))
	check(client.Cancel(ctx, 7))
	check(client.RedeliverWebhook(ctx, 7))
	check(client.TestWebhook(ctx, &screencapture.WebhookTestRequest{WebhookURL: "https://you.example"}))
	check(client.Bulk(ctx, &screencapture.Bulk{Requests: []screencapture.CaptureOptions{*page}}))
	client.Captures(nil).Next(ctx)
	client.Jobs(nil).Next(ctx)
	client.Search(nil).Next(ctx)
	client.Usage(nil).Next(ctx)
	check(client.Statistics(ctx, nil))
	check(client.Breakdown(ctx, nil))
	check(client.Details(ctx, 7))
	check(client.Thumbnail(ctx, 7))
	check(nil, client.DeleteCapture(ctx, 7))
	check(client.Report(ctx, 7))
	check(client.ExportCaptures(ctx, nil))
	check(client.StartExport(ctx, nil))
	check(client.GetExport(ctx, 7))
	check(client.Account(ctx))
	check(client.Settings(ctx))
	check(client.Invoices(ctx))
	check(client.InvoicePDF(ctx, &screencapture.Invoice{Period: screencapture.Period{Start: "7", End: "8"}}))
	check(client.Keys.List(ctx))
	check(client.Keys.Create(ctx, &screencapture.NewKey{Label: "A"}))
	check(client.Keys.Get(ctx, 7))
	check(client.Keys.Change(ctx, 7, &screencapture.KeyChanges{Label: "B"}))
	check(client.Keys.Rotate(ctx, 7, nil))
	check(client.Keys.EndPreviousTexts(ctx, 7))
	check(client.Keys.Revoke(ctx, 7))
	check(client.Receivers.List(ctx))
	check(client.Receivers.Create(ctx, &screencapture.NewWebhookReceiver{Name: "A", URL: "https://you.example"}))
	check(client.Receivers.Get(ctx, "7"))
	check(client.Receivers.Change(ctx, "7", &screencapture.WebhookReceiverChanges{Name: "B"}))
	check(client.Receivers.Secret(ctx, "7"))
	check(client.Receivers.RotateSecret(ctx, "7", nil))
	check(client.Receivers.Pause(ctx, "7"))
	check(client.Receivers.Resume(ctx, "7"))
	client.Receivers.Deliveries("7", nil).Next(ctx)
	check(client.Receivers.Test(ctx, "7"))
	check(client.Receivers.Replay(ctx, "7", &screencapture.WebhookReplayRequest{Since: "2026-01-01"}))
	check(nil, client.Receivers.Delete(ctx, "7"))
}

func check(_ any, err error) {
	if err != nil {
		log.Fatal(err)
	}
}
