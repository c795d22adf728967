"""Typed client of the Screen Capture API."""

from . import error_classes
from ._call import CallOptions
from ._version import VERSION as __version__
from .async_client import AsyncScreenCapture
from .capture import Capture, CaptureInfo
from .client import ScreenCapture
from .error_classes import *  # noqa: F403
from .errors import (
    ApiConnectionError,
    ApiError,
    ApiTimeoutError,
    ScreenCaptureError,
    WebhookVerificationError,
)
from .types import CaptureKeywords, CaptureOptions, ErrorCode, OutputsKeywords, OutputsOptions, ProblemCode
from .webhook import verify_webhook

__all__ = [
    "ApiConnectionError",
    "ApiError",
    "ApiTimeoutError",
    "AsyncScreenCapture",
    "CallOptions",
    "Capture",
    "CaptureInfo",
    "CaptureKeywords",
    "CaptureOptions",
    "ErrorCode",
    "OutputsKeywords",
    "OutputsOptions",
    "ProblemCode",
    "ScreenCapture",
    "ScreenCaptureError",
    "WebhookVerificationError",
    "__version__",
    "verify_webhook",
]
__all__ += error_classes.__all__
