"""The client without a service: retries, time limits, webhooks, links, and what it refuses."""

import ast
import asyncio
import base64
import hmac
import importlib.util
import inspect
import json
import pathlib
import socket
import tempfile
import threading
import time
import typing
import unittest
from http.server import BaseHTTPRequestHandler, HTTPServer
from unittest import mock

import screen_capture_client
from screen_capture_client import (
    ApiConnectionError,
    ApiError,
    ApiTimeoutError,
    AsyncScreenCapture,
    CaptureOptions,
    CaptureTimeoutError,
    NotFoundError,
    RateLimitedError,
    ScreenCapture,
    ScreenCaptureError,
    TargetHttpError,
    WebhookVerificationError,
    error_classes,
    types,
    verify_webhook,
)
from screen_capture_client.keys import KeyCollection

SECRET = "whsec_" + base64.b64encode(b"a secret of the test").decode()


class Server:
    """Answers requests on loopback with one answer after the other, the last one for ever, and keeps them."""

    def __init__(self, *answers):
        self.requests = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                outer.requests.append((self.command, self.path, self.headers, body))
                status, headers, content = answers[min(len(outer.requests), len(answers)) - 1]
                if status is None:
                    return
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            do_GET = do_POST = do_DELETE = answer

            def log_message(self, *_):
                pass

        self._server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()

    def client(self, **settings):
        return ScreenCapture(key="cap_x", base_url=self.url, **settings)


def error(code, status, headers=None, **rest):
    body = {"error": "It failed.", "code": code, "request_id": 7, "retryable": False, **rest}
    return status, headers or {}, json.dumps(body).encode()


def ok(body=None, headers=None):
    return 200, headers or {}, json.dumps(body or {}).encode()


DROPPED = (None, {}, b"")


class Retries(unittest.TestCase):
    def test_wait_as_long_as_the_service_says(self):
        with Server(error("RATE_LIMITED", 429, {"Retry-After": "0.2"}, retryable=True), ok({"id": 1})) as server:
            started = time.monotonic()
            self.assertEqual(server.client().account(), {"id": 1})
            self.assertGreaterEqual(time.monotonic() - started, 0.2)

    def test_a_lost_response_is_requested_again_under_the_same_name(self):
        cut = (200, {"Content-Length": "100"}, b"{")
        with Server(DROPPED, cut, ok({"request_id": 1})) as server, mock.patch("random.uniform", return_value=0):
            server.client().enqueue({"url": "https://example.com"})
            names = {headers["Idempotency-Key"] for _, _, headers, _ in server.requests}
            self.assertEqual((len(server.requests), len(names)), (3, 1))

    def test_use_the_name_that_the_caller_gives(self):
        with Server(ok()) as server:
            server.client().capture({"url": "https://example.com"}, idempotency_key="order-7")
            server.client().capture({"url": "https://example.com"}, retries=0)
            names = [headers["Idempotency-Key"] for _, _, headers, _ in server.requests]
            self.assertEqual(names, ["order-7", None])

    def test_are_not_more_than_allowed(self):
        for retries in (0, 1):
            with Server(DROPPED) as server, mock.patch("random.uniform", return_value=0):
                with self.assertRaises(ApiConnectionError):
                    server.client().account(retries=retries)
                self.assertEqual(len(server.requests), retries + 1)

    def test_do_not_repeat_what_would_fail_again(self):
        with Server(error("NOT_FOUND", 404)) as server:
            with self.assertRaises(NotFoundError):
                server.client().get(1)
            self.assertEqual(len(server.requests), 1)

    def test_end_with_the_time_of_the_call(self):
        with Server(error("RATE_LIMITED", 429, {"Retry-After": "60"}, retryable=True)) as server:
            started = time.monotonic()
            with self.assertRaises(RateLimitedError) as raised:
                server.client().account(timeout=5)
            self.assertLess(time.monotonic() - started, 5)
            self.assertEqual((len(server.requests), raised.exception.retry_after), (1, 60))

    def test_of_a_capture_have_what_is_left_of_its_timeout(self):
        busy = error("TARGET_HTTP_ERROR", 422, {"Retry-After": "1"}, retryable=True)
        with Server(busy, ok()) as server:
            server.client().capture({"url": "https://example.com", "timeout": 30})
            timeouts = [json.loads(body)["timeout"] for _, _, _, body in server.requests]
            self.assertEqual((timeouts[0], timeouts[1] < 30), (30, True))
            self.assertEqual(len({headers["Idempotency-Key"] for _, _, headers, _ in server.requests}), 2)
        for options in ({"timeout": 2}, {"timeout": 9, "delay": 8}):
            with Server(error("TARGET_HTTP_ERROR", 422, {"Retry-After": "1.5"}, retryable=True)) as server:
                with self.assertRaises(TargetHttpError):
                    server.client().store({"url": "https://example.com", **options})
                self.assertEqual(len(server.requests), 1)

    def test_do_not_repeat_a_page_that_took_too_long(self):
        target = {"http_status_code": None, "net_error": None, "final_url": None}
        with Server(error("CAPTURE_TIMEOUT", 504, target=target)) as server:
            with self.assertRaises(CaptureTimeoutError):
                server.client().capture("https://example.com")
            self.assertEqual(len(server.requests), 1)

    def test_grow_with_jitter(self):
        from screen_capture_client._retry_delay import retry_delay

        with mock.patch("random.uniform", side_effect=lambda low, high: (low, high)):
            delays = [retry_delay(ScreenCaptureError("x"), attempt) for attempt in (0, 1, 2, 9)]
        self.assertEqual(delays, [(0, 1), (0, 2), (0, 4), (0, 20)])

    def test_of_polls_leave_room_in_the_rate_limit(self):
        reset = str(int(time.time()) + 30)
        limited = ok({"status": "queued"}, {"X-RateLimit-Remaining": "1", "X-RateLimit-Reset": reset})
        with Server(limited) as server:
            with self.assertRaises(ApiTimeoutError):
                server.client().wait(7, timeout=1.5)
            self.assertEqual(len(server.requests), 1)


