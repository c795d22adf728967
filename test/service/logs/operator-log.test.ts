// What the operator sees of the captures of a day: the same from log files and by queries of Logs Insights, from lines that the service
// itself has written.
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ApiError } from "../../../lib/contract/errors/api-error.ts";
import type { ErrorCode } from "../../../lib/contract/errors/error-kinds.ts";
import { toCaller } from "../../../lib/service/account/account.ts";
import type { CaptureCommit, CommittedResult } from "../../../lib/service/captures/capture-commit.ts";
import { emitCaptureMetrics } from "../../../lib/service/captures/capture-metrics.ts";
import { fileOperatorLog } from "../../../lib/service/logs/file-operator-log.ts";
import { insightsOperatorLog } from "../../../lib/service/logs/insights-operator-log.ts";
import type { OperatorLog, StartMetric } from "../../../lib/service/logs/operator-log.ts";
import { emitMetrics } from "../../../lib/service/platform/metrics.ts";
import { anAccount, anApiKey } from "../../support/builders.ts";
import { startInsightsApi } from "../../support/insights-api.ts";

const GROUP = "screen-capture-prod-service-ScreenshotLog0A1B2C3D";
/** Of yesterday: nothing is in the future. */
const MIDNIGHT = new Date().setUTCHours(-24, 0, 0, 0);
const MINUTE_MS = 60_000;

let folder: string;
let lines: string[];
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "operator-log-"));
  vi.stubEnv("STAGE_NAME", "prod");
  vi.useFakeTimers({ toFake: ["Date"] });
  lines = writtenLines(() => {
    at(MIDNIGHT - MINUTE_MS, () => capture({ ms: 9_000 })); // of yesterday, and the first of its function
    at(MIDNIGHT, () => emitMetrics({ RendererStarts: 1 }));
    for (let ms = 100; ms <= 1_600; ms += 100) at(MIDNIGHT + ms, () => capture({ ms, fromCache: ms === 100 }));
    for (const ms of [1_700, 1_800, 1_900]) at(MIDNIGHT + ms, () => capture({ ms, code: "TARGET_HTTP_ERROR" }));
    at(MIDNIGHT + 2_000, () => capture({ ms: 2_000, code: "INTERNAL_ERROR" }));
    at(MIDNIGHT + 2_000, () => emitMetrics({ RendererStarts: 1 }));
    at(MIDNIGHT + 2_000, () => capture({ ms: 50, accountId: 0 })); // of the service itself
    at(MIDNIGHT + 2_000, () => emitMetrics({ WebhookDeliveries: 1, WebhookFailures: 1 }, { code: "none" }));
  });
  vi.useRealTimers();
  writeFileSync(join(folder, "Screenshot.1.log"), toText(lines.slice(0, 9)));
  writeFileSync(
    join(folder, "Screenshot.log"),
    `${toText(lines.slice(9))}2026-11-30T12:00:00Z "Captures":1 is no JSON\n{"_aws":{"Timest`,
  );
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const toText = (written: readonly string[]) => written.map((line) => `${line}\n`).join("");

function at(time: number, emit: () => void): void {
  vi.setSystemTime(time);
  emit();
}

interface Captured {
  readonly ms: number;
  readonly code?: ErrorCode;
  readonly fromCache?: boolean;
  readonly accountId?: number;
}

let requestId = 0;

/** What the service emits when a capture has ended. */
function capture({ ms, code, fromCache = false, accountId = 17 }: Captured): void {
  const account = anAccount({ id: accountId });
  const outcome = code
    ? { error: new ApiError(code, "It failed.") }
    : { result: { fromCache, sizeBytes: 100 } as CommittedResult };
  const commit: Partial<CaptureCommit> = {
    caller: toCaller(account, anApiKey({ account_id: accountId })),
    requestId: ++requestId,
    format: "png",
    responseTimeMs: ms,
    phases: { auth: 1, capture: ms - 1 },
    ...outcome,
  };
  emitCaptureMetrics(commit as CaptureCommit);
}

/** The lines that `emit` writes to standard output. */
function writtenLines(emit: () => void): string[] {
  const written: string[] = [];
  const write = vi
    .spyOn(process.stdout, "write")
    .mockImplementation((text) => written.push(String(text).trimEnd()) > 0);
  try {
    emit();
  } finally {
    write.mockRestore();
  }
  return written;
}

