"""Signed links: the URL of a capture that anyone can open, signed with HMAC-SHA256 and without a request to the service."""

from __future__ import annotations

import hmac
import urllib.parse
from typing import Any, Mapping

from ._call import to_text


def sign_link(
    base_url: str, options: Mapping[str, Any], *, key_id: int, signing_secret: str, expires: int
) -> str:
    """The signed URL of a capture. ``expires`` is in seconds since 1970, at most a year ahead."""
    pairs = [("key_id", str(key_id)), ("expires", str(expires))]
    for name, value in options.items():
        for each in value if isinstance(value, (list, tuple)) else [value]:
            if each is not None:
                pairs.append((name, to_text(each)))
    query = urllib.parse.urlencode(sorted(pairs, key=lambda pair: pair[0]))
    signature = hmac.new(signing_secret.encode(), query.encode(), "sha256").hexdigest()
    return f"{base_url}/api/v1/screenshot?{query}&signature={signature}"
