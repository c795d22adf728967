// Calls Stripe's API, and verifies its webhooks.
import { hmac, isEqual, isRecent, Refusal, required } from "./service.mjs";

const STRIPE_SECRET_KEY = required("STRIPE_SECRET_KEY");
const STRIPE_WEBHOOK_SECRET = required("STRIPE_WEBHOOK_SECRET");
const { STRIPE_API = "https://api.stripe.com" } = process.env;

/** Calls Stripe. Within a day, calls with the same idempotency key have one effect. */
export async function stripe(method, path, parameters = {}, idempotencyKey = "") {
  const form = new URLSearchParams(parameters);
  const response = await fetch(`${STRIPE_API}/v1/${path}${method === "GET" ? `?${form}` : ""}`, {
    method,
    headers: {
      Authorization: `Bearer ${STRIPE_SECRET_KEY}`,
      ...(idempotencyKey && { "Idempotency-Key": idempotencyKey }),
    },
    ...(method === "POST" && { body: form }),
  });
  const content = await response.json();
  if (response.ok) return content;
  throw new Error(`Stripe answered ${method} ${path} with ${response.status}: ${content.error?.message}`);
}

/** Finds by metadata. Stripe's search lags a minute behind; until then, idempotency keys keep a second one from being created. */
export async function find(list, name, value) {
  const { data } = await stripe("GET", `${list}/search`, { query: `metadata['${name}']:'${value}'` });
  return data[0];
}

/** The event of a webhook that Stripe has signed: https://docs.stripe.com/webhooks#verify-manually */
export function readStripeEvent(headers, body) {
  const parts = (headers["stripe-signature"] ?? "").split(",").map((part) => part.split("="));
  const timestamp = parts.find(([name]) => name === "t")?.[1];
  const expected = hmac(STRIPE_WEBHOOK_SECRET, `${timestamp}.${body}`);
  const isSigned = parts.some(([name, value = ""]) => name === "v1" && isEqual(value, "hex", expected));
  if (isSigned && isRecent(timestamp)) return JSON.parse(body);
  throw new Refusal(400, "The webhook has no valid signature of the last five minutes.");
}
