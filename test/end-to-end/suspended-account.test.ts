// A suspended account over HTTP: nothing of it works but what its owner may still do, nothing is lost, and all works again afterwards.
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { signQuery } from "../../lib/service/account/signed-link.ts";
import { resumeAccount, suspendAccount } from "../../lib/service/account/suspension.ts";
import { findJob } from "../../lib/service/jobs/job-store.ts";
import { routes } from "../../lib/service/routes.ts";
import { receivedAt } from "../fixtures/webhook-receiver.ts";
import { type Client, endOf, openClient, sendWith } from "../support/client.ts";
import { exportAllData } from "../support/exported-data.ts";
import { fakePage } from "../support/fake-renderer/instructions.ts";
import { fromOwnPage, linkToken, type SignedInBrowser, signIn, withCookie } from "../support/signed-in.ts";

const service = inject("service");
const { baseUrl, activityTable, receiver } = service;
const env = {
  ACCOUNTS_TABLE: service.accountsTable,
  USAGE_TABLE: service.usageTable,
  WEBHOOK_QUEUE_URL: service.webhookQueue,
};
const REASON = "Phishing pages were captured";
const small = { viewport_width: 100, viewport_height: 100 };
const patience = { timeout: 30_000, interval: 100 };

beforeAll(() => {
  process.env["AWS_ENDPOINT_URL_SQS"] = service.sqs;
});

const suspend = ({ accountId }: Client) =>
  suspendAccount(env, { accountId, reason: REASON, billing: "stop", now: Date.now() });
const resume = ({ accountId }: Client) => resumeAccount(env, { accountId, now: Date.now() });

const post = (by: Client, body: object, headers = {}) => sendWith(by, "POST", "/api/v1/screenshot", { body, headers });

