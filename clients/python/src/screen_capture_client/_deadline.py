"""The time limit of a call with its retries."""

from __future__ import annotations

import time

from .errors import ApiTimeoutError


class Deadline:
    def __init__(self, task: str, timeout: float) -> None:
        """``task`` is what takes the time, for the message, such as ``GET /api/v1/account``."""
        self._task = task
        self._timeout = timeout
        self._ends_at = time.monotonic() + timeout

    def remaining(self) -> float:
        """The seconds that are left. Raises ``ApiTimeoutError`` if none are."""
        seconds = self._ends_at - time.monotonic()
        if seconds <= 0:
            raise self.error()
        return seconds

    def error(self) -> ApiTimeoutError:
        return ApiTimeoutError(f"{self._task} took longer than {self._timeout:g} s. Raise 'timeout'.")
