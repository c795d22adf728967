// Checks the address for events of the operator's settings when a stage is synthesized, and when the local service starts.
import { parseAllowedOrigins } from "../../engine/egress/egress-policy.ts";
import { requireWebhookAddress } from "../webhooks/webhook-address.ts";

/**
 * Throws for an address to which webhooks may not be sent: one that is neither https nor one of `allowOrigins` (`address:port`), or that is not
 * public. `name` is that of the setting. The host name is resolved and checked at each attempt.
 */
export function requireOperatorWebhook(url: string, allowOrigins: readonly string[], name: string): void {
  if (!URL.canParse(url)) throw new RangeError(`${name} must be an https URL, not '${url}'.`);
  requireWebhookAddress(url, parseAllowedOrigins(allowOrigins.join(",")), name);
}
