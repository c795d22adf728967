// Stored responses with secrets: the API key of the caller decrypts them; access to the table alone does not.
import { expect, test } from "vitest";
import { decryptResponse, encryptResponse } from "../../../lib/service/http/encrypted-response.ts";

const secrets = { apiKey: "cap_one", idempotencyKey: "order-7" };
const text = JSON.stringify({ key: "cap_new", label: "Schlüssel 🔑" });

test("an answer is read again with the same secrets", () => {
  const sealed = encryptResponse(text, secrets);
  expect([decryptResponse(sealed, secrets), sealed === encryptResponse(text, secrets)]).toEqual([text, false]);
  expect(Buffer.from(sealed, "base64").toString("latin1")).not.toContain("cap_new");
});

test.each([
  ["another API key", { ...secrets, apiKey: "cap_two" }],
  ["another idempotency key", { ...secrets, idempotencyKey: "order-8" }],
])("an answer is not read with %s", (_, other) => {
  const sealed = encryptResponse(text, secrets);
  expect(() => decryptResponse(sealed, other)).toThrow();
});

test("an answer that was changed is not read", () => {
  const bytes = Buffer.from(encryptResponse(text, secrets), "base64");
  for (const index of [0, 12, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[index] = (changed[index] ?? 0) ^ 1;
    expect(() => decryptResponse(changed.toString("base64"), secrets)).toThrow();
  }
});
