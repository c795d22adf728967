// Webhook signatures, verified with the receivers' library.
import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import { signatureHeaders } from "../../../lib/service/webhooks/signature.ts";

const secret = `whsec_${Buffer.from("the secret of this key, 32 bytes").toString("base64")}`;
const other = `whsec_${Buffer.from("of another key, or of the same k").toString("base64")}`;
const now = Math.floor(Date.now() / 1000);
const message = { id: "capture_3_7_1", timestamp: now, body: `{"type":"capture.succeeded","data":"ü"}` };

/** Verifies, with the secret `known`, a message that was signed with `secrets`. */
function verified(secrets: readonly string[], known: string, changes: Partial<typeof message> = {}) {
  const { id, timestamp, body } = { ...message, ...changes };
  const headers = { "webhook-id": id, "webhook-timestamp": String(timestamp), ...signatureHeaders(message, secrets) };
  return new Webhook(known).verify(body, headers);
}

test("webhook signature: a receiver verifies a message", () => {
  expect(verified([secret], secret)).toEqual(JSON.parse(message.body));
});

test.each([
  ["body", { body: `{"type":"capture.failed","data":"ü"}` }],
  ["id", { id: "capture_3_7_2" }],
  ["time", { timestamp: now - 1 }],
])("webhook signature: a message with a changed %s is rejected", (_, changes) => {
  expect(() => verified([secret], secret, changes)).toThrow("No matching signature found");
});

test("webhook signature: a message signed with another secret is rejected", () => {
  expect(() => verified([other], secret)).toThrow("No matching signature found");
});

describe("webhook signature: a message signed with two secrets", () => {
  test.each([secret, other])("is accepted with either secret (%s)", (known) => {
    expect(verified([secret, other], known)).toEqual(JSON.parse(message.body));
  });

  test("has only the current secret's signature in X-Webhook-Signature", () => {
    const hex = createHmac("sha256", secret).update(message.body).digest("hex");
    expect(signatureHeaders(message, [secret, other])["X-Webhook-Signature"]).toBe(hex);
  });
});

test("webhook signature: known signatures stay the same", () => {
  const fixed = { id: "capture_3_7_1", timestamp: 1_800_000_000, body: "{}" };
  expect(signatureHeaders(fixed, ["whsec_c2VjcmV0"])).toMatchInlineSnapshot(`
    {
      "X-Webhook-Signature": "f2a9d48be51b03e17422a1499a4cdb7f8400afd0aa4cf50f34b9852d223553bb",
      "webhook-signature": "v1,TAHE55YmsHahVWzXjL0IKY9jMLNBxAR+7H5PD66dayg=",
    }
  `);
});

test("webhook signature: there is none without a secret", () => {
  expect(signatureHeaders(message, [])).toEqual({});
});
