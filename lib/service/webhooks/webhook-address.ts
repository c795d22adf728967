// SSRF check of a webhook URL when it is submitted, before its host name is resolved.

import { ApiError } from "../../contract/errors/api-error.ts";
import { isRefusedUnresolved, knownAddresses } from "../../engine/egress/egress-dial.ts";
import { type AllowedOrigins, isAllowed } from "../../engine/egress/egress-policy.ts";

/**
 * Throws `VALIDATION_ERROR`, which names the option `name`, for a URL that is neither https nor an allowed origin, or whose literal
 * address is not public. Host names are resolved and checked at each delivery.
 */
export function requireWebhookAddress(url: string, allowed: AllowedOrigins, name = "webhook_url"): void {
  const { protocol, hostname, port: written } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, "");
  const port = Number(written || (protocol === "https:" ? 443 : 80));
  const isAllowedOrigin = (knownAddresses(host) ?? []).some((address) => isAllowed(address, port, allowed));
  if (protocol !== "https:" && !isAllowedOrigin) throw addressError(name, "must be an https URL");
  if (isRefusedUnresolved(host, port, allowed))
    throw addressError(name, "is an address that webhooks may not be sent to");
}

function addressError(name: string, message: string): ApiError {
  return new ApiError("VALIDATION_ERROR", `Option '${name}' ${message}.`, { details: { [name]: [message] } });
}