const inGroup = () => lines.map((text) => ({ group: GROUP, text, at: JSON.parse(text)._aws.Timestamp as number }));

const logs: Readonly<Record<string, (metric: StartMetric) => Promise<OperatorLog>>> = {
  "log files": async (metric) => fileOperatorLog(folder, metric),
  "Logs Insights": async (startMetric) => {
    const { client } = await startInsightsApi(inGroup());
    return insightsOperatorLog([GROUP], { startMetric, client });
  },
};

describe.each(Object.entries(logs))("operator's log, by %s:", (_, open) => {
  test("sums up the captures of customers since a time, with failures by code, percentiles, and starts of the renderer", async () => {
    const log = await open("RendererStarts");
    expect(await log.summarizeCaptures(MIDNIGHT)).toEqual({
      captures: 20,
      failures: [
        { code: "TARGET_HTTP_ERROR", blame: "target", count: 3 },
        { code: "INTERNAL_ERROR", blame: "us", count: 1 },
      ],
      p50Ms: 1_000,
      p95Ms: 1_900,
      rendererStarts: 2,
    });
    expect(await log.summarizeCaptures(MIDNIGHT - 2 * MINUTE_MS)).toMatchObject({ captures: 21, p95Ms: 2_000 });
  });

  test("counts the first capture of each function as a start where functions run Chromium themselves", async () => {
    const log = await open("ColdStarts");
    expect(await log.summarizeCaptures(MIDNIGHT - 2 * MINUTE_MS)).toMatchObject({ rendererStarts: 1 });
    expect(await log.summarizeCaptures(MIDNIGHT)).toMatchObject({ rendererStarts: 0 });
  });

  test("without captures, counts are 0 and percentiles are missing", async () => {
    const log = await open("RendererStarts");
    const none = { captures: 0, failures: [], p50Ms: null, p95Ms: null, rendererStarts: 0 };
    expect(await log.summarizeCaptures(MIDNIGHT + 60 * MINUTE_MS)).toEqual(none);
  });

  test("a request without lines has none", async () => {
    expect(await (await open("RendererStarts")).findRequest(1)).toEqual([]);
  });
});

test("operator's log, by log files: a file that was written last before the time is not read", async () => {
  const file = join(folder, "Screenshot.1.log");
  const log = fileOperatorLog(folder, "RendererStarts");
  utimesSync(file, MIDNIGHT / 1000, MIDNIGHT / 1000);
  expect(await log.summarizeCaptures(MIDNIGHT)).toMatchObject({ captures: 20 });
  utimesSync(file, MIDNIGHT / 1000 - 1, MIDNIGHT / 1000 - 1);
  expect(await log.summarizeCaptures(MIDNIGHT)).toMatchObject({ captures: 13 });
});

describe("operator's log, by Logs Insights:", () => {
  test("a summary is two queries of the time, whose rows are sums", async () => {
    const { client, started, rowCount } = await startInsightsApi(inGroup());
    await insightsOperatorLog([GROUP], { startMetric: "RendererStarts", client }).summarizeCaptures(MIDNIGHT);
    expect(started).toMatchObject([
      { logGroupNames: [GROUP], startTime: MIDNIGHT / 1000, queryString: expect.stringContaining(" | stats sum(") },
      { logGroupNames: [GROUP], startTime: MIDNIGHT / 1000, queryString: expect.stringContaining(" | stats sum(") },
    ]);
    expect(rowCount()).toBe(3);
  });

  test("a search that takes too long is an error that says so", async () => {
    const { client } = await startInsightsApi(inGroup(), { isStuck: true });
    const log = insightsOperatorLog([GROUP], { startMetric: "RendererStarts", client, maxSearchMs: 50 });
    const error = {
      code: "INTERNAL_ERROR",
      message:
        "CloudWatch Logs Insights did not search the logs within 0.05 s. Retry, or use npm run logs with --stage.",
    };
    await expect(log.summarizeCaptures(MIDNIGHT)).rejects.toMatchObject(error);
    await expect(log.findRequest(28)).rejects.toMatchObject(error);
  });
});
