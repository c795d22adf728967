// The log files of a service, read and followed.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createId } from "../../../../lib/service/platform/ids.ts";
import { openDataFolder } from "../../../../lib/tools/local/engines/data-folder.ts";
import { type LogFiles, openLogFiles } from "../../../../lib/tools/local/log-files.ts";
import { openLocalLog } from "../../../../lib/tools/operate/logs/local-log.ts";
import { parseLogOptions, showLog } from "../../../../lib/tools/operate/logs/log-command.ts";

const NOW = Date.now();
const REQUEST = createId(NOW - 60_000, 0.5);
const CAPTURE = REQUEST + 1;
const ACCOUNT = 17;

let dataDir: string;
let logs: LogFiles;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "local-log-"));
  openDataFolder(dataDir).close();
  logs = openLogFiles(join(dataDir, "logs"), { fileBytes: 1_000, totalBytes: 100_000 });
});
afterEach(() => {
  logs.close();
  rmSync(dataDir, { recursive: true, force: true });
});

let written = 0;
/** Each line is a millisecond later than the one before. */
const write = (source: string, message: object, at = NOW - 50_000 + written++) =>
  logs.write(source, JSON.stringify({ timestamp: new Date(at).toISOString(), level: "INFO", message }));
const writeMetrics = (source: string, fields: object) =>
  logs.write(source, JSON.stringify({ _aws: { Timestamp: NOW - 50_000 + written++ }, ...fields }));

/** What the command prints. */
async function show(line: string): Promise<string[]> {
  const printed: string[] = [];
  const options = parseLogOptions(line.split(" ").filter(Boolean), NOW);
  await showLog(() => openLocalLog(dataDir), options, { print: (text) => void printed.push(text) });
  return printed;
}
const events = async (line: string) =>
  (await show(`--json ${line}`)).map((text) => JSON.parse(text).message?.event ?? JSON.parse(text).Captures);

test("logs: a request is found in all functions in the order of time, with its captures' own lines, and nothing of other requests", async () => {
  write("Screenshot", { event: "request", request_id: REQUEST, account_id: ACCOUNT });
  writeMetrics("Render", { job_id: String(REQUEST), request_id: String(CAPTURE), Captures: 1 });
  write("Renderer", { event: "rendering failed", request_id: CAPTURE });
  write("Webhook", { event: "webhook", job_id: REQUEST, account_id: ACCOUNT });
  write("Screenshot", { event: "request", request_id: REQUEST + 2, account_id: ACCOUNT });
  write("Screenshot", { event: "text", path: `/${REQUEST}`, request_id: REQUEST + 3 });
  expect(await events(`--request ${REQUEST}`)).toEqual(["request", 1, "rendering failed", "webhook"]);
  expect(await events(`--request ${REQUEST} --account ${ACCOUNT}`)).toEqual(["request", "webhook"]);
  expect(await events(`--account ${ACCOUNT}`)).toEqual(["request", "webhook", "request"]);
  expect(await events(`--account ${ACCOUNT + 1}`)).toEqual([]);
});

test("logs: by default, lines of the last hour; --since says another time", async () => {
  write("Screenshot", { event: "old" }, NOW - 2 * 3_600_000);
  write("Screenshot", { event: "new" }, NOW - 600_000);
  logs.write("iam", "AccessDenied: no");
  expect(await show("")).toEqual([
    expect.stringMatching(/^\d{4}-\S+Z Screenshot new$/),
    expect.stringMatching(/^\d{4}-\S+Z iam AccessDenied: no$/),
  ]);
  expect(await show("--since 3h")).toHaveLength(3);
  expect(await show("--since 5m")).toHaveLength(1);
  expect(await show(`--since ${new Date(NOW - 7_300_000).toISOString()}`)).toHaveLength(3);
});

test("logs: rotated files and those of runs before are read, too", async () => {
  for (let index = 0; index < 40; index++) write("Screenshot", { event: String(index), request_id: REQUEST });
  logs.close();
  logs = openLogFiles(join(dataDir, "logs"));
  write("Screenshot", { event: "40", request_id: REQUEST });
  expect(await events(`--request ${REQUEST}`)).toEqual(Array.from({ length: 41 }, (_, index) => String(index)));
});

test("logs: --follow prints what is written later, once, over a rotation", async () => {
  const printed: string[] = [];
  const stop = new AbortController();
  write("Screenshot", { event: "first", request_id: REQUEST });
  const options = parseLogOptions(["--follow", "--json", "--request", String(REQUEST)], NOW);
  const shown = showLog(() => openLocalLog(dataDir), options, {
    print: (text) => void printed.push(JSON.parse(text).message.event),
    signal: stop.signal,
  });
  await expect.poll(() => printed).toEqual(["first"]);
  const expected = ["first"];
  for (let index = 0; index < 30; index++) {
    write("Screenshot", { event: String(index), request_id: REQUEST });
    write("Screenshot", { event: "other", request_id: REQUEST + 1 });
    expected.push(String(index));
    if (index % 10 === 0) await expect.poll(() => printed).toEqual(expected);
  }
  await expect.poll(() => printed).toEqual(expected);
  stop.abort();
  expect(await shown).toBe(31);
});

test("logs: a data folder without logs is one sentence", () => {
  expect(() => openLocalLog(join(dataDir, "missing"))).toThrow(
    /^The data folder '.*missing' has no logs\. Set DATA_DIR, or /,
  );
});
