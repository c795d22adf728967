// What passes between a payment provider and the service: signed addresses, signed events, and reports. It is the same for each provider.
import { createHmac, timingSafeEqual } from "node:crypto";

/** A variable of the environment. An empty secret would sign what anyone sends, so a missing variable ends the program. */
export function required(name) {
  const value = process.env[name];
  if (!value) throw new Error(`Set ${name}.`);
  return value;
}

/** The address of the page for payments, exactly as in the settings of the service. */
export const BILLING_URL = required("BILLING_URL");
const SERVICE_URL = required("SERVICE_URL");
const operatorKey = Buffer.from(required("OPERATOR_SECRET").replace("whsec_", ""), "base64");
if (operatorKey.length < 16) throw new Error("OPERATOR_SECRET is no secret of `npm run operator -- secret`.");

/** An error that is answered with its status. All others are answered with 500, after which the sender of a webhook tries again. */
export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

export const hmac = (key, text) => createHmac("sha256", key).update(text).digest();
export const nowS = () => Math.floor(Date.now() / 1000);
export const isRecent = (timestamp) => Math.abs(nowS() - Number(timestamp)) <= 5 * 60;

/** Whether a signature, as text in an encoding, is the expected one, in a time that doesn't depend on where they differ. */
export function isEqual(signature, encoding, expected) {
  const bytes = Buffer.from(signature, encoding);
  return bytes.length === expected.length && timingSafeEqual(bytes, expected);
}

/** The parameters of an address that the service has signed, from its query. All that precedes `&signature=` is signed, the address included. */
export function readSignedAddress(query) {
  const [signed, signature = ""] = query.split("&signature=");
  if (!isEqual(signature, "base64url", hmac(operatorKey, `${BILLING_URL}?${signed}`)))
    throw new Refusal(403, "This address was changed. Open it from your dashboard.");
  const parameters = Object.fromEntries(new URLSearchParams(signed));
  if (Number(parameters.expires) > nowS()) return parameters;
  throw new Refusal(403, "This address has expired. Open it from your dashboard.");
}

const signature = (id, timestamp, body) => hmac(operatorKey, `${id}.${timestamp}.${body}`);

/** The event of a webhook that the service has signed: https://www.standardwebhooks.com */
export function readServiceEvent(headers, body) {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures = "" } = headers;
  const expected = signature(id, timestamp, body);
  const isSigned = signatures.split(" ").some((each) => isEqual(each.replace("v1,", ""), "base64", expected));
  if (isSigned && isRecent(timestamp)) return JSON.parse(body);
  throw new Refusal(400, "The webhook has no valid signature of the last five minutes.");
}

/** Reports an event to the service, which applies each `id` once. Throws unless it is taken, so that the provider sends it again. */
export async function report(id, event) {
  const body = JSON.stringify(event);
  const timestamp = String(nowS());
  const response = await fetch(`${SERVICE_URL}/billing/events`, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "Idempotency-Key": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": `v1,${signature(id, timestamp, body).toString("base64")}`,
    },
    body,
  });
  if (!response.ok)
    throw new Error(`The service answered ${event.type} with ${response.status}: ${await response.text()}`);
}
