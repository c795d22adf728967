"""The client of the Screen Capture API, for asyncio."""

from __future__ import annotations

import os
import time
import urllib.parse
import uuid
from typing import IO, TYPE_CHECKING, AsyncIterator, List, Mapping, Optional, Tuple, Union

from ._async_http import HttpClient, sleep
from ._async_listing import list_captures, list_days, list_older
from ._async_transport import AsyncTransport
from ._call import CallOptions, capture_arguments
from ._deadline import Deadline
from ._error_from import error_from_body
from ._retry_delay import poll_delay, retry_delay
from ._signed_link import sign_link
from .capture import Capture, CaptureInfo
from .error_classes import RateLimitedError
from .errors import ScreenCaptureError
from .async_keys import AsyncKeyCollection
from .async_receivers import AsyncReceiverCollection
from .types import (
    Account,
    AccountSettings,
    AsyncCaptureFilter,
    BreakdownFilter,
    Bulk,
    BulkCapture,
    CaptureAccepted,
    CaptureDetails,
    CaptureFilter,
    CaptureKeywords,
    CaptureLog,
    CaptureOptions,
    CaptureReport,
    CaptureResult,
    CaptureState,
    CaptureValidation,
    DataExport,
    ExportFilter,
    ExportRequest,
    Invoice,
    OutputsKeywords,
    OutputsOptions,
    OutputsResult,
    RefusedCapture,
    SearchFilter,
    StatisticsFilter,
    UsageBreakdown,
    UsageStatistics,
    UsageStatisticsSeries,
    WebhookEvent,
    WebhookRedelivery,
    WebhookTest,
    WebhookTestRequest,
)
from .webhook import verify_webhook

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

_CAPTURES = "/api/v1/screenshot"
_INVOICES = "/api/v1/account/invoices"
_EXPORTS = "/api/v1/usage/exports"
_DAY_S = 24 * 60 * 60
_MAX_LINK_LIFETIME_S = 366 * _DAY_S
_DEFAULT_LINK_LIFETIME_S = 30 * _DAY_S
_BULK_TIMEOUT_S = 300.0  # the service answers a bulk request after at most 240 seconds
_DEFAULT_WAIT_S = 600.0
_DEFAULT_EXPORT_WAIT_S = 3_600.0
_MAX_EXPORT_DELAY_S = 15.0


