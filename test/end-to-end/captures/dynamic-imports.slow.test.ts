// Modules that are loaded on demand: each import() in the code of the functions is executed in the bundle, by a request of
// this test. Tests of single modules run from source, where a package can look different.
import { randomUUID } from "node:crypto";
import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import { Client as ModelClient, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { beforeAll, expect, inject, onTestFinished, test, vi } from "vitest";
import { openAccount } from "../../../lib/service/account/open-account.ts";
import { putJob } from "../../../lib/service/jobs/job-store.ts";
import { routes } from "../../../lib/service/routes.ts";
import type { DeliveryRequest } from "../../../lib/service/webhooks/webhook-queue.ts";
import { clientOptions } from "../../../lib/tools/local/engines/client-options.ts";
import { findUnexecutedImports } from "../../support/bundled-imports.ts";
import { type Client, openClient } from "../../support/client.ts";
import { anEndedJob } from "../../support/ended-job.ts";
import { codeTo } from "../../support/mailbox.ts";
import { signInOperator } from "../../support/operator.ts";
import { runLocalCanary } from "../../support/scheduled-functions.ts";
import { fromOwnPage, signIn } from "../../support/signed-in.ts";

const service = inject("service");
const { baseUrl, site } = service;
const small = { viewport_width: 200, viewport_height: 100 };
/** Each request counts against the rate limit. */
const SLOWLY = { timeout: 60_000, interval: 1_000 };
let client: Client;
beforeAll(async () => {
  client = await openClient();
});

/** Sends a capture. Throws the body of an error. */
async function post(options: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const response = await fetch(`${baseUrl}/api/v1/screenshot`, {
    method: "POST",
    headers: { Authorization: `Bearer ${client.key}`, "Content-Type": "application/json", ...headers },
    body: JSON.stringify({ ...small, ...options }),
  });
  if (!response.ok) throw new Error(await response.text());
  return response;
}

/** What a customer, an operator or a schedule does so that functions load modules on demand. */
const occasions = Object.entries<() => Promise<void>>({
  "Markdown with front matter": async () => {
    const response = await post({ markdown: "---\ntitle: From the front matter\n---\n# Heading", format: "html" });
    expect(await response.text()).toContain("<title>From the front matter</title>");
  },
  "Markdown with a formula, emoji and a diagram": async () => {
    const markdown = ":tada: $x$\n\n```mermaid\nflowchart LR\n  A --> B\n```";
    expect(await (await post({ markdown, format: "html" })).text()).toContain("<svg");
  },
  "a page as Markdown": async () => {
    const response = await post({ html: "<h1>Heading</h1>", format: "markdown" });
    expect(await response.text()).toBe("# Heading\n");
  },
  "an image that Chromium cannot encode": async () => {
    expect((await post({ html: "Hello", format: "avif" })).headers.get("content-type")).toBe("image/avif");
  },
  "a video": async () => {
    expect((await post({ html: "Hello", format: "mp4", video_duration: 1 })).headers.get("content-type")).toBe(
      "video/mp4",
    );
  },
  "blocked advertisements and hidden banners": async () => {
    const options = { url: `${site}/news`, block_ads: true, block_cookie_banners: true };
    expect((await post(options)).headers.get("x-blocked")).toMatch(/^requests=/);
  },
  "a repeated request": async () => {
    const headers = { "Idempotency-Key": randomUUID() };
    await post({ html: "Hello" }, headers);
    expect((await post({ html: "Hello" }, headers)).headers.get("idempotent-replayed")).toBe("true");
  },
  "a cached capture with large metadata": async () => {
    const options = {
      html: `<p>${"long ".repeat(30_000)}`,
      metadata_content: true,
      response_type: "json",
      cache_ttl: 600,
    };
    await post(options);
    expect((await post(options)).headers.get("x-cache")).toBe("HIT");
  },
  "a result of more than 8 MB": async () => {
    const noise =
      "let s = 1; for (let i = 0; i < words.length; i++) { s ^= s << 13; s ^= s >>> 17; s ^= s << 5; words[i] = s | 0xff000000 }";
    const script = `const c = document.querySelector("canvas").getContext("2d"); const image = c.createImageData(1800, 1800);
      const words = new Uint32Array(image.data.buffer); ${noise} c.putImageData(image, 0, 0)`;
    const html = `<body style="margin:0"><canvas width="1800" height="1800" style="display:block"></canvas><script>${script}</script>`;
    const options = { html, viewport_width: 1800, viewport_height: 1800, response_type: "json" };
    expect((await (await post(options)).json()).file_size_bytes).toBeGreaterThan(8 * 2 ** 20);
  },
  "an asynchronous capture of much HTML, and its deletion": async () => {
    const { request_id: id } = await (await post({ html: `<p>${"long ".repeat(50_000)}`, async: true })).json();
    const stateOf = async () => (await client.get(`/api/v1/screenshot/${id}`)).json();
    await vi.waitFor(async () => expect(await stateOf()).toMatchObject({ status: "success" }), SLOWLY);
    const response = await fetch(`${baseUrl}/api/v1/screenshot/${id}`, {
      method: "DELETE",
      headers: { Authorization: `Bearer ${client.key}` },
    });
    expect(response.status).toBe(204);
  },
  "an asynchronous capture of several results": async () => {
    const outputs = [
      { name: "text", format: "text" },
      { name: "page", format: "markdown" },
    ];
    const { request_id: id } = await (await post({ html: "<h1>Heading</h1>", async: true, outputs })).json();
    const stateOf = async () => (await client.get(`/api/v1/screenshot/${id}`)).json();
    const ended = { status: "success", outputs: [{ content: expect.any(String) }, { content: "# Heading\n" }] };
    await vi.waitFor(async () => expect(await stateOf()).toMatchObject(ended), SLOWLY);
  },
  "a capture with its report": async () => {
    expect((await post({ html: "Hello", metadata_report: true })).headers.get("content-type")).toBe("image/png");
  },
  "a queued capture that is cancelled": async () => {
    const account = await openAccount(service.accountsTable, { plan: "max", label: "Test", now: Date.now() });
    const id = Date.now() * 1_000 + 1;
    const job = anEndedJob(account, { id, url: `${service.receiver}/to/${id}`, status: "queued", finished_at: null });
    await putJob(service.activityTable, { ...job, status: "queued", finished_at: null, error: null });
    const response = await fetch(`${baseUrl}/api/v1/screenshot/${id}`, {
      method: "DELETE",
      headers: { Authorization: `Bearer ${account.key}` },
    });
    expect(response.status).toBe(204);
  },
  "a job whose workers died": async () => {
    const account = await openAccount(service.accountsTable, { plan: "max", label: "Test", now: Date.now() });
    const id = Date.now() * 1_000;
    const job = anEndedJob(account, {
      id,
      url: `${service.receiver}/to/${id}`,
      status: "processing",
      finished_at: null,
    });
    await putJob(service.activityTable, { ...job, error: null, lease: { holder: "somebody", until: Date.now() } });
    const order: DeliveryRequest = { kind: "watch", account_id: account.ring.account.id, job_id: id };
    const queues = new SQSClient(clientOptions(service.sqs));
    onTestFinished(() => queues.destroy());
    await queues.send(new SendMessageCommand({ QueueUrl: service.webhookQueue, MessageBody: JSON.stringify(order) }));
    const stateOf = async () =>
      (
        await fetch(`${baseUrl}/api/v1/screenshot/${id}`, { headers: { Authorization: `Bearer ${account.key}` } })
      ).json();
    await vi.waitFor(async () => expect(await stateOf()).toMatchObject({ status: "failed" }), { timeout: 30_000 });
  },
  "a request of a stranger to each route": async () => {
    const requests = routes.map(({ method, path }) =>
      fetch(`${baseUrl}${path.replaceAll(/\{\w+\+?\}/g, "7")}`, { method, redirect: "manual" }),
    );
    for (const response of await Promise.all(requests)) expect(response.status, response.url).toBeLessThan(500);
  },
  "a bulk request, and a test of a webhook's receiver": async () => {
    const headers = { Authorization: `Bearer ${client.key}`, "Content-Type": "application/json" };
    const ask = (path: string, body: object) =>
      fetch(`${baseUrl}/api/v1${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    expect((await ask("/bulk", { requests: [{ html: "Hello", ...small }], execute: false })).status).toBe(202);
    expect((await ask("/webhooks/test", { webhook_url: `${service.receiver}/to/${randomUUID()}` })).status).toBe(200);
  },
  "a picture for a model": async () => {
    const model = new ModelClient({ name: "test", version: "1.0.0" });
    const requestInit = { headers: { Authorization: `Bearer ${client.key}` } };
    await model.connect(new StreamableHTTPClientTransport(new URL(`${baseUrl}/mcp`), { requestInit }));
    const { content } = await model.callTool({ name: "capture_screenshot", arguments: { html: "Hello" } });
    expect(content).toContainEqual(expect.objectContaining({ type: "image", mimeType: "image/webp" }));
  },
  "an operator's look at what failed": async () => {
    expect((await (await signInOperator()).request("GET", "failed")).status).toBe(200);
  },
  "a request for another plan": async () => {
    const { accountId } = await openClient({ plan: "starter" });
    const owner = await signIn(accountId);
    const response = await owner.request("PATCH", "/api/v1/account/settings", { requested_plan: "pro" });
    expect(response.status).toBe(200);
  },
  "a code to sign in": async () => {
    const email = `ann-${randomUUID().slice(0, 8)}@customer.example`;
    await fromOwnPage("POST", "/sign-in/code", { body: { email } });
    expect(await codeTo(email)).toMatch(/^\d{6}$/);
  },
  "an invoice as a PDF": async () => {
    const { data } = await (await client.get("/api/v1/account/invoices")).json();
    const response = await client.get(`/api/v1/account/invoices/${encodeURIComponent(data[0].period.start)}/pdf`);
    expect(response.headers.get("content-type")).toBe("application/pdf");
  },
  "the canary": runLocalCanary,
});

test("dynamic imports: a service test has executed each one in a bundle", { timeout: 240_000 }, async () => {
  const failed: string[] = [];
  const run = ([name, act]: (typeof occasions)[number]) => act().catch((error) => failed.push(`${name}: ${error}`));
  await Promise.all(occasions.map(run));
  expect(failed).toEqual([]);
  // For an import that is missing here, add an occasion on which the service executes it. One is for stages without a renderer alone.
  const embedded = /^lib\/service\/mcp\/make-pictures\.ts:\d+: import\("\.\/model-picture\.ts"\)$/;
  expect(findUnexecutedImports(service.dataDir)).toEqual([expect.stringMatching(embedded)]);
});
