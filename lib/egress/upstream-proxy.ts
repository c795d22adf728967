// The caller's own proxy, which the egress proxy uses for the caller's capture: its address, what goes past it, tunnels.
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
  /** Hosts that are reached without it: `example.com`, `*.example.com` or `.example.com`, each also with `:port`. */
  readonly bypass: readonly string[];
}

const CONNECT_TIMEOUT_MS = 8_000;
const MAX_ANSWER_HEADER = 16 * 1024;

/** The proxy at `url`, such as `http://user:password@proxy.example.com:3128`. */
export function upstreamProxy(url: string, bypass: readonly string[] = []): UpstreamProxy {
  const { hostname, port, username, password } = new URL(url);
  const authorization = username || password ? basicAuthorization(decoded(username), decoded(password)) : undefined;
  return {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: Number(port || 80),
    ...(authorization !== undefined && { authorization }),
    bypass,
  };
}

/** True when `host`, in lower case, is reached without the proxy. `.example.com` names subdomains alone. */
export function isBypassed(bypass: readonly string[], host: string, port: number): boolean {
  return bypass.some((rule) => {
    // What has more colons than one outside brackets is a plain IPv6 address.
    const [, bracketed, plain, rulePort] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d{1,5}))?$/.exec(rule) ?? [];
    const name = (bracketed ?? plain ?? rule).toLowerCase();
    if (rulePort !== undefined && Number(rulePort) !== port) return false;
    const suffix = /^\*?(\..+)$/.exec(name)?.[1];
    return suffix === undefined ? host === name : host.endsWith(suffix);
  });
}

/**
 * A tunnel to `host` through the proxy, which resolves the name. Rejects with an EgressError: of the proxy when it
 * cannot be reached or does not speak HTTP within 8 seconds, wants other credentials, or refuses the target.
 */
export async function connectThrough(
  dial: Dial,
  proxy: UpstreamProxy,
  { host, port }: { host: string; port: number },
): Promise<Duplex> {
  const toProxy = await dial(proxy.host, proxy.port).catch(rejectAsProxy);
  const authority = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
  const asking = httpRequest({
    createConnection: () => toProxy,
    method: "CONNECT",
    path: authority,
    headers: { Host: authority, "Proxy-Connection": "keep-alive", ...credentialsFor(proxy) },
    setHost: false,
    maxHeaderSize: MAX_ANSWER_HEADER,
  });
  const timer = setTimeout(() => asking.destroy(new Error("The proxy did not answer.")), CONNECT_TIMEOUT_MS);
  const answered = new Promise<Duplex>((connected, failed) => {
    asking.on("error", failed);
    asking.on("connect", ({ statusCode = 0 }: IncomingMessage, tunnel: Duplex, first: Buffer) => {
      if (statusCode < 200 || statusCode > 299) {
        tunnel.destroy();
        return void failed(connectError(statusCode));
      }
      if (first.length > 0) tunnel.unshift(first);
      connected(tunnel);
    });
  });
  asking.end();
  return answered.catch(rejectAsProxy).finally(() => clearTimeout(timer));
}

/** Headers that only the proxy may see. */
export function credentialsFor({ authorization }: UpstreamProxy): Record<string, string> {
  return authorization === undefined ? {} : { "Proxy-Authorization": authorization };
}

/** What a status says with which the proxy answers in its own name. */
export function connectError(status: number): EgressError {
  return new EgressError(status === 407 ? "proxy-credentials" : "proxy-refused");
}

/** Rejects with what an error on the way to the proxy says of the proxy, not of the target. */
export function rejectAsProxy(error: unknown): never {
  const failure = error instanceof EgressError ? error.failure : "unreachable";
  if (failure.startsWith("proxy-")) throw error;
  throw new EgressError(failure === "refused" ? "proxy-not-allowed" : "proxy-unreachable", error);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a percent sign that encodes nothing
  }
}
