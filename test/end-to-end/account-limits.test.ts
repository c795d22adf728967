// Limits of one account that the operator has set, over HTTP: who they apply to, from when to when, and what is beyond them.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, inject, onTestFinished, test } from "vitest";
import type { PlanName } from "../../lib/contract/plans.ts";
import { changePlan } from "../../lib/service/account/change-plan.ts";
import type { LimitChanges } from "../../lib/service/account/limits.ts";
import { setLimits } from "../../lib/service/account/set-limits.ts";
import { type Query, signQuery } from "../../lib/service/account/signed-link.ts";
import { type Client, endOf, openClient, sendWith } from "../support/client.ts";
import { fakePage } from "../support/fake-renderer/instructions.ts";
import { signIn } from "../support/signed-in.ts";

const { accountsTable, usageTable, baseUrl, site } = inject("service");

/** An account with limits. */
async function aLimitedClient(changes: LimitChanges, { plan = "max" as PlanName } = {}): Promise<Client> {
  const client = await openClient({ plan });
  await limit(client, changes);
  return client;
}

const limit = ({ accountId }: Client, changes: LimitChanges, now = Date.now()) =>
  setLimits(accountsTable, { accountId, changes, now });
const forever = (value: number) => ({ value, until: null });

async function send(client: Pick<Client, "key">, method: string, path: string, body?: object) {
  const response = await sendWith(client, method, `/api/v1${path}`, { body });
  return { status: response.status, headers: response.headers, json: await response.json().catch(() => undefined) };
}

const capture = (client: Pick<Client, "key">, options: object = {}) =>
  send(client, "POST", "/screenshot", { html: "<p>Hello", viewport_width: 100, viewport_height: 100, ...options });
const aKey = async (client: Client, options: object = {}) =>
  (await send(client, "POST", "/keys", { label: "Website", ...options })).json;
const statusesOf = async (answers: readonly Promise<{ readonly status: number }>[]) =>
  (await Promise.all(answers)).map(({ status }) => status).toSorted();
const limitsOf = async (client: Client) => (await send(client, "GET", "/account")).json.limits;

