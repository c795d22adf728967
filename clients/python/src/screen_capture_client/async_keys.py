"""The API keys of the account. Requires a key with the scope ``keys``."""

from __future__ import annotations

from typing import TYPE_CHECKING, List

from ._async_transport import AsyncTransport
from ._call import CallOptions
from .types import IssuedKey, Key, KeyChanges, KeyRotation, NewKey

if TYPE_CHECKING:
    from typing_extensions import Unpack

_PATH = "/api/v1/keys"


class AsyncKeyCollection:
    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport

    async def list(self, **call: Unpack[CallOptions]) -> List[Key]:
        """Lists the keys, oldest first."""
        keys: List[Key] = (await self._transport.json("GET", _PATH, call))["data"]
        return keys

    async def create(self, key: NewKey, **call: Unpack[CallOptions]) -> IssuedKey:
        """Creates a key. Its text and signing secret appear in this answer only."""
        created: IssuedKey = await self._transport.json("POST", _PATH, call, body=key)
        return created

    async def get(self, key_id: int, **call: Unpack[CallOptions]) -> Key:
        """A key without its secrets."""
        key: Key = await self._transport.json("GET", f"{_PATH}/{key_id}", call)
        return key

    async def change(self, key_id: int, changes: KeyChanges, **call: Unpack[CallOptions]) -> Key:
        """Changes a key."""
        changed: Key = await self._transport.json("PATCH", f"{_PATH}/{key_id}", call, body=changes)
        return changed

    async def revoke(self, key_id: int, **call: Unpack[CallOptions]) -> Key:
        """Revokes a key for good."""
        revoked: Key = await self._transport.json("DELETE", f"{_PATH}/{key_id}", call)
        return revoked

    async def rotate(self, key_id: int, rotation: KeyRotation = {}, **call: Unpack[CallOptions]) -> IssuedKey:
        """
        Gives a key a new text and signing secret. The old text works for ``overlap`` seconds more, and so do links that the old
        secret signed; without ``overlap``, both stop at once, unless you give a ``link_grace_period`` for the links.
        """
        rotated: IssuedKey = await self._transport.json("POST", f"{_PATH}/{key_id}/rotate", call, body=rotation or None)
        return rotated

    async def end_previous_texts(self, key_id: int, **call: Unpack[CallOptions]) -> Key:
        """
        Ends the overlap of a rotation now: the old texts of the key stop working, and so do links that its old secrets signed.
        """
        key: Key = await self._transport.json("DELETE", f"{_PATH}/{key_id}/previous", call)
        return key
