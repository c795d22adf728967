"""Waiting times between attempts and between polls: what the service's headers say, else exponential backoff."""

from __future__ import annotations

import random
import time
from email.message import Message

from .errors import ApiError, ScreenCaptureError

_FIRST_RETRY_S = 0.5
_MAX_RETRY_S = 20.0
_FIRST_POLL_S = 0.4
_MAX_POLL_S = 5.0


def retry_delay(error: ScreenCaptureError, attempt: int) -> float:
    """Seconds before the next attempt: ``Retry-After``, else exponential backoff with full jitter."""
    if isinstance(error, ApiError) and error.retry_after is not None:
        return error.retry_after
    return random.uniform(0, min(_MAX_RETRY_S, _FIRST_RETRY_S * 2 ** (attempt + 1)))


def poll_delay(headers: Message, attempt: int) -> float:
    """
    Seconds before the status of a capture is requested again. When a request of the rate limit is all that is left, waits until
    more are available, so that polling doesn't keep the account from capturing.
    """
    backoff = min(_MAX_POLL_S, _FIRST_POLL_S * 1.5**attempt)
    if int(headers.get("X-RateLimit-Remaining", "2")) > 1:
        return backoff
    return max(backoff, float(headers.get("X-RateLimit-Reset", "0")) - time.time())
