"""Sends a request with the standard library. Its counterpart for asyncio is ``_async_http``."""

from __future__ import annotations

import http.client
import io
import socket
import urllib.error
import urllib.request
from time import sleep
from typing import IO, Any, Optional

from ._call import PIECE_BYTES, OpenFile, Received, Request
from ._deadline import Deadline
from ._error_from import error_from_response
from .errors import ApiConnectionError

__all__ = ["HttpClient", "Sender", "sleep"]

HttpClient = urllib.request.OpenerDirector

_UNREDIRECTED = ("Authorization", "Idempotency-Key")  # for the service alone


class Sender:
    """Keeps no connection open, and several threads can use it."""

    def __init__(self, opener: Optional[HttpClient]) -> None:
        self._opener = opener or urllib.request.build_opener()

    def send(self, request: Request, deadline: Deadline, open_file: OpenFile) -> Received:
        """Raises ``ScreenCaptureError`` for all but a success."""
        prepared = urllib.request.Request(request.url, method=request.method, data=request.data)
        for name, value in request.headers.items():
            add = prepared.add_unredirected_header if name in _UNREDIRECTED else prepared.add_header
            add(name, value)
        try:
            with self._open(prepared, deadline.remaining()) as response:
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
            raise ApiConnectionError.of(request.url) from error

    def close(self) -> None:
        """There is no connection to close."""

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
        piece = response.read1(PIECE_BYTES)
        if not piece:
            break
        deadline.remaining()
        file.write(piece)
        copied += len(piece)
    if length is not None and copied < int(length):
        raise http.client.IncompleteRead(b"", int(length) - copied)
