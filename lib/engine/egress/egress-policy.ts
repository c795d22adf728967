// Egress policy (SSRF protection): allows public addresses on all but unsafe ports, and endpoints that the operator allows.
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

/** Normalised `address:port` pairs that are allowed although they are not public. */
export type AllowedOrigins = ReadonlySet<string>;

/** Allows the public internet alone. */
export const NO_ORIGINS: AllowedOrigins = new Set();

/**
 * Parses a comma-separated list of `address:port`, such as `127.0.0.1:8080,[::1]:8080`. Throws for host names: origins
 * are matched after DNS resolution, so that no name can be pointed elsewhere later.
 */
export function parseAllowedOrigins(text: string): AllowedOrigins {
  const entries = text.split(",").map((entry) => entry.trim());
  return new Set(entries.filter((entry) => entry !== "").map(parseOrigin));
}

/**
 * True for a public internet address, as dialled: dotted IPv4, or IPv6 without a zone. An allow-list: only global
 * unicast passes, so unknown ranges are refused. IPv4-mapped IPv6 counts as its IPv4 address; other embeddings that a
 * gateway would translate are refused.
 *
 * See https://www.iana.org/assignments/iana-ipv4-special-registry and iana-ipv6-special-registry: only 2000::/3 is
 * globally assigned.
 */
export function isPublic(address: string): boolean {
  if (isIP(address) === 0 || address.includes("%")) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast" || isInsideCloud(parsed)) return false;
  return parsed instanceof ipaddr.IPv4 || (parsed.match(GLOBAL_UNICAST) && !isIsatap(parsed));
}

const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * True for a public address that, inside a cloud, leads to a host or to services of that cloud. The addresses of metadata
 * services of other clouds aren't public by their range.
 */
function isInsideCloud(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return CLOUD_RANGES.some(([network, bits]) => address.kind() === network.kind() && address.match(network, bits));
}

const CLOUD_RANGES: readonly (readonly [ipaddr.IPv4 | ipaddr.IPv6, number])[] = [
  "168.63.129.16/32", // Azure's host: https://learn.microsoft.com/azure/virtual-network/what-is-ip-address-168-63-129-16
  "161.26.0.0/16", // IBM Cloud: https://cloud.ibm.com/docs/vpc?topic=vpc-service-endpoints-for-vpc
  "166.8.0.0/14",
  "199.36.153.4/30", // Google's APIs from inside: https://cloud.google.com/vpc/docs/configure-private-google-access
  "199.36.153.8/30",
  "2600:2d00:2:1000::/64",
  "2600:2d00:2:2000::/64",
].map((range) => ipaddr.parseCIDR(range));

/** An ISATAP interface identifier, which a router translates to an IPv4 address (RFC 5214, section 6.1). */
function isIsatap({ parts }: ipaddr.IPv6): boolean {
  return parts[5] === 0x5efe && (parts[4] === 0 || parts[4] === 0x200);
}

/**
 * True for a bad port, such as those of mail, printers and chats, where a service could take an HTTP request for its
 * own protocol. See https://fetch.spec.whatwg.org/#port-blocking; Chromium applies it to requests, but not to tunnels
 * that a page can open (TURN over TCP).
 */
export function isBadPort(port: number): boolean {
  return BAD_PORTS.has(port);
}

const BAD_PORTS: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/**
 * Returns the addresses of a name that may be dialled on `port`: the allowed ones if there are any; else all of them if
 * the port is not a bad one and every address is public; else none, because one bad address makes the name untrusted.
 */
export function allowedAddresses(
  addresses: readonly string[],
  port: number,
  allowed: AllowedOrigins,
): readonly string[] {
  const allowedByOperator = addresses.filter((address) => isAllowed(address, port, allowed));
  if (allowedByOperator.length > 0) return allowedByOperator;
  return !isBadPort(port) && addresses.every(isPublic) ? addresses : [];
}

/** True for a port that is refused for every address. */
export function isRefusedPort(port: number, allowed: AllowedOrigins): boolean {
  return isBadPort(port) && ![...allowed].some((origin) => origin.endsWith(` ${port}`));
}

/** True for an address and port that the operator allows. */
export function isAllowed(address: string, port: number, allowed: AllowedOrigins): boolean {
  return isIP(address) !== 0 && allowed.has(normalizeOrigin(address, port));
}

function parseOrigin(entry: string): string {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(entry) ?? [];
  const address = bracketed ?? plain ?? "";
  if (!ipaddr.isValid(address) || Number(port) < 1 || Number(port) > 65535) {
    throw new Error(`CAPTURE_ALLOW_ORIGINS holds '${entry}', which is not address:port such as 127.0.0.1:8080.`);
  }
  return normalizeOrigin(address, Number(port));
}

function normalizeOrigin(address: string, port: number): string {
  return `${ipaddr.process(address).toNormalizedString()} ${port}`;
}
