// Webhook signatures (HMAC-SHA256, Standard Webhooks), by which a receiver verifies the sender and the content.
import { createHmac } from "node:crypto";
import { Webhook } from "standardwebhooks";

/** The signed parts of a webhook. */
export interface SignedMessage {
  readonly id: string;
  /** When it is sent, in whole seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/**
 * Returns the headers that sign a message with each of the secrets, the current one first; none without secrets.
 * `webhook-signature` is that of Standard Webhooks (https://www.standardwebhooks.com): it covers id and time, so that an
 * old message cannot be replayed as a new one. `X-Webhook-Signature` covers the body alone, with the current secret.
 * Throws for a secret that is not base64 after `whsec_`.
 */
export function signatureHeaders(message: SignedMessage, secrets: readonly string[]): Record<string, string> {
  const [current] = secrets;
  if (current === undefined) return {};
  return {
    "webhook-signature": secrets.map((secret) => standardSignature(message, secret)).join(" "),
    "X-Webhook-Signature": createHmac("sha256", current).update(message.body).digest("hex"),
  };
}

function standardSignature({ id, timestamp, body }: SignedMessage, secret: string): string {
  return new Webhook(secret).sign(id, new Date(timestamp * 1000), body);
}
