// Which addresses a page may reach: public ones, and those the operator allows by name.
import ipaddr from "ipaddr.js";

/** `address:port` pairs that may be reached although they are not public, in normal form. */
export type AllowedOrigins = ReadonlySet<string>;

/**
 * Parses a comma-separated list of `address:port`, such as `127.0.0.1:8080,[::1]:8080`.
 * Names are refused: an origin is matched after resolution, so that no name can be pointed elsewhere later.
 */
export function parseAllowedOrigins(text: string): AllowedOrigins {
  const entries = text.split(",").map((entry) => entry.trim());
  return new Set(entries.filter((entry) => entry !== "").map(normalOrigin));
}

/**
 * True for an address of the public internet. An allow-list: only global unicast passes, so a range that nobody
 * thought of is refused. IPv4 inside IPv6 counts as the IPv4 it is.
 * See https://www.iana.org/assignments/iana-ipv6-special-registry (2000::/3 is all that is globally assigned).
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast") return false;
  return parsed.kind() === "ipv4" || parsed.match(ipaddr.parseCIDR("2000::/3"));
}

/**
 * The addresses of a name that may be dialled on `port`: the allowed ones if there are any; else all of them, when
 * every one is public; else none, because a name with one bad answer is not to be trusted with the others.
 */
export function dialable(addresses: readonly string[], port: number, allowed: AllowedOrigins): readonly string[] {
  const byName = addresses.filter((address) => isAllowed(address, port, allowed));
  if (byName.length > 0) return byName;
  return addresses.every(isPublic) ? addresses : [];
}

/** True for an address and port that the operator allows by name. */
export function isAllowed(address: string, port: number, allowed: AllowedOrigins): boolean {
  return allowed.has(originOf(address, port));
}

function normalOrigin(entry: string): string {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(entry) ?? [];
  const address = bracketed ?? plain ?? "";
  if (!ipaddr.isValid(address) || Number(port) < 1 || Number(port) > 65535) {
    throw new Error(`CAPTURE_ALLOW_ORIGINS holds '${entry}', which is not address:port such as 127.0.0.1:8080.`);
  }
  return originOf(address, Number(port));
}

function originOf(address: string, port: number): string {
  return `${ipaddr.process(address).toNormalizedString()} ${port}`;
}
