"""The client against a running service, which the environment names: every method, with real captures."""

import json
import os
import tempfile
import time
import unittest
import urllib.request
from datetime import datetime, timedelta, timezone

from screen_capture_client import (
    ApiError,
    ApiTimeoutError,
    ScreenCapture,
    TargetHttpError,
    UnauthorizedError,
    ValidationError,
    WebhookVerificationError,
)

SITE = os.environ["SITE"]
RECEIVER = os.environ["RECEIVER"]
PAGE = {"url": f"{SITE}/box", "viewport_width": 200, "viewport_height": 100}

client = ScreenCapture(key_id=int(os.environ["KEY_ID"]), signing_secret=os.environ["SIGNING_SECRET"])


def size_of(png):
    return int.from_bytes(png[16:20], "big"), int.from_bytes(png[20:24], "big")


class Captures(unittest.TestCase):
    def test_returns_the_bytes_and_what_the_headers_say(self):
        capture = client.capture({**PAGE, "cache": True})
        self.assertEqual(size_of(capture.content), (200, 100))
        self.assertEqual((capture.mime_type, capture.from_cache), ("image/png", False))
        self.assertEqual((capture.final_url, capture.warnings), (f"{SITE}/box", None))
        self.assertGreater(capture.request_id, 1)
        self.assertTrue(client.capture({**PAGE, "cache": True}).from_cache)

    def test_returns_documents_as_text_and_names_what_looks_wrong(self):
        capture = client.capture({"html": "<h1>Grüße</h1>", "format": "markdown", "metadata_report": True})
        self.assertEqual(capture.text, "# Grüße\n")
        self.assertEqual(capture.quality, 100)
        wrong = client.capture({"html": "<h1>Page not found</h1><p>Sorry, it is not here.</p>", "format": "text"})
        self.assertEqual((wrong.problems, wrong.quality), (["ERROR_PAGE"], 20))
        self.assertEqual(client.report(capture.request_id)["quality"], 100)

    def test_writes_a_large_result_to_a_file_piece_by_piece(self):
        noise = """<body style="margin:0"><canvas id="c" width="600" height="600"></canvas><script>
            const context = c.getContext("2d"), image = context.createImageData(600, 600);
            const words = new Uint32Array(image.data.buffer);
            for (let i = 0, seed = 1; i < words.length; i++) {
              seed ^= seed << 13; seed ^= seed >>> 17; seed ^= seed << 5; words[i] = seed | 0xff000000;
            }
            context.putImageData(image, 0, 0);</script>"""
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "page.png")
            info = client.capture_to_file({"html": noise, "viewport_width": 600, "viewport_height": 600}, path)
            self.assertEqual((info.mime_type, os.listdir(folder)), ("image/png", ["page.png"]))
            self.assertEqual(os.path.getsize(path), int(info.headers["Content-Length"]))
            self.assertGreater(os.path.getsize(path), 1_000_000)

    def test_leaves_the_file_as_it_was_after_an_error(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "page.png")
            with open(path, "w") as file:
                file.write("before")
            with self.assertRaises(TargetHttpError):
                client.capture_to_file({"url": f"{SITE}/status/404"}, path)
            with open(path) as file:
                self.assertEqual((file.read(), os.listdir(folder)), ("before", ["page.png"]))

    def test_stores_a_result_and_checks_a_request(self):
        stored = client.store({**PAGE, "metadata_page_title": True})
        self.assertIn("page_title", stored["metadata"])
        with urllib.request.urlopen(stored["url"]) as response:
            self.assertEqual(response.headers["Content-Type"], "image/png")
        self.assertEqual(client.validate(PAGE)["options"]["viewport_width"], 200)

    def test_stores_several_results_and_names_the_one_that_fails(self):
        outputs = [{"name": "shot", "image_width": 100}, {"name": "none", "selector": "#missing"}]
        stored = client.store_outputs({**PAGE, "outputs": outputs})
        shot, none = stored["outputs"]
        self.assertEqual((shot["width"], shot["height"], stored["billed"]["screenshots"]), (100, 50, 1))
        with urllib.request.urlopen(shot["url"]) as response:
            self.assertEqual(size_of(response.read()), (100, 50))
        self.assertEqual((none["name"], none["error"]["code"]), ("none", "SELECTOR_NOT_FOUND"))
        with self.assertRaises(ValidationError) as raised:
            client.store_outputs({**PAGE, "outputs": outputs[:1]})
        self.assertIn("outputs", raised.exception.details)

    def test_makes_a_link_that_shows_the_capture_to_everyone(self):
        options = {**PAGE, "hide_selectors": ["#a b~*", "#ä"], "headers": {"X-A": "1"}, "dark_mode": True}
        link = client.link(options)
        self.assertNotIn("cap_", link)
        with urllib.request.urlopen(link) as response:
            self.assertEqual(size_of(response.read()), (200, 100))


