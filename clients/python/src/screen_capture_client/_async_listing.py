"""Iterators over the captures of the account, its asynchronous captures, and its days."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone
from typing import Any, Dict, AsyncIterator, Mapping, Optional, cast

from ._async_transport import AsyncTransport
from ._call import CallOptions
from .types import CaptureFilter, CaptureLog, StatisticsFilter, UsageStatisticsSeries

_CAPTURES_PER_PAGE = 100
_MAX_SPAN_DAYS = 90  # of a request for statistics


async def list_captures(transport: AsyncTransport, filters: CaptureFilter, call: CallOptions) -> AsyncIterator[CaptureLog]:
    """Captures, newest first, page by page. Captures that are made meanwhile move later pages, but none is listed twice."""
    oldest_id: Optional[int] = None  # ids increase with time
    number = filters.get("page", 1)
    while True:
        query = {"per_page": _CAPTURES_PER_PAGE, **filters, "page": number}
        page = await transport.json("GET", "/api/v1/usage", call, query=query)
        for log in page["data"]:
            if oldest_id is None or log["id"] < oldest_id:
                oldest_id = log["id"]
                yield log
        if number >= page["last_page"]:
            return
        number += 1


async def list_older(transport: AsyncTransport, path: str, filters: Mapping[str, Any], call: CallOptions) -> AsyncIterator[Any]:
    """The items of a list whose parts continue at ``next_before``. A part can be empty although more follow."""
    before = filters.get("before")
    while True:
        query = {"limit": _CAPTURES_PER_PAGE, **filters, "before": before}
        part = await transport.json("GET", path, call, query=query)
        for item in part["data"]:
            yield item
        before = part["next_before"]
        if before is None:
            return


async def list_days(
    transport: AsyncTransport, filters: StatisticsFilter, call: CallOptions
) -> AsyncIterator[UsageStatisticsSeries]:
    """Days, newest first. A range can be longer than the 90 days that one request covers."""
    others = cast(Dict[str, Any], dict(filters))
    start, end, days = others.pop("from", None), others.pop("to", None), others.pop("days", 7)
    last = date.fromisoformat(end) if end else datetime.now(timezone.utc).date()
    first = date.fromisoformat(start) if start else last - timedelta(days=days - 1)
    while last >= first:
        since = max(first, last - timedelta(days=_MAX_SPAN_DAYS - 1))
        query = {**others, "from": since.isoformat(), "to": last.isoformat()}
        for day in (await transport.json("GET", "/api/v1/usage/stats", call, query=query))["series"]:
            yield day
        last = since - timedelta(days=1)