/** Renderings wait here until their gate is opened. */
const gates = new Map<string, { readonly arrived: () => void; readonly opened: Promise<void> }>();
const gateServer = createServer(async (request, response) => {
  const gate = gates.get(request.url ?? "");
  gate?.arrived();
  await gate?.opened;
  response.end();
});
beforeAll(async () => {
  await new Promise<void>((resolve) => gateServer.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  gateServer.closeAllConnections();
  gateServer.close();
});

/** A page whose rendering waits. `isRendered` resolves once it does. */
function waitingPage() {
  const path = `/${randomUUID()}`;
  const arrival = Promise.withResolvers<void>();
  const opening = Promise.withResolvers<void>();
  gates.set(path, { arrived: arrival.resolve, opened: opening.promise });
  const { port } = gateServer.address() as AddressInfo;
  return {
    html: fakePage({ gate: `http://127.0.0.1:${port}${path}` }),
    isRendered: arrival.promise,
    open: opening.resolve,
  };
}

/** What the account was billed for in its billing period. */
async function billed(by: Client): Promise<number> {
  const { quotas } = await (await by.get("/api/v1/account")).json();
  return quotas.captures.used;
}

const codeOf = async (response: Response) => ({ status: response.status, code: (await response.json()).code });
const SUSPENDED = { status: 403, code: "ACCOUNT_SUSPENDED" };

/** A path of a route, with ids that the account has not. */
const pathOf = (template: string) =>
  template.replaceAll(/\{(\w+)\+?\}/g, (_, name) => (name === "start" ? "2026-01-01T00:00:00.000Z" : "123456789012"));

/** What the owner of a suspended account may still request. */
const FOR_OWNER = new Set([
  "GET /api/v1/account/invoices",
  "GET /api/v1/account/invoices/{start}/pdf",
  "POST /session/account/exports",
  "GET /session/account/exports",
  "GET /session/account/exports/{id}",
  "DELETE /session/account",
]);

describe("a suspended account: its requests", () => {
  let client: Client;
  let owner: SignedInBrowser;
  let keySession: SignedInBrowser;
  beforeAll(async () => {
    client = await openClient();
    owner = await signIn(client.accountId);
    const byKey = await fromOwnPage("POST", "/session", { body: { api_key: client.key } });
    keySession = withCookie(
      byKey.headers
        .getSetCookie()
        .map((line) => line.split(";")[0])
        .join("; "),
    );
    await suspend(client);
  });

  const ofAccounts = routes.filter(({ access }) => !["public", "page", "operator"].includes(access));

  test("by API keys, sessions, and links are all refused with the reason, but for those of its owner", {
    timeout: 120_000,
  }, async () => {
    let sent = 0;
    for (const { method, path, access } of ofAccounts.filter((route) => route.path !== "/mcp")) {
      const name = `${method} ${path}`;
      const address = `${baseUrl}${pathOf(path)}`;
      const body = method === "GET" ? {} : { headers: { "Content-Type": "application/json" }, body: "{}" };
      const byHeader = { ...body, method, headers: { ...body.headers, Authorization: `Bearer ${client.key}` } };
      const responses = [
        ["key", await fetch(address, byHeader)],
        ["key in the query", await fetch(`${address}?access_key=${client.key}`, { method, ...body })],
        ["session of a key", await keySession.request(method, pathOf(path), method === "GET" ? undefined : {})],
        ...(FOR_OWNER.has(name)
          ? []
          : [["session", await owner.request(method, pathOf(path), method === "GET" ? undefined : {})] as const]),
      ] as const;
      for (const [by, response] of responses) {
        sent++;
        const isForPages = access === "session" || access === "owner";
        const needsSession = isForPages && by.startsWith("key");
        const code = await codeOf(response);
        if (needsSession && code.status === 401) continue; // the cookie alone counts there
        expect.soft({ name, by, ...code }).toEqual({ name, by, ...SUSPENDED });
      }
    }
    expect(sent).toBeGreaterThanOrEqual(200);
  });

  test("have an error that says why, since when, and whom to ask", async () => {
    const { error, details, retryable } = await (await client.get("/api/v1/usage")).json();
    expect(error).toMatch(
      new RegExp(
        `^This account is suspended since 2\\d{3}-[^ ]+Z: ${REASON}\\. To have it resumed, write to support@captures\\.example\\.$`,
      ),
    );
    expect(details).toEqual({ reason: REASON, suspended_at: expect.stringMatching(/Z$/) });
    expect(retryable).toBe(false);
  });

  test("by MCP get the same error from each tool", async () => {
    const headers = {
      Authorization: `Bearer ${client.key}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    };
    const call = {
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: "get_usage", arguments: {} },
    };
    const response = await fetch(`${baseUrl}/mcp`, { method: "POST", headers, body: JSON.stringify(call) });
    expect(await response.text()).toContain(`This account is suspended`);
  });

  test("let its owner sign in by a link, and not by an API key", async () => {
    const byLink = await fromOwnPage("POST", "/session", { body: { token: await linkToken(client.accountId) } });
    expect(byLink.status).toBe(201);
    expect((await byLink.json()).account.suspension).toEqual({ reason: REASON, at: expect.stringMatching(/Z$/) });
    const byKey = await fromOwnPage("POST", "/session", { body: { api_key: client.key } });
    expect(await codeOf(byKey)).toEqual(SUSPENDED);
  });

  test("let its owner see the invoices and the reason, export all data, and sign out", async () => {
    const browser = await signIn(client.accountId);
    expect((await browser.request("GET", "/api/v1/account/invoices")).status).toBe(200);
    expect((await (await browser.request("GET", "/session")).json()).account.suspension.reason).toBe(REASON);
    expect((await exportAllData(browser)).text).toContain('"kind":"api_key"');
    expect((await browser.request("DELETE", "/session")).status).toBe(204);
  });
});

describe("a suspended account: its links", () => {
  test("to results and to captures end, and work again when it is resumed", async () => {
    const client = await openClient();
    const stored = await (await post(client, { html: "stored", ...small, response_type: "json" })).json();
    const query = [
      ["html", "linked"],
      ["key_id", String(client.keyId)],
      ["expires", String(Math.floor(Date.now() / 1000) + 600)],
      ["fallback_image", "transparent"],
      ...Object.entries(small).map(([name, value]) => [name, String(value)] as const),
    ] as const;
    const signature = signQuery(query, client.signingSecret);
    const link = `${baseUrl}/api/v1/screenshot?${new URLSearchParams([...query.map((pair) => [...pair]), ["signature", signature]])}`;
    const statuses = async () => [
      (await fetch(stored.url)).status,
      (await fetch(stored.url, { method: "HEAD" })).status,
      (await fetch(stored.url, { headers: { Range: "bytes=0-9" } })).status,
      (await fetch(link)).status,
    ];
    expect(await statuses()).toEqual([200, 200, 206, 200]);
    await suspend(client);
    expect(await statuses()).toEqual([403, 403, 403, 403]);
    const { code, error } = await (await fetch(stored.url)).json();
    expect({ code, error }).toEqual({ code: "ACCOUNT_SUSPENDED", error: expect.not.stringContaining(REASON) });
    await resume(client);
    expect(await statuses()).toEqual([200, 200, 206, 200]);
  });
});

describe("an account that is suspended while captures are in progress", () => {
  test("gets none of eight outputs, and isn't billed for one", async () => {
    const client = await openClient();
    const page = waitingPage();
    const outputs = Array.from({ length: 8 }, (_, index) => ({
      name: `output-${index}`,
      selector_padding: index,
      selector: "body",
    }));
    const responding = post(client, { html: page.html, ...small, outputs, response_type: "json" });
    await page.isRendered;
    await suspend(client);
    page.open();
    expect(await codeOf(await responding)).toEqual(SUSPENDED);
    await resume(client);
    expect(await billed(client)).toBe(0);
    const logs = await client.logs();
    expect(logs).toHaveLength(8);
    expect(new Set(logs.map(({ status }) => status))).toEqual(new Set(["failed"]));
  });

  test("captures the same request, with its Idempotency-Key, once it is resumed", async () => {
    const client = await openClient();
    const page = waitingPage();
    const headers = { "Idempotency-Key": randomUUID() };
    const responding = post(client, { html: page.html, ...small }, headers);
    await page.isRendered;
    await suspend(client);
    page.open();
    expect(await codeOf(await responding)).toEqual(SUSPENDED);
    await resume(client);
    await vi.waitFor(async () => {
      const repeated = await post(client, { html: page.html, ...small }, headers);
      expect(repeated.status).toBe(200);
    }, patience);
    expect(await billed(client)).toBe(1);
  });

  test("has its running and queued jobs end unbilled, and their webhooks sent once it is resumed", async () => {
    const client = await openClient();
    const page = waitingPage();
    const name = randomUUID();
    const webhook = { async: true, webhook_url: `${receiver}/to/${name}`, ...small };
    const ids: number[] = [];
    for (let index = 0; index < 6; index++) {
      const accepted = await post(client, { html: page.html, ...webhook });
      ids.push((await accepted.json()).request_id);
    }
    await page.isRendered;
    await suspend(client);
    const jobs = () =>
      Promise.all(ids.map((id) => findJob(activityTable, { account_id: client.accountId, id }, Date.now())));
    await vi.waitFor(async () => {
      expect((await jobs()).map((job) => job?.error?.["code"])).toEqual(ids.map(() => "ACCOUNT_SUSPENDED"));
    }, patience);
    page.open();
    expect((await jobs()).map((job) => job?.webhook?.status)).toEqual(ids.map(() => "pending"));
    expect(await receivedAt(receiver, name)).toEqual([]);
    await resume(client);
    await vi.waitFor(async () => expect(await receivedAt(receiver, name)).toHaveLength(6), patience);
    const events = (await receivedAt(receiver, name)).map(({ body }) => JSON.parse(body));
    expect(events.map(({ data }) => data.request_id).toSorted()).toEqual(ids.toSorted());
    expect(await billed(client)).toBe(0);
    const again = await (await post(client, { html: "again", async: true, ...small })).json();
    expect((await endOf(again.request_id, client)).status).toBe("success");
  });

  test("has the captures of a bulk request end, and none of them is billed", async () => {
    const client = await openClient();
    const page = waitingPage();
    const requests = Array.from({ length: 3 }, () => ({ html: page.html, ...small }));
    const responding = sendWith(client, "POST", "/api/v1/bulk", { body: { requests } });
    await page.isRendered;
    await suspend(client);
    page.open();
    const { data } = await (await responding).json();
    expect(data.map((state: { error?: { code: string } }) => state.error?.code)).toEqual(
      requests.map(() => "ACCOUNT_SUSPENDED"),
    );
    await resume(client);
    expect(await billed(client)).toBe(0);
  });

  test("has the webhook of a capture that had ended wait, and get it once it is resumed", async () => {
    const client = await openClient();
    const name = randomUUID();
    const page = waitingPage();
    // The receiver refuses the first attempt, so that the event is still due when the account is suspended.
    const webhook_url = `${receiver}/to/${name}?answers=500,200`;
    const accepted = await (await post(client, { html: "done", async: true, webhook_url, ...small })).json();
    await vi.waitFor(async () => expect(await receivedAt(receiver, name)).toHaveLength(1), patience);
    await suspend(client);
    page.open();
    await vi.waitFor(async () => expect(await codeOf(await client.get("/api/v1/usage"))).toEqual(SUSPENDED), patience);
    const attempts = (await receivedAt(receiver, name)).length;
    await resume(client);
    await vi.waitFor(async () => {
      const received = await receivedAt(receiver, name);
      expect(received.length).toBeGreaterThan(attempts);
      expect(JSON.parse(received.at(-1)?.body ?? "{}").data.request_id).toBe(accepted.request_id);
    }, patience);
  });

  test("has its export of captures ready once it is resumed", async () => {
    const client = await openClient();
    await post(client, { html: "exported", ...small });
    const started = await (await sendWith(client, "POST", "/api/v1/usage/exports", { body: {} })).json();
    await suspend(client);
    expect(await codeOf(await client.get(`/api/v1/usage/exports/${started.id}`))).toEqual(SUSPENDED);
    await resume(client);
    await vi.waitFor(async () => {
      const state = await (await client.get(`/api/v1/usage/exports/${started.id}`)).json();
      expect(state.status).toBe("ready");
      expect((await fetch(state.download_url)).status).toBe(200);
    }, patience);
  });
});
