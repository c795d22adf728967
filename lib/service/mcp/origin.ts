// Protection against DNS rebinding: which web pages may call the MCP endpoint.
import { ApiError } from "../../contract/errors/api-error.ts";

/**
 * Throws `FORBIDDEN` for a page that could have rebound its own name to this service: a plain-HTTP page of another host, or one
 * with an opaque origin. HTTPS pages can't rebind, since the certificate would be wrong, and programs send no `Origin`.
 * https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#security-warning
 */
export function requireAllowedOrigin(origin: string | undefined, baseUrl: string): void {
  if (origin === undefined || isAllowed(origin, baseUrl)) return;
  throw new ApiError(
    "FORBIDDEN",
    "This Origin can't call MCP. Use a page with https, on localhost, or of this service.",
  );
}

function isAllowed(origin: string, baseUrl: string): boolean {
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname } = new URL(origin);
  if (protocol === "https:") return true;
  if (protocol !== "http:") return false;
  return ["localhost", "127.0.0.1", "[::1]"].includes(hostname) || origin === new URL(baseUrl).origin;
}
