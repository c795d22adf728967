// Saved receivers as they are stored: names, concurrent changes, and the log of deliveries.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type LoggedDelivery, listDeliveries, logDelivery } from "../../../lib/service/receivers/delivery-log.ts";
import {
  createReceiverId,
  hasReplayEnded,
  MAX_RECEIVERS,
  type Receiver,
  withRotatedSecret,
} from "../../../lib/service/receivers/receiver.ts";
import {
  changeReceiver,
  claimReplay,
  countReplayOutcome,
  createReceiver,
  deleteReceiver,
  findReceiver,
  listReceivers,
  pauseReceiver,
  readReceiverSecrets,
  resumeReceiver,
  storeOutcome,
  updateReceiverSecrets,
  verifyReceiver,
} from "../../../lib/service/receivers/receiver-store.ts";
import { MAX_REPLAY_FAILURES } from "../../../lib/service/receivers/replay-limits.ts";
import {
  countStoredEvents,
  deleteStoredEvent,
  listStoredEvents,
  putStoredEvent,
} from "../../../lib/service/receivers/stored-events.ts";
import { type RunningTables, startTables } from "../../support/tables.ts";

let running: RunningTables;
let accounts: string;
let activity: string;
let account_id = 1;
const NOW = Date.UTC(2026, 0, 31, 12);
beforeAll(async () => {
  running = await startTables();
  ({ accounts, activity } = running.tables);
});
afterAll(() => running.close());
beforeEach(() => void account_id++);

async function aReceiver(name = "Orders"): Promise<Receiver> {
  const receiver: Receiver = {
    id: createReceiverId(),
    account_id,
    name,
    url: "https://example.com/hook",
    status: "active",
    created_at: new Date().toISOString(),
  };
  await createReceiver(accounts, receiver, "whsec_1");
  return receiver;
}

