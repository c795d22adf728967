// The cookie of a browser that has signed in to an e-mail address or an account before.
import { expect, test } from "vitest";
import {
  accountSubject,
  KNOWN_BROWSER_LIFETIME_MS,
  knownBrowser,
  rememberSubjects,
} from "../../../lib/service/sessions/known-browser.ts";

const now = 1_800_000_000_000;
const secret = "a secret of the service";
const facts = { secrets: [secret], subject: "ann@customer.example", now };
const remember = (value: string | undefined, ...subjects: string[]) =>
  rememberSubjects(value, { secret, secrets: [secret], subjects, now });

test("known browser: is known for an address that it has signed in to, regardless of its case, for a year", () => {
  const value = remember(undefined, facts.subject);
  const known = knownBrowser(value, facts);
  expect(known).toEqual({ id: expect.stringMatching(/^[\w-]{22}$/), since: now });
  expect(knownBrowser(value, { ...facts, subject: "Ann@Customer.example" })).toEqual(known);
  expect(knownBrowser(value, { ...facts, now: now + KNOWN_BROWSER_LIFETIME_MS })).toBeUndefined();
});

test("known browser: is not known for another address, by another service, or with a changed cookie", () => {
  const value = remember(undefined, facts.subject);
  expect(knownBrowser(value, { ...facts, subject: "bob@customer.example" })).toBeUndefined();
  expect(knownBrowser(value, { ...facts, secrets: ["another"] })).toBeUndefined();
  const [id, expiresAt, signature] = value.split(".");
  expect(knownBrowser(`${id}.${Number(expiresAt) + 1}.${signature}`, facts)).toBeUndefined();
  for (const wrong of [undefined, "", "~", "..", value.slice(1), `${value}x`]) {
    expect(knownBrowser(wrong, facts)).toBeUndefined();
  }
});

test("known browser: an account is apart from every address and every other account", () => {
  const value = remember(undefined, accountSubject(7));
  expect(knownBrowser(value, { ...facts, subject: accountSubject(7) })).toBeDefined();
  expect(knownBrowser(value, facts)).toBeUndefined();
  expect(knownBrowser(value, { ...facts, subject: accountSubject(70) })).toBeUndefined();
});

test("known browser: is known for the ten addresses and accounts that it signed in to last", () => {
  const subjects = Array.from({ length: 11 }, (_, index) => `ann${index}@customer.example`);
  let value: string | undefined;
  for (const subject of [...subjects, "ann10@customer.example"]) value = remember(value, subject);
  const known = subjects.filter((subject) => knownBrowser(value, { ...facts, subject }) !== undefined);
  expect(known).toEqual(subjects.slice(1));
});
