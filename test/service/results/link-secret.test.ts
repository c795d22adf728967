// The link secrets: created with the first account, and rotated with an overlap in which links of the old secret verify.
import { GetCommand, PutCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { openAccount } from "../../../lib/service/account/open-account.ts";
import { dynamodb } from "../../../lib/service/aws/clients/dynamodb.ts";
import { linkSecretKey } from "../../../lib/service/aws/table-keys.ts";
import {
  createLinkSecret,
  DEFAULT_LINK_OVERLAP_S,
  linkSecret,
  rotateLinkSecret,
  SIGNS_AFTER_MS,
  verifyingLinkSecrets,
} from "../../../lib/service/results/link-secret.ts";
import { makeTable, type RunningTables, startTables } from "../../support/tables.ts";

let running: RunningTables;
let table: string;
let tables = 0;
const NOW = Date.parse("2026-03-01T12:00:00Z");
beforeAll(async () => {
  running = await startTables();
});
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  table = `Accounts-${++tables}`;
  await makeTable(table);
});
afterEach(() => vi.useRealTimers());
afterAll(() => running.close());

const open = (label: string) => openAccount(table, { plan: "pro", label, now: NOW });
const after = (ms: number) => vi.setSystemTime(NOW + ms);
const storedItem = async () =>
  (await dynamodb().send(new GetCommand({ TableName: table, Key: linkSecretKey }))).Item ?? {};
const rotate = (overlapSeconds = DEFAULT_LINK_OVERLAP_S) =>
  rotateLinkSecret(table, { now: Date.now(), overlapSeconds });

test("link secret: does not exist before the first account, so no function can sign a link", async () => {
  await expect(linkSecret(table)).rejects.toThrow("There is no link secret");
  expect(await verifyingLinkSecrets(table)).toEqual([]);
});

test("link secret: is created once with the first account, also when several are opened at once", async () => {
  await Promise.all([open("One"), open("Another"), open("A third")]);
  const secret = await linkSecret(table);
  expect(secret).toMatch(/^[\w-]{43}$/);
  await createLinkSecret(table);
  await open("A later one");
  expect((await storedItem())["secrets"]).toHaveLength(1);
  expect(JSON.stringify(await storedItem())).not.toContain(secret);
  expect(await verifyingLinkSecrets(table)).toEqual([secret]);
});

test("link secret rotation: the new secret verifies at once, signs ten minutes later, and the old one verifies until the overlap ends", async () => {
  await createLinkSecret(table);
  const old = await linkSecret(table);
  const facts = await rotate();
  const end = NOW + DEFAULT_LINK_OVERLAP_S * 1000;
  expect(facts).toEqual([{ signs_from: 0, verifies_until: end }, { signs_from: NOW + SIGNS_AFTER_MS }]);
  const [newest, ...others] = await verifyingLinkSecrets(table);
  expect(others).toEqual([old]);
  expect(await linkSecret(table)).toBe(old);
  after(SIGNS_AFTER_MS - 1);
  expect(await linkSecret(table)).toBe(old);
  after(SIGNS_AFTER_MS);
  expect(await linkSecret(table)).toBe(newest);
  after(end - NOW - 1);
  expect(await verifyingLinkSecrets(table)).toEqual([newest, old]);
  after(end - NOW);
  expect(await verifyingLinkSecrets(table)).toEqual([newest]);
});

test("link secret rotation: without an overlap the old secret is gone at once", async () => {
  await createLinkSecret(table);
  const old = await linkSecret(table);
  await rotate();
  expect(await rotate(0)).toEqual([{ signs_from: NOW }]);
  const current = await linkSecret(table);
  expect(current).not.toBe(old);
  expect(await verifyingLinkSecrets(table)).toEqual([current]);
});

test("link secret rotation: a function that knows the old secret learns the new one before it signs", async () => {
  await createLinkSecret(table);
  vi.resetModules();
  const other = await import("../../../lib/service/results/link-secret.ts"); // another process
  const old = await other.linkSecret(table);
  await rotate();
  after(1_000);
  expect(await other.verifyingLinkSecrets(table)).toEqual([old]);
  after(SIGNS_AFTER_MS / 2);
  expect(await other.verifyingLinkSecrets(table)).toEqual(await verifyingLinkSecrets(table));
});

test("link secret rotation: encrypts a secret from before there were data keys, which works until then", async () => {
  const Item = { ...linkSecretKey, value: "a-secret-in-plain-text" };
  await dynamodb().send(new PutCommand({ TableName: table, Item }));
  expect(await linkSecret(table)).toBe(Item.value);
  await createLinkSecret(table);
  expect(await storedItem()).toEqual(Item);
  await rotate();
  expect(JSON.stringify(await storedItem())).not.toContain(Item.value);
  expect(await verifyingLinkSecrets(table)).toContain(Item.value);
});

test("link secret rotation: refuses a sixth secret, and takes it when one has ended", async () => {
  await createLinkSecret(table);
  for (let rotation = 1; rotation <= 4; rotation++) await rotate();
  expect(await rotate()).toHaveLength(6);
  await expect(rotate()).rejects.toThrow("Rotate again when one has ended");
  expect(await rotate(0)).toHaveLength(1);
});

test("link secret rotation: of two at the same time both are stored", async () => {
  await createLinkSecret(table);
  await Promise.all([rotate(), rotate()]);
  expect((await storedItem())["secrets"]).toHaveLength(3);
});
