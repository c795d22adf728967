// Captures one page that attempts to reach an internal server in many ways, and counts which attempts arrived.
import { type AttackSite, internalNames, startAttackSite } from "../fixtures/internal-network.ts";
import { startTrap, type Trap } from "../fixtures/site.ts";
import { captureWith } from "./chromium.ts";

/** HTML that tries one way to a server of this machine; `home` is the origin of an attack site, which may be reached. */
export type Attempt = (server: Server, home: string) => string;

export interface Server {
  readonly port: number;
  /** Path that is this attempt's alone, with a slash at both ends. */
  readonly path: string;
}

export interface AttackPage {
  /** By the names under which they are found again. */
  readonly attempts: Readonly<Record<string, Attempt>>;
  /** Those that a server cannot tell by a path, because they do not get as far as to send one. */
  readonly pathless?: readonly string[];
  /** Addresses of this machine, as lists of allowed origins write them, to which an attempt can lead. */
  readonly addresses: readonly string[];
  /** Options of a capture of this HTML. */
  readonly optionsFor: (html: string, site: AttackSite) => Readonly<Record<string, unknown>>;
}

export interface AttackVisit {
  /** How often an attempt has reached the server that is allowed, and the internal one. */
  reached(attempt: string): { readonly allowed: number; readonly internal: number };
  /** Connections and datagrams that have come to internal servers from anywhere. */
  readonly inside: number;
}

interface Pair {
  readonly allowed: Trap;
  readonly internal: Trap;
}

/** Longest wait for the last attempt to reach its allowed server. */
const PATIENCE_MS = 25_000;

/**
 * Captures one page on which each attempt is made twice: to an internal server, and then to one that differs from it only in
 * that the operator allows it. The page is waited for until all of the latter have been reached.
 */
export async function visitAttacks(page: AttackPage): Promise<AttackVisit> {
  const { attempts, pathless = [], addresses, optionsFor } = page;
  const site = await startAttackSite();
  const shared = await startPair();
  const own = new Map<string, Pair>();
  for (const attempt of pathless) own.set(attempt, await startPair());
  const names = Object.keys(attempts);
  const pathOf = (name: string) => `/${names.indexOf(name)}/`;
  const count = (name: string, kind: keyof Pair) => {
    const trap = own.get(name)?.[kind];
    return trap ? trap.connections : shared[kind].paths.filter((path) => path.startsWith(pathOf(name))).length;
  };
  const pairs = [shared, ...own.values()];
  try {
    const html = names.flatMap((name) => {
      const { internal, allowed } = own.get(name) ?? shared;
      return [internal, allowed].map(({ port }) => attempts[name]?.({ port, path: pathOf(name) }, site.origin));
    });
    site.holdUntil(enough(() => names.every((name) => count(name, "allowed") > 0)));
    // Styles ask for what they name when they are computed, for which a busy machine does not always find a frame.
    const ending =
      `<img src="${site.origin}/when-it-is-over" onload="this.id = 'over'">` +
      "<script>setInterval(() => document.body.offsetHeight, 100)</script>";
    const allow = pairs.flatMap(({ allowed }) => addresses.map((address) => `${address}:${allowed.port}`));
    await captureWith(
      {
        wait_for_selector: "#over",
        delay: 0.3, // for what comes late
        timeout: 60,
        ...optionsFor(`<!doctype html><body>${html.join("\n")}${ending}`, site),
      },
      { allow: [site.hostPort, ...allow], resolve: internalNames() },
    );
  } finally {
    const traps = pairs.flatMap(({ allowed, internal }) => [allowed, internal]);
    await Promise.all([site, ...traps].map((server) => server.close()));
  }
  return {
    reached: (name) => ({ allowed: count(name, "allowed"), internal: count(name, "internal") }),
    inside: pairs.reduce((sum, { internal }) => sum + internal.connections + internal.datagrams, 0),
  };
}

async function startPair(): Promise<Pair> {
  return { allowed: await startTrap(), internal: await startTrap() };
}

/** Resolves when that is so, or enough time has gone by for the tests to say which attempt has failed. */
async function enough(isOver: () => boolean): Promise<void> {
  const expiry = performance.now() + PATIENCE_MS;
  while (performance.now() < expiry && !isOver()) await new Promise((soon) => setTimeout(soon, 50));
}
