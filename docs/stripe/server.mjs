// Stripe behind the plans of a service: the page at which customers leave a payment method, and the receiver of the webhooks of Stripe and
// of the service. It stores nothing: Stripe has the customers and the invoices. It needs Node.js, and no package. See docs/payments.md.
import { createServer } from "node:http";
import { BILLING_URL, Refusal, readServiceEvent, readSignedAddress, report } from "./service.mjs";
import { find, readStripeEvent, stripe } from "./stripe-api.mjs";

const { PORT = "8080", HOST = "127.0.0.1" } = process.env;
const MAX_BODY_BYTES = 1_000_000;

/** The customer of an account, who is created at the first call. */
const customerOf = async (account) =>
  (await find("customers", "account", account)) ??
  (await stripe("POST", "customers", { "metadata[account]": account }, `customer-${account}`));

/** Leads to Stripe, where the account gets a payment method. Resolves to the address. */
async function startCheckout({ account, plan = "", return_to }) {
  const customer = await customerOf(account);
  const session = await stripe("POST", "checkout/sessions", {
    mode: "setup",
    currency: "usd",
    customer: customer.id,
    client_reference_id: account,
    "metadata[account]": account,
    "metadata[plan]": plan,
    success_url: return_to,
    cancel_url: return_to,
  });
  return session.url;
}

/** Sets the plan, and charges the payment method from now on, also for what is unpaid. */
async function finishCheckout({ id, created, data }) {
  const { customer, setup_intent, metadata } = data.object;
  const { payment_method } = await stripe("GET", `setup_intents/${setup_intent}`);
  await stripe("POST", `customers/${customer}`, { "invoice_settings[default_payment_method]": payment_method });
  const { account, plan } = metadata;
  if (plan)
    await report(id, { type: "plan.set", account_id: Number(account), plan, occurred_at: asTimestamp(created) });
  const unpaid = await stripe("GET", "invoices", { customer, status: "open" });
  for (const invoice of unpaid.data)
    await stripe("POST", `invoices/${invoice.id}/pay`).catch(({ message }) => console.error(message)); // Stripe reports it, too
}

/** Charges an invoice of the service: Stripe gets one of the same total, and tries again when a payment fails. */
async function charge({ id, account_id, data: { number, period, total } }) {
  const cents = Number(total.replace(".", "")); // a total has two decimals
  if (cents === 0) return;
  const { id: customer } = await customerOf(account_id);
  const parameters = {
    customer,
    currency: "usd",
    collection_method: "charge_automatically",
    auto_advance: false, // until it has its item
    "metadata[account]": account_id,
    "metadata[period_start]": period.start,
    "metadata[number]": number,
  };
  const invoice =
    (await find("invoices", "number", number)) ?? (await stripe("POST", "invoices", parameters, `${id}-invoice`));
  if (invoice.status !== "draft") return; // the event was handled before
  const item = { customer, invoice: invoice.id, amount: cents, currency: "usd", description: `Invoice ${number}` };
  if (invoice.subtotal === 0) await stripe("POST", "invoiceitems", item, `${id}-item`);
  await stripe("POST", `invoices/${invoice.id}/finalize`, { auto_advance: true }, `${id}-finalize`);
}

const payments = {
  "invoice.paid": "payment.succeeded",
  "invoice.payment_failed": "payment.failed",
  "invoice.voided": "payment.voided",
};

const asTimestamp = (seconds) => new Date(seconds * 1000).toISOString();

/** Handles a webhook of Stripe. What has no account in its metadata is of something else that you sell. */
async function handleStripeEvent(event) {
  const { id: reference, metadata } = event.data.object;
  if (!metadata?.account) return;
  if (event.type === "checkout.session.completed") await finishCheckout(event);
  const type = payments[event.type];
  const { account, period_start } = metadata;
  const occurred_at = asTimestamp(event.created);
  if (type) await report(event.id, { type, account_id: Number(account), period_start, reference, occurred_at });
}

async function readBody(request) {
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Refusal(413, "The body is too large.");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** Handles a request. Resolves to the address to which it leads, if it is that of the page. */
async function handle(request) {
  const [path, query = ""] = request.url.split("?");
  const route = `${request.method} ${path}`;
  if (route === `GET ${new URL(BILLING_URL).pathname}`) return startCheckout(readSignedAddress(query));
  if (route === "POST /stripe") return handleStripeEvent(readStripeEvent(request.headers, await readBody(request)));
  if (route !== "POST /events") throw new Refusal(404, "There is nothing here.");
  const event = readServiceEvent(request.headers, await readBody(request));
  if (event.type === "invoice.closed") await charge(event);
}

const server = createServer((request, response) =>
  handle(request).then(
    (location) => response.writeHead(location ? 303 : 204, location && { Location: location }).end(),
    ({ status = 500, message }) => {
      if (status === 500) console.error(message);
      response.writeHead(status, { "Content-Type": "text/plain", Connection: "close" });
      response.end(status === 500 ? "It failed. Try again later.\n" : `${message}\n`);
    },
  ),
);
server.listen(Number(PORT), HOST, () => console.log(`Listening on port ${server.address().port}`));
