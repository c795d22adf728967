// Exports of an account's data in steps: what the file has, whichever steps die, and what a reader of the export sees.
import { randomBytes } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { updateKeyRing } from "../../../lib/service/account/account-store.ts";
import { openAccount } from "../../../lib/service/account/open-account.ts";
import { type DataExport, describeExport, newExport } from "../../../lib/service/account-data/data-export.ts";
import { findExport, putExport } from "../../../lib/service/account-data/export-store.ts";
import { runStep } from "../../../lib/service/account-data/run-step.ts";
import { dynamodb } from "../../../lib/service/aws/clients/dynamodb.ts";
import { exportKey } from "../../../lib/service/aws/table-keys.ts";
import { createId } from "../../../lib/service/platform/ids.ts";
import { describeResult } from "../../../lib/service/results/result-reader.ts";
import { readResult } from "../../../lib/service/results/result-store.ts";
import { createCaptureLog } from "../../../lib/service/usage/capture-log.ts";
import { logItems, monthItems, writeItems } from "../../fixtures/usage-items.ts";
import { aCaptureLog } from "../../support/builders.ts";
import { exportInSteps, letCallsFail } from "../../support/data-tasks.ts";
import { slowTest } from "../../support/slow-run.ts";
import { startTestResources, type TestResources } from "../../support/test-resources.ts";

const NOW = Date.now();
const DAY_MS = 24 * 60 * 60 * 1000;

let running: TestResources;
beforeAll(async () => {
  running = await startTestResources();
});
afterAll(() => running.close());

/** An account that has captured `count` pages in the last 60 days. Resolves to its id and those of the captures, newest first. */
async function anAccountWithCaptures(count: number, urlOf = (index: number) => `https://example.com/${index}`) {
  const { ring } = await openAccount(running.tables.accounts, {
    plan: "free",
    label: "Exporter",
    now: NOW - 60 * DAY_MS,
  });
  const { id: accountId } = ring.account;
  await updateKeyRing(running.tables.accounts, accountId, (current) => ({
    ...current,
    account: { ...current.account, billed_from: current.account.created_at },
  }));
  const logs = Array.from({ length: count }, (_, index) => {
    const { id: _id, created_at: _at, ...event } = aCaptureLog({ user_id: accountId, url: urlOf(index) });
    return createCaptureLog(createId(NOW - 1000 - Math.floor((index * 59 * DAY_MS) / count), 0), event);
  });
  await writeItems(running.tables.activity, logItems(logs) as { pk: string; sk: string }[]);
  await writeItems(running.tables.usage, monthItems(logs) as { pk: string; sk: string }[]);
  return { accountId, ids: logs.map(({ id }) => id) };
}

async function linesOf({ file }: DataExport): Promise<string[]> {
  const bytes = await readResult(running.env.RESULTS_BUCKET, file.key);
  return gunzipSync(bytes ?? "")
    .toString()
    .split(/\r?\n/)
    .filter((line) => line !== "");
}

const captures = (accountId: number, filter = {}) =>
  ({ accountId, kind: "captures", output: "ndjson", filter }) as const;

test("export: has every capture once, newest first, however many steps it takes", async () => {
  const { accountId, ids } = await anAccountWithCaptures(30);
  const whole = await exportInSteps(running.env, captures(accountId));
  const divided = await exportInSteps(running.env, captures(accountId), { stepMs: 0 });
  expect(whole.step).toBe(0);
  expect(divided.step).toBeGreaterThan(3);
  for (const data of [whole, divided]) {
    expect(data).toMatchObject({ status: "ready", lines: 30, read: 30, total: 30 });
    expect((await linesOf(data)).map((line) => JSON.parse(line).id)).toEqual(ids);
  }
});

test("export: CSV has its header once, and only captures that match the filter", async () => {
  const { accountId, ids } = await anAccountWithCaptures(6, (index) => `https://example.com/${index % 2}`);
  const request = { ...captures(accountId, { url: "/1" }), output: "csv" } as const;
  const data = await exportInSteps(running.env, request, { stepMs: 0 });
  const [header, ...rows] = await linesOf(data);
  expect(header).toMatch(/^id,created_at,/);
  expect(rows.map((row) => Number(row.split(",")[0]?.replaceAll('"', "")))).toEqual(
    ids.filter((_, index) => index % 2 === 1),
  );
  expect(data).toMatchObject({ lines: 3, read: 6 });
});