/** Captures that are rendered until the test lets them end. */
async function heldCaptures() {
  const waiting: (() => void)[] = [];
  const server = createServer((_, response) => void waiting.push(() => response.end()));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const release = () => {
    for (const respond of waiting.splice(0)) respond();
  };
  onTestFinished(() => {
    release();
    server.close();
  });
  const html = fakePage({ gate: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` });
  return { html, release, areHeld: (count: number) => expect.poll(() => waiting.length).toBe(count) };
}

describe("limits of an account: GET /account", () => {
  test("shows those of the plan, and those that the operator has set with their end", async () => {
    const client = await openClient({ plan: "starter" });
    const ofPlan = (value: unknown) => ({ value, until: null, is_override: false });
    const before = await limitsOf(client);
    expect(before).toEqual({
      requests_per_minute: ofPlan(40),
      concurrent_captures: ofPlan(expect.any(Number)),
      captures_per_day: ofPlan(null),
      api_keys: ofPlan(48),
      concurrent_jobs: ofPlan(50),
    });
    expect(before.concurrent_captures.value).toBeGreaterThan(0);
    const until = new Date(Date.now() + 3_600_000).toISOString();
    await limit(client, { captures_per_day: forever(0), requests_per_minute: { value: 50, until } });
    const { json: account, headers } = await send(client, "GET", "/account");
    expect(account.limits).toEqual({
      ...before,
      captures_per_day: { value: 0, until: null, is_override: true },
      requests_per_minute: { value: 50, until, is_override: true },
    });
    expect(account.rate_limit).toEqual({ limit: 50, window_seconds: 60 });
    expect(headers.get("x-ratelimit-limit")).toBe("50");
  });
});

describe("limits of an account: requests a minute", () => {
  test("that are lowered apply at once to all keys, signed links, and captures of sessions together", async () => {
    const client = await openClient();
    const other = await aKey(client);
    const browser = await signIn(client.accountId);
    expect((await capture(other)).status).toBe(200);
    await limit(client, { requests_per_minute: forever(3) });
    const expires = String(Math.ceil(Date.now() / 1000) + 60);
    const query: Query = Object.entries({ key_id: String(client.keyId), expires, url: `${site}/box` });
    const signed = new URLSearchParams({
      ...Object.fromEntries(query),
      signature: signQuery(query, client.signingSecret),
    });
    const link = `${baseUrl}/api/v1/screenshot?${signed}`;
    expect((await capture(client)).status).toBe(200);
    expect((await fetch(link)).status).toBe(200);
    expect((await capture(other)).status).toBe(200);
    const refused = await capture(client);
    expect([refused.status, refused.json]).toMatchObject([429, { code: "RATE_LIMITED", retryable: true }]);
    expect(refused.json.error).toMatch(
      /^The account has sent as many requests as the operator of the service allows it in 60 seconds: 3\. Try again in \d+ s\.$/,
    );
    expect(refused.headers.get("x-ratelimit-limit")).toBe("3");
    expect((await capture(other)).status).toBe(429);
    expect((await fetch(link)).status).toBe(429);
    expect((await browser.request("POST", "/api/v1/screenshot", { html: "Hello" })).status).toBe(429);
  });

  test("are allowed exactly as often as was set, also of 20 at once", async () => {
    const client = await aLimitedClient({ requests_per_minute: forever(7) });
    const answers = Array.from({ length: 20 }, () => send(client, "GET", "/usage"));
    expect(await statusesOf(answers)).toEqual([...Array(7).fill(200), ...Array(13).fill(429)]);
  });

  test("are those of the plan again once the end has passed, without a further change", async () => {
    const client = await openClient({ plan: "starter" });
    const past = Date.now() - 60_000;
    const until = new Date(past + 1_000).toISOString();
    await limit(client, { requests_per_minute: { value: 1, until }, captures_per_day: { value: 0, until } }, past);
    expect(await limitsOf(client)).toMatchObject({ requests_per_minute: { value: 40, is_override: false } });
    expect((await capture(client)).status).toBe(200);
  });

  test("stay as set after a rotation of the key, and after a change of the plan", async () => {
    const client = await aLimitedClient({ requests_per_minute: forever(2) }, { plan: "starter" });
    const rotated = (await send(client, "POST", `/keys/${client.keyId}/rotate`, { overlap: 60 })).json;
    await changePlan(
      { accounts: accountsTable, usage: usageTable },
      { accountId: client.accountId, plan: "max", now: Date.now() },
    );
    expect((await send(rotated, "GET", "/account")).json).toMatchObject({
      plan: "max",
      limits: { requests_per_minute: { value: 2, is_override: true } },
    });
    expect(await statusesOf([capture(client), capture(rotated)])).toEqual([429, 429]);
  });
});

describe("limits of an account: captures a day", () => {
  test("of 20 at once, with two keys: exactly as many succeed as was set, and the rest gets 402 with when it resets", async () => {
    const client = await aLimitedClient({ captures_per_day: forever(6) });
    const other = await aKey(client);
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => capture(index % 2 ? client : other)));
    expect(await statusesOf(answers.map((answer) => Promise.resolve(answer)))).toEqual([
      ...Array(6).fill(200),
      ...Array(14).fill(402),
    ]);
    const refused = await capture(client);
    const midnight = new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000).toISOString();
    expect(refused.json).toMatchObject({
      code: "QUOTA_EXCEEDED",
      error: `The account has reached the limit of captures a day that the operator of the service has set for it: 6 of 6 captures are taken. It resets at ${midnight}.`,
      details: { quota: "captures_per_day", limit: 6, used: 6, resets_at: midnight },
      retryable: false,
    });
    expect(refused.headers.get("x-quota-remaining")).toBe("0");
    expect((await send(client, "GET", "/account")).json.quotas.captures.used).toBe(6);
    await limit(client, { captures_per_day: forever(7) });
    expect([(await capture(client)).status, (await capture(client)).status]).toEqual([200, 402]);
    await limit(client, { captures_per_day: null });
    expect((await capture(client)).status).toBe(200);
  });

  test("count asynchronous ones and those of a bulk request, each once", async () => {
    const client = await aLimitedClient({ captures_per_day: forever(5) });
    const answers = await Promise.all(Array.from({ length: 8 }, () => capture(client, { async: true })));
    const accepted = answers.filter(({ status }) => status === 202);
    expect(accepted).toHaveLength(5);
    const ends = await Promise.all(accepted.map(({ json }) => endOf(json.request_id, client)));
    expect(ends.map(({ status }) => status)).toEqual(Array(5).fill("success"));
    const requests = [{ html: "1" }, { html: "2" }];
    const bulk = await send(client, "POST", "/bulk", { requests });
    expect(bulk.json.data.map(({ status }: { status: string }) => status)).toEqual(["refused", "refused"]);
    expect(bulk.json.data[0].error).toMatchObject({ code: "QUOTA_EXCEEDED", details: { quota: "captures_per_day" } });
  });

  test("don't count failures, cached results, and captures with keys for tests", async () => {
    const client = await aLimitedClient({ captures_per_day: forever(1) });
    const forTests = await aKey(client, { test: true });
    expect((await capture(client, { html: fakePage({ error: "SELECTOR_NOT_FOUND" }) })).status).toBe(422);
    expect((await capture(forTests)).status).toBe(200);
    expect((await capture(client, { cache: true })).status).toBe(200);
    expect((await capture(client)).status).toBe(402);
    expect((await capture(client, { cache: true })).headers.get("x-cache")).toBe("HIT");
    expect((await capture(forTests)).status).toBe(200);
  });
});

describe("limits of an account: at the same time", () => {
  test("exactly as many synchronous captures run as was set", async () => {
    const client = await aLimitedClient({ concurrent_captures: forever(2) });
    const { html, release, areHeld } = await heldCaptures();
    const running = [capture(client, { html })];
    await areHeld(1);
    running.push(capture(client, { html: `${html}2` }));
    await areHeld(2);
    const refused = await capture(client);
    expect([refused.status, refused.json.code]).toEqual([503, "CAPACITY"]);
    expect(refused.json.error).toBe(
      "The account runs as many synchronous captures as the operator of the service allows it: 2. Try again in 3 s, or send async=true.",
    );
    release();
    expect(await statusesOf(running)).toEqual([200, 200]);
    expect((await capture(client)).status).toBe(200);
  });

  test("exactly as many asynchronous captures are queued or processing as was set", async () => {
    const client = await aLimitedClient({ concurrent_jobs: forever(2) });
    const { html, release, areHeld } = await heldCaptures();
    const held = await Promise.all([1, 2].map((each) => capture(client, { html: html + each, async: true })));
    expect(held.map(({ status }) => status)).toEqual([202, 202]);
    await areHeld(2);
    const refused = await capture(client, { async: true });
    expect([refused.status, refused.json.code]).toEqual([429, "RATE_LIMITED"]);
    expect(refused.json.error).toBe(
      "The account has 2 asynchronous captures that are queued or processing; the operator of the service allows it 2 at once. Try again in 10 s.",
    );
    release();
    for (const { json } of held) expect(await endOf(json.request_id, client)).toMatchObject({ status: "success" });
    expect((await capture(client, { async: true })).status).toBe(202);
  });
});

describe("limits of an account: API keys", () => {
  test("beyond it continue to work, and no key can be created until enough are revoked", async () => {
    const client = await openClient();
    const [, third] = [await aKey(client), await aKey(client)];
    await limit(client, { api_keys: forever(2) });
    const refused = await send(client, "POST", "/keys", { label: "Fourth" });
    expect([refused.status, refused.json]).toMatchObject([
      409,
      {
        code: "CONFLICT",
        error: "The account has 3 API keys, and the operator of the service allows it 2. Revoke 2 of them first.",
      },
    ]);
    expect((await capture(third)).status).toBe(200);
    expect((await send(client, "POST", `/keys/${third.id}/rotate`)).status).toBe(200);
    const { data } = (await send(client, "GET", "/keys")).json;
    await send(client, "DELETE", `/keys/${data[1].id}`);
    expect((await send(client, "POST", "/keys", { label: "Fourth" })).status).toBe(409);
    await send(client, "DELETE", `/keys/${data[2].id}`);
    expect((await send(client, "POST", "/keys", { label: "Fourth" })).status).toBe(201);
    expect((await send(client, "POST", "/keys", { label: "Fifth" })).status).toBe(409);
    await limit(client, { api_keys: null });
    expect((await send(client, "POST", "/keys", { label: "Fifth" })).status).toBe(201);
  });
});
