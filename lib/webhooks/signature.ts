// Signatures of webhooks, by which a receiver knows who sent one, and that nobody changed it.
import { createHmac } from "node:crypto";

const PREFIX = "whsec_";

/** What is signed. */
export interface SignedMessage {
  readonly id: string;
  /** When it is sent, in whole seconds since 1970. */
  readonly timestamp: number;
  readonly body: string;
}

/**
 * The headers that sign a message with each of the secrets, the current one first; none where there are no secrets.
 * `webhook-signature` is that of Standard Webhooks (https://www.standardwebhooks.com): it covers id and time, so that an
 * old message cannot be sent again as a new one. `X-Webhook-Signature` is of the body alone, by the current secret.
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
  const key = Buffer.from(secret.slice(PREFIX.length), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
}
