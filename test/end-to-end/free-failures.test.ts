// Free failures through the whole service: counted where the caller causes a failure, and refused beyond their limit.
import { randomUUID } from "node:crypto";
import { describe, expect, inject, test } from "vitest";
import { plans } from "../../lib/contract/plans.ts";
import { transact } from "../../lib/service/aws/transaction.ts";
import { periodAt } from "../../lib/service/billing/billing-period.ts";
import { allowanceFor } from "../../lib/service/billing/quota.ts";
import { settleFree } from "../../lib/service/billing/quota-store.ts";
import { type Client, openClient, sendWith } from "../support/client.ts";
import { fakePage } from "../support/fake-renderer/instructions.ts";

const { site, usageTable } = inject("service");
const page = { url: `${site}/box`, viewport_width: 200, viewport_height: 100 };

const send = (method: string, path: string, by: Client, body?: object) =>
  sendWith(by, method, `/api/v1${path}`, { body });

const freeFailures = async (by: Client) => (await (await by.get("/api/v1/account")).json()).free_failures;

/** An account that has used all of its free failures. */
async function openUsed(): Promise<Client> {
  const client = await openClient();
  const period = periodAt(client.account, Date.now());
  const capture = { accountId: client.account.id, attempt: "past", period, credit: "screenshots" } as const;
  const allowance = allowanceFor(capture, plans[client.account.plan]);
  const failed = { milliseconds: 1, endedAt: Date.now(), isFreeFailure: true };
  const counting = settleFree(usageTable, allowance, failed).items.flatMap(({ otherwise }) => otherwise ?? []);
  for (let count = 0; count < 100; count++) await transact(counting);
  return client;
}

describe("free failures: a request", () => {
  test("with a rule that its page breaks counts as one, and one that keeps it as none", async () => {
    const client = await openClient();
    const kept = await send("POST", "/screenshot", client, { ...page, fail_if_selector_present: "#missing" });
    expect([kept.status, await freeFailures(client)]).toEqual([200, { limit: 100, used: 0 }]);
    const unfit = { ...page, url: undefined, html: fakePage({ error: "CONTENT_RULE_FAILED" }) };
    const broken = await send("POST", "/screenshot", client, { ...unfit, fail_if_content_missing: "no such text" });
    expect([broken.status, (await broken.json()).code]).toEqual([422, "CONTENT_RULE_FAILED"]);
    expect(await freeFailures(client)).toEqual({ limit: 100, used: 1 });
  });

  test("whose scripts ran before an element was missing counts as one, and without scripts as none", async () => {
    const client = await openClient();
    const missing = { html: fakePage({ error: "SELECTOR_NOT_FOUND" }), selector: "#missing" };
    expect((await send("POST", "/screenshot", client, missing)).status).toBe(422);
    expect(await freeFailures(client)).toMatchObject({ used: 0 });
    expect((await send("POST", "/screenshot", client, { ...missing, scripts: "1" })).status).toBe(422);
    expect(await freeFailures(client)).toMatchObject({ used: 1 });
  });

  test("that can fail by its own rules is refused before its page is requested, once they are used up", async () => {
    const client = await openUsed();
    const name = randomUUID();
    const url = `${site}/counted?name=${name}`;
    const rule = { fail_if_content_contains: "x" };
    for (const [path, body] of [
      ["/screenshot", { ...page, url, ...rule }],
      ["/screenshot", { ...page, url, ...rule, async: true }],
      ["/screenshot", { ...page, url, ...rule, outputs: [{ name: "a" }, { name: "b", format: "text" }] }],
    ] as const) {
      const refused = await send("POST", path, client, body);
      const details = { used: 100, limit: 100, resets_at: expect.any(String) };
      const error = { code: "FREE_FAILURES_USED", retryable: false, details };
      expect([refused.status, await refused.json()]).toMatchObject([429, error]);
      expect(refused.headers.has("retry-after")).toBe(false);
    }
    const bulk = await (await send("POST", "/bulk", client, { requests: [{ ...page, url, ...rule }] })).json();
    expect(bulk.data).toMatchObject([{ status: "refused", error: { code: "FREE_FAILURES_USED" } }]);
    expect(await (await fetch(`${site}/visits?name=${name}`)).text()).toBe("0");
    expect((await send("POST", "/screenshot", client, { ...page, url })).status).toBe(200);
  });
});

test("free failures: a cancellation of a capture in progress counts as one", async () => {
  const client = await openClient();
  const name = randomUUID();
  const sent = { ...page, url: `${site}/counted?name=${name}&shut=0`, async: true };
  const { request_id } = await (await send("POST", "/screenshot", client, sent)).json();
  await expect.poll(async () => (await fetch(`${site}/visits?name=${name}`)).text()).toBe("1");
  expect((await send("DELETE", `/screenshot/${request_id}`, client)).status).toBe(202);
  await expect
    .poll(async () => (await (await client.get(`/api/v1/screenshot/${request_id}`)).json()).error?.code)
    .toBe("CANCELLED");
  expect(await freeFailures(client)).toMatchObject({ used: 1 });
  await fetch(`${site}/opens?name=${name}`);
});
