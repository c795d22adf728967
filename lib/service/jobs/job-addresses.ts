// SSRF check of an asynchronous capture when it is submitted: addresses that are refused regardless of the addresses of their names.

import type { CaptureOptions } from "../../contract/options/capture-options.ts";
import { isRefusedUnresolved } from "../../engine/egress/egress-dial.ts";
import type { AllowedOrigins } from "../../engine/egress/egress-policy.ts";
import { upstreamProxy } from "../../engine/egress/upstream-proxy.ts";
import { navigationError, urlNotAllowed } from "../../engine/errors/target-errors.ts";
import { resolveDestination } from "../customer-storage/destination.ts";
import { requireStorageAddress } from "../customer-storage/put-client.ts";

/**
 * Throws the error with which the capture would fail later: `URL_NOT_ALLOWED` for a page or a storage whose scheme, port, or
 * literal address is refused, and `PROXY_FAILED` for such a proxy. Names are resolved and checked by the capture itself.
 */
export function requireJobAddresses(options: CaptureOptions, accountId: number, allowed: AllowedOrigins): void {
  const { url, proxy } = options;
  if (url !== undefined && isRefusedPage(url, allowed)) throw urlNotAllowed(url);
  if (proxy !== undefined) {
    const { host, port } = upstreamProxy(proxy);
    if (isRefusedUnresolved(host, port, allowed)) {
      throw navigationError({
        url: url ?? "",
        netError: "net::ERR_PROXY_CONNECTION_FAILED",
        egress: "proxy-not-allowed",
      });
    }
  }
  const destination = resolveDestination(options, accountId);
  if (destination) requireStorageAddress(destination, allowed);
}

function isRefusedPage(url: string, allowed: AllowedOrigins): boolean {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== "http:" && protocol !== "https:") return true;
  const usualPort = protocol === "https:" ? 443 : 80;
  return isRefusedUnresolved(hostname.replace(/^\[|\]$/g, ""), Number(port || usualPort), allowed);
}