class Connections(unittest.TestCase):
    def test_send_the_key_to_the_service_alone(self):
        with Server(ok()) as other:
            moved = (303, {"Location": f"{other.url}/result"}, b"")
            with Server(moved) as server:
                server.client().capture({"url": "https://example.com"})
                self.assertEqual(server.requests[0][2]["Authorization"], "Bearer cap_x")
            method, path, headers, _ = other.requests[0]
            self.assertEqual((method, path), ("GET", "/result"))
            self.assertEqual((headers["Authorization"], headers["Idempotency-Key"]), (None, None))

    def test_that_nothing_answers_are_reported(self):
        with self.assertRaisesRegex(ApiConnectionError, "Is the service running"):
            ScreenCapture(key="cap_x", base_url="http://127.0.0.1:9").account(retries=0)

    def test_to_another_server_are_reported(self):
        with Server((404, {}, b"<h1>nginx</h1>")) as server:
            with self.assertRaisesRegex(ApiConnectionError, "status 404 without an error of the service"):
                server.client().account()

    def test_whose_error_is_cut_off_are_retried(self):
        cut = (404, {"Content-Length": "100"}, b"{")
        with Server(cut, ok({"id": 1})) as server, mock.patch("random.uniform", return_value=0):
            self.assertEqual(server.client().account(), {"id": 1})

    def test_an_unknown_code_is_an_api_error(self):
        with Server(error("NEW_CODE", 400)) as server:
            with self.assertRaises(ApiError) as raised:
                server.client().account()
            self.assertEqual((type(raised.exception), raised.exception.code), (ApiError, "NEW_CODE"))