class AsyncScreenCapture:
    """
    The client for asyncio, which needs httpx: ``pip install httpx``. Use it with ``async with``, or call ``aclose`` at the end, in one
    event loop.
    """

    def __init__(
        self,
        *,
        key: Optional[str] = None,
        base_url: Optional[str] = None,
        key_id: Optional[int] = None,
        signing_secret: Optional[str] = None,
        http_client: Optional[HttpClient] = None,
    ) -> None:
        """
        ``key`` is an API key, ``cap_…``, or one for tests, ``cap_test_…``; links and webhooks don't need it. ``base_url`` is the
        address of the service, such as ``https://api.example.com``. Without them, the client takes ``SCREEN_CAPTURE_KEY`` and
        ``SCREEN_CAPTURE_URL`` from the environment. ``key_id`` and ``signing_secret``, ``whsec_…``, are those of the API key that
        signs links and webhooks. ``http_client`` sends the requests, for example with certificates of your own: an ``httpx.AsyncClient``.
        """
        self._transport = AsyncTransport(
            os.environ.get("SCREEN_CAPTURE_KEY") if key is None else key,
            os.environ.get("SCREEN_CAPTURE_URL") if base_url is None else base_url,
            http_client,
        )
        self.base_url = self._transport.base_url
        """URL of the service, without a slash at the end."""
        self.keys = AsyncKeyCollection(self._transport)
        """The API keys of the account."""
        self.receivers = AsyncReceiverCollection(self._transport)
        """The saved receivers of webhooks."""
        self._key_id = key_id
        self._signing_secret = signing_secret

    async def __aenter__(self: Self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connections of the client."""
        await self._transport.aclose()

    async def capture(
        self, options: Union[str, CaptureOptions, None] = None, **keywords: Unpack[CaptureKeywords]
    ) -> Capture:
        """
        Captures a page and returns the bytes of the result. Pass the address alone, a dictionary of options, or options as keywords. As a
        keyword, ``timeout`` is the time limit of the call; the option ``timeout`` of the capture is for a dictionary.
        """
        body, call = capture_arguments(options, keywords)
        received = await self._transport.send("POST", _CAPTURES, call, body=body, is_capture=True)
        return Capture(received.headers, received.content)

    async def capture_to_file(
        self,
        options: Union[str, CaptureOptions, None] = None,
        path: Union[str, os.PathLike[str], None] = None,
        **keywords: Unpack[CaptureKeywords],
    ) -> CaptureInfo:
        """
        Captures a page into a file, piece by piece, so that a large result needs no memory. The file is complete or, after an error,
        as it was before.
        """
        if path is None:
            raise ScreenCaptureError("'path' is missing: pass the file to write.")
        body, call = capture_arguments(options, keywords)
        target = os.fspath(path)
        part = f"{target}.{uuid.uuid4().hex}.part"

        def open_file() -> IO[bytes]:
            return open(part, "wb")

        try:
            received = await self._transport.send(
                "POST", _CAPTURES, call, body=body, open_file=open_file, is_capture=True
            )
            os.replace(part, target)
        finally:
            if os.path.exists(part):
                os.remove(part)
        return CaptureInfo(received.headers)

    async def store(
        self, options: Union[str, CaptureOptions, None] = None, **keywords: Unpack[CaptureKeywords]
    ) -> CaptureResult:
        """Captures a page and stores the result, which has a link and the metadata that you request."""
        body, call = capture_arguments(options, keywords)
        stored: CaptureResult = await self._transport.json(
            "POST", _CAPTURES, call, body={**body, "response_type": "json"}, is_capture=True
        )
        return stored

    async def store_outputs(
        self, options: Union[str, OutputsOptions, None] = None, **keywords: Unpack[OutputsKeywords]
    ) -> OutputsResult:
        """
        Captures several results of a page and stores each one, which has a link. Raises if all of them fail; one that fails alone has
        an ``error`` in its place.
        """
        body, call = capture_arguments(options, keywords)
        stored: OutputsResult = await self._transport.json("POST", _CAPTURES, call, body=body, is_capture=True)
        return stored

    async def validate(
        self, options: Union[str, CaptureOptions, None] = None, **keywords: Unpack[CaptureKeywords]
    ) -> CaptureValidation:
        """Checks a request without a capture: returns all options that apply, or raises the error that the capture would get."""
        body, call = capture_arguments(options, keywords)
        checked: CaptureValidation = await self._transport.json(
            "POST", _CAPTURES, call, body={**body, "validate": True}
        )
        return checked

    async def enqueue(
        self, options: Union[str, CaptureOptions, None] = None, **keywords: Unpack[CaptureKeywords]
    ) -> CaptureAccepted:
        """Queues an asynchronous capture. ``wait`` returns its result."""
        body, call = capture_arguments(options, keywords)
        accepted: CaptureAccepted = await self._transport.json("POST", _CAPTURES, call, body={**body, "async": True})
        return accepted

    async def get(self, request_id: int, **call: Unpack[CallOptions]) -> CaptureState:
        """The status of an asynchronous capture."""
        state: CaptureState = await self._transport.json("GET", f"{_CAPTURES}/{request_id}", call)
        return state

    async def wait(
        self, capture: Union[int, CaptureAccepted, CaptureState, BulkCapture], **call: Unpack[CallOptions]
    ) -> CaptureState:
        """
        Waits for an asynchronous capture, at most 10 minutes unless ``timeout`` says otherwise. Raises the error of a capture that
        failed.
        """
        state = await self._wait_for_end(capture if isinstance(capture, int) else capture["request_id"], call)
        if "error" in state:
            raise error_from_body(state["error"])
        return state

    async def cancel(
        self, capture: Union[int, CaptureAccepted, CaptureState, BulkCapture], **call: Unpack[CallOptions]
    ) -> CaptureState:
        """
        Cancels an asynchronous capture, and waits until it has ended, which takes at most two seconds. Returns its status: ``failed``
        with the code ``CANCELLED``, or ``success`` if it had ended before. A success is billed, and its result is deleted.
        """
        request_id = capture if isinstance(capture, int) else capture["request_id"]
        await self.delete_result(request_id, **call)
        return await self._wait_for_end(request_id, call)

    async def _wait_for_end(self, request_id: int, call: CallOptions) -> CaptureState:
        deadline = Deadline(f"Capture {request_id}", call.get("timeout", _DEFAULT_WAIT_S))
        attempt = 0
        while True:
            state, delay = await self._poll(request_id, attempt, {**call, "timeout": deadline.remaining()})
            if state is not None and state["status"] in ("success", "failed"):
                return state
            await sleep(min(delay, deadline.remaining()))
            attempt += 1

    async def _poll(self, request_id: int, attempt: int, call: CallOptions) -> Tuple[Optional[CaptureState], float]:
        """The status, unless the rate limit refuses the request, and seconds to wait before the next one."""
        try:
            received = await self._transport.send("GET", f"{_CAPTURES}/{request_id}", call)
        except RateLimitedError as error:
            return None, retry_delay(error, attempt)
        return received.json(), poll_delay(received.headers, attempt)

    def jobs(self, filters: AsyncCaptureFilter = {}, **call: Unpack[CallOptions]) -> AsyncIterator[CaptureState]:
        """The asynchronous captures of the last 30 days, newest first."""
        return list_older(self._transport, "/api/v1/jobs", filters, call)

    async def delete_result(self, request_id: int, **call: Unpack[CallOptions]) -> None:
        """Deletes the result of an asynchronous capture, or cancels one that hasn't ended; ``cancel`` also waits for its end."""
        await self._transport.send("DELETE", f"{_CAPTURES}/{request_id}", call)

    async def redeliver_webhook(self, request_id: int, **call: Unpack[CallOptions]) -> WebhookRedelivery:
        """Sends the webhook of an asynchronous capture again."""
        path = f"{_CAPTURES}/{request_id}/webhook/redeliver"
        redelivery: WebhookRedelivery = await self._transport.json("POST", path, call)
        return redelivery

    async def test_webhook(self, request: WebhookTestRequest, **call: Unpack[CallOptions]) -> WebhookTest:
        """Sends a test event to the receiver of your webhooks, signed with the secret of the key, and returns what it answered."""
        test: WebhookTest = await self._transport.json("POST", "/api/v1/webhooks/test", call, body=request)
        return test

    async def bulk(self, requests: Bulk, **call: Unpack[CallOptions]) -> List[Union[BulkCapture, RefusedCapture]]:
        """
        Makes up to 20 captures, and waits for them unless ``execute`` is false. While too many other bulk requests wait, the captures
        are returned as they are: ``wait`` for those whose ``status`` is ``queued`` or ``processing``.
        """
        options: CallOptions = {"timeout": _BULK_TIMEOUT_S, **call}
        captures: List[Union[BulkCapture, RefusedCapture]] = (await self._transport.json(
            "POST", "/api/v1/bulk", options, body=requests
        ))["data"]
        return captures

    def link(
        self,
        options: Union[str, CaptureOptions, None] = None,
        *,
        expires_in: float = _DEFAULT_LINK_LIFETIME_S,
        **keywords: Unpack[CaptureOptions],
    ) -> str:
        """
        A link that shows a capture to everyone who opens it, such as the ``src`` of an ``<img>``. It is made without a request, and
        needs ``key_id`` and ``signing_secret``. ``expires_in`` is its lifetime in seconds: 30 days, at most 366.
        """
        if self._key_id is None or self._signing_secret is None:
            raise _missing("'key_id' and 'signing_secret'")
        if not 0 < expires_in <= _MAX_LINK_LIFETIME_S:
            raise ScreenCaptureError("'expires_in' must be more than 0 and at most 366 days, in seconds.")
        given = {**({"url": options} if isinstance(options, str) else options or {}), **keywords}
        expires = int(time.time() + expires_in)
        return sign_link(
            self.base_url, given, key_id=self._key_id, signing_secret=self._signing_secret, expires=expires
        )

    def verify_webhook(self, headers: Mapping[str, str], body: Union[bytes, str]) -> WebhookEvent:
        """The event of a webhook, verified with ``signing_secret``. ``body`` is the raw body of the request."""
        if self._signing_secret is None:
            raise _missing("'signing_secret'")
        return verify_webhook(headers, body, signing_secret=self._signing_secret)

    def captures(self, filters: CaptureFilter = {}, **call: Unpack[CallOptions]) -> AsyncIterator[CaptureLog]:
        """The captures of the account, newest first."""
        return list_captures(self._transport, filters, call)

    def search(self, filters: SearchFilter = {}, **call: Unpack[CallOptions]) -> AsyncIterator[CaptureLog]:
        """The captures of the account that match, newest first, also by format, cache, and address."""
        return list_older(self._transport, "/api/v1/usage/search", filters, call)

    async def details(self, request_id: int, **call: Unpack[CallOptions]) -> CaptureDetails:
        """A capture of the account with its times by phase, its warnings, and the link to its result."""
        details: CaptureDetails = await self._transport.json("GET", f"/api/v1/usage/{request_id}", call)
        return details

    async def thumbnail(self, request_id: int, **call: Unpack[CallOptions]) -> bytes:
        """The thumbnail of a capture, as WebP. Raises ``NotFoundError`` for a capture without one."""
        return (await self._transport.send("GET", f"/api/v1/usage/{request_id}/thumbnail", call)).content

    async def delete_capture(self, request_id: int, **call: Unpack[CallOptions]) -> None:
        """Deletes the result, the report, and the thumbnail of a capture, which stays in the list."""
        await self._transport.send("DELETE", f"/api/v1/usage/{request_id}", call)

    async def report(self, request_id: int, **call: Unpack[CallOptions]) -> CaptureReport:
        """How a capture with ``metadata_report`` came about."""
        report: CaptureReport = await self._transport.json("GET", f"{_CAPTURES}/{request_id}/report", call)
        return report

    async def export_captures(self, filters: ExportFilter = {}, **call: Unpack[CallOptions]) -> str:
        """The captures of the account that match, as CSV, or as NDJSON with ``"output": "ndjson"``."""
        return (await self._transport.send("GET", "/api/v1/usage/export", call, query=filters)).content.decode()

    async def start_export(self, filters: ExportRequest = {}, **call: Unpack[CallOptions]) -> DataExport:
        """
        Starts an export of any number of captures that match, as CSV, or as NDJSON with ``"output": "ndjson"``. ``wait_for_export``
        returns the link to its file.
        """
        export: DataExport = await self._transport.json("POST", _EXPORTS, call, body=filters)
        return export

    async def get_export(self, export_id: int, **call: Unpack[CallOptions]) -> DataExport:
        """The state of an export, with a new link to its file."""
        export: DataExport = await self._transport.json("GET", f"{_EXPORTS}/{export_id}", call)
        return export

    async def wait_for_export(self, export: DataExport, **call: Unpack[CallOptions]) -> DataExport:
        """
        Waits until an export has ended, at most an hour unless ``timeout`` says otherwise. Download ``download_url``, a gzip file,
        within an hour. Raises if the export failed: start another one then.
        """
        export_id = export["id"]
        deadline = Deadline(f"Export {export_id}", call.get("timeout", _DEFAULT_EXPORT_WAIT_S))
        delay = 0.5
        while True:
            rest: CallOptions = {**call, "timeout": deadline.remaining()}
            state = await self.get_export(export_id, **rest)
            if state["status"] == "failed":
                raise ScreenCaptureError(f"Export {export_id} failed. Start another one.")
            if state["status"] == "ready":
                return state
            await sleep(min(delay, deadline.remaining()))
            delay = min(2 * delay, _MAX_EXPORT_DELAY_S)

    def usage(self, filters: StatisticsFilter = {}, **call: Unpack[CallOptions]) -> AsyncIterator[UsageStatisticsSeries]:
        """The days of the account with their captures, newest first; the last 7 unless the filter says otherwise."""
        return list_days(self._transport, filters, call)

    async def statistics(self, filters: StatisticsFilter = {}, **call: Unpack[CallOptions]) -> UsageStatistics:
        """Statistics of up to 90 days, with totals."""
        statistics: UsageStatistics = await self._transport.json("GET", "/api/v1/usage/stats", call, query=filters)
        return statistics

    async def breakdown(self, filters: BreakdownFilter = {}, **call: Unpack[CallOptions]) -> UsageBreakdown:
        """The newest 2,000 captures of up to 90 days by format, host, and API key, with percentiles."""
        breakdown: UsageBreakdown = await self._transport.json("GET", "/api/v1/usage/breakdown", call, query=filters)
        return breakdown

    async def account(self, **call: Unpack[CallOptions]) -> Account:
        """Plan, billing period, quotas, and cost."""
        account: Account = await self._transport.json("GET", "/api/v1/account", call)
        return account

    async def settings(self, **call: Unpack[CallOptions]) -> AccountSettings:
        """Name, e-mail address, and plan."""
        settings: AccountSettings = await self._transport.json("GET", "/api/v1/account/settings", call)
        return settings

    async def invoices(self, **call: Unpack[CallOptions]) -> List[Invoice]:
        """The invoices of all billing periods, newest first."""
        invoices: List[Invoice] = (await self._transport.json("GET", _INVOICES, call))["data"]
        return invoices

    async def invoice_pdf(self, invoice: Invoice, **call: Unpack[CallOptions]) -> bytes:
        """An invoice as a PDF."""
        start = urllib.parse.quote(invoice["period"]["start"], safe="")
        return (await self._transport.send("GET", f"{_INVOICES}/{start}/pdf", call)).content


def _missing(settings: str) -> ScreenCaptureError:
    return ScreenCaptureError(f"Pass {settings} of an API key to the client.")
