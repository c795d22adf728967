// Secrets at rest: encrypted with a data key, bound to their owner, and plain text from before is still read.
import { createSecretKey, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import {
  decryptSecret,
  encryptSecret,
  isEncrypted,
  type SecretOwner,
} from "../../../lib/service/secrets/encrypted-secret.ts";

const key = createSecretKey(randomBytes(32));
const owner: SecretOwner = ["account", 7];
const secret = "whsec_c2VjcmV0";

test("secrets at rest: a secret is decrypted for its owner, and stored as another text each time", () => {
  const stored = [encryptSecret(secret, key, owner), encryptSecret(secret, key, owner)];
  expect(stored.map((each) => decryptSecret(each, key, owner))).toEqual([secret, secret]);
  expect(new Set(stored).size).toBe(2);
  expect(stored.map(isEncrypted)).toEqual([true, true]);
  expect(isEncrypted(secret)).toBe(false);
});

test.each<[string, SecretOwner]>([
  ["another account", ["account", 70]],
  ["a receiver", ["receiver", 7, "rcv_1"]],
  ["the links to results", ["result-links"]],
])("secrets at rest: a secret that was copied to %s is not decrypted", (_, other) => {
  expect(() => decryptSecret(encryptSecret(secret, key, owner), key, other)).toThrow();
});

test("secrets at rest: a secret that was changed or encrypted with another data key is not decrypted", () => {
  const stored = encryptSecret(secret, key, owner);
  const last = stored.at(-2) === "A" ? "B" : "A";
  expect(() => decryptSecret(`${stored.slice(0, -2)}${last}${stored.slice(-1)}`, key, owner)).toThrow();
  expect(() => decryptSecret(stored, createSecretKey(randomBytes(32)), owner)).toThrow();
  expect(() => decryptSecret("encrypted:v1:", key, owner)).toThrow();
});