class AsynchronousCaptures(unittest.TestCase):
    def test_are_queued_waited_for_listed_and_deleted(self):
        accepted = client.enqueue({**PAGE, "external_identifier": "python"})
        finished = client.wait(accepted)
        self.assertEqual((finished["request_id"], finished["status"]), (accepted["request_id"], "success"))
        listed = list(client.jobs({"external_identifier": "python", "limit": 1}))
        self.assertEqual([each["request_id"] for each in listed], [accepted["request_id"]])
        client.delete_result(accepted["request_id"])
        self.assertEqual(client.get(accepted["request_id"])["unavailable_reason"], "deleted")

    def test_are_cancelled(self):
        running = client.enqueue({**PAGE, "delay": 30})
        self.assertEqual(client.cancel(running)["error"]["code"], "CANCELLED")

    def test_that_fail_raise_their_error(self):
        accepted = client.enqueue({"url": f"{SITE}/status/404"})
        with self.assertRaises(TargetHttpError) as raised:
            client.wait(accepted)
        self.assertEqual(raised.exception.target["http_status_code"], 404)

    def test_that_take_too_long_end_in_a_timeout(self):
        accepted = client.enqueue({**PAGE, "delay": 3})
        with self.assertRaisesRegex(ApiTimeoutError, "Raise 'timeout'"):
            client.wait(accepted, timeout=0.1)

    def test_send_webhooks_which_the_client_verifies(self):
        accepted = client.enqueue({**PAGE, "webhook_url": f"{RECEIVER}/to/python"})
        client.wait(accepted)
        deadline = time.monotonic() + 20
        received = []
        while not received and time.monotonic() < deadline:
            with urllib.request.urlopen(f"{RECEIVER}/at/python") as response:
                received = json.load(response)
        headers, body = received[0]["headers"], received[0]["body"]
        event = client.verify_webhook(headers, body.encode())
        self.assertEqual((event["type"], event["data"]["request_id"]), ("capture.succeeded", accepted["request_id"]))
        with self.assertRaises(WebhookVerificationError):
            client.verify_webhook(headers, body + " ")
        self.assertEqual(client.redeliver_webhook(accepted["request_id"])["request_id"], accepted["request_id"])

    def test_a_test_webhook_is_delivered_and_verified(self):
        test = client.test_webhook({"webhook_url": f"{RECEIVER}/to/python-test"})
        self.assertTrue(test["is_delivered"])
        client.verify_webhook(test["request"]["headers"], test["request"]["body"])

    def test_bulk_returns_the_captures_in_order(self):
        first, second = client.bulk({"options": PAGE, "requests": [{}, {"format": "pdf"}]})
        self.assertEqual([first["mime_type"], second["mime_type"]], ["image/png", "application/pdf"])


class TheAccount(unittest.TestCase):
    def test_lists_searches_and_exports_captures(self):
        request_id = client.capture({**PAGE, "format": "webp"}).request_id
        client.capture({**PAGE, "format": "webp"})
        ids = [log["id"] for log in client.captures()]
        self.assertEqual([log["id"] for log in client.captures({"per_page": 2})], ids)
        self.assertEqual(len(set(ids)), len(ids))
        self.assertIn(request_id, [log["id"] for log in client.search({"format": "webp", "cached": False, "limit": 1})])
        self.assertEqual(client.details(request_id)["format"], "webp")
        lines = client.export_captures({"output": "ndjson", "format": "webp"}).splitlines()
        export = client.wait_for_export(client.start_export({"output": "ndjson", "format": "webp"}))
        self.assertEqual(export["lines"], len(lines))
        self.assertIn(request_id, [json.loads(line)["id"] for line in lines])

    def test_lists_days_also_more_than_one_request_covers(self):
        start = datetime.now(timezone.utc).date() - timedelta(days=95)
        days = [day["date"] for day in client.usage({"from": start.isoformat()})]
        self.assertEqual((len(days), len(set(days)), days[-1]), (96, 96, start.isoformat()))
        self.assertEqual(len(client.statistics({"days": 3})["series"]), 3)
        self.assertIn("formats", client.breakdown())

    def test_reads_the_account_and_its_invoices(self):
        self.assertEqual(client.account()["plan"], "max")
        self.assertIn("plan", client.settings())
        self.assertEqual(client.invoice_pdf(client.invoices()[0])[:5], b"%PDF-")

    def test_creates_changes_rotates_and_revokes_keys(self):
        created = client.keys.create({"label": "Website", "scopes": ["capture"]})
        key_id = created["id"]
        self.assertEqual(client.keys.change(key_id, {"label": "Shop"})["label"], "Shop")
        self.assertNotEqual(client.keys.rotate(key_id)["key"], created["key"])
        self.assertIsNotNone(client.keys.revoke(key_id)["revoked_at"])
        self.assertEqual(client.keys.get(key_id)["label"], "Shop")
        self.assertIn(key_id, [key["id"] for key in client.keys.list()])


class Errors(unittest.TestCase):
    def test_are_instances_of_the_class_of_their_code(self):
        with self.assertRaises(ValidationError) as raised:
            client.capture({**PAGE, "viewport_width": 1})
        error = raised.exception
        self.assertEqual((error.code, error.status, error.retryable), ("VALIDATION_ERROR", 422, False))
        self.assertEqual(list(error.details), ["viewport_width"])
        self.assertEqual(error.docs, f"{client.base_url}/docs/errors#VALIDATION_ERROR")
        self.assertIsInstance(error, ApiError)

    def test_do_not_contain_the_key(self):
        with self.assertRaises(UnauthorizedError) as raised:
            ScreenCapture(key="cap_secret").account()
        self.assertNotIn("cap_secret", repr(vars(raised.exception)) + str(raised.exception))


if __name__ == "__main__":
    unittest.main()
