"""Verifies webhooks: the signature of Standard Webhooks (https://www.standardwebhooks.com) over id, time, and body."""

from __future__ import annotations

import base64
import hmac
import json
import time
from typing import Mapping, Optional, Union

from .errors import WebhookVerificationError
from .types import WebhookEvent

_TOLERANCE_S = 300  # as Standard Webhooks recommends


def verify_webhook(
    headers: Mapping[str, str],
    body: Union[bytes, str],
    *,
    signing_secret: str,
    tolerance: float = _TOLERANCE_S,
    now: Optional[float] = None,
) -> WebhookEvent:
    """
    Returns the event of a webhook whose signature is valid. ``body`` is the raw body of the request. ``tolerance`` is how many
    seconds the time of the webhook may be from ``now``, which is in seconds since 1970. Raises ``WebhookVerificationError``
    otherwise.
    """
    raw = body.encode() if isinstance(body, str) else body
    by_name = {name.lower(): value for name, value in headers.items()}
    webhook_id, timestamp = by_name.get("webhook-id", ""), by_name.get("webhook-timestamp", "")
    _check_time(timestamp, tolerance, time.time() if now is None else now)
    signed = f"{webhook_id}.{timestamp}.".encode() + raw
    digest = hmac.new(_decode_secret(signing_secret), signed, "sha256").digest()
    expected = b"v1," + base64.b64encode(digest)
    for signature in by_name.get("webhook-signature", "").split(" "):
        if hmac.compare_digest(signature.encode(), expected):
            event: WebhookEvent = json.loads(raw)
            return event
    raise WebhookVerificationError(
        "The signature of the webhook doesn't match. Pass the raw body and the secret of its API key."
    )


def _check_time(timestamp: str, tolerance: float, now: float) -> None:
    if timestamp.isascii() and timestamp.isdecimal() and abs(now - int(timestamp)) <= tolerance:
        return
    raise WebhookVerificationError("The time of the webhook is missing or not close to now.")


def _decode_secret(secret: str) -> bytes:
    try:
        return base64.b64decode(secret[len("whsec_") :] if secret.startswith("whsec_") else secret, validate=True)
    except ValueError:
        raise WebhookVerificationError("'signing_secret' isn't one: it looks like whsec_….") from None
