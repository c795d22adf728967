"""HTTP transport: sends requests with the API key, and retries those that can succeed later."""

from __future__ import annotations

import http.client
import io
import json
import socket
import urllib.error
import urllib.parse
import urllib.request
import uuid
from email.message import Message
from typing import IO, Any, Callable, Mapping, Optional, TypedDict

from ._deadline import Deadline
from ._error_from import error_from_response
from ._retry_delay import retry_delay
from ._version import VERSION
from .errors import ApiConnectionError, ApiError, ScreenCaptureError

DEFAULT_TIMEOUT_S = 200.0  # longer than the service takes for a capture: 90 seconds, and a retry
_DEFAULT_RETRIES = 2
_PIECE_BYTES = 256 * 1024


class CallOptions(TypedDict, total=False):
    """What every method that sends a request takes as keyword arguments."""

    timeout: float
    """
    Time limit of the whole call with its retries, in seconds: 200 by default. A capture that takes longer is finished and billed all
    the same; the same request with the same ``idempotency_key`` gets its result for free.
    """
    retries: int
    """How often an error that is ``retryable`` is retried: 2 by default."""
    idempotency_key: str
    """Name of a POST, so that the service runs it once: a random one by default, unless ``retries`` is 0."""


class Received:
    """A response that was read to its end."""

    def __init__(self, headers: Message, content: bytes) -> None:
        self.headers = headers
        self.content = content

    def json(self) -> Any:
        return json.loads(self.content)


class Transport:
    def __init__(
        self, key: Optional[str], base_url: Optional[str], opener: Optional[urllib.request.OpenerDirector]
    ) -> None:
        """Raises ``ScreenCaptureError`` for a base URL or a key that no request could use."""
        self.base_url = _parse_base_url(base_url)
        self._key = _parse_key(key) if key else None
        self._opener = opener or urllib.request.build_opener()

    def json(self, method: str, path: str, call: CallOptions, **request: Any) -> Any:
        """Sends a call and returns the parsed JSON of its response."""
        return self.send(method, path, call, **request).json()

    def send(
        self,
        method: str,
        path: str,
        call: CallOptions,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[Mapping[str, Any]] = None,
        open_file: Optional[Callable[[], IO[bytes]]] = None,
    ) -> Received:
        """
        Sends a call. With ``open_file``, each attempt writes the response to the file that it returns, and ``content`` is empty.
        Raises ``ScreenCaptureError``.
        """
        retries = call.get("retries", _DEFAULT_RETRIES)
        deadline = Deadline(f"{method} {path}", call.get("timeout", DEFAULT_TIMEOUT_S))
        request = self._request(method, path + _query_string(query), body, call.get("idempotency_key"), retries)
        attempt = 0
        while True:
            try:
                return self._attempt(request, deadline, open_file or io.BytesIO)
            except ScreenCaptureError as error:
                if not _can_retry(error) or attempt >= retries:
                    raise
                delay = retry_delay(error, attempt)
            deadline.sleep(delay)
            attempt += 1

    def _request(
        self,
        method: str,
        path: str,
        body: Optional[Mapping[str, Any]],
        idempotency_key: Optional[str],
        retries: int,
    ) -> urllib.request.Request:
        if self._key is None:
            raise ScreenCaptureError("This call needs the 'key' of the client: an API key, cap_….")
        request = urllib.request.Request(self.base_url + path, method=method)
        request.add_header("User-Agent", f"screen-capture-client-python/{VERSION}")
        request.add_unredirected_header("Authorization", f"Bearer {self._key}")  # for the service alone
        if body is not None:
            request.data = json.dumps(body).encode()
            request.add_header("Content-Type", "application/json")
        name = idempotency_key or (str(uuid.uuid4()) if retries > 0 else None)
        if method == "POST" and name is not None:
            request.add_unredirected_header("Idempotency-Key", name)
        return request

    def _attempt(
        self, request: urllib.request.Request, deadline: Deadline, open_file: Callable[[], IO[bytes]]
    ) -> Received:
        try:
            with self._open(request, deadline.remaining()) as response:
                status = response.getcode()
                with open_file() if status < 300 else io.BytesIO() as file:
                    _copy(response, file, deadline)
                    content = file.getvalue() if isinstance(file, io.BytesIO) else b""
            if status >= 300:
                raise error_from_response(status, response.headers, content)
            return Received(response.headers, content)
        except (OSError, http.client.HTTPException) as error:
            reason = error.reason if isinstance(error, urllib.error.URLError) else error
            if isinstance(reason, (socket.timeout, TimeoutError)):
                raise deadline.error() from None
            raise ApiConnectionError(
                f"Can't reach {self.base_url}. Is the service running?", retryable=True
            ) from error

    def _open(self, request: urllib.request.Request, timeout: float) -> Any:
        try:
            return self._opener.open(request, timeout=timeout)
        except urllib.error.HTTPError as error:
            return error  # a response, too


def _copy(response: Any, file: IO[bytes], deadline: Deadline) -> None:
    """Copies a body piece by piece. Raises ``IncompleteRead`` for one that ends before its length."""
    length = response.headers["Content-Length"]
    copied = 0
    while True:
        piece = response.read1(_PIECE_BYTES)
        if not piece:
            break
        deadline.remaining()
        file.write(piece)
        copied += len(piece)
    if length is not None and copied < int(length):
        raise http.client.IncompleteRead(b"", int(length) - copied)


def _can_retry(error: ScreenCaptureError) -> bool:
    """``Retry-After`` also comes with a conflict that ends: a request with the same ``Idempotency-Key`` is in progress."""
    return error.retryable or (isinstance(error, ApiError) and error.retry_after is not None)


def _parse_base_url(base_url: Optional[str]) -> str:
    parts = urllib.parse.urlsplit(base_url or "")
    if parts.scheme not in ("http", "https") or not parts.hostname or any(each.isspace() for each in base_url or ""):
        raise ScreenCaptureError(
            "'base_url' isn't a URL of a service, such as https://api.example.com. Pass it, or set SCREEN_CAPTURE_URL."
        )
    return (base_url or "").rstrip("/")


def _parse_key(key: str) -> str:
    """A header can't contain other characters, and an error would report the whole value."""
    trimmed = key.strip()
    if not all("!" <= each <= "~" for each in trimmed):
        raise ScreenCaptureError("'key' isn't an API key: it looks like cap_…, without spaces.")
    return trimmed


def _query_string(query: Optional[Mapping[str, Any]]) -> str:
    given = [(name, to_text(value)) for name, value in (query or {}).items() if value is not None]
    return f"?{urllib.parse.urlencode(given)}" if given else ""


def to_text(value: Any) -> str:
    """A value as the query of a request has it."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else json.dumps(value)
