// Attacks on `POST /billing/events`, by which a payment provider sets plans and payments: forged, changed, old, and repeated calls.
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { readKeyRing } from "../../lib/service/account/account-store.ts";
import { openAccount } from "../../lib/service/account/open-account.ts";
import { invoicesOf } from "../../lib/service/billing/invoice-list.ts";
import { issueOperatorSecret, operatorSecrets } from "../../lib/service/operator-events/operator-secret.ts";
import { billingEvents, signedBillingEvent } from "../support/billing-events.ts";
import { startTestResources, type TestResources } from "../support/test-resources.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
/** That of no operator. */
const OTHER_SECRET = `whsec_${Buffer.alloc(24, 1).toString("base64")}`;

let running: TestResources;
let answer: Awaited<ReturnType<typeof billingEvents>>;
let secret: string;

beforeAll(async () => {
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  running = await startTestResources();
  await issueOperatorSecret(running.tables.accounts, { isRotation: false, now: Date.now() });
  [secret = ""] = await operatorSecrets(running.tables.accounts, Date.now());
  answer = await billingEvents(running.env);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await running.close();
});

/** An account with the plan Starter since 40 days ago, so that one of its billing periods has ended. */
async function customer() {
  const now = Date.now() - 40 * DAY_MS;
  const { ring, key: text } = await openAccount(running.tables.accounts, { plan: "starter", label: "A customer", now });
  const { id } = ring.account;
  const account = async () => (await readKeyRing(running.tables.accounts, id)).account;
  return {
    id,
    apiKey: text,
    plan: async () => (await account()).plan,
    payments: async () =>
      (await invoicesOf(running.tables.usage)(await account(), Date.now())).map(({ payment }) => payment),
    /** Start of the first period, which has ended. */
    firstPeriod: new Date(now).toISOString(),
    planSet: (plan: string | null, minutesAgo = 0) => ({
      type: "plan.set",
      account_id: id,
      plan,
      occurred_at: new Date(Date.now() - minutesAgo * 60_000).toISOString(),
    }),
  };
}

let nextId = 1;
/** A call that is signed by the operator. */
const signed = (event: object, { id = `evt_${nextId++}`, ageS = 0 } = {}) =>
  signedBillingEvent(secret, { id, event, ageS });
const statusOf = async (call: Parameters<typeof answer>[0]) => (await answer(call)).statusCode;

describe("billing events: a forged call", () => {
  test("is refused, and changes nothing, where the same event is applied when the operator has signed it", async () => {
    const { planSet, plan, apiKey } = await customer();
    const event = planSet("max");
    const call = signed(event, { id: "evt_signed" });
    const { "webhook-signature": signature = "", ...unsigned } = call.headers;
    const withHeaders = (headers: Record<string, string>) => ({ ...call, headers: { ...call.headers, ...headers } });
    const forged = {
      "without a signature": { ...call, headers: unsigned },
      "without an id": { ...call, headers: { ...call.headers, "idempotency-key": "" } },
      "with an empty signature": withHeaders({ "webhook-signature": "v1," }),
      "with a part of the signature": withHeaders({ "webhook-signature": signature.slice(0, 20) }),
      "with the signature as another version": withHeaders({ "webhook-signature": signature.replace("v1,", "v2,") }),
      "with another secret": signedBillingEvent(OTHER_SECRET, { id: "evt_signed", event }),
      "with an API key": { ...call, headers: { ...unsigned, authorization: `Bearer ${apiKey}` } },
      "with another plan": { ...call, body: call.body.replace("max", "pro") },
      "with another account": { ...call, body: call.body.replace(/"account_id":\d+/, '"account_id":1') },
      "with one more space": { ...call, body: `${call.body} ` },
      "with another Idempotency-Key": withHeaders({ "idempotency-key": "evt_other" }),
      "with a later time": withHeaders({ "webhook-timestamp": String(Math.floor(Date.now() / 1000) + 60) }),
      "with a time that is no number": withHeaders({ "webhook-timestamp": "now" }),
      "six minutes old": signed(event, { ageS: 360 }),
      "six minutes early": signed(event, { ageS: -360 }),
    };
    const outcomes = await Promise.all(
      Object.entries(forged).map(async ([name, each]) => [name, await statusOf(each)] as const),
    );
    const refused = Object.keys(forged).map((name) => [name, name === "without an id" ? 422 : 401]);
    expect(outcomes).toEqual(refused);
    expect(await plan()).toBe("starter");
    expect(await statusOf(call)).toBe(200);
    expect(await plan()).toBe("max");
  });

  test("is told nothing about accounts, plans, or whether its id is known", async () => {
    const { planSet } = await customer();
    await answer(signed(planSet("pro"), { id: "evt_known" }));
    const events = [planSet("max"), { ...planSet("max"), account_id: 1 }, { type: "unknown" }];
    const answers = await Promise.all(
      events.map(async (event) => {
        const { statusCode, body } = await answer(signedBillingEvent(OTHER_SECRET, { id: "evt_known", event }));
        const { request_id, ...rest } = JSON.parse(body);
        return { statusCode, ...rest };
      }),
    );
    expect(answers[0]).toMatchObject({ statusCode: 401, code: "UNAUTHORIZED" });
    expect(answers.slice(1)).toEqual([answers[0], answers[0]]);
  });
});

