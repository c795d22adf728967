// SSRF check of a webhook URL when it is submitted, before its host name is resolved.

import { ApiError } from "../../contract/errors/api-error.ts";
import { isRefusedUnresolved, knownAddresses } from "../../engine/egress/egress-dial.ts";
import { type AllowedOrigins, isAllowed } from "../../engine/egress/egress-policy.ts";

/**
 * Throws `VALIDATION_ERROR` for a URL that is neither https nor an allowed origin, or whose literal address is not
 * public. Host names are resolved and checked at each delivery.
 */
export function requireWebhookAddress(url: string, allowed: AllowedOrigins): void {
  const { protocol, hostname, port: written } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  const port = Number(written || (protocol === "https:" ? 443 : 80));
  const isAllowedOrigin = (knownAddresses(host) ?? []).some((address) => isAllowed(address, port, allowed));
  if (protocol !== "https:" && !isAllowedOrigin) throw addressError("must be an https URL");
  if (isRefusedUnresolved(host, port, allowed)) throw addressError("is an address that webhooks may not be sent to");
}

function addressError(message: string): ApiError {
  return new ApiError("VALIDATION_ERROR", `Option 'webhook_url' ${message}.`, { details: { webhook_url: [message] } });
}
