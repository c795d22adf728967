"""What a call sends and receives, whether it waits for its response or not."""

from __future__ import annotations

import json
import math
import urllib.parse
import uuid
from email.message import Message
from typing import IO, Any, Callable, Dict, Mapping, Optional, Tuple, TypedDict, Union

from ._version import VERSION
from .errors import ApiError, ScreenCaptureError

DEFAULT_TIMEOUT_S = 200.0  # longer than the service takes for a capture: 90 seconds, and a retry
DEFAULT_RETRIES = 2
PIECE_BYTES = 256 * 1024

OpenFile = Callable[[], IO[bytes]]


class CallOptions(TypedDict, total=False):
    """What every method that sends a request takes as keyword arguments."""

    timeout: float
    """
    Time limit of the whole call with its retries, in seconds: 200 by default. A capture that takes longer is finished and billed all
    the same; the same request with the same ``idempotency_key`` gets its result for free. The option ``timeout`` of a capture, in a
    dictionary of options, ends the capture itself, and bounds its retries, too.
    """
    retries: int
    """How often an error that is ``retryable`` is retried: 2 by default."""
    idempotency_key: str
    """Name of a POST, so that the service runs it once: a random one by default, unless ``retries`` is 0."""


class Request:
    """A request to the service, complete with its headers."""

    def __init__(self, method: str, url: str, headers: Dict[str, str], data: Optional[bytes]) -> None:
        self.method = method
        self.url = url
        self.headers = headers
        self.data = data


class Received:
    """A response that was read to its end."""

    def __init__(self, headers: Message, content: bytes) -> None:
        self.headers = headers
        self.content = content

    def json(self) -> Any:
        return json.loads(self.content)


def create_request(
    address: str,
    key: Optional[str],
    method: str,
    *,
    body: Optional[Mapping[str, Any]],
    idempotency_key: Optional[str],
    retries: int,
) -> Request:
    if key is None:
        raise ScreenCaptureError(
            "This call needs the 'key' of the client: an API key, cap_…. Pass it, or set SCREEN_CAPTURE_KEY."
        )
    headers = {"User-Agent": f"screen-capture-client-python/{VERSION}", "Authorization": f"Bearer {key}"}
    if body is not None:
        headers["Content-Type"] = "application/json"
    name = idempotency_key or (str(uuid.uuid4()) if retries > 0 else None)
    if method == "POST" and name is not None:
        headers["Idempotency-Key"] = name
    return Request(method, address, headers, None if body is None else json.dumps(body).encode())


def can_retry(error: ScreenCaptureError) -> bool:
    """``Retry-After`` also comes with a conflict that ends: a request with the same ``Idempotency-Key`` is in progress."""
    return error.retryable or (isinstance(error, ApiError) and error.retry_after is not None)


def next_body(
    body: Mapping[str, Any], error: ScreenCaptureError, elapsed: float, idempotency_key: Optional[str]
) -> Optional[Mapping[str, Any]]:
    """
    The body of the next attempt at a capture, which begins ``elapsed`` seconds after the first one; None if the option ``timeout`` of
    the capture leaves no time for it. The service has ended a capture whose error it has told, so another one can have the rest of the
    time, under another name. After a lost response the same request is sent again, to get its result.
    """
    if body.get("timeout") is None:
        return body
    timeout = math.floor(float(body["timeout"]) - elapsed)
    if timeout < 1 or timeout <= float(body.get("delay") or 0):
        return None
    has_ended = isinstance(error, ApiError) and error.code != "CONFLICT"
    return {**body, "timeout": timeout} if has_ended and idempotency_key is None else body


def capture_arguments(
    options: Union[str, Mapping[str, Any], None], keywords: Mapping[str, Any]
) -> Tuple[Dict[str, Any], CallOptions]:
    """
    The options of a capture and those of the call, from what a method was called with: an address or a dictionary of options, and
    keyword arguments, which take precedence.
    """
    given: Dict[str, Any] = {"url": options} if isinstance(options, str) else dict(options or {})
    call: CallOptions = {}
    for name, value in keywords.items():
        if name in CallOptions.__annotations__:
            call[name] = value  # type: ignore[literal-required]
        elif name == "url" and isinstance(options, str):
            raise ScreenCaptureError("The address is given twice: as the first argument, and as 'url'.")
        else:
            given[name] = value
    return given, call


def parse_base_url(base_url: Optional[str]) -> str:
    if not base_url:
        raise ScreenCaptureError(
            "The address of the service is missing: pass 'base_url', such as https://api.example.com, or set "
            "SCREEN_CAPTURE_URL."
        )
    parts = urllib.parse.urlsplit(base_url)
    if parts.scheme not in ("http", "https") or not parts.hostname or any(each.isspace() for each in base_url):
        raise ScreenCaptureError(
            "'base_url' isn't a URL of a service, such as https://api.example.com. Pass it, or set SCREEN_CAPTURE_URL."
        )
    return base_url.rstrip("/")


def parse_key(key: str) -> str:
    """A header can't contain other characters, and an error would report the whole value."""
    trimmed = key.strip()
    if not all("!" <= each <= "~" for each in trimmed):
        raise ScreenCaptureError("'key' isn't an API key: it looks like cap_…, without spaces.")
    return trimmed


def query_string(query: Optional[Mapping[str, Any]]) -> str:
    given = [(name, to_text(value)) for name, value in (query or {}).items() if value is not None]
    return f"?{urllib.parse.urlencode(given)}" if given else ""


def to_text(value: Any) -> str:
    """A value as the query of a request has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else json.dumps(value)
