// Addresses of webhooks that are refused before anybody looks up their names.

import { isRefusedUnresolved, knownAddresses } from "../egress/egress-dial.ts";
import { type AllowedOrigins, isAllowed } from "../egress/egress-policy.ts";
import { ApiError } from "../errors/api-error.ts";

/**
 * Throws `VALIDATION_ERROR` for an address that is neither https nor an allowed origin, or that is not public. Where a
 * name leads is only known when it is delivered.
 */
export function requireWebhookAddress(url: string, allowed: AllowedOrigins): void {
  const { protocol, hostname, port: written } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  const port = Number(written || (protocol === "https:" ? 443 : 80));
  const isAllowedOrigin = (knownAddresses(host) ?? []).some((address) => isAllowed(address, port, allowed));
  if (protocol !== "https:" && !isAllowedOrigin) throw refused("must be an https URL");
  if (isRefusedUnresolved(host, port, allowed)) throw refused("is an address that webhooks may not be sent to");
}

function refused(message: string): ApiError {
  return new ApiError("VALIDATION_ERROR", `Option 'webhook_url' ${message}.`, { details: { webhook_url: [message] } });
}
