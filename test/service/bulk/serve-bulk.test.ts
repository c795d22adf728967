// Bulk responses for captures that do not end in time or cannot be enqueued.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openAccount } from "../../../lib/service/account/open-account.ts";
import { captureBulkRoute } from "../../../lib/service/bulk/routes.ts";
import type { Environment } from "../../../lib/service/platform/environment.ts";
import { anApiRequest, JSON_TYPE } from "../../support/builders.ts";
import { receiveMessages, startTestResources, type TestResources } from "../../support/test-resources.ts";

let running: TestResources;
let env: TestResources["env"];
beforeAll(async () => {
  running = await startTestResources();
  env = running.env;
});
afterAll(() => running.close());

const TEN_MINUTES_MS = 10 * 60 * 1000;

/** The answer to a new account, which has waited for as long as the response says. */
async function serve(body: unknown, { waitedMs = 0, ...other }: Partial<Environment> & Waited = {}) {
  const { key } = await openAccount(env.ACCOUNTS_TABLE, { plan: "max", label: "Test", now: Date.now() });
  const request = anApiRequest({
    method: "POST",
    headers: { ...JSON_TYPE, authorization: `Bearer ${key}` },
    body,
    receivedAt: Date.now() - waitedMs,
  });
  const answer = await captureBulkRoute.respond(request, { ...env, ...other } as Environment);
  await request.responded();
  return { status: answer.status, data: JSON.parse(String(answer.body)).data };
}

interface Waited {
  readonly waitedMs?: number;
}

test("bulk: captures that do not end in time have their state and a status URL", async () => {
  const { status, data } = await serve({ requests: [{ html: "a" }, { html: "b" }] }, { waitedMs: TEN_MINUTES_MS });
  expect(status).toBe(200);
  const ids = data.map(({ request_id }: { request_id: number }) => request_id);
  expect(new Set(ids).size).toBe(2);
  expect(data).toMatchObject(
    ids.map((id: number) => ({ status: "queued", status_url: `http://api.test/api/v1/screenshot/${id}` })),
  );
  const messages = (await receiveMessages(env.RENDER_QUEUE_URL)) as { job_id: number; options: unknown }[];
  expect(messages.map(({ job_id }) => job_id).sort()).toEqual(ids.sort());
});

test("bulk: while as many bulk requests wait as may, the next is answered at once with 202 and status URLs", async () => {
  const { status, data } = await serve({ requests: [{ html: "a" }] }, { MAX_WAITING_BULKS: 0 });
  expect(status).toBe(202);
  expect(data).toMatchObject([
    { status: "queued", status_url: expect.stringMatching(/^http:\/\/api\.test\/api\/v1\/screenshot\/\d+$/) },
  ]);
  await receiveMessages(env.RENDER_QUEUE_URL);
});

test("bulk: a request that has waited lets the next one wait", async () => {
  for (const _ of [1, 2]) {
    const late = { waitedMs: TEN_MINUTES_MS, MAX_WAITING_BULKS: 1 };
    expect(await serve({ requests: [{ html: "a" }] }, late)).toMatchObject({ status: 200 });
  }
  await receiveMessages(env.RENDER_QUEUE_URL);
});

test("bulk: shared options reach each capture", async () => {
  await serve({ options: { format: "pdf" }, requests: [{ html: "a" }], execute: false });
  expect(await receiveMessages(env.RENDER_QUEUE_URL)).toMatchObject([
    { options: { inline: { async: true, format: "pdf", html: "a" } } },
  ]);
});

test("bulk: an internal error is reported in its place without internal details", async () => {
  const { status, data } = await serve(
    { requests: [{ html: "a" }] },
    { RENDER_QUEUE_URL: "http://127.0.0.1:9/1/none" },
  );
  expect(status).toBe(200);
  expect(data).toEqual([
    { status: "refused", error: expect.objectContaining({ code: "INTERNAL_ERROR", retryable: true }) },
  ]);
  expect(JSON.stringify(data)).not.toContain("127.0.0.1");
});
