// docs/stripe: the example server, as a program of its own, between a fake of Stripe and `POST /billing/events`.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { parseAllowedOrigins } from "../../lib/engine/egress/egress-policy.ts";
import { readKeyRing } from "../../lib/service/account/account-store.ts";
import { openAccount } from "../../lib/service/account/open-account.ts";
import { updateItem } from "../../lib/service/aws/items.ts";
import { periodKey } from "../../lib/service/aws/table-keys.ts";
import { invoicesOf } from "../../lib/service/billing/invoice-list.ts";
import { deliverOperatorEvent, operatorEventRequest } from "../../lib/service/operator-events/deliver-event.ts";
import { findOperatorEvent, listPending } from "../../lib/service/operator-events/event-store.ts";
import { type OperatorEvent, operatorEvent } from "../../lib/service/operator-events/operator-event.ts";
import { issueOperatorSecret, operatorSecrets } from "../../lib/service/operator-events/operator-secret.ts";
import { billingAddress } from "../../lib/service/payments/billing-address.ts";
import { runBilling } from "../../lib/service/payments/billing-run.ts";
import { listen, stopListening } from "../../lib/tools/local/loopback.ts";
import { billingEvents } from "../support/billing-events.ts";
import { type FakeStripe, type StripeObject, startFakeStripe, stripeSignature } from "../support/fake-stripe.ts";
import { startTestResources, type TestResources } from "../support/test-resources.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const BILLING_URL = "https://pay.example.com/plans";
const RETURN_TO = "https://captures.example.com/app/billing";

let running: TestResources;
let stripe: FakeStripe;
let secret: string;
/** Address of the example server. */
let origin: string;
/** What it has printed of errors. */
let errors = "";
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  vi.spyOn(console, "log").mockImplementation(() => undefined);
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  [running, stripe] = await Promise.all([startTestResources(), startFakeStripe()]);
  closing.push(running.close, stripe.close);
  await issueOperatorSecret(running.tables.accounts, { isRotation: false, now: Date.now() });
  [secret = ""] = await operatorSecrets(running.tables.accounts, Date.now());
  origin = await startExample(await startService());
});
afterAll(async () => {
  vi.restoreAllMocks();
  await Promise.all(closing.map((close) => close()));
});

/** `POST /billing/events` over HTTP. Resolves to the address of the service. */
async function startService(): Promise<string> {
  const answer = await billingEvents(running.env);
  const server = createServer(async (request, response) => {
    const { statusCode, body } = await answer({
      headers: request.headers as Record<string, string>,
      body: await text(request),
    });
    response.writeHead(request.url === "/billing/events" ? statusCode : 404).end(body);
  });
  closing.push(() => stopListening(server));
  return `http://${await listen(server)}`;
}

async function startExample(service: string): Promise<string> {
  const env = {
    BILLING_URL,
    OPERATOR_SECRET: secret,
    SERVICE_URL: service,
    STRIPE_SECRET_KEY: stripe.secretKey,
    STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
    STRIPE_API: stripe.origin,
    PORT: "0",
  };
  const program = join(import.meta.dirname, "../../docs/stripe/server.mjs");
  const child = spawn(process.execPath, [program], { env, stdio: ["ignore", "pipe", "pipe"] });
  closing.push(() => child.kill());
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  const [line] = await once(createInterface(child.stdout), "line");
  return `http://127.0.0.1:${/\d+$/.exec(line)?.[0]}`;
}

/** Opens an address of the page for payments. */
async function open(address: string): Promise<{ status: number; location: string | null }> {
  const response = await fetch(address.replace("https://pay.example.com", origin), { redirect: "manual" });
  return { status: response.status, location: response.headers.get("location") };
}

const nowS = () => Math.floor(Date.now() / 1000);
let nextEvent = 1;

/** Sends a webhook of Stripe to the example server. Resolves to the status of its response. */
async function stripeSends(
  type: string,
  object: object,
  {
    id = `evt_stripe_${nextEvent++}`,
    created = nowS(),
    signature = (body: string) => stripeSignature(body, stripe.webhookSecret),
  } = {},
): Promise<number> {
  const body = JSON.stringify({ id, object: "event", created, type, data: { object } });
  const headers = { "Content-Type": "application/json", "Stripe-Signature": signature(body) };
  return (await fetch(`${origin}/stripe`, { method: "POST", headers, body })).status;
}