test("export: all data of an account has the captures and invoices of months that have ended", async () => {
  const { accountId } = await anAccountWithCaptures(4);
  const data = await exportInSteps(
    running.env,
    { accountId, kind: "account", output: "ndjson", filter: {} },
    { stepMs: 0 },
  );
  const kinds = (await linesOf(data)).map((line) => JSON.parse(line).kind);
  expect(kinds.slice(0, 2)).toEqual(["account", "api_key"]);
  expect(kinds.filter((kind) => kind === "invoice").length).toBeGreaterThanOrEqual(2);
  expect(kinds.filter((kind) => kind === "capture")).toHaveLength(4);
});

slowTest(
  "export: large files are uploaded in parts, and steps that die lose and double nothing",
  async () => {
    const url = (index: number) => `https://example.com/${index}?${randomBytes(4_000).toString("base64url")}`; // hard to compress
    const { accountId, ids } = await anAccountWithCaptures(2_300, url);
    const fault = letCallsFail();
    try {
      const data = await exportInSteps(running.env, captures(accountId), {
        stepMs: 100,
        dying: fault,
      });
      expect(fault.deaths).toBeGreaterThan(1);
      expect(data.file.parts.length).toBeGreaterThan(0); // and the last one, with which the file is completed
      expect((await linesOf(data)).map((line) => JSON.parse(line).id)).toEqual(ids);
      expect(data).toMatchObject({ lines: 2_300, read: 2_300 });
    } finally {
      fault.remove();
    }
  },
  240_000,
);

test("export: one step runs at a time, and the message of a step that is over does nothing", async () => {
  const { accountId } = await anAccountWithCaptures(1);
  const data = newExport(captures(accountId), NOW);
  await putExport(running.env.ACTIVITY_TABLE, data);
  const body = JSON.stringify({ kind: "export", account_id: accountId, id: data.id, step: 0 });
  const lease = (leased_until: number) =>
    dynamodb().send(
      new UpdateCommand({
        TableName: running.env.ACTIVITY_TABLE,
        Key: exportKey(accountId, data.id),
        UpdateExpression: "SET leased_until = :until",
        ExpressionAttributeValues: { ":until": leased_until },
      }),
    );
  await lease(Date.now() + 60_000);
  expect(await runStep({ body, receives: 1 }, running.env)).toBe(45);
  await lease(0);
  expect(await runStep({ body, receives: 2 }, running.env)).toBeUndefined();
  expect(await findExport(running.env.ACTIVITY_TABLE, { accountId, id: data.id }, NOW)).toMatchObject({
    status: "ready",
  });
  expect(await runStep({ body, receives: 1 }, running.env)).toBeUndefined();
});

test("export: one that fails again and again is shown as failed", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const data = newExport({ accountId: 404, kind: "account", output: "ndjson", filter: {} }, NOW);
  await putExport(running.env.ACTIVITY_TABLE, data);
  const body = JSON.stringify({ kind: "export", account_id: 404, id: data.id, step: 0 });
  const state = () => findExport(running.env.ACTIVITY_TABLE, { accountId: 404, id: data.id }, NOW);
  expect(await runStep({ body, receives: 1 }, running.env)).toBe(30);
  expect(await state()).toMatchObject({ status: "running" });
  expect(await runStep({ body, receives: 10 }, running.env)).toBe(3_600);
  expect(await state()).toMatchObject({ status: "failed" });
});

test("export: its file is downloaded under its name, by a link of an hour", async () => {
  const { accountId } = await anAccountWithCaptures(1);
  const data = await exportInSteps(running.env, captures(accountId));
  const shown = describeExport(data, { baseUrl: "https://api.example", secret: "s", now: NOW });
  const bytes = await readResult(running.env.RESULTS_BUCKET, data.file.key);
  expect(shown).toMatchObject({ status: "ready", progress: 100, lines: 1, size_bytes: bytes?.length });
  const link = new URL(shown.download_url ?? "");
  expect(link.pathname).toBe(`/storage/${data.file.key}`);
  expect(Number(link.searchParams.get("e"))).toBe(Math.ceil(NOW / 1000) + 3_600);
  expect(await describeResult(running.env.RESULTS_BUCKET, data.file.key)).toMatchObject({
    mimeType: "application/gzip",
    disposition: `attachment; filename="captures-${new Date(data.created_at).toISOString().slice(0, 10)}.ndjson.gz"`,
  });
});

test("export: its item is small enough for DynamoDB with the parts of a hundred million captures", () => {
  const parts = Array.from({ length: 2_000 }, () => `"${"0".repeat(32)}"`);
  const { file, ...data } = newExport(captures(7), NOW);
  expect(JSON.stringify({ ...data, file: { ...file, parts } }).length).toBeLessThan(400_000 / 2);
});
