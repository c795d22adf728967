// When a stored key opens the door, and what its owner sees of it.
import { expect, test } from "vitest";
import { publicApiKey, refusal } from "../../lib/accounts/account.ts";
import { anApiKey } from "../support/builders.ts";

const NOON = Date.UTC(2026, 0, 31, 12);
const at = (time: number) => new Date(time).toISOString();

test.each([
  ["that is neither revoked nor expires is accepted", {}, undefined],
  ["that expires in a millisecond is accepted", { expires_at: at(NOON + 1) }, undefined],
  ["that expires now is refused", { expires_at: at(NOON) }, "expired"],
  ["that has expired is refused", { expires_at: at(NOON - 1) }, "expired"],
  ["that was revoked is refused", { revoked_at: at(NOON - 1) }, "revoked"],
  ["that was revoked by a clock ahead of ours is refused", { revoked_at: at(NOON + 60_000) }, "revoked"],
  ["that was revoked and has expired is refused", { revoked_at: at(NOON), expires_at: at(NOON) }, "revoked"],
])("a key %s", (_, parts, reason) => {
  expect(refusal(anApiKey(parts), NOON)).toBe(reason);
});

test("the owner of a key sees neither its secret nor the account's number", () => {
  expect(publicApiKey(anApiKey())).toEqual({
    id: 7,
    label: "Website",
    key_prefix: "cap_01234567",
    scopes: ["capture", "usage", "keys"],
    created_at: "2026-01-01T00:00:00.000Z",
    expires_at: null,
    revoked_at: null,
  });
});
