// The demo account that the first start opens.
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import {
  findCaller,
  readKeyRing,
  readKeySecrets,
  updateKeyRing,
} from "../../../../lib/service/account/account-store.ts";
import { hashApiKey } from "../../../../lib/service/keys/api-key.ts";
import { withRevokedKey } from "../../../../lib/service/keys/key-ring.ts";
import { demoAccount } from "../../../../lib/tools/local/cli/demo-account.ts";
import { type RunningTables, startTables } from "../../../support/tables.ts";

let running: RunningTables;
let folder: string;
beforeAll(async () => {
  running = await startTables();
});
afterAll(() => running.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "demo-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const demo = () => demoAccount(folder, running.tables.accounts);
const demoKey = async () => (await demo()).key;
const callerOf = async (key: string) => {
  const caller = await findCaller(running.tables.accounts, hashApiKey(key));
  if (!caller) throw new Error("The key is not known");
  return caller;
};

test("demo account: has the same key at every start, with all scopes", async () => {
  const key = await demoKey();
  expect(await demoKey()).toBe(key);
  expect(await callerOf(key)).toMatchObject({
    account: { plan: "max" },
    key: { scopes: ["capture", "usage", "keys"] },
  });
});

test("demo account: has the id and the signing secret of its key at every start, to sign links and verify webhooks", async () => {
  const first = await demo();
  const [apiKey] = (await readKeyRing(running.tables.accounts, (await callerOf(first.key)).account.id)).keys;
  expect(first).toEqual({
    accountId: first.accountId,
    key: first.key,
    keyId: apiKey?.id,
    signingSecret: apiKey && (await readKeySecrets(running.tables.accounts, apiKey))?.signing_secret,
  });
  expect(first.signingSecret).toMatch(/^whsec_/);
  expect(await demo()).toEqual(first);
});

test("demo account: stores its key in a file that only its owner can read", async () => {
  const key = await demoKey();
  const file = join(folder, "demo-account.json");
  expect(readFileSync(file, "utf8")).toContain(key);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("demo account: is replaced when its file is missing", async () => {
  const key = await demoKey();
  rmSync(join(folder, "demo-account.json"));
  const other = await demoKey();
  expect((await callerOf(other)).account.id).not.toBe((await callerOf(key)).account.id);
});

test("demo account: is replaced when its key was revoked", async () => {
  const key = await demoKey();
  const { account, key: stored } = await callerOf(key);
  const now = new Date().toISOString();
  await updateKeyRing(running.tables.accounts, account.id, (ring) => withRevokedKey(ring, stored.id, now));
  const other = await demoKey();
  expect((await callerOf(other)).key.revoked_at).toBeNull();
  expect(await demoKey()).toBe(other);
});