/** An account with the plan Starter for so many days. */
async function customer(days: number) {
  const { accounts, usage } = running.tables;
  const now = Date.now() - days * DAY_MS;
  const { ring } = await openAccount(accounts, { plan: "starter", label: "A customer", now });
  const { id } = ring.account;
  const account = async () => (await readKeyRing(accounts, id)).account;
  const invoices = async () => (await invoicesOf(usage)(await account(), Date.now())).toReversed();
  return {
    id,
    account,
    /** Oldest first. */
    invoices,
    /** Adds captures to the period with this index. */
    async capture(index: number, screenshots: number) {
      const { start = "" } = (await invoices())[index]?.period ?? {};
      await updateItem(usage, periodKey(id, start), { update: "ADD screenshots :n", values: { ":n": screenshots } });
    },
    address: (plan?: "pro" | "max", validForMs = 60_000) =>
      billingAddress(
        BILLING_URL,
        {
          accountId: id,
          plan,
          periodStart: new Date(now).toISOString(),
          returnTo: RETURN_TO,
          expiresAt: Date.now() + validForMs,
        },
        secret,
      ),
    /** Stripe's objects of it. */
    stripeCustomers: () => stripe.customers.filter(({ metadata }) => metadata["account"] === String(id)),
    stripeInvoices: () =>
      stripe.invoices
        .filter(({ metadata }) => metadata["account"] === String(id))
        .toSorted((a, b) => ((a.metadata["period_start"] ?? "") < (b.metadata["period_start"] ?? "") ? -1 : 1)),
  };
}

/** Runs billing so many days ago, and now, and delivers the events of it to the example server. */
async function closeInvoices(days: number): Promise<void> {
  await runBilling(running.env, Date.now() - days * DAY_MS);
  await runBilling(running.env, Date.now());
  const pending = await listPending(running.tables.activity);
  const allowed = parseAllowedOrigins(origin.replace("http://", ""));
  const delivery = { env: running.env, url: `${origin}/events`, allowed };
  for (const { id, account_id } of pending) {
    await deliverOperatorEvent({ kind: "operator_event", id, account_id }, delivery);
    expect((await findOperatorEvent(running.tables.activity, id))?.webhook.status).toBe("delivered");
  }
}

/** Delivers an event to the example server, signed and then changed. Resolves to the status of its response. */
async function send(event: OperatorEvent, { by = secret, ageS = 0, change = (body: string) => body } = {}) {
  const { headers, body } = operatorEventRequest(event, { secrets: [by], now: Date.now() - ageS * 1000 });
  return (await fetch(`${origin}/events`, { method: "POST", headers, body: change(body) })).status;
}

/** An event that an invoice of this total is closed. */
function invoiceClosed(accountId: number, total: string): OperatorEvent {
  const period = { start: "2026-01-01T00:00:00.000Z", end: "2026-02-01T00:00:00.000Z" };
  const account = { label: "A customer", email: null };
  const facts = { account, period, plan: "pro", currency: "usd", total } as const;
  const data = { ...facts, number: `${accountId}-2026-01-01` };
  return operatorEvent({ type: "invoice.closed", account_id: accountId, data }, Date.now());
}

