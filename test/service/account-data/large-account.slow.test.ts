// The export and the deletion of a large account: 200,000 captures with `npm run test:account-data`, which prints what they took.

import { randomUUID } from "node:crypto";
import { createInterface } from "node:readline";
import { createGunzip } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openAccount } from "../../../lib/service/account/open-account.ts";
import { findDeletion } from "../../../lib/service/account-data/account-deletion.ts";
import { dynamodb } from "../../../lib/service/aws/clients/dynamodb.ts";
import { s3 } from "../../../lib/service/aws/clients/s3.ts";
import { partitionPages } from "../../../lib/service/aws/partition-pages.ts";
import { logPartition } from "../../../lib/service/aws/table-keys.ts";
import { createId } from "../../../lib/service/platform/ids.ts";
import { openResult } from "../../../lib/service/results/result-reader.ts";
import { createCaptureLog } from "../../../lib/service/usage/capture-log.ts";
import { monthsBetween } from "../../../lib/service/usage/day.ts";
import { logItems, monthItems, writeItems } from "../../fixtures/usage-items.ts";
import { aCaptureLog } from "../../support/builders.ts";
import { deleteInSteps, exportInSteps, letCallsFail } from "../../support/data-tasks.ts";
import { startTestResources, type TestResources } from "../../support/test-resources.ts";

const CAPTURES = Number(process.env["ACCOUNT_CAPTURES"] ?? 20_000);
const TEN_MILLION = 10_000_000;
const DAYS = 90;
const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = Date.now();
const OPENED = NOW - DAYS * DAY_MS;
/** Captures that are written at once. */
const WRITTEN_AT_ONCE = 5_000;

let running: TestResources;
let accountId: number;
beforeAll(async () => {
  running = await startTestResources();
  const { ring } = await openAccount(running.tables.accounts, { plan: "max", label: "Large", now: OPENED });
  accountId = ring.account.id;
  const { id: _id, created_at: _at, ...event } = aCaptureLog({ user_id: accountId });
  const logs = Array.from({ length: CAPTURES }, (_, index) =>
    createCaptureLog(idOf(index), {
      ...event,
      url: `https://example.com/${randomUUID()}`,
      options: { ...event.options, external_identifier: randomUUID() },
    }),
  );
  for (let first = 0; first < CAPTURES; first += WRITTEN_AT_ONCE) {
    const items = logItems(logs.slice(first, first + WRITTEN_AT_ONCE));
    await writeItems(running.tables.activity, items as { pk: string; sk: string }[]);
  }
  await writeItems(running.tables.usage, monthItems(logs) as { pk: string; sk: string }[]);
}, 3_600_000);
afterAll(() => running.close());

/** Newest first. */
const idOf = (index: number) => createId(NOW - 1000 - Math.floor((index * (DAYS - 1) * DAY_MS) / CAPTURES), 0);

/** Counts the commands that are sent, by their names, until it is stopped. */
function countCommands() {
  const counts: Record<string, number> = {};
  // biome-ignore lint/suspicious/noExplicitAny: the stacks of the two clients differ in types alone.
  const stacks = [dynamodb(), s3()].map((client) => client.middlewareStack as any);
  for (const stack of stacks) {
    stack.add(
      // biome-ignore lint/suspicious/noExplicitAny: as above.
      (next: any, context: { readonly commandName: string }) => (args: any) => {
        counts[context.commandName] = (counts[context.commandName] ?? 0) + 1;
        return next(args);
      },
      { step: "initialize", name: "counting" },
    );
  }
  const begin = performance.now();
  return {
    stop() {
      for (const stack of stacks) stack.remove("counting");
      return { seconds: Math.round((performance.now() - begin) / 1000), counts };
    },
  };
}

/** What ten million captures take, as their counted commands grow with the captures. */
const forTenMillion = (counts: Readonly<Record<string, number>>) =>
  Object.fromEntries(
    Object.entries(counts).map(([name, count]) => [name, Math.round((count * TEN_MILLION) / CAPTURES)]),
  );

test("a large account is exported to one file that has every capture once, although steps die", async () => {
  const dying = letCallsFail();
  const counting = countCommands();
  const request = { accountId, kind: "captures", output: "ndjson", filter: {} } as const;
  const data = await exportInSteps(running.env, request, { stepMs: 2_000, dying });
  dying.remove();
  const { seconds, counts } = counting.stop();
  expect(data).toMatchObject({ status: "ready", lines: CAPTURES, read: CAPTURES, total: CAPTURES });
  expect(dying.deaths).toBeGreaterThan(0);
  const file = await openResult(running.env.RESULTS_BUCKET, data.file.key);
  if (!file) return expect.unreachable("the file is missing");
  let index = 0;
  for await (const line of createInterface({ input: file.body.pipe(createGunzip()) })) {
    if (!line.startsWith(`{"id":${idOf(index)},`)) expect.unreachable(`line ${index} is ${line.slice(0, 80)}`);
    index++;
  }
  expect(index).toBe(CAPTURES);
  const parts = data.file.parts.length + 1;
  const figures = {
    captures: CAPTURES,
    parts,
    seconds,
    steps: data.step + 1,
    deaths: dying.deaths,
    bytes: file.sizeBytes,
  };
  console.log("export", figures, counts, "ten million:", forTenMillion(counts));
}, 3_600_000);

test("a large account is deleted to its last item", async () => {
  const counting = countCommands();
  const steps = await deleteInSteps(running.env, accountId, { until: "done", stepMs: 5_000 });
  const { seconds, counts } = counting.stop();
  expect((await findDeletion(running.tables.accounts, accountId))?.deleted).toMatchObject({ captures: CAPTURES });
  for (const month of monthsBetween(OPENED, NOW)) {
    const pages = partitionPages(
      { table: running.tables.activity, partition: logPartition(accountId, month) },
      { before: undefined },
    );
    for await (const { items } of pages) expect(items).toEqual([]);
  }
  console.log("deletion", { captures: CAPTURES, seconds, steps }, counts, "ten million:", forTenMillion(counts));
}, 3_600_000);
