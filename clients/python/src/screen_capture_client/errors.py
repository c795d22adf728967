"""Errors of the client: one class for each kind of failure, and below ``ApiError`` one for each error code of the service."""

from __future__ import annotations

from typing import Any, List, Mapping, Optional, Union

from .types import ErrorBody, ErrorCode, Problem, Target


class ScreenCaptureError(Exception):
    """Any failure of the client."""

    def __init__(self, message: str, *, retryable: bool = False) -> None:
        super().__init__(message)
        self.message = message
        self.retryable = retryable
        """True if the same request can succeed later."""


class ApiConnectionError(ScreenCaptureError):
    """The service couldn't be reached, or its response was cut off."""

    @classmethod
    def of(cls, url: str) -> ApiConnectionError:
        """The error of a request to ``url`` that got no response."""
        service = "/".join(url.split("/", 3)[:3])
        return cls(f"Can't reach {service}. Is the service running?", retryable=True)


class ApiTimeoutError(ScreenCaptureError):
    """The call took longer than its ``timeout``."""


class WebhookVerificationError(ScreenCaptureError):
    """A webhook whose signature doesn't match, or that is too old."""


class ApiError(ScreenCaptureError):
    """The service answered with an error. ``message`` says what failed, why, and how to fix it."""

    code: ErrorCode

    def __init__(
        self, body: ErrorBody, *, status: Optional[int] = None, retry_after: Optional[float] = None
    ) -> None:
        super().__init__(body["error"], retryable=body.get("retryable", False))
        self.code = body["code"]
        self.request_id: Union[int, str, None] = body.get("request_id")
        self.details: Mapping[str, Any] = body.get("details", {})
        """Messages by option, or figures that explain the error."""
        self.target: Optional[Target] = body.get("target")
        """How the page responded, if it was reached or tried."""
        self.problems: List[Problem] = body.get("problems", [])
        """What was wrong with the page, for a capture that broke a rule."""
        self.status = status
        """HTTP status code. ``None`` for the error of an asynchronous capture."""
        self.docs: Optional[str] = body.get("docs")
        """Address of the documentation of this error."""
        page_asks = self.target.get("retry_after") if self.target and self.retryable else None
        self.retry_after = page_asks if retry_after is None else retry_after
        """Seconds to wait before the next attempt, if the service says so."""
