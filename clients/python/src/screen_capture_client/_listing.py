"""Iterators over the captures of the account, its asynchronous captures, and its days."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone
from typing import Any, Dict, Iterator, Mapping, Optional, cast

from ._transport import CallOptions, Transport
from .types import CaptureFilter, CaptureLog, StatisticsFilter, UsageStatisticsSeries

_CAPTURES_PER_PAGE = 100
_MAX_SPAN_DAYS = 90  # of a request for statistics


def list_captures(transport: Transport, filters: CaptureFilter, call: CallOptions) -> Iterator[CaptureLog]:
    """Captures, newest first, page by page. Captures that are made meanwhile move later pages, but none is listed twice."""
    oldest_id: Optional[int] = None  # ids increase with time
    number = filters.get("page", 1)
    while True:
        query = {"per_page": _CAPTURES_PER_PAGE, **filters, "page": number}
        page = transport.json("GET", "/api/v1/usage", call, query=query)
        for log in page["data"]:
            if oldest_id is None or log["id"] < oldest_id:
                oldest_id = log["id"]
                yield log
        if number >= page["last_page"]:
            return
        number += 1


def list_older(transport: Transport, path: str, filters: Mapping[str, Any], call: CallOptions) -> Iterator[Any]:
    """The items of a list whose parts continue at ``next_before``. A part can be empty although more follow."""
    before = filters.get("before")
    while True:
        query = {"limit": _CAPTURES_PER_PAGE, **filters, "before": before}
        part = transport.json("GET", path, call, query=query)
        yield from part["data"]
        before = part["next_before"]
        if before is None:
            return


def list_days(
    transport: Transport, filters: StatisticsFilter, call: CallOptions
) -> Iterator[UsageStatisticsSeries]:
    """Days, newest first. A range can be longer than the 90 days that one request covers."""
    others = cast(Dict[str, Any], dict(filters))
    start, end, days = others.pop("from", None), others.pop("to", None), others.pop("days", 7)
    last = date.fromisoformat(end) if end else datetime.now(timezone.utc).date()
    first = date.fromisoformat(start) if start else last - timedelta(days=days - 1)
    while last >= first:
        since = max(first, last - timedelta(days=_MAX_SPAN_DAYS - 1))
        query = {**others, "from": since.isoformat(), "to": last.isoformat()}
        yield from transport.json("GET", "/api/v1/usage/stats", call, query=query)["series"]
        last = since - timedelta(days=1)
