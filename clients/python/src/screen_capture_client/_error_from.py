"""Creates the error of a response, or of an asynchronous capture, as an instance of the class of its code."""

from __future__ import annotations

import json
from email.message import Message
from typing import Optional

from .error_classes import ERROR_CLASSES
from .errors import ApiConnectionError, ApiError, ScreenCaptureError
from .types import ErrorBody


def error_from_body(
    body: ErrorBody, *, status: Optional[int] = None, retry_after: Optional[float] = None
) -> ApiError:
    """The error that a body of the service describes. A code that this version doesn't know becomes an ``ApiError``."""
    error_class = ERROR_CLASSES.get(body["code"], ApiError)
    return error_class(body, status=status, retry_after=retry_after)


def error_from_response(status: int, headers: Message, content: bytes) -> ScreenCaptureError:
    """The error of a response with status 400 or above."""
    body = _parse_error_body(content)
    if body is not None:
        return error_from_body(body, status=status, retry_after=_retry_after(headers))
    return ApiConnectionError(
        f"Got status {status} without an error of the service. Check the base URL, and proxies in front of it.",
        retryable=502 <= status <= 504,
    )


def _retry_after(headers: Message) -> Optional[float]:
    try:
        return float(headers.get("Retry-After", ""))
    except (TypeError, ValueError):
        return None


def _parse_error_body(content: bytes) -> Optional[ErrorBody]:
    try:
        body = json.loads(content)
    except ValueError:
        return None
    if isinstance(body, dict) and isinstance(body.get("error"), str) and isinstance(body.get("code"), str):
        return body  # type: ignore[return-value]
    return None
