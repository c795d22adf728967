"""Transport: sends requests with the API key, and retries those that can succeed later."""

from __future__ import annotations

import io
import time
from typing import Any, Mapping, Optional

from ._async_http import HttpClient, Sender, sleep
from ._call import (
    DEFAULT_RETRIES,
    DEFAULT_TIMEOUT_S,
    CallOptions,
    OpenFile,
    Received,
    can_retry,
    create_request,
    next_body,
    parse_base_url,
    parse_key,
    query_string,
)
from ._deadline import Deadline
from ._retry_delay import retry_delay
from .errors import ScreenCaptureError


class AsyncTransport:
    def __init__(self, key: Optional[str], base_url: Optional[str], http_client: Optional[HttpClient]) -> None:
        """Raises ``ScreenCaptureError`` for a base URL or a key that no request could use."""
        self.base_url = parse_base_url(base_url)
        self._key = parse_key(key) if key else None
        self._sender = Sender(http_client)

    async def json(self, method: str, path: str, call: CallOptions, **request: Any) -> Any:
        """Sends a call and returns the parsed JSON of its response."""
        return (await self.send(method, path, call, **request)).json()

    async def send(
        self,
        method: str,
        path: str,
        call: CallOptions,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Optional[Mapping[str, Any]] = None,
        open_file: Optional[OpenFile] = None,
        is_capture: bool = False,
    ) -> Received:
        """
        Sends a call. With ``open_file``, each attempt writes the response to the file that it returns, and ``content`` is empty. A call
        that ``is_capture`` waits for the result of one, whose option ``timeout`` is the time of all attempts. Raises
        ``ScreenCaptureError``; the last error if there is no time for another attempt.
        """
        retries = call.get("retries", DEFAULT_RETRIES)
        idempotency_key = call.get("idempotency_key")
        started_at = time.monotonic()
        deadline = Deadline(f"{method} {path}", call.get("timeout", DEFAULT_TIMEOUT_S))
        address = self.base_url + path + query_string(query)
        settings: Any = {"idempotency_key": idempotency_key, "retries": retries}
        request = create_request(address, self._key, method, body=body, **settings)
        attempt = 0
        while True:
            try:
                return await self._sender.send(request, deadline, open_file or io.BytesIO)
            except ScreenCaptureError as error:
                if not can_retry(error) or attempt >= retries:
                    raise
                delay = retry_delay(error, attempt)
                if delay >= deadline.remaining():
                    raise
                if is_capture and body is not None:
                    following = next_body(body, error, time.monotonic() - started_at + delay, idempotency_key)
                    if following is None:
                        raise
                    if following is not body:
                        request = create_request(address, self._key, method, body=following, **settings)
            await sleep(delay)
            attempt += 1

    async def aclose(self) -> None:
        await self._sender.aclose()
