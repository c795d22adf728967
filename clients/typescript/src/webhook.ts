// Verifies webhooks: the signature of Standard Webhooks (https://www.standardwebhooks.com) over id, time, and body.
import { WebhookVerificationError } from "./api-error.ts";
import type { WebhookEvent } from "./webhook-event.ts";

/** How far the time of a webhook may be from now, as Standard Webhooks recommends. */
const TOLERANCE_S = 300;

/** Headers as `Headers` has them, or as an object, such as that of Node.js. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Returns the event of a webhook whose signature is valid. `body` is the raw body of the request. Throws
 * `WebhookVerificationError` otherwise, also for a webhook that was sent more than five minutes ago.
 */
export async function verifyWebhook(
  headers: WebhookHeaders,
  body: string | Uint8Array,
  { signingSecret, now = Date.now() }: { readonly signingSecret: string; readonly now?: number },
): Promise<WebhookEvent> {
  const text = typeof body === "string" ? body : new TextDecoder().decode(body);
  const [id, timestamp, signatures] = ["id", "timestamp", "signature"].map((part) =>
    header(headers, `webhook-${part}`),
  );
  const ageS = Math.abs(now / 1000 - Number(timestamp));
  if (!(ageS <= TOLERANCE_S)) {
    throw new WebhookVerificationError("The time of the webhook is missing or not close to now.");
  }
  const key = await importSecret(signingSecret);
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`);
  for (const signature of signatures?.split(" ") ?? []) {
    const bytes = signature.startsWith("v1,") && fromBase64(signature.slice(3));
    if (bytes && (await crypto.subtle.verify("HMAC", key, bytes, signed))) return JSON.parse(text);
  }
  throw new WebhookVerificationError(
    "The signature of the webhook doesn't match. Pass the raw body and the secret of its API key.",
  );
}

function importSecret(secret: string): Promise<CryptoKey> {
  const bytes = fromBase64(secret.replace(/^whsec_/, ""));
  if (!bytes) throw new WebhookVerificationError("'signingSecret' isn't one: it looks like whsec_….");
  return crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, ["verify"]);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

/** API Gateway and other servers pass names as they were sent, so their case doesn't count. */
function header(headers: WebhookHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const value = Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1];
  return typeof value === "string" ? value : value?.[0];
}