class Settings(unittest.TestCase):
    def test_come_from_the_environment_unless_they_are_given(self):
        with Server(ok()) as server:
            variables = {"SCREEN_CAPTURE_KEY": "cap_environment", "SCREEN_CAPTURE_URL": f"{server.url}/"}
            with mock.patch.dict("os.environ", variables):
                ScreenCapture().account()
                ScreenCapture(key="cap_given").account()
            keys = [headers["Authorization"] for _, _, headers, _ in server.requests]
            self.assertEqual(keys, ["Bearer cap_environment", "Bearer cap_given"])

    def test_that_are_wrong_are_refused_without_the_key_in_the_error(self):
        for wrong in ("", "api.example.com", "ftp://api.example.com", "https://", "http:///x", "http://a b"):
            with self.assertRaisesRegex(ScreenCaptureError, "'base_url'"):
                ScreenCapture(base_url=wrong)
        with mock.patch.dict("os.environ", clear=True):
            with self.assertRaisesRegex(ScreenCaptureError, "is missing: pass 'base_url'.* or set SCREEN_CAPTURE_URL"):
                ScreenCapture()
        with self.assertRaises(ScreenCaptureError) as raised:
            ScreenCapture(key="cap_se\ncret", base_url="http://127.0.0.1:9")
        self.assertNotIn("cret", str(raised.exception))

    def test_that_are_missing_are_named(self):
        with mock.patch.dict("os.environ", clear=True):
            client = ScreenCapture(base_url="http://127.0.0.1:9")
        with self.assertRaisesRegex(ScreenCaptureError, "needs the 'key'"):
            client.account()
        with self.assertRaisesRegex(ScreenCaptureError, "'key_id' and 'signing_secret'"):
            client.link({"url": "https://example.com"})
        with self.assertRaisesRegex(ScreenCaptureError, "'signing_secret'"):
            client.verify_webhook({}, b"")

    def test_a_link_ends_within_366_days(self):
        client = ScreenCapture(base_url="http://127.0.0.1:9", key_id=7, signing_secret=SECRET)
        for wrong in (0, -1, 367 * 86_400):
            with self.assertRaisesRegex(ScreenCaptureError, "at most 366 days"):
                client.link({"url": "https://example.com"}, expires_in=wrong)


class Arguments(unittest.TestCase):
    def test_are_an_address_a_dictionary_or_keywords(self):
        options: CaptureOptions = {"url": "https://example.com", "format": "pdf"}
        with Server(ok({"data": []})) as server, server.client() as client:
            client.capture("https://example.com", format="pdf")
            client.capture(url="https://example.com", format="pdf", retries=0)
            client.capture(options)
            client.store({**options, "format": "png"}, format="pdf")
            client.validate(**options)
            client.enqueue("https://example.com", format="pdf", timeout=20)
            client.store_outputs("https://example.com", outputs=[{"name": "a"}, {"name": "b"}])
            bodies = [json.loads(body) for _, _, _, body in server.requests]
        methods = ("response_type", "validate", "async", "outputs")
        plain = [{name: value for name, value in body.items() if name not in methods} for body in bodies]
        self.assertEqual(plain[:6], [options] * 6)
        self.assertEqual([body["outputs"][0]["name"] for body in bodies if "outputs" in body], ["a"])

    def test_of_a_file_name_it_by_position_or_keyword(self):
        with tempfile.TemporaryDirectory() as folder, Server(ok({"a": 1})) as server:
            for number in (1, 2, 3):
                path = pathlib.Path(folder) / f"{number}.json"
                client = server.client()
                if number == 1:
                    client.capture_to_file({"url": "https://example.com"}, path)
                elif number == 2:
                    client.capture_to_file("https://example.com", path=path, format="json")
                else:
                    client.capture_to_file(url="https://example.com", path=path)
                self.assertEqual(path.read_text(), '{"a": 1}')
            with self.assertRaisesRegex(ScreenCaptureError, "'path' is missing"):
                client.capture_to_file("https://example.com")

    def test_that_contradict_each_other_are_refused(self):
        with self.assertRaisesRegex(ScreenCaptureError, "given twice"):
            ScreenCapture(key="cap_x", base_url="http://127.0.0.1:9").capture("https://a.example", url="https://b.example")

    def test_of_a_link_are_the_same(self):
        client = ScreenCapture(base_url="http://127.0.0.1:9", key_id=7, signing_secret=SECRET)
        with mock.patch("time.time", return_value=1_000):
            links = {
                client.link("https://example.com", format="pdf"),
                client.link(url="https://example.com", format="pdf"),
                client.link({"url": "https://example.com", "format": "pdf"}, expires_in=30 * 86_400),
            }
        self.assertEqual(len(links), 1)


