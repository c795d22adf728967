// Network addresses of callers: shortened for lists, and grouped by who controls them for limits.
import ipaddr from "ipaddr.js";

/** Returns the network of an address, which distinguishes an owner's locations: `203.0.113.x`, or a /48 of IPv6. */
export function shortenAddress(address: string): string {
  const parsed = parse(address);
  if (!parsed) return "";
  const text = parsed.toString();
  if (parsed.kind() === "ipv4") return `${text.slice(0, text.lastIndexOf("."))}.x`;
  return `${hextets(parsed, 3)}::/48`;
}

/** Returns what a limit counts by: an IPv4 address, or the /64 of IPv6 that one customer of a provider has. */
export function limitedNetwork(address: string): string {
  const parsed = parse(address);
  if (!parsed) return "unknown";
  return parsed.kind() === "ipv4" ? parsed.toString() : `${hextets(parsed, 4)}::/64`;
}

/** Returns the largest network of IPv6 that one customer of a provider usually has, a /48; undefined for another address. */
export function siteNetwork(address: string): string | undefined {
  const parsed = parse(address);
  return parsed?.kind() === "ipv6" ? `${hextets(parsed, 3)}::/48` : undefined;
}

/** The address, with IPv4 addresses that are written as IPv6 made IPv4. */
function parse(address: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  return ipaddr.isValid(address) ? ipaddr.process(address) : undefined;
}

function hextets(address: ipaddr.IPv4 | ipaddr.IPv6, count: number): string {
  return address.toNormalizedString().split(":").slice(0, count).join(":");
}