describe("receiver store", () => {
  test("lets one of two receivers of a name be created at the same time, and no more than there may be", async () => {
    const twins = await Promise.allSettled([aReceiver(), aReceiver("ORDERS")]);
    expect(twins.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const others = Array.from({ length: MAX_RECEIVERS }, (_, index) => aReceiver(`N${index}`));
    const created = (await Promise.allSettled(others)).filter(({ status }) => status === "fulfilled");
    expect(created).toHaveLength(MAX_RECEIVERS - 1);
    expect(await listReceivers(accounts, account_id)).toHaveLength(MAX_RECEIVERS);
  });

  test("frees the name of a receiver that was renamed or deleted", async () => {
    const receiver = await aReceiver();
    expect(await changeReceiver(accounts, receiver, { name: "Invoices" }, NOW)).toMatchObject({ name: "Invoices" });
    const another = await aReceiver("Orders");
    const both = changeReceiver(accounts, another, { name: "INVOICES", url: "https://example.com/b" }, NOW);
    await expect(both).rejects.toThrow("has this name");
    expect(await findReceiver(accounts, another)).toMatchObject({ name: "Orders", url: "https://example.com/hook" });
    await deleteReceiver(accounts, another);
    await aReceiver("Orders");
    expect((await listReceivers(accounts, account_id)).map(({ name }) => name)).toEqual(["Invoices", "Orders"]);
    expect(await readReceiverSecrets(accounts, another)).toBeUndefined();
  });

  test("finds nothing of another account, nor of one that was deleted", async () => {
    const receiver = await aReceiver();
    const elsewhere = { ...receiver, account_id: account_id + 1_000_000 };
    expect(await findReceiver(accounts, elsewhere)).toBeUndefined();
    await expect(changeReceiver(accounts, elsewhere, { name: "X" }, NOW)).rejects.toThrow("no webhook receiver");
    await expect(deleteReceiver(accounts, elsewhere)).rejects.toThrow("no webhook receiver");
    await deleteReceiver(accounts, receiver);
    await expect(pauseReceiver(accounts, receiver, Date.now())).rejects.toThrow("no webhook receiver");
    await storeOutcome(accounts, receiver, "failure", Date.now());
    expect(await findReceiver(accounts, receiver)).toBeUndefined();
    expect(await findReceiver(accounts, { account_id, id: "NAMES" })).toBeUndefined();
  });

  test("keeps when a receiver began to fail until it succeeds, or has another address", async () => {
    const receiver = await aReceiver();
    const stored = async () => (await findReceiver(accounts, receiver)) as Receiver;
    await storeOutcome(accounts, receiver, "failure", 1_000);
    await storeOutcome(accounts, await stored(), "failure", 100_000);
    expect(await stored()).toMatchObject({
      failing_since: "1970-01-01T00:00:01.000Z",
      last_failure_at: "1970-01-01T00:01:40.000Z",
    });
    await storeOutcome(accounts, await stored(), "success", 101_000);
    expect((await stored()).failing_since).toBeUndefined();
    await storeOutcome(accounts, await stored(), "failure", 102_000);
    const changed = await changeReceiver(accounts, receiver, { url: "https://example.com/b" }, NOW);
    expect([changed.failing_since, changed.status, changed.unverified_since]).toEqual([undefined, "active", undefined]);
  });

  test("gets nothing at another origin, there and back, until that has accepted a test event at its address", async () => {
    const receiver = await aReceiver();
    const change = (url: string) => changeReceiver(accounts, receiver, { url }, NOW);
    const unverified = { status: "paused", paused_by: "verification", unverified_since: new Date(NOW).toISOString() };
    const elsewhere = await change("https://victim.example/hook");
    expect(elsewhere).toMatchObject(unverified);
    await expect(resumeReceiver(accounts, receiver, NOW)).rejects.toMatchObject({ code: "CONFLICT" });
    const back = await change("https://example.com/hook");
    expect(back).toMatchObject(unverified);
    await verifyReceiver(accounts, elsewhere, NOW); // a test of the address that it has no more
    expect(await findReceiver(accounts, receiver)).toMatchObject(unverified);
    await verifyReceiver(accounts, back, NOW);
    const verified = await findReceiver(accounts, receiver);
    expect(verified).toMatchObject({ status: "active", resumed_at: NOW });
    expect([verified?.unverified_since, verified?.paused_by]).toEqual([undefined, undefined]);
  });

  test("stays paused by its account when another origin has accepted a test event", async () => {
    const receiver = await aReceiver();
    await pauseReceiver(accounts, receiver, NOW);
    await verifyReceiver(accounts, await changeReceiver(accounts, receiver, { url: "https://b.example/" }, NOW), NOW);
    expect(await findReceiver(accounts, receiver)).toMatchObject({ status: "paused", paused_by: "account" });
    expect((await resumeReceiver(accounts, receiver, NOW)).status).toBe("active");
  });

  test("counts the failures in a row of its last replay alone", async () => {
    const receiver = await aReceiver();
    await claimReplay(accounts, receiver, { now: NOW, pauseMs: 1 });
    const stored = async () => (await findReceiver(accounts, receiver)) as Receiver;
    const count = async (outcome: "success" | "failure", replay = NOW) =>
      countReplayOutcome(accounts, await stored(), { replay, outcome });
    for (let failures = 1; failures < MAX_REPLAY_FAILURES; failures++) await count("failure");
    await count("failure", NOW - 1);
    expect(hasReplayEnded(await stored(), NOW)).toBe(false);
    await count("success");
    for (let failures = 0; failures < MAX_REPLAY_FAILURES; failures++) await count("failure");
    expect([hasReplayEnded(await stored(), NOW), hasReplayEnded(await stored(), NOW - 1)]).toEqual([true, false]);
    await claimReplay(accounts, receiver, { now: NOW + 1, pauseMs: 1 });
    expect(hasReplayEnded(await stored(), NOW + 1)).toBe(false);
  });

  test("loses no secret of two rotations at the same time", async () => {
    const receiver = await aReceiver();
    const rotate = (secret: string) =>
      updateReceiverSecrets(accounts, receiver, (secrets) =>
        withRotatedSecret(secrets, { secret, now: Date.now(), overlapSeconds: 60 }),
      );
    await Promise.all([rotate("whsec_2"), rotate("whsec_3")]);
    const secrets = await readReceiverSecrets(accounts, receiver);
    const all = [secrets?.signing_secret, ...(secrets?.previous_signing_secrets ?? []).map(({ secret }) => secret)];
    expect(all.toSorted()).toEqual(["whsec_1", "whsec_2", "whsec_3"]);
  });

  test("lets events be sent again once in a while", async () => {
    const receiver = await aReceiver();
    const claim = (now: number) => claimReplay(accounts, receiver, { now, pauseMs: 60_000 });
    expect(await claim(1_000_000)).toBeUndefined();
    expect(await claim(1_059_999)).toBe(1_060_000);
    expect(await claim(1_060_000)).toBeUndefined();
  });
});

describe("delivery log", () => {
  const now = Date.now();
  const log = (receiver: Receiver, msAgo: number, error: string | null = null) =>
    logDelivery(activity, receiver, {
      at: new Date(now - msAgo).toISOString(),
      http_status_code: error === null ? 204 : 500,
      error,
      duration_ms: 3,
      type: "capture.succeeded",
      event_id: "capture_1",
      request_id: msAgo,
      attempt: 1,
    });
  const list = (receiver: Receiver, parts: Partial<Parameters<typeof listDeliveries>[2]> = {}) =>
    listDeliveries(activity, receiver, { status: undefined, before: undefined, limit: 2, ...parts }, now);
  const ages = (deliveries: readonly LoggedDelivery[]) => deliveries.map(({ request_id }) => request_id);

  test("has the deliveries of one receiver, newest first, part by part", async () => {
    const [receiver, other] = [await aReceiver(), await aReceiver("Other")];
    for (const msAgo of [3, 2, 1]) await log(receiver, msAgo);
    await log(other, 0);
    const first = await list(receiver);
    expect(ages(first.deliveries)).toEqual([1, 2]);
    const second = await list(receiver, { before: first.next });
    expect([ages(second.deliveries), second.next]).toEqual([[3], undefined]);
  });

  test("has only failures on request, and nothing that is older than 30 days", async () => {
    const receiver = await aReceiver();
    const day = 24 * 60 * 60 * 1000;
    await log(receiver, 31 * day, "too old");
    await log(receiver, 29 * day, "failed");
    await log(receiver, 1);
    expect(ages((await list(receiver, { status: "failed" })).deliveries)).toEqual([29 * day]);
    expect(ages((await list(receiver, { status: "delivered" })).deliveries)).toEqual([1]);
  });

  test("keeps all deliveries of one millisecond", async () => {
    const receiver = await aReceiver();
    await Promise.all(Array.from({ length: 30 }, () => log(receiver, 5)));
    expect((await list(receiver, { limit: 100 })).deliveries).toHaveLength(30);
  });
});

test("kept events: are listed by age, and one that was kept again is not deleted with its first entry", async () => {
  const receiver = await aReceiver();
  const keep = (id: number, finished_at: string) => putStoredEvent(activity, receiver, { id, finished_at }, Date.now());
  const late = await keep(1, "2026-01-02T00:00:00.000Z");
  const early = await keep(2, "2026-01-01T00:00:00.000Z");
  expect((await listStoredEvents(activity, receiver, 10)).map(({ job_id }) => job_id)).toEqual([2, 1]);
  await keep(2, early.finished_at);
  await deleteStoredEvent(activity, receiver, early);
  await deleteStoredEvent(activity, receiver, late);
  expect(await countStoredEvents(activity, receiver)).toBe(1);
});
