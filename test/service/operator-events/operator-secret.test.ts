// The operator's secret: made once, rotated with an overlap, encrypted, and unreadable with the data key of functions that run Chromium.
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { getItem } from "../../../lib/service/aws/items.ts";
import { operatorSecretKey } from "../../../lib/service/aws/table-keys.ts";
import { readAudit } from "../../../lib/service/operator/audit-log.ts";
import {
  findOperatorSecret,
  issueOperatorSecret,
  operatorSecrets,
} from "../../../lib/service/operator-events/operator-secret.ts";
import { runCommandLine } from "../../../lib/tools/operate/command-line.ts";
import { operatorCommands } from "../../../lib/tools/operate/operator-commands.ts";
import { makeTable, type RunningTables, startTables } from "../../support/tables.ts";

let running: RunningTables;
beforeAll(async () => {
  running = await startTables();
});
afterAll(() => running.close());

const now = Date.UTC(2026, 10, 30, 12);
const HOUR_MS = 60 * 60_000;
const actor = { operator: "root@host", from: "host" };

/** Runs `npm run operator -- secret` on a table of its own. */
async function aStage(name: string) {
  const activity = `${name}Activity`;
  await Promise.all([name, activity].map(makeTable));
  const run = async (...line: string[]) => {
    const site = {
      storage: async () => ({ accounts: name, activity }),
      actor,
      now,
      print: () => {},
      baseUrl: async () => "",
    };
    const { printed, hasFailed } = await runCommandLine(operatorCommands, ["secret", ...line], () => site);
    return hasFailed ? printed : JSON.parse(printed ?? "");
  };
  return { table: name, activity, run };
}

test("operator's secret: is printed when it is made, and never again", async () => {
  const { table, run } = await aStage("Made");
  expect(await findOperatorSecret(table)).toBeUndefined();
  const { secret } = await run();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(await operatorSecrets(table, now)).toEqual([secret]);
  expect(await run()).toEqual({ created_at: "2026-11-30T12:00:00.000Z" });
  expect(await operatorSecrets(table, now)).toEqual([secret]);
});

test("operator's secret: the previous one is valid for a day after a rotation", async () => {
  const { table, run } = await aStage("Rotated");
  const first = (await run("--rotate")).secret; // makes one where there is none
  const second = (await run("--rotate")).secret;
  expect(second).not.toBe(first);
  expect(await operatorSecrets(table, now + 23 * HOUR_MS)).toEqual([second, first]);
  expect(await operatorSecrets(table, now + 25 * HOUR_MS)).toEqual([second]);
});

test("operator's secret: of several that are made at once, one is kept", async () => {
  const { table } = await aStage("AtOnce");
  const made = await Promise.all([1, 2, 3, 4].map(() => issueOperatorSecret(table, { isRotation: false, now })));
  expect(made.filter((secret) => secret !== undefined)).toEqual(await operatorSecrets(table, now));
});

test("operator's secret: is stored encrypted, with its entry of the audit log", async () => {
  const { table, activity, run } = await aStage("Stored");
  const { secret } = await run();
  await run("--rotate");
  const stored = JSON.stringify(await getItem(table, operatorSecretKey));
  expect(stored).toContain("encrypted:v1:");
  expect(stored).not.toContain(secret);
  const { entries } = await readAudit(activity, { pageSize: 9, now });
  expect(entries.map(({ action }) => action).toSorted()).toEqual([
    "operator.secret_created",
    "operator.secret_rotated",
  ]);
  expect(JSON.stringify(entries)).not.toContain("whsec_");
});

test("operator's secret: a function with the data key of links can't decrypt it", async () => {
  const { table, run } = await aStage("Apart");
  await run();
  vi.resetModules();
  vi.stubEnv("DATA_KEY", "links");
  const inBrowserFunction = await import("../../../lib/service/operator-events/operator-secret.ts");
  await expect(inBrowserFunction.operatorSecrets(table, now)).rejects.toThrow("There is no data key");
  vi.unstubAllEnvs();
});
