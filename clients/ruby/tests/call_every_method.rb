# frozen_string_literal: true

# Calls every method of the client once, for a test that compares what it requests with the routes of the service.

require_relative "../lib/screen_capture_client"

client = ScreenCapture::Client.new
page = {url: "https://example.com"}

client.capture(page)
client.store(page)
client.store_outputs(page, outputs: [{name: "a"}, {name: "b"}])
client.validate(page)
client.enqueue(page)
client.get(7)
client.wait(7)
client.delete_result(7)
client.cancel(7)
client.redeliver_webhook(7)
client.test_webhook(webhook_url: "https://you.example")
client.bulk(requests: [page])
client.captures.first
client.jobs.first
client.search.first
client.usage.first
client.statistics
client.breakdown
client.details(7)
client.thumbnail(7)
client.delete_capture(7)
client.report(7)
client.export_captures
client.start_export
client.get_export(7)
client.account
client.settings
client.invoices
client.invoice_pdf({period: {start: "7", end: "8"}})
client.keys.list
client.keys.create(label: "A")
client.keys.get(7)
client.keys.change(7, label: "B")
client.keys.rotate(7)
client.keys.end_previous_texts(7)
client.keys.revoke(7)
client.receivers.list
client.receivers.create(name: "A", url: "https://you.example")
client.receivers.get("7")
client.receivers.change("7", name: "B")
client.receivers.secret("7")
client.receivers.rotate_secret("7")
client.receivers.pause("7")
client.receivers.resume("7")
client.receivers.deliveries("7").first
client.receivers.test("7")
client.receivers.replay("7", since: "2026-01-01")
client.receivers.delete("7")