describe("billing events: a call that is sent again", () => {
  test("is answered like before, and doesn't undo what came later", async () => {
    const { planSet, plan } = await customer();
    const first = signed(planSet("pro", 2));
    const [before] = [await answer(first), await answer(signed(planSet("max", 1)))];
    const again = await answer(first);
    expect([again.statusCode, again.body]).toEqual([200, before.body]);
    expect([before, again].map(({ headers }) => headers?.["Idempotent-Replayed"])).toEqual([undefined, "true"]);
    expect(await plan()).toBe("max");
  });

  test("at the same time is applied once", async () => {
    const { planSet, plan } = await customer();
    const call = signed(planSet("pro"));
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => answer(call)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200, 200, 200]);
    expect(answers.filter(({ headers }) => headers?.["Idempotent-Replayed"] === undefined)).toHaveLength(1);
    expect(await plan()).toBe("pro");
  });

  test("with another event is refused with 409", async () => {
    const { planSet, plan } = await customer();
    await answer(signed(planSet("pro", 1), { id: "evt_twice" }));
    expect(await statusOf(signed(planSet("max"), { id: "evt_twice" }))).toBe(409);
    expect(await plan()).toBe("pro");
  });
});

describe("billing events: an event that comes late", () => {
  test("sets no plan when a later one has set it", async () => {
    const { planSet, plan } = await customer();
    expect(JSON.parse((await answer(signed(planSet("max")))).body)).toEqual({ applied: true });
    expect(JSON.parse((await answer(signed(planSet("pro", 10)))).body)).toEqual({ applied: false });
    expect(JSON.parse((await answer(signed(planSet(null, 10)))).body)).toEqual({ applied: false });
    expect(await plan()).toBe("max");
  });

  test("makes no paid invoice unpaid", async () => {
    const { id, firstPeriod, payments } = await customer();
    const event = (type: string, second: number) => ({
      type,
      account_id: id,
      period_start: firstPeriod,
      occurred_at: new Date(Date.parse("2026-01-01T00:00:00Z") + second * 1000).toISOString(),
    });
    const applied = async (each: object) => JSON.parse((await answer(signed(each))).body).applied;
    expect(await payments()).toEqual(["unpaid", "unpaid"]);
    expect(await applied(event("payment.failed", 1))).toBe(true);
    expect(await applied(event("payment.succeeded", 2))).toBe(true);
    expect(await applied(event("payment.failed", 1))).toBe(false);
    expect(await applied(event("payment.failed", 2))).toBe(false);
    expect((await payments()).at(-1)).toBe("paid");
  });
});

describe("billing events: an event that can't be applied is refused:", () => {
  test.each([
    ["of no account", 404, { account_id: 1 }],
    ["of the trial", 422, { plan: "free" }],
    ["of a plan that doesn't exist", 422, { plan: "constructor" }],
    ["of a plan that ends at once", 422, { plan: null, effective: "now" }],
    ["with a field that doesn't exist", 422, { billed_from: null }],
    ["with an account as a list", 422, { account_id: [1] }],
    ["of a period that doesn't exist", 404, { type: "payment.succeeded", period_start: "2020-01-01T00:00:00Z" }],
    ["of a payment without a period", 422, { type: "payment.succeeded" }],
  ])("%s", async (_, status, change) => {
    const { planSet, plan } = await customer();
    expect(await statusOf(signed({ ...planSet("max"), ...change }))).toBe(status);
    expect(await plan()).toBe("starter");
  });

  test("a payment of an invoice that isn't closed", async () => {
    const { id, firstPeriod, planSet } = await customer();
    const { account } = await readKeyRing(running.tables.accounts, id);
    const [current] = await invoicesOf(running.tables.usage)(account, Date.now());
    expect(current?.period.start).not.toBe(firstPeriod);
    const { occurred_at } = planSet(null);
    const event = { type: "payment.succeeded", account_id: id, period_start: current?.period.start, occurred_at };
    expect(await statusOf(signed(event))).toBe(409);
  });

  test("JSON that says it is a form", async () => {
    const { planSet } = await customer();
    const call = signed(planSet("max"));
    const headers = { ...call.headers, "content-type": "application/x-www-form-urlencoded" };
    expect(await statusOf({ ...call, headers })).toBe(415);
  });
});
