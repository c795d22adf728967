"""The saved receivers of webhooks. A key needs the scopes ``keys`` and ``capture``; for their deliveries, ``usage``."""

from __future__ import annotations

from typing import TYPE_CHECKING, AsyncIterator, List
from urllib.parse import quote

from ._async_listing import list_older
from ._async_transport import AsyncTransport
from ._call import CallOptions
from .types import (
    IssuedWebhookReceiver,
    NewWebhookReceiver,
    WebhookDelivery,
    WebhookDeliveryFilter,
    WebhookReceiver,
    WebhookReceiverChanges,
    WebhookReplay,
    WebhookReplayRequest,
    WebhookSecretRotation,
    WebhookTest,
)

if TYPE_CHECKING:
    from typing_extensions import Unpack

_PATH = "/api/v1/webhooks/receivers"


class AsyncReceiverCollection:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(self, **call: Unpack[CallOptions]) -> List[WebhookReceiver]:
        """Lists the receivers with their health: saved ones, oldest first, and automatic ones that fail or are paused."""
        receivers: List[WebhookReceiver] = (await self._transport.json("GET", _PATH, call))["data"]
        return receivers

    async def create(self, receiver: NewWebhookReceiver, **call: Unpack[CallOptions]) -> IssuedWebhookReceiver:
        """Saves a receiver. Send its ``id`` as ``webhook_receiver``, and verify its webhooks with its ``signing_secret``."""
        created: IssuedWebhookReceiver = await self._transport.json("POST", _PATH, call, body=receiver)
        return created

    async def get(self, receiver_id: str, **call: Unpack[CallOptions]) -> WebhookReceiver:
        """A receiver without its secret."""
        receiver: WebhookReceiver = await self._transport.json("GET", _path_of(receiver_id), call)
        return receiver

    async def change(
        self, receiver_id: str, changes: WebhookReceiverChanges, **call: Unpack[CallOptions]
    ) -> WebhookReceiver:
        """Changes the name or the URL."""
        changed: WebhookReceiver = await self._transport.json("PATCH", _path_of(receiver_id), call, body=changes)
        return changed

    async def delete(self, receiver_id: str, **call: Unpack[CallOptions]) -> None:
        """Deletes a receiver: captures that name it are refused."""
        await self._transport.send("DELETE", _path_of(receiver_id), call)

    async def secret(self, receiver_id: str, **call: Unpack[CallOptions]) -> str:
        """The secret that signs its webhooks."""
        secret: str = (await self._transport.json("GET", f"{_path_of(receiver_id)}/secret", call))["signing_secret"]
        return secret

    async def rotate_secret(
        self, receiver_id: str, rotation: WebhookSecretRotation = {}, **call: Unpack[CallOptions]
    ) -> IssuedWebhookReceiver:
        """Gives a receiver a new secret. For ``overlap`` seconds, a day unless you say otherwise, both secrets sign."""
        path = f"{_path_of(receiver_id)}/rotate"
        rotated: IssuedWebhookReceiver = await self._transport.json("POST", path, call, body=rotation or None)
        return rotated

    async def pause(self, receiver_id: str, **call: Unpack[CallOptions]) -> WebhookReceiver:
        """Pauses a receiver: its webhooks are kept for 7 days each."""
        paused: WebhookReceiver = await self._transport.json("POST", f"{_path_of(receiver_id)}/pause", call)
        return paused

    async def resume(self, receiver_id: str, **call: Unpack[CallOptions]) -> WebhookReceiver:
        """Resumes a receiver: what was kept is sent, oldest first."""
        resumed: WebhookReceiver = await self._transport.json("POST", f"{_path_of(receiver_id)}/resume", call)
        return resumed

    def deliveries(
        self, receiver_id: str, filters: WebhookDeliveryFilter = {}, **call: Unpack[CallOptions]
    ) -> AsyncIterator[WebhookDelivery]:
        """The deliveries of the last 30 days, newest first."""
        return list_older(self._transport, f"{_path_of(receiver_id)}/deliveries", filters, call)

    async def test(self, receiver_id: str, **call: Unpack[CallOptions]) -> WebhookTest:
        """Sends a test event, and returns what the receiver answered."""
        answer: WebhookTest = await self._transport.json("POST", f"{_path_of(receiver_id)}/test", call)
        return answer

    async def replay(self, receiver_id: str, time: WebhookReplayRequest, **call: Unpack[CallOptions]) -> WebhookReplay:
        """Sends the webhooks of a time again, such as those of an outage."""
        replay: WebhookReplay = await self._transport.json("POST", f"{_path_of(receiver_id)}/replay", call, body=time)
        return replay


def _path_of(receiver_id: str) -> str:
    return f"{_PATH}/{quote(receiver_id, safe='')}"
