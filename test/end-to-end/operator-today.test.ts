// What an operator sees of the running service, and retries: the captures of the day, a request by its number, and what failed. Nothing that
// customers send in confidence is in any answer.
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { beforeAll, describe, expect, inject, onTestFinished, test, vi } from "vitest";
import { openAccount } from "../../lib/service/account/open-account.ts";
import { findJob, putJob } from "../../lib/service/jobs/job-store.ts";
import { fileOperatorLog } from "../../lib/service/logs/file-operator-log.ts";
import { insightsOperatorLog } from "../../lib/service/logs/insights-operator-log.ts";
import { parseLine } from "../../lib/service/logs/log-line.ts";
import { createId } from "../../lib/service/platform/ids.ts";
import { findJobResources, useLocalData } from "../../lib/tools/local/cli/find-service.ts";
import { clientOptions } from "../../lib/tools/local/engines/client-options.ts";
import { receivedAt } from "../fixtures/webhook-receiver.ts";
import { endOf, openClient, sendWith } from "../support/client.ts";
import { anEndedJob } from "../support/ended-job.ts";
import { type GroupLine, startInsightsApi } from "../support/insights-api.ts";
import { type SignedInOperator, signInOperator } from "../support/operator.ts";

const service = inject("service");
const { site, receiver, dataDir } = service;
const host = new URL(site).host;
const small = { viewport_width: 100, viewport_height: 100 };

let operator: SignedInOperator;
let client: Awaited<ReturnType<typeof openClient>>;
let secret: string;
/** With the secret wherever a customer can send one. */
let confidential: object;
/** All that the operator was answered. */
const answers: string[] = [];

beforeAll(async () => {
  client = await openClient();
  secret = `confidence-${client.accountId}`;
  confidential = {
    ...small,
    headers: [`X-Token: ${secret}`],
    cookies: [`session=${secret}`],
    scripts: [`window.token = "${secret}"`],
    styles: [`b::after { content: "${secret}" }`],
  };
  operator = await signInOperator();
});

/** What the operator is answered. */
async function ask(path: string, method = "GET", body?: object) {
  const response = await operator.request(method, path, body);
  const text = await response.text();
  answers.push(text);
  return { status: response.status, json: JSON.parse(text) };
}

/** Has a customer's request answered; resolves to its number. */
async function capture(options: object): Promise<number> {
  const response = await sendWith(client, "POST", "/api/v1/screenshot", { body: options });
  expect(await response.text()).not.toContain("VALIDATION_ERROR");
  return Number(response.headers.get("x-request-id"));
}

const failing = () => capture({ ...confidential, url: `${site}/missing?token=${secret}#${secret}` });
const page = () => ({ ...confidential, html: `<p>${secret}</p>`, base_url: site });
const succeeding = () => capture(page());

