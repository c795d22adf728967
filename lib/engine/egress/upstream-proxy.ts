// The caller's upstream proxy, through which the egress proxy sends a capture's requests: its URL, its bypass list,
// CONNECT tunnels.
import { request as httpRequest, type IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";
import type { Duplex } from "node:stream";
import { basicAuthorization } from "./basic-authorization.ts";
import { type Dial, EgressError } from "./egress-dial.ts";

export interface UpstreamProxy {
  readonly host: string;
  readonly port: number;
  /** Value of the Proxy-Authorization header. */
  readonly authorization?: string;
  /** Hosts that bypass it: `example.com`, `*.example.com` or `.example.com`, each optionally with `:port`. */
  readonly bypass: readonly string[];
}

const CONNECT_TIMEOUT_MS = 8_000;
const MAX_RESPONSE_HEADER_BYTES = 16 * 1024;

/** Parses a proxy URL such as `http://user:password@proxy.example.com:3128`. */
export function upstreamProxy(url: string, bypass: readonly string[] = []): UpstreamProxy {
  const { hostname, port, username, password } = new URL(url);
  const authorization =
    username || password ? basicAuthorization(decodeComponent(username), decodeComponent(password)) : undefined;
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port || 80),
    ...(authorization !== undefined && { authorization }),
    bypass,
  };
}

/** True when `host`, in lower case, bypasses the proxy. `.example.com` matches subdomains only. */
export function isBypassed(bypass: readonly string[], host: string, port: number): boolean {
  return bypass.some((rule) => {
    // More than one colon without brackets means an IPv6 address.
    const [, bracketed, plain, rulePort] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(rule) ?? [];
    const name = (bracketed ?? plain ?? rule).toLowerCase();
    if (rulePort !== undefined && Number(rulePort) !== port) return false;
    const suffix = /^\*?(\..+)$/.exec(name)?.[1];
    return suffix === undefined ? host === name : host.endsWith(suffix);
  });
}

/**
 * Opens a CONNECT tunnel to `host` through the proxy, which resolves the name. Rejects with an `EgressError` when the
 * proxy cannot be reached, does not answer in HTTP within 8 s, rejects its credentials, or refuses the target.
 */
export async function connectThrough(
  dial: Dial,
  proxy: UpstreamProxy,
  { host, port }: { host: string; port: number },
): Promise<Duplex> {
  const toProxy = await dial(proxy.host, proxy.port).catch(throwAsProxyError);
  const authority = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
  const connectRequest = httpRequest({
    createConnection: () => toProxy,
    method: "CONNECT",
    path: authority,
    headers: { Host: authority, "Proxy-Connection": "keep-alive", ...credentialsFor(proxy) },
    setHost: false,
    maxHeaderSize: MAX_RESPONSE_HEADER_BYTES,
  });
  const timer = setTimeout(() => connectRequest.destroy(new Error("The proxy did not answer.")), CONNECT_TIMEOUT_MS);
  const established = new Promise<Duplex>((connected, failed) => {
    connectRequest.on("error", failed);
    connectRequest.on("connect", ({ statusCode = 0 }: IncomingMessage, tunnel: Duplex, head: Buffer) => {
      if (statusCode < 200 || statusCode > 299) {
        tunnel.destroy();
        return void failed(connectError(statusCode));
      }
      if (head.length > 0) tunnel.unshift(head);
      connected(tunnel);
    });
  });
  connectRequest.end();
  return established.catch(throwAsProxyError).finally(() => clearTimeout(timer));
}

/** Headers for the proxy only, never for the target. */
export function credentialsFor({ authorization }: UpstreamProxy): Record<string, string> {
  return authorization === undefined ? {} : { "Proxy-Authorization": authorization };
}

/** The error for a status that the proxy itself answers. */
export function connectError(status: number): EgressError {
  return new EgressError(status === 407 ? "proxy-credentials" : "proxy-refused");
}

/** Rethrows an error of the connection to the proxy as the proxy's, not the target's. */
export function throwAsProxyError(error: unknown): never {
  const failure = error instanceof EgressError ? error.failure : "unreachable";
  if (failure.startsWith("proxy-")) throw error;
  throw new EgressError(failure === "refused" ? "proxy-not-allowed" : "proxy-unreachable", error);
}

function decodeComponent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // an unescaped percent sign
  }
}
