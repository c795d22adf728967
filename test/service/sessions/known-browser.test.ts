// The cookie of a browser that has signed in to an address before.
import { expect, test } from "vitest";
import {
  KNOWN_BROWSER_LIFETIME_MS,
  knownBrowserId,
  rememberAddress,
} from "../../../lib/service/sessions/known-browser.ts";

const facts = { secret: "a secret of the service", email: "ann@customer.example", now: 1_800_000_000_000 };

test("known browser: is known for an address that it has signed in to, regardless of its case, for a year", () => {
  const value = rememberAddress(undefined, facts);
  const id = knownBrowserId(value, facts);
  expect(id).toMatch(/^[\w-]{22}$/);
  expect(knownBrowserId(value, { ...facts, email: "Ann@Customer.example" })).toBe(id);
  expect(knownBrowserId(value, { ...facts, now: facts.now + KNOWN_BROWSER_LIFETIME_MS })).toBeUndefined();
});

test("known browser: is not known for another address, by another service, or with a changed cookie", () => {
  const value = rememberAddress(undefined, facts);
  expect(knownBrowserId(value, { ...facts, email: "bob@customer.example" })).toBeUndefined();
  expect(knownBrowserId(value, { ...facts, secret: "another" })).toBeUndefined();
  const [id, expiresAt, signature] = value.split(".");
  expect(knownBrowserId(`${id}.${Number(expiresAt) + 1}.${signature}`, facts)).toBeUndefined();
  for (const wrong of [undefined, "", "~", "..", value.slice(1), `${value}x`]) {
    expect(knownBrowserId(wrong, facts)).toBeUndefined();
  }
});

test("known browser: is known for the five addresses that it signed in to last", () => {
  const emails = Array.from({ length: 6 }, (_, index) => `ann${index}@customer.example`);
  let value: string | undefined;
  for (const email of [...emails, "ann5@customer.example"]) value = rememberAddress(value, { ...facts, email });
  const known = emails.filter((email) => knownBrowserId(value, { ...facts, email }) !== undefined);
  expect(known).toEqual(emails.slice(1));
});
