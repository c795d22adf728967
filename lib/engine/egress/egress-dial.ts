// SSRF protection against DNS rebinding: resolves a name once, checks its addresses, and connects only to those.
import { connect, isIP, type LookupFunction, type Socket } from "node:net";
import ipaddr from "ipaddr.js";
import { type AllowedOrigins, allowedAddresses, isAllowed, isRefusedPort } from "./egress-policy.ts";
import { createNameResolver, type Resolve } from "./name-resolver.ts";

const CONNECT_TIMEOUT_MS = 8_000;

/**
 * Why a connection failed: refused by policy, name not resolved, or no answer. The `proxy-` values concern the caller's
 * upstream proxy: its address is refused by policy, it does not answer, rejects its credentials, or refuses the target.
 */
export type EgressFailure =
  | "refused"
  | "unresolved"
  | "unreachable"
  | "proxy-not-allowed"
  | "proxy-unreachable"
  | "proxy-credentials"
  | "proxy-refused";

export class EgressError extends Error {
  readonly failure: EgressFailure;
  constructor(failure: EgressFailure, cause?: unknown) {
    super(failure, { cause });
    this.failure = failure;
  }
}

/** Opens a TCP connection to a host and port. Rejects with an `EgressError`. */
export type Dial = (host: string, port: number) => Promise<Socket>;

export interface DialOptions {
  readonly allowed: AllowedOrigins;
  /** Refuses public addresses, too. @default false */
  readonly onlyAllowed?: boolean;
  /** @default a name resolver of its own */
  readonly resolve?: Resolve;
  /** IP addresses of the DNS servers, each optionally with a port. @default those of the machine */
  readonly nameServers?: readonly string[];
  /** Ends all look-ups and connections, established or not, on abort. */
  readonly signal: AbortSignal;
}

/**
 * Returns the dial function of one capture. It resolves each name once, so an answer that changes between check and
 * use, or between two requests of a page (DNS rebinding), has no effect.
 */
export function createDial({
  allowed,
  onlyAllowed = false,
  signal,
  nameServers,
  resolve = createNameResolver({ signal, ...(nameServers && { nameServers }) }),
}: DialOptions): Dial {
  const resolved = new Map<string, Promise<readonly string[]>>();
  const resolveOnce = (host: string) => {
    const known = knownAddresses(host);
    if (known) return Promise.resolve(known);
    let addresses = resolved.get(host);
    if (!addresses) {
      addresses = resolve(host).catch((cause) => {
        throw new EgressError("unresolved", cause);
      });
      resolved.set(host, addresses);
    }
    return addresses;
  };
  return async (host, port) => {
    const permitted = allowedAddresses(await resolveOnce(host), port, allowed);
    const checked = onlyAllowed ? permitted.filter((address) => isAllowed(address, port, allowed)) : permitted;
    if (checked.length === 0) throw new EgressError("refused");
    signal.throwIfAborted();
    return connectChecked(checked, port, signal);
  };
}

/** True when connections to a host on `port` are refused, as far as is known without resolving it. */
export function isRefusedUnresolved(host: string, port: number, allowed: AllowedOrigins): boolean {
  const known = knownAddresses(host);
  return known ? allowedAddresses(known, port, allowed).length === 0 : isRefusedPort(port, allowed);
}

/** Addresses of a host that needs no resolver: IP literals, and the names of loopback (RFC 6761, section 6.3). */
export function knownAddresses(host: string): readonly string[] | undefined {
  if (isIP(host)) return [host];
  return /^(.+\.)?localhost\.?$/i.test(host) ? ["127.0.0.1", "::1"] : undefined;
}

/**
 * Connects to one of the checked addresses. Node does not resolve the host again: its lookup returns the checked list,
 * and the remote address is compared with that list. Node skips the lookup for an IP literal, which has been checked
 * itself.
 */
function connectChecked(addresses: readonly string[], port: number, signal: AbortSignal): Promise<Socket> {
  const [first = ""] = addresses;
  const records = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookupChecked: LookupFunction = (_host, options, callback) => {
    if (options.all) callback(null, records);
    else callback(null, first, isIP(first));
  };
  return new Promise((connected, failed) => {
    const host = addresses.length === 1 ? first : "checked.invalid";
    const socket = connect({ host, port, lookup: lookupChecked, autoSelectFamily: true, noDelay: true, signal });
    const timer = setTimeout(() => socket.destroy(new EgressError("unreachable")), CONNECT_TIMEOUT_MS);
    socket.once("error", (cause) => {
      clearTimeout(timer);
      failed(cause instanceof EgressError ? cause : new EgressError("unreachable", cause));
    });
    socket.once("connect", () => {
      clearTimeout(timer);
      if (addresses.some((address) => isSame(address, socket.remoteAddress))) return connected(socket);
      socket.destroy(new EgressError("refused"));
    });
  });
}

function isSame(address: string, other: string | undefined): boolean {
  return other !== undefined && ipaddr.process(address).toString() === ipaddr.process(other).toString();
}
