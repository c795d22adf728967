// One capture of a page that tries many ways to an internal server at once, and what each of them has reached.
import { captureWith } from "./chromium.ts";
import { type AttackSite, internalNames, startAttackSite } from "./internal-network.ts";
import { startTrap, type Trap } from "./site.ts";

/** HTML that tries one way to a port of this machine; `home` is the origin of an attack site, which may be reached. */
export type Attempt = (port: number, home: string) => string;

export interface AttackPage {
  /** By the names under which they are found again. */
  readonly attempts: Readonly<Record<string, Attempt>>;
  /** Addresses of this machine, as lists of allowed origins write them, to which an attempt can lead. */
  readonly addresses: readonly string[];
  /** Options of a capture of this HTML. */
  readonly optionsFor: (html: string, site: AttackSite) => Readonly<Record<string, unknown>>;
}

export interface AttackVisit {
  /** Connections and datagrams that came to the internal server of an attempt, and to one that is allowed. */
  reached(attempt: string): { readonly allowed: number; readonly internal: number };
}

/** Longest wait for the last attempt to reach its allowed server. */
const PATIENCE_MS = 25_000;

/**
 * Captures one page on which each attempt is made twice: to an internal server of its own, and then to one that differs from
 * it only in that the operator allows it. The page is waited for until all of the latter have been reached.
 */
export async function visitAttacks({ attempts, addresses, optionsFor }: AttackPage): Promise<AttackVisit> {
  const site = await startAttackSite();
  const traps = new Map<string, { allowed: Trap; internal: Trap }>();
  for (const name of Object.keys(attempts))
    traps.set(name, { allowed: await startTrap(), internal: await startTrap() });
  const all = [...traps.values()];
  try {
    const html = [...traps].flatMap(([name, { allowed, internal }]) =>
      [internal, allowed].map(({ port }) => attempts[name]?.(port, site.origin)),
    );
    site.holdUntil(allReached(all.map(({ allowed }) => allowed)));
    const ending = `<img src="${site.origin}/when-it-is-over" onload="this.id = 'over'">`;
    const allow = all.flatMap(({ allowed }) => addresses.map((address) => `${address}:${allowed.port}`));
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
    await Promise.all(
      [site, ...all.flatMap(({ allowed, internal }) => [allowed, internal])].map((server) => server.close()),
    );
  }
  const countOf = (trap: Trap | undefined) => (trap ? trap.connections + trap.datagrams : Number.NaN);
  return {
    reached: (attempt) => ({
      allowed: countOf(traps.get(attempt)?.allowed),
      internal: countOf(traps.get(attempt)?.internal),
    }),
  };
}

/** Resolves when each has been connected to, or enough time has gone by for the tests to say which has not. */
async function allReached(traps: readonly Trap[]): Promise<void> {
  const expiry = performance.now() + PATIENCE_MS;
  while (performance.now() < expiry && traps.some(({ connections }) => connections === 0)) {
    await new Promise((soon) => setTimeout(soon, 20));
  }
}