describe("docs/stripe: a customer", () => {
  test("is charged to the cent, and pays a failed invoice with another payment method, by which the plan is set", async () => {
    const { id, account, invoices, capture, address, stripeCustomers, stripeInvoices } = await customer(65);
    await capture(0, 5_110);
    await capture(1, 5_001);
    await closeInvoices(64);
    // $1.00 and 110 × $0.005; then $12.00 and $0.005, which is rounded up.
    expect(await invoices()).toMatchObject([
      { total: "1.55", payment: "unpaid" },
      { total: "12.01", payment: "unpaid" },
      { status: "open" },
    ]);
    const [first, second] = stripeInvoices() as [StripeObject, StripeObject];
    const [earliest] = await invoices();
    expect([first, second]).toMatchObject([
      { subtotal: 155, status: "open", currency: "usd", metadata: { period_start: earliest?.period.start } },
      { subtotal: 1201, status: "open", currency: "usd" },
    ]);

    Object.assign(first, { status: "paid" });
    expect(await stripeSends("invoice.paid", first)).toBe(204);
    const failedAt = nowS() - 60;
    expect(await stripeSends("invoice.payment_failed", second, { created: failedAt })).toBe(204);
    expect(await invoices()).toMatchObject([
      { payment: "paid", payment_failed_at: null },
      { payment: "unpaid", payment_failed_at: new Date(failedAt * 1000).toISOString() },
      {},
    ]);

    const { status, location } = await open(address("pro"));
    const session = stripe.sessionAt(location ?? "");
    expect([status, session]).toMatchObject([
      303,
      { mode: "setup", client_reference_id: String(id), success_url: RETURN_TO, cancel_url: RETURN_TO },
    ]);
    expect((await account()).plan).toBe("starter");
    expect(await stripeSends("checkout.session.completed", session)).toBe(204);
    expect((await account()).plan).toBe("pro");
    const paymentMethod = String(session["setup_intent"]).replace("seti", "pm");
    expect(stripeCustomers()).toMatchObject([
      { id: session["customer"], "invoice_settings[default_payment_method]": paymentMethod },
    ]);
    expect(stripe.paidNow).toEqual([second.id]);
    expect(await stripeSends("invoice.paid", second)).toBe(204);
    expect((await invoices()).map(({ payment }) => payment)).toEqual(["paid", "paid", "unpaid"]);
    expect((await account()).unpaid_invoices).toBeUndefined();
  });

  test("changes how the account pays without a plan", async () => {
    const { account, address } = await customer(10);
    const { location } = await open(address());
    expect(await stripeSends("checkout.session.completed", stripe.sessionAt(location ?? ""))).toBe(204);
    expect((await account()).plan).toBe("starter");
  });

  test("owes nothing for an invoice that is voided", async () => {
    const { account, stripeInvoices } = await customer(40);
    await closeInvoices(39);
    expect((await account()).unpaid_invoices).toHaveLength(1);
    expect(await stripeSends("invoice.voided", stripeInvoices()[0] ?? {})).toBe(204);
    expect((await account()).unpaid_invoices).toBeUndefined();
  });
});

describe("docs/stripe: an invoice", () => {
  test.each([
    ["0.01", [1]],
    ["12.00", [1200]],
    ["1.10", [110]],
    ["35184372088.83", [3518437208883]],
    ["0.00", []],
  ])("of $%s is charged as %j cents", async (total, cents) => {
    const { id, stripeInvoices } = await customer(1);
    expect(await send(invoiceClosed(id, total))).toBe(204);
    expect(stripeInvoices().map(({ subtotal }) => subtotal)).toEqual(cents);
  });

  test("is charged once, however often its event is delivered", async () => {
    const { id, stripeInvoices, stripeCustomers } = await customer(1);
    const event = invoiceClosed(id, "12.00");
    expect(await Promise.all([send(event), send(event)])).toEqual([204, 204]);
    stripe.forgetKeys(); // as on the next day
    expect(await send(event)).toBe(204);
    expect([stripeInvoices().map(({ subtotal }) => subtotal), stripeCustomers().length]).toEqual([[1200], 1]);
  });

  test("of something else that is sold with Stripe is ignored, and so are other events of the service", async () => {
    const { id, account } = await customer(1);
    const calls = stripe.calls.length;
    for (const type of ["invoice.paid", "checkout.session.completed", "customer.created"])
      expect(await stripeSends(type, { id: "x_1", metadata: {} })).toBe(204);
    const data = { account: { label: "A customer", email: null }, plan: "starter" } as const;
    expect(await send(operatorEvent({ type: "plan.continued", account_id: id, data }, Date.now()))).toBe(204);
    expect([stripe.calls.length, (await account()).plan]).toEqual([calls, "starter"]);
  });
});

