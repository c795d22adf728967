// DNS resolver of one capture or delivery: bounded in time and in names, cancelled with its owner, and independent of
// the thread pool in which the process looks up all other names.
import { Resolver } from "node:dns/promises";
import { hostsFileAddresses } from "./hosts-file.ts";

/** Resolves a host name to addresses; rejects when it has none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

export interface NameResolverOptions {
  /** Cancels all look-ups on abort. */
  readonly signal: AbortSignal;
  /**
   * IP addresses of the DNS servers, each optionally with a port.
   * @default those of the machine
   */
  readonly nameServers?: readonly string[];
  /** @default /etc/hosts */
  readonly hostsFile?: string;
  /**
   * Milliseconds for a look-up.
   * @default 5,000
   */
  readonly timeoutMs?: number;
  /**
   * Names that are looked up at a time; others wait.
   * @default 64, the connections that Chromium opens to a proxy
   */
  readonly maxInFlight?: number;
  /** Names that are looked up in all; further ones have no address. @default 500 */
  readonly maxNames?: number;
}

const TIMEOUT_MS = 5_000;
/** Time for one server to answer a query before the next attempt. */
const ATTEMPT_TIMEOUT_MS = 2_000;
const ATTEMPTS = 2;
const MAX_IN_FLIGHT = 64;
export const MAX_NAMES = 500;

/** Time that addresses of one family wait for those of the other, which a broken server never sends (RFC 8305, section 3). */
const OTHER_FAMILY_DELAY_MS = 300;

/**
 * Creates a resolver. The hosts file comes first; every other name is a fully qualified one, looked up at the DNS servers
 * for both families, without search domains.
 *
 * It doesn't use `dns.lookup`, which waits in the thread pool of the process, at most two at a time, and can't be
 * cancelled: names whose servers are silent would make the look-ups of later captures and of the AWS SDK wait for minutes.
 * See https://nodejs.org/api/dns.html#implementation-considerations
 */
export function createNameResolver({
  signal,
  nameServers,
  hostsFile = "/etc/hosts",
  timeoutMs = TIMEOUT_MS,
  maxInFlight = MAX_IN_FLIGHT,
  maxNames = MAX_NAMES,
}: NameResolverOptions): Resolve {
  const turns = createTurns(maxInFlight, signal);
  let names = 0;
  return async (host) => {
    const name = host.replace(/\.$/, "");
    const listed = hostsFileAddresses(name, hostsFile);
    if (listed.length > 0) return listed;
    if (++names > maxNames) throw new Error(`more than ${maxNames} names`);
    const finish = await turns.next();
    try {
      return await query(name, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]), nameServers);
    } finally {
      finish();
    }
  };
}

/**
 * Asks the DNS servers for a name. Each look-up has a channel of its own (20 µs): c-ares can only cancel all look-ups of
 * a channel, and a source port of its own makes answers harder to forge (RFC 5452).
 */
async function query(
  name: string,
  signal: AbortSignal,
  nameServers: readonly string[] | undefined,
): Promise<readonly string[]> {
  signal.throwIfAborted();
  const resolver = new Resolver({ timeout: ATTEMPT_TIMEOUT_MS, tries: ATTEMPTS });
  if (nameServers) resolver.setServers(nameServers);
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return await bothFamilies(resolver.resolve4(name), resolver.resolve6(name));
  } finally {
    signal.removeEventListener("abort", cancel);
    resolver.cancel();
  }
}

/** Addresses of both families, IPv4 first. Rejects when neither has any. */
async function bothFamilies(...families: readonly Promise<string[]>[]): Promise<readonly string[]> {
  const found: string[][] = families.map(() => []);
  const answered = families.map(async (family, index) => {
    const addresses = await family;
    if (addresses.length === 0) throw new Error("no addresses");
    found[index] = addresses;
  });
  await Promise.any(answered);
  const delay = Promise.withResolvers<void>();
  const timer = setTimeout(delay.resolve, OTHER_FAMILY_DELAY_MS);
  await Promise.race([Promise.allSettled(answered), delay.promise]);
  clearTimeout(timer);
  return found.flat();
}

/** Lets at most `limit` run at a time, in the order of their requests. Those that wait are rejected on abort. */
function createTurns(limit: number, signal: AbortSignal) {
  const waiting: PromiseWithResolvers<void>[] = [];
  let running = 0;
  signal.addEventListener("abort", () => {
    for (const { reject } of waiting.splice(0)) reject(signal.reason);
  });
  const finish = () => {
    const next = waiting.shift();
    if (next) next.resolve();
    else running--;
  };
  return {
    /** Resolves to the function that ends the turn. */
    async next(): Promise<() => void> {
      signal.throwIfAborted();
      if (running < limit) {
        running++;
        return finish;
      }
      const turn = Promise.withResolvers<void>();
      waiting.push(turn);
      await turn.promise;
      return finish;
    },
  };
}
