// Stripe on loopback, as far as docs/stripe calls it: customers, Checkout in mode `setup`, invoices, and signed webhooks.
import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { listen, stopListening } from "../../lib/tools/local/loopback.ts";

export interface StripeObject {
  readonly id: string;
  readonly metadata: Readonly<Record<string, string>>;
  [field: string]: unknown;
}

interface StripeCall {
  /** Such as `POST invoices`. */
  readonly route: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly authorization: string | undefined;
}

export interface FakeStripe {
  readonly origin: string;
  readonly secretKey: string;
  readonly webhookSecret: string;
  /** All calls that had an effect: one with a known idempotency key has none. */
  readonly calls: readonly StripeCall[];
  readonly customers: readonly StripeObject[];
  readonly invoices: readonly StripeObject[];
  /** Invoices that it was asked to pay at once. */
  readonly paidNow: readonly string[];
  /** Forgets idempotency keys, as after a day. Until then, the search finds nothing new: that of Stripe lags behind. */
  forgetKeys(): void;
  /** The Checkout session of an address to which a customer was led. */
  sessionAt(address: string): StripeObject;
  close(): Promise<void>;
}

/** How Stripe signs a webhook: https://docs.stripe.com/webhooks#verify-manually */
export function stripeSignature(body: string, secret: string, ageS = 0): string {
  const timestamp = Math.floor(Date.now() / 1000) - ageS;
  return `t=${timestamp},v1=${createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")},v0=00`;
}

export async function startFakeStripe(): Promise<FakeStripe> {
  const customers: StripeObject[] = [];
  const invoices: StripeObject[] = [];
  const sessions: StripeObject[] = [];
  const calls: StripeCall[] = [];
  const paidNow: string[] = [];
  const answered = new Map<string, unknown>();
  const indexed = new Set<string>();

  const create = (list: StripeObject[], prefix: string, parameters: StripeCall["parameters"], more = {}) => {
    const object = { id: `${prefix}_${list.length + 1}`, ...fields(parameters), ...more };
    list.push(object);
    return object;
  };
  const search = (list: readonly StripeObject[], query = "") => {
    const [, name = "", value] = /^metadata\['(\w+)'\]:'([^']*)'$/.exec(query) ?? [];
    return { data: list.filter(({ id, metadata }) => indexed.has(id) && metadata[name] === value) };
  };
  const byId = (list: readonly StripeObject[], id = "") => {
    const found = list.find((object) => object.id === id);
    if (!found) throw new Error(`No such object: ${id}`);
    return found;
  };

  function answer(method: string, path: string, parameters: StripeCall["parameters"]): unknown {
    const [list = "", id = "", action] = path.split("/");
    switch (`${method} ${id === "" || list === "checkout" || id === "search" ? path : [list, "*", action].join("/")}`) {
      case "GET customers/search":
        return search(customers, parameters["query"]);
      case "POST customers":
        return create(customers, "cus", parameters);
      case "POST customers/*/":
        return Object.assign(byId(customers, id), parameters);
      case "POST checkout/sessions":
        return create(sessions, "cs", parameters, {
          url: `https://checkout.stripe.com/c/${sessions.length + 1}`,
          setup_intent: `seti_${sessions.length + 1}`,
        });
      case "GET setup_intents/*/":
        return { id, payment_method: id.replace("seti", "pm") };
      case "GET invoices/search":
        return search(invoices, parameters["query"]);
      case "GET invoices":
        return {
          data: invoices.filter(
            ({ customer, status }) => customer === parameters["customer"] && status === parameters["status"],
          ),
        };
      case "POST invoices":
        return create(invoices, "in", parameters, { status: "draft", subtotal: 0 });
      case "POST invoiceitems": {
        const invoice = byId(invoices, parameters["invoice"]);
        invoice["subtotal"] = Number(invoice["subtotal"]) + Number(parameters["amount"]);
        return { id: "ii_1" };
      }
      case "POST invoices/*/finalize":
        return Object.assign(byId(invoices, id), { status: "open" });
      case "POST invoices/*/pay":
        paidNow.push(id);
        return Object.assign(byId(invoices, id), { status: "paid" });
      default:
        throw new Error(`Unknown route: ${method} ${path}`);
    }
  }

  async function respond(request: IncomingMessage): Promise<unknown> {
    const { method = "", headers, url = "" } = request;
    const { pathname, searchParams } = new URL(url, "http://stripe.test");
    const form = method === "POST" ? new URLSearchParams(await text(request)) : searchParams;
    const parameters = Object.fromEntries(form);
    const key = headers["idempotency-key"];
    if (typeof key === "string" && answered.has(key)) return answered.get(key);
    const path = pathname.replace("/v1/", "");
    const content = structuredClone(answer(method, path, parameters));
    calls.push({ route: `${method} ${path}`, parameters, authorization: headers.authorization });
    if (typeof key === "string") answered.set(key, content);
    return content;
  }

  const server = createServer((request, response) => {
    respond(request).then(
      (content) => response.end(JSON.stringify(content)),
      ({ message }) => response.writeHead(400).end(JSON.stringify({ error: { message } })),
    );
  });
  return {
    origin: `http://${await listen(server)}`,
    secretKey: "sk_test_1",
    webhookSecret: "whsec_of_stripe",
    calls,
    customers,
    invoices,
    paidNow,
    forgetKeys: () => {
      answered.clear();
      for (const { id } of [...customers, ...invoices]) indexed.add(id);
    },
    sessionAt: (address) => {
      const session = sessions.find(({ url }) => url === address);
      if (!session) throw new Error(`No session leads to ${address}.`);
      return session;
    },
    close: () => stopListening(server),
  };
}

/** The fields of an object, whose metadata have names such as `metadata[account]`. */
function fields(parameters: StripeCall["parameters"]) {
  const entries = Object.entries(parameters);
  const name = (field: string) => /^metadata\[(\w+)\]$/.exec(field)?.[1];
  const metadata = Object.fromEntries(entries.flatMap(([field, value]) => (name(field) ? [[name(field), value]] : [])));
  return { ...Object.fromEntries(entries.filter(([field]) => !name(field))), metadata };
}
