"""A capture that was returned as bytes or saved to a file, with what its headers say."""

from __future__ import annotations

import os
import urllib.parse
from email.message import Message
from typing import List, Optional, Union, cast

from .types import ProblemCode


class CaptureInfo:
    """What the headers of a capture say."""

    def __init__(self, headers: Message) -> None:
        self.headers = headers
        """All headers of the response, such as ``X-Image-Width`` with ``metadata_image_size``."""
        self.mime_type: str = headers.get("Content-Type", "")
        """Such as ``image/png``."""
        self.request_id = int(headers.get("X-Request-Id", "0"))
        self.response_time_ms = int(headers.get("X-Response-Time", "0"))
        """Duration of the request in milliseconds."""
        self.from_cache: bool = headers.get("X-Cache") in ("HIT", "STALE")
        """True if the result came from the cache."""
        self.final_url: Optional[str] = headers.get("X-Final-URL")
        """URL of the page after redirects. ``None`` for HTML and Markdown."""
        warnings = headers.get("X-Warnings")
        self.warnings: Optional[str] = None if warnings is None else urllib.parse.unquote(warnings)
        """How the result differs from what you requested."""
        problems = headers.get("X-Problems")
        self.problems = cast(List[ProblemCode], [each.strip() for each in problems.split(",")] if problems else [])
        """Codes of what looks wrong in the result, the worst first. ``details(request_id)`` says more."""
        quality = headers.get("X-Quality")
        self.quality: Optional[int] = None if quality is None else int(quality)
        """100 minus what the problems take from it. ``None`` without problems, unless the request asks for it."""


class Capture(CaptureInfo):
    """A capture with its bytes."""

    def __init__(self, headers: Message, content: bytes) -> None:
        super().__init__(headers)
        self.content = content

    @property
    def text(self) -> str:
        """The result as text, for ``format`` html, markdown, text, and json."""
        return self.content.decode()

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the bytes to a file."""
        with open(path, "wb") as file:
            file.write(self.content)
