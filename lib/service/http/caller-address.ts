// The network address of a caller behind reverse proxies: the first hop that is no trusted proxy, from the right of X-Forwarded-For.
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = readonly [Address, number];

/**
 * Parses comma-separated addresses and CIDR ranges of trusted proxies, such as `203.0.113.7,10.0.0.0/8`. Throws a RangeError for
 * anything else, and for a range of all addresses: then every caller could choose its own.
 */
export function parseTrustedProxies(setting: string): Range[] {
  const texts = setting.split(",").map((text) => text.trim());
  return texts
    .filter((text) => text !== "")
    .map((text) => {
      const range = parseRange(text);
      if (!range || range[1] === 0) {
        throw new RangeError(`A trusted proxy must be an address or a range such as 10.0.0.0/8, not '${text}'.`);
      }
      return range;
    });
}

function parseRange(text: string): Range | undefined {
  if (ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  const address = parseAddress(text);
  return address && [address, address.kind() === "ipv4" ? 32 : 128];
}

/**
 * Returns the address of a caller. `peer` is the address of the connection, and `forwardedFor` the values of the header, to which
 * each proxy appends the address that it was reached from: what is left of the first untrusted hop was written by the caller. A
 * hop that is no address ends the walk at the proxy that wrote it.
 */
export function callerAddress(
  { peer, forwardedFor }: { readonly peer: string; readonly forwardedFor: readonly string[] },
  trusted: readonly Range[],
): string {
  let caller = peer;
  if (trusted.length === 0 || !isTrusted(peer, trusted)) return caller;
  for (const hop of forwardedFor.join(",").split(",").toReversed()) {
    const address = parseAddress(withoutPort(hop.trim()))?.toString();
    if (address === undefined) return caller;
    caller = address;
    if (!isTrusted(address, trusted)) return caller;
  }
  return caller;
}

/** Some proxies add the port of the connection: `203.0.113.7:5678`, `[2001:db8::1]:5678`. */
function withoutPort(hop: string): string {
  return /^\[(.+)\](:\d+)?$/.exec(hop)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(hop)?.[1] ?? hop;
}

function isTrusted(text: string, trusted: readonly Range[]): boolean {
  const address = parseAddress(text);
  return (
    address !== undefined &&
    trusted.some(([range, bits]) => address.kind() === range.kind() && address.match(range, bits))
  );
}

/** The address, with IPv4 addresses that are written as IPv6 made IPv4. */
function parseAddress(text: string): Address | undefined {
  return ipaddr.isValid(text) ? ipaddr.process(text) : undefined;
}
