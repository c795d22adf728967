// Connections to addresses that were checked: a name is resolved once, and what was checked is what is dialled.
import { lookup } from "node:dns/promises";
import { connect, isIP, type LookupFunction, type Socket } from "node:net";
import ipaddr from "ipaddr.js";
import { type AllowedOrigins, allowedAddresses, isAllowed, isRefusedPort } from "./egress-policy.ts";

const CONNECT_TIMEOUT_MS = 8_000;
const RESOLVE_TIMEOUT_MS = 5_000;

/**
 * Why a connection was not made: refused by policy, no such name, or no answer from its addresses. Those of the caller's
 * own proxy: its address is refused by policy, it gives no answer, wants other credentials, or refuses the target.
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

/** Addresses of a host name; rejects when it has none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** Connects to a host and port. Rejects with an EgressError. */
export type Dial = (host: string, port: number) => Promise<Socket>;

export interface DialOptions {
  readonly allowed: AllowedOrigins;
  /** @default false, which is for public addresses as well */
  readonly onlyAllowed?: boolean;
  /** @default the machine's own resolver */
  readonly resolve?: Resolve;
  /** Ends every connection, and those that are being made, when it aborts. */
  readonly signal: AbortSignal;
}

/**
 * A dialler for one capture. It resolves each name once: an answer that changes between check and use (rebinding) has
 * no effect, nor has one that changes between two requests of a page.
 */
export function createDial({ allowed, onlyAllowed = false, resolve = systemResolve, signal }: DialOptions): Dial {
  const resolved = new Map<string, Promise<readonly string[]>>();
  const addressesOf = (host: string) => {
    const known = knownAddresses(host);
    if (known) return Promise.resolve(known);
    let addresses = resolved.get(host);
    if (!addresses) {
      addresses = withTimeout(resolve(host), RESOLVE_TIMEOUT_MS).catch((cause) => {
        throw new EgressError("unresolved", cause);
      });
      resolved.set(host, addresses);
    }
    return addresses;
  };
  return async (host, port) => {
    const dialables = allowedAddresses(await addressesOf(host), port, allowed);
    const checked = onlyAllowed ? dialables.filter((address) => isAllowed(address, port, allowed)) : dialables;
    if (checked.length === 0) throw new EgressError("refused");
    signal.throwIfAborted();
    return connectTo(checked, port, signal);
  };
}

/** True for a host that may not be dialled on `port`, as far as can be told without asking anybody for its addresses. */
export function isRefusedUnresolved(host: string, port: number, allowed: AllowedOrigins): boolean {
  const known = knownAddresses(host);
  return known ? allowedAddresses(known, port, allowed).length === 0 : isRefusedPort(port, allowed);
}

/** The addresses of a host that needs no resolver: a literal is its own, and loopback has names (RFC 6761, section 6.3). */
export function knownAddresses(host: string): readonly string[] | undefined {
  if (isIP(host)) return [host];
  return /^(.+\.)?localhost\.?$/i.test(host) ? ["127.0.0.1", "::1"] : undefined;
}

/**
 * Connects to one of the checked addresses. The host given to `connect` is never resolved again: the look-up hands
 * out the checked list, and the address that answered is compared with it. Node skips the look-up for a literal,
 * which has been checked as it is.
 */
function connectTo(addresses: readonly string[], port: number, signal: AbortSignal): Promise<Socket> {
  const [first = ""] = addresses;
  const answers = addresses.map((address) => ({ address, family: isIP(address) }));
  const handOut: LookupFunction = (_host, options, callback) => {
    if (options.all) callback(null, answers);
    else callback(null, first, isIP(first));
  };
  return new Promise((connected, failed) => {
    const host = addresses.length === 1 ? first : "checked.invalid";
    const socket = connect({ host, port, lookup: handOut, autoSelectFamily: true, noDelay: true, signal });
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

/** The machine's own resolver, hosts file included: what it answers is checked, so it need not be trusted. */
async function systemResolve(host: string): Promise<readonly string[]> {
  const answers = await lookup(host, { all: true, order: "ipv4first" });
  return answers.map(({ address }) => address);
}

async function withTimeout<T>(promise: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<never>((_, expired) => {
    timer = setTimeout(() => expired(new Error(`no answer within ${milliseconds} ms`)), milliseconds);
  });
  return Promise.race([promise, expiry]).finally(() => clearTimeout(timer));
}