describe("docs/stripe: an attack", () => {
  test("with a changed or expired address reaches nothing at Stripe, where the same address as signed does", async () => {
    const { id, address } = await customer(1);
    const signed = address("pro");
    const changed = {
      account: signed.replace(`account=${id}`, `account=${id + 1}`),
      plan: signed.replace("plan=pro", "plan=max"),
      "where it leads": signed.replace("captures.example.com", "evil.example.com"),
      "how long it is valid": signed.replace(/expires=\d+/, (text) => `${text}0`),
      "a second account after the signature": `${signed}&account=${id + 1}`,
      "a second account before it": signed.replace("&signature", `&account=${id + 1}&signature`),
      "no signature": signed.replace(/&signature=.*/, ""),
      "an empty signature": signed.replace(/&signature=.*/, "&signature="),
      expired: address("pro", -1_000),
    };
    const calls = stripe.calls.length;
    for (const [name, each] of Object.entries(changed)) expect([name, (await open(each)).status]).toEqual([name, 403]);
    expect(stripe.calls).toHaveLength(calls);
    expect((await open(signed)).status).toBe(303);
  });

  test("with a forged, changed, or old webhook of Stripe sets no plan, where the same webhook as signed does", async () => {
    const { id, account } = await customer(1);
    const session = {
      id: "cs_1",
      customer: "cus_1",
      setup_intent: "seti_1",
      metadata: { account: String(id), plan: "max" },
    };
    const { webhookSecret } = stripe;
    const signatures: Record<string, (body: string) => string> = {
      "another secret": (body) => stripeSignature(body, "whsec_other"),
      "another body": (body) => stripeSignature(body.replace("max", "pro"), webhookSecret),
      "six minutes old": (body) => stripeSignature(body, webhookSecret, 360),
      "a new time": (body) => stripeSignature(body, webhookSecret, 360).replace(/t=\d+/, `t=${nowS()}`),
      "two times": (body) => `t=${nowS()},${stripeSignature(body, webhookSecret, 360)}`,
      "the scheme v0": (body) => stripeSignature(body, webhookSecret).replace(",v0=00", "").replace("v1=", "v0="),
      "an empty signature": () => `t=${nowS()},v1=`,
      "no time": (body) => stripeSignature(body, webhookSecret).replace(/t=\d+,/, ""),
      nothing: () => "",
    };
    for (const [name, signature] of Object.entries(signatures))
      expect([name, await stripeSends("checkout.session.completed", session, { signature })]).toEqual([name, 400]);
    expect((await account()).plan).toBe("starter");
    expect(await stripeSends("checkout.session.completed", session)).toBe(204);
    expect((await account()).plan).toBe("max");
  });

  test("with a forged, changed, or old webhook of the service charges nothing", async () => {
    const { id, stripeInvoices } = await customer(1);
    const event = invoiceClosed(id, "12.00");
    expect(await send(event, { by: `whsec_${Buffer.alloc(24).toString("base64")}` })).toBe(400);
    expect(await send(event, { change: (body) => body.replace("12.00", "99.00") })).toBe(400);
    expect(await send(event, { ageS: 360 })).toBe(400);
    expect(stripeInvoices()).toEqual([]);
    expect(await send(event)).toBe(204);
    expect(stripeInvoices()).toHaveLength(1);
  });

  test("with a webhook that is sent again undoes nothing", async () => {
    const { account, address } = await customer(1);
    const session = stripe.sessionAt((await open(address("pro"))).location ?? "");
    const first = { id: "evt_first", created: nowS() - 60 };
    await stripeSends("checkout.session.completed", session, first);
    await stripeSends("checkout.session.completed", stripe.sessionAt((await open(address("max"))).location ?? ""));
    expect(await stripeSends("checkout.session.completed", session, first)).toBe(204);
    expect((await account()).plan).toBe("max");
  });

  test("with a large body is refused", async () => {
    const response = await fetch(`${origin}/stripe`, { method: "POST", body: "x".repeat(1_000_001) });
    expect(response.status).toBe(413);
  });
});

test("docs/stripe: what fails at Stripe or at the service is printed, and answered with 500, so that it is sent again", async () => {
  const { id } = await customer(1);
  const payment = { id: "in_1", metadata: { account: String(id), period_start: "2020-01-01T00:00:00Z" } };
  expect(await stripeSends("invoice.paid", payment)).toBe(500); // the service knows no such period
  const session = {
    id: "cs_1",
    customer: "cus_unknown",
    setup_intent: "seti_1",
    metadata: { account: String(id), plan: "max" },
  };
  expect(await stripeSends("checkout.session.completed", session)).toBe(500);
  await expect.poll(() => errors).toContain("Stripe answered POST customers/cus_unknown with 400: No such object");
  expect(errors).toContain("The service answered payment.succeeded with 404");
  for (const hidden of [secret, stripe.secretKey, stripe.webhookSecret]) expect(errors).not.toContain(hidden);
});