describe("operator: today", () => {
  const countOf = ({ failures }: { failures: { code: string; count: number }[] }, code: string) =>
    failures.find((each) => each.code === code)?.count ?? 0;

  test("has the captures since midnight UTC, and the state of the service", async () => {
    const { json: before } = await ask("today");
    await Promise.all([succeeding(), failing()]);
    const { status, json: after } = await ask("today");
    expect(status).toBe(200);
    expect(after).toEqual({
      since: new Date(new Date().setUTCHours(0, 0, 0, 0)).toISOString(),
      captures: expect.any(Number),
      succeeded: expect.any(Number),
      failures: expect.arrayContaining([{ code: "TARGET_HTTP_ERROR", blame: "target", count: expect.any(Number) }]),
      p50_ms: expect.any(Number),
      p95_ms: expect.any(Number),
      renderer_starts: expect.any(Number),
      jobs_waiting: expect.any(Number),
      webhooks_waiting: expect.any(Number),
      dead_letters: { renders: expect.any(Number), webhooks: expect.any(Number) },
      chromium: { version: expect.stringMatching(/^\d+\.\d+\.\d+\.\d+$/), age_days: expect.any(Number) },
      filter_lists: { date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), age_days: expect.any(Number) },
      canary: expect.objectContaining({ outcome: expect.stringMatching(/^(success|unknown)$/) }), // other tests may have run it
    });
    expect(after.captures).toBeGreaterThanOrEqual(before.captures + 2);
    expect(after.succeeded).toBeGreaterThan(before.succeeded);
    expect(countOf(after, "TARGET_HTTP_ERROR")).toBeGreaterThan(countOf(before, "TARGET_HTTP_ERROR"));
    expect(after.renderer_starts).toBeGreaterThan(0);
  });

  test("says of the lines of this service the same as Logs Insights would", async () => {
    const [failed, group] = [
      await failing(),
      await capture({ html: "<p>x", ...small, outputs: [{ name: "a" }, { name: "b" }] }),
    ];
    const folder = mkdtempSync(join(tmpdir(), "logs-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    cpSync(join(dataDir, "logs"), folder, { recursive: true }); // other tests go on
    const lines = readdirSync(folder).flatMap((name) => linesOf(folder, name));
    const { client: insights } = await startInsightsApi(lines);
    const groups = [...new Set(lines.map((line) => line.group))];
    const [inFiles, onAws] = [
      fileOperatorLog(folder, "RendererStarts"),
      insightsOperatorLog(groups, { startMetric: "RendererStarts", client: insights }),
    ];
    const since = Date.now() - 3_600_000;
    const summary = await inFiles.summarizeCaptures(since);
    expect(await onAws.summarizeCaptures(since)).toEqual({
      ...summary,
      failures: expect.arrayContaining([...summary.failures]),
    });
    expect(summary.captures).toBeGreaterThan(2);
    for (const [id, count] of [
      [failed, 2],
      [group, 3],
    ] as const) {
      const found = await inFiles.findRequest(id);
      expect(await onAws.findRequest(id)).toEqual(found);
      expect(found.length).toBeGreaterThanOrEqual(count);
    }
  });
});

/** The lines of a log file, as a log group of its own. */
function linesOf(folder: string, name: string): GroupLine[] {
  const group = name.replace(/(\.\d+)?\.log$/, "");
  const texts = readFileSync(join(folder, name), "utf8").split("\n");
  return texts.filter((text) => text !== "").map((text) => ({ group, text, at: parseLine(group, text).at }));
}

describe("operator: a request", () => {
  test("that failed has account, host, code, blame, times, options without what is confidential, and its lines", async () => {
    const id = await failing();
    const { status, json } = await ask(`requests/${id}`);
    expect(status).toBe(200);
    expect(json).toEqual({
      id,
      at: expect.any(String),
      account_id: client.accountId,
      host,
      format: "png",
      status: "failed",
      code: "TARGET_HTTP_ERROR",
      blame: "target",
      milliseconds: expect.any(Number),
      phases: expect.arrayContaining([{ name: "auth", ms: expect.any(Number) }]),
      options: {
        ...small,
        url: `${site}/missing?REDACTED`,
        headers: "REDACTED",
        cookies: "REDACTED",
        scripts: "REDACTED",
        styles: "REDACTED",
      },
      error: expect.stringMatching(/404/),
      lines: expect.arrayContaining([
        { at: expect.any(String), source: "Screenshot", text: expect.stringMatching(/^capture request_id=/) },
        {
          at: expect.any(String),
          source: "Screenshot",
          text: expect.stringMatching(/^request request_id=.* status=422 /),
        },
      ]),
    });
    expect(Math.abs(Date.parse(json.at) - Date.now())).toBeLessThan(60_000);
  });

  test("that is asynchronous has the lines of all functions, and its outcome", async () => {
    const id = await capture({ ...page(), async: true, webhook_url: `${receiver}/to/${secret}` });
    await endOf(id, client);
    const delivered = async () => {
      const { json } = await ask(`requests/${id}`);
      const sources = new Set(json.lines.map(({ source }: { source: string }) => source));
      expect(sources).toEqual(new Set(["Screenshot", "Render", "Webhook"]));
      return json;
    };
    expect(await vi.waitFor(delivered, { timeout: 30_000, interval: 200 })).toMatchObject({
      status: "success",
      code: null,
      error: null,
      options: { html: "REDACTED", webhook_url: "REDACTED" },
    });
  });

  test("with several outputs has the outcome of the one that failed, and each output its own", async () => {
    const outputs = [{ name: "page" }, { name: "part", selector: "#missing" }];
    const id = await capture({ html: "<p>x</p>", ...small, outputs });
    const { json: whole } = await ask(`requests/${id}`);
    expect(whole).toMatchObject({ status: "failed", code: "SELECTOR_NOT_FOUND", account_id: client.accountId });
    const { json: part } = await ask(`requests/${id + 1}`);
    expect(part).toMatchObject({ id: id + 1, status: "failed", code: "SELECTOR_NOT_FOUND", lines: whole.lines });
  });

  test("that captured nothing has its own outcome", async () => {
    const refused = await sendWith(client, "GET", "/api/v1/screenshot?width=much");
    const listed = await client.get("/api/v1/usage");
    const traced = async ({ headers }: Response) => (await ask(`requests/${headers.get("x-request-id")}`)).json;
    expect(await traced(refused)).toMatchObject({
      status: "failed",
      code: "VALIDATION_ERROR",
      options: null,
      phases: [],
    });
    expect(await traced(listed)).toMatchObject({ status: "success", code: null, account_id: client.accountId });
  });

  test.each(["1", "x", String(createId(Date.now(), 0) + 2 ** 40)])("without a line is not found: %s", async (id) => {
    const { status, json } = await ask(`requests/${id}`);
    expect([status, json.code]).toEqual([404, "NOT_FOUND"]);
    expect(json.error).toMatch(/^No log line has this id\./);
  });
});

describe("operator: what failed", () => {
  const queues = new SQSClient(clientOptions(service.sqs));
  const bury = async (queue: "FAILED_RENDER_QUEUE_URL" | "WEBHOOK_DEAD_LETTER_QUEUE_URL", message: object) => {
    const { [queue]: QueueUrl } = await findJobResources({ dataDir });
    await queues.send(new SendMessageCommand({ QueueUrl, MessageBody: JSON.stringify(message) }));
  };
  const ofClient = (rows: readonly { account_id: number | null }[], accountId: number) =>
    rows.filter(({ account_id }) => account_id === accountId);

  /** A capture that the service has failed three times, with its message, and a webhook to the receiver. */
  async function aFailedJob() {
    useLocalData(service);
    const account = await openAccount(service.accountsTable, { plan: "max", label: "Test", now: Date.now() });
    const id = createId(Date.now(), Math.random());
    const error = { error: "The service failed. Nothing was billed.", code: "INTERNAL_ERROR", request_id: id };
    const job = anEndedJob(account, { id, url: `${receiver}/to/${id}`, error, attempts: 3 });
    const [output] = job.outputs;
    const outcome = { status: "failed", result: null, from_cache: false, error } as const;
    await putJob(service.activityTable, { ...job, outputs: [{ ...output, outcome }] });
    const accountId = account.ring.account.id;
    await bury("FAILED_RENDER_QUEUE_URL", { account_id: accountId, job_id: id, options: { inline: page() } });
    return { accountId, id };
  }

  test("is listed with facts alone, and a retry of a capture ends in a success with its webhook", async () => {
    const { accountId, id } = await aFailedJob();
    const { status, json } = await ask("failed");
    expect(status).toBe(200);
    expect(ofClient(json.renders, accountId)).toEqual([
      {
        account_id: accountId,
        request_id: id,
        age_seconds: expect.any(Number),
        error: "The service failed. Nothing was billed.",
        status: "failed",
      },
    ]);
    const { json: counted } = await ask("today");
    expect(counted.dead_letters.renders).toBeGreaterThanOrEqual(1);

    const { status: retried, json: outcome } = await ask("failed/retry", "POST", { queue: "renders" });
    expect(retried).toBe(200);
    expect(ofClient(outcome.outcomes, accountId)).toEqual([
      { account_id: accountId, request_id: id, receiver_id: null, outcome: "queued" },
    ]);
    const succeeded = async () =>
      expect(await findJob(service.activityTable, { account_id: accountId, id }, Date.now())).toMatchObject({
        status: "success",
        webhook: { status: "delivered" },
      });
    await vi.waitFor(succeeded, { timeout: 30_000, interval: 200 });
    expect(await receivedAt(receiver, String(id))).toHaveLength(1);
    expect(ofClient((await ask("failed")).json.renders, accountId)).toEqual([]);
    expect((await ask(`requests/${id}`)).json).toMatchObject({ status: "success", account_id: accountId });
  });

  test("webhooks are listed by what they are about, and a retry sends them", async () => {
    useLocalData(service);
    const account = await openAccount(service.accountsTable, { plan: "max", label: "Test", now: Date.now() });
    const [id, accountId] = [createId(Date.now(), Math.random()), account.ring.account.id];
    await putJob(service.activityTable, anEndedJob(account, { id, url: `${receiver}/to/${id}` }));
    await bury("WEBHOOK_DEAD_LETTER_QUEUE_URL", { kind: "deliver", account_id: accountId, job_id: id });
    await bury("WEBHOOK_DEAD_LETTER_QUEUE_URL", {
      kind: "resume",
      account_id: accountId,
      receiver_id: "rcv_gone",
      at: 1,
    });
    const { json } = await ask("failed");
    const about = { account_id: accountId, age_seconds: expect.any(Number) };
    const listed = ofClient(json.webhooks, accountId);
    expect(listed).toHaveLength(2);
    expect(listed).toEqual(
      expect.arrayContaining([
        { ...about, request_id: id, receiver_id: null, kind: null, status: "failed", webhook_status: "pending" },
        { ...about, request_id: null, receiver_id: "rcv_gone", kind: "resume", status: null, webhook_status: null },
      ]),
    );
    const { json: outcome } = await ask("failed/retry", "POST", { queue: "webhooks" });
    expect(ofClient(outcome.outcomes, accountId)).toHaveLength(2);
    await expect.poll(() => receivedAt(receiver, String(id))).toHaveLength(1);
  });

  test("a retry is in the audit log, and one of another queue is refused", async () => {
    await ask("failed/retry", "POST", { queue: "renders" });
    const { json } = await ask("audit");
    expect(json.data).toEqual(
      expect.arrayContaining([expect.objectContaining({ action: "jobs.retried", operator: "root@host" })]),
    );
    const { status, json: refused } = await ask("failed/retry", "POST", { queue: "quota-alerts" });
    expect([status, refused.details]).toEqual([422, { queue: ["must be 'renders' or 'webhooks'"] }]);
  });
});

test("operator: no answer has what customers have sent in confidence", async () => {
  expect(answers.length).toBeGreaterThan(15);
  expect(answers.join("\n")).toContain(String(client.accountId));
  expect(answers.join("\n")).not.toContain(secret);
  expect(JSON.stringify(await client.logs())).toContain(secret); // the customer sees it
});
