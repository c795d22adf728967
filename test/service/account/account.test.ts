// Accounts: when a stored key is valid, and what its caller contains.
import { expect, test } from "vitest";
import { invalidKeyReason, signingSecrets, toCaller, toLinkCaller } from "../../../lib/service/account/account.ts";
import { anAccount, anApiKey } from "../../support/builders.ts";

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
])("API key: a key %s", (_, parts, reason) => {
  expect(invalidKeyReason(toCaller(anAccount(), anApiKey(parts)), NOON)).toBe(reason);
});

test("caller: holds the public facts of account and key, without a secret", () => {
  expect(toCaller(anAccount({ label: "Private" }), anApiKey({ signing_secret: "whsec_x", hash: "ab" }))).toEqual({
    account: { id: 3, plan: "pro", created_at: "2026-01-01T00:00:00.000Z", billed_from: "2026-01-01T00:00:00.000Z" },
    key: {
      id: 7,
      label: "Website",
      key_prefix: "cap_01234567",
      scopes: ["capture", "usage", "keys"],
      require_signature: false,
      expires_at: null,
      revoked_at: null,
    },
  });
});

test.each([
  ["alone when it was never rotated", [], ["whsec_bmV3"]],
  [
    "and the previous one until that has expired",
    [{ secret: "whsec_b2xk", until: at(NOON + 1) }],
    ["whsec_bmV3", "whsec_b2xk"],
  ],
  ["alone from then on", [{ secret: "whsec_b2xk", until: at(NOON) }], ["whsec_bmV3"]],
  [
    "and each of several until that has expired",
    [
      { secret: "whsec_Yg==", until: at(NOON + 2) },
      { secret: "whsec_YQ==", until: at(NOON + 1) },
      { secret: "whsec_b2xk", until: at(NOON) },
    ],
    ["whsec_bmV3", "whsec_Yg==", "whsec_YQ=="],
  ],
])("signing secrets: webhooks of a key are signed with its secret %s", (_, previous_signing_secrets, expected) => {
  expect(signingSecrets({ signing_secret: "whsec_bmV3", previous_signing_secrets }, NOON)).toEqual(expected);
});

test("link caller: holds the caller and the secrets that sign links", () => {
  const key = anApiKey({ previous_signing_secrets: [{ secret: "whsec_b2xk", until: "2026-02-01T00:00:00.000Z" }] });
  expect(toLinkCaller(anAccount(), key)).toEqual({
    caller: toCaller(anAccount(), key),
    secrets: { signing_secret: "whsec_c2VjcmV0", previous_signing_secrets: key.previous_signing_secrets },
  });
});