class Asynchronous(unittest.TestCase):
    def test_says_what_it_needs(self):
        with mock.patch.dict("sys.modules", {"httpx": None}):
            with self.assertRaisesRegex(ImportError, "pip install httpx"):
                AsyncScreenCapture(key="cap_x", base_url="http://127.0.0.1:9")

    def run_with(self, server, work, **settings):
        if importlib.util.find_spec("httpx") is None:
            self.skipTest("needs httpx")

        async def run():
            async with AsyncScreenCapture(key="cap_x", base_url=server.url, **settings) as client:
                return await work(client)

        return asyncio.run(run())

    def test_captures_at_the_same_time(self):
        async def work(client):
            captures = await asyncio.gather(*(client.capture(f"https://example.com/{n}") for n in range(3)))
            return [capture.content for capture in captures]

        with Server(ok({"a": 1})) as server:
            self.assertEqual(self.run_with(server, work), [b'{"a": 1}'] * 3)
            self.assertEqual(len({headers["Idempotency-Key"] for _, _, headers, _ in server.requests}), 3)

    def test_retries_lists_and_waits(self):
        async def work(client):
            accepted = await client.enqueue(url="https://example.com")
            finished = await client.wait(accepted)
            return finished["status"], [log["id"] async for log in client.captures()]

        busy = error("RATE_LIMITED", 429, {"Retry-After": "0.1"}, retryable=True)
        log = ok({"data": [{"id": 9}], "last_page": 1})
        queued, done = ok({"request_id": 7, "status": "queued"}), ok({"request_id": 7, "status": "success"})
        with Server(busy, queued, queued, done, log) as server:
            self.assertEqual(self.run_with(server, work), ("success", [9]))

    def test_raises_the_errors_of_the_other_client(self):
        async def work(client):
            with self.assertRaises(NotFoundError):
                await client.get(1)
            with self.assertRaises(ApiConnectionError):
                await client.get(1, retries=0)

        with Server(error("NOT_FOUND", 404), DROPPED) as server:
            self.run_with(server, work)

    def test_ends_with_the_time_of_the_call_or_when_its_task_is_cancelled(self):
        async def work(client):
            with self.assertRaises(ApiTimeoutError):
                await client.account(timeout=0.2)
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(client.account(), 0.2)

        silent = socket.create_server(("127.0.0.1", 0))
        with silent, Server(ok()) as server:
            server.url = f"http://127.0.0.1:{silent.getsockname()[1]}"
            self.run_with(server, work)

    def test_sends_the_key_to_the_service_alone(self):
        async def work(client):
            return (await client.capture("https://example.com")).content

        with Server(ok({"a": 1})) as other:
            with Server((303, {"Location": f"{other.url}/result"}, b"")) as server:
                self.assertEqual(self.run_with(server, work), b'{"a": 1}')
            method, path, headers, _ = other.requests[0]
            self.assertEqual((method, path), ("GET", "/result"))
            self.assertEqual((headers["Authorization"], headers["Idempotency-Key"]), (None, None))

    def test_has_every_method_of_the_other_client(self):
        def public(kind):
            return {name for name, _ in inspect.getmembers(kind) if not name.startswith("_")}

        self.assertEqual(public(AsyncScreenCapture) ^ public(ScreenCapture), {"aclose", "close"})


