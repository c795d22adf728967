"""Sends a request with httpx, for asyncio. Its counterpart without it is ``_http``."""

from __future__ import annotations

import io
from asyncio import sleep
from email.message import Message
from typing import Any, Optional

from ._call import PIECE_BYTES, OpenFile, Received, Request
from ._deadline import Deadline
from ._error_from import error_from_response
from .errors import ApiConnectionError

__all__ = ["HttpClient", "Sender", "sleep"]

HttpClient = Any
"""An ``httpx.AsyncClient``."""

_UNREDIRECTED = ("authorization", "idempotency-key", "content-type", "content-length", "transfer-encoding")
_MAX_REDIRECTS = 10


class Sender:
    """Keeps connections open until ``aclose``. One event loop can use it."""

    def __init__(self, client: Optional[HttpClient]) -> None:
        try:
            import httpx
        except ImportError:
            raise ImportError("AsyncScreenCapture needs httpx. Run: pip install httpx") from None
        self._httpx: Any = httpx
        self._is_own = client is None
        self._client: Any = client or httpx.AsyncClient()

    async def send(self, request: Request, deadline: Deadline, open_file: OpenFile) -> Received:
        """Raises ``ScreenCaptureError`` for all but a success."""
        try:
            return await self._follow(request, deadline, open_file)
        except self._httpx.TimeoutException:
            raise deadline.error() from None
        except (self._httpx.HTTPError, OSError) as error:
            raise ApiConnectionError.of(request.url) from error

    async def _follow(self, request: Request, deadline: Deadline, open_file: OpenFile) -> Received:
        """Follows redirects without the key, which is for the service alone."""
        method, url, headers, data = request.method, request.url, request.headers, request.data
        for _ in range(_MAX_REDIRECTS):
            prepared = self._client.build_request(
                method, url, headers=headers, content=data, timeout=deadline.remaining()
            )
            response = await self._client.send(prepared, stream=True, follow_redirects=False)
            try:
                if not response.has_redirect_location:
                    return await _read(response, deadline, open_file)
                await response.aread()
            finally:
                await response.aclose()
            if response.status_code not in (307, 308):
                method, data = ("HEAD" if method == "HEAD" else "GET"), None
            url = str(response.next_request.url)
            headers = {name: value for name, value in headers.items() if name.lower() not in _UNREDIRECTED}
        raise ApiConnectionError(f"{request.url} redirects in a circle.")

    async def aclose(self) -> None:
        """Closes the connections, unless the client was given."""
        if self._is_own:
            await self._client.aclose()


async def _read(response: Any, deadline: Deadline, open_file: OpenFile) -> Received:
    headers = Message()
    for name, value in response.headers.multi_items():
        headers[name] = value
    status = response.status_code
    with open_file() if status < 300 else io.BytesIO() as file:
        async for piece in response.aiter_bytes(PIECE_BYTES):
            deadline.remaining()
            file.write(piece)
        content = file.getvalue() if isinstance(file, io.BytesIO) else b""
    if status >= 300:
        raise error_from_response(status, headers, content)
    return Received(headers, content)