class Webhooks(unittest.TestCase):
    BODY = b'{"type": "capture.succeeded", "data": {"request_id": 7}}'

    def headers(self, *, timestamp=1_000, secret=SECRET, body=BODY):
        key = base64.b64decode(secret[6:])
        digest = hmac.new(key, f"m.{timestamp}.".encode() + body, "sha256").digest()
        signature = f"v1,{base64.b64encode(digest).decode()}"
        return {"Webhook-Id": "m", "webhook-timestamp": str(timestamp), "WEBHOOK-SIGNATURE": f"v1,b3RoZXI= {signature}"}

    def verify(self, headers, body=BODY, **settings):
        return verify_webhook(headers, body, **{"signing_secret": SECRET, "now": 1_000, **settings})

    def test_with_a_valid_signature_return_their_event(self):
        self.assertEqual(self.verify(self.headers())["data"]["request_id"], 7)
        self.assertEqual(self.verify(self.headers(), self.BODY.decode())["type"], "capture.succeeded")

    def test_with_a_wrong_signature_are_refused(self):
        other = "whsec_" + base64.b64encode(b"other").decode()
        wrong = [
            (self.headers(), self.BODY + b" ", SECRET),
            (self.headers(), self.BODY, other),
            ({**self.headers(), "Webhook-Id": "n"}, self.BODY, SECRET),
            ({**self.headers(), "WEBHOOK-SIGNATURE": "v1,ä"}, self.BODY, SECRET),
            ({"webhook-timestamp": "1000"}, self.BODY, SECRET),
        ]
        for headers, body, secret in wrong:
            with self.assertRaisesRegex(WebhookVerificationError, "doesn't match"):
                self.verify(headers, body, signing_secret=secret)

    def test_are_refused_more_than_five_minutes_early_or_late(self):
        for now, is_accepted in ((700, True), (699, False), (1_300, True), (1_301, False)):
            if is_accepted:
                self.verify(self.headers(), now=now)
            else:
                with self.assertRaisesRegex(WebhookVerificationError, "not close to now"):
                    self.verify(self.headers(), now=now)
        self.verify(self.headers(), now=1_900, tolerance=900)
        for wrong in ("", "nan", "1e3", "-1", "¹"):
            with self.assertRaisesRegex(WebhookVerificationError, "not close to now"):
                self.verify({**self.headers(), "webhook-timestamp": wrong})

    def test_are_refused_with_a_secret_that_is_none(self):
        with self.assertRaisesRegex(WebhookVerificationError, "looks like whsec_"):
            self.verify(self.headers(), signing_secret="whsec_!")


class Types(unittest.TestCase):
    def test_every_annotation_names_a_type(self):
        if not hasattr(typing, "Unpack"):
            self.skipTest("needs Python 3.11")
        typed = [each for each in vars(types).values() if isinstance(each, type) and hasattr(each, "__total__")]
        methods = [each for kind in (ScreenCapture, AsyncScreenCapture, KeyCollection) for _, each in inspect.getmembers(kind, callable)]
        checked = [each for each in methods if inspect.isfunction(each)]
        for each in [*typed, *checked]:
            typing.get_type_hints(each, localns={"Unpack": typing.Unpack, "Self": typing.Self})
        self.assertGreater(len(typed), 60)
        self.assertGreater(len(checked), 30)

    def test_every_error_code_has_a_class_and_every_class_a_text(self):
        codes = typing.get_args(types.ErrorCode)
        self.assertEqual(list(error_classes.ERROR_CLASSES), list(codes))
        for code, kind in error_classes.ERROR_CLASSES.items():
            self.assertEqual(kind.code, code)
            self.assertTrue(kind.__doc__)
        self.assertIs(screen_capture_client.RateLimitedError, RateLimitedError)

    def test_problems_are_a_closed_list(self):
        self.assertIn("OVERLAY_LEFT", typing.get_args(types.ProblemCode))

    def test_every_module_parses_as_python_39(self):
        folder = pathlib.Path(screen_capture_client.__file__).parent
        for path in folder.glob("*.py"):
            ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 9))
        self.assertTrue((folder / "py.typed").exists())


if __name__ == "__main__":
    unittest.main()
