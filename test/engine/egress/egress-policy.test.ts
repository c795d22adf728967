// Egress policy: IANA's registries address by address, and ports one by one.
import ipaddr from "ipaddr.js";
import { describe, expect, test } from "vitest";
import { isRefusedUnresolved } from "../../../lib/engine/egress/egress-dial.ts";
import {
  allowedAddresses,
  isBadPort,
  isPublic,
  parseAllowedOrigins,
} from "../../../lib/engine/egress/egress-policy.ts";

const nothing = parseAllowedOrigins("");

describe("egress policy: public addresses", () => {
  test.each([
    ["1.1.1.1"],
    ["8.8.8.8"],
    ["93.184.216.34"],
    ["100.63.255.255"], // the last before the carrier's own
    ["100.128.0.0"],
    ["172.15.255.255"],
    ["172.32.0.0"],
    ["192.167.255.255"],
    ["168.63.129.15"], // the neighbours of hosts of clouds
    ["168.63.129.17"],
    ["166.7.255.255"],
    ["166.12.0.0"],
    ["199.36.153.3"],
    ["199.36.153.12"],
    ["192.169.0.0"],
    ["223.255.255.255"],
    ["2606:4700:4700::1111"],
    ["2a00:1450:4001:81b::200e"],
    ["::ffff:8.8.8.8"],
  ])("%s is allowed", (address) => {
    expect(isPublic(address)).toBe(true);
  });
});

/** https://www.iana.org/assignments/iana-ipv4-special-registry, and what is no unicast. */
const special4 = [
  ["0.0.0.0/8", "this network"],
  ["10.0.0.0/8", "private use"],
  ["100.64.0.0/10", "shared address space, of carriers"],
  ["127.0.0.0/8", "loopback"],
  ["169.254.0.0/16", "link local, with all that AWS has there"],
  ["172.16.0.0/12", "private use"],
  ["192.0.0.0/24", "IETF protocol assignments"],
  ["192.0.0.0/29", "IPv4 service continuity"],
  ["192.0.0.8/32", "IPv4 dummy address"],
  ["192.0.0.9/32", "port control anycast"],
  ["192.0.0.10/32", "relays around NAT anycast"],
  ["192.0.0.170/32", "NAT64 discovery"],
  ["192.0.0.171/32", "NAT64 discovery"],
  ["192.0.2.0/24", "documentation, first net"],
  ["192.31.196.0/24", "AS112"],
  ["192.52.193.0/24", "automatic multicast tunnelling"],
  ["192.88.99.0/24", "6to4 relays"],
  ["192.168.0.0/16", "private use"],
  ["192.175.48.0/24", "direct delegation to AS112"],
  ["198.18.0.0/15", "benchmarking"],
  ["198.51.100.0/24", "documentation, second net"],
  ["203.0.113.0/24", "documentation, third net"],
  ["224.0.0.0/4", "multicast"],
  ["240.0.0.0/4", "reserved"],
  ["255.255.255.255/32", "broadcast"],
];

/** https://www.iana.org/assignments/iana-ipv6-special-registry, and what IPv6 has in addition to 2000::/3. */
const special6 = [
  ["::/128", "unspecified"],
  ["::1/128", "loopback"],
  ["::/96", "IPv4-compatible"],
  ["::ffff:0:0:0/96", "translated IPv4"],
  ["64:ff9b::/96", "translation to IPv4, NAT64"],
  ["64:ff9b:1::/48", "local translation to IPv4"],
  ["100::/64", "discard only"],
  ["100:0:0:1::/64", "dummy prefix"],
  ["2001::/23", "IETF protocol assignments"],
  ["2001::/32", "Teredo"],
  ["2001:1::1/128", "port control anycast"],
  ["2001:1::2/128", "relays around NAT anycast"],
  ["2001:1::3/128", "service registration anycast"],
  ["2001:2::/48", "benchmarking"],
  ["2001:3::/32", "automatic multicast tunnelling"],
  ["2001:4:112::/48", "AS112"],
  ["2001:10::/28", "ORCHID"],
  ["2001:20::/28", "ORCHIDv2"],
  ["2001:30::/28", "drone identities"],
  ["2001:db8::/32", "documentation"],
  ["2002::/16", "6to4"],
  ["2620:4f:8000::/48", "direct delegation to AS112"],
  ["3fff::/20", "documentation, the newer net"],
  ["4000::/3", "not assigned"],
  ["5f00::/16", "segment routing"],
  ["fc00::/7", "unique local"],
  ["fe80::/10", "link local"],
  ["fec0::/10", "site local"],
  ["ff00::/8", "multicast"],
];

describe("egress policy: addresses that are not public", () => {
  test.each([...special4, ...special6])("%s (%s) is refused, from its first address to its last", (range = "") => {
    const kind = range.includes(":") ? ipaddr.IPv6 : ipaddr.IPv4;
    const [first, last] = [kind.networkAddressFromCIDR(range), kind.broadcastAddressFromCIDR(range)];
    expect([first, last].map((address) => isPublic(address.toString()))).toEqual([false, false]);
  });

  test.each(special4)("%s (%s) is refused inside IPv6, however it is put there", (range = "") => {
    const bytes = ipaddr.IPv4.networkAddressFromCIDR(range).toByteArray();
    const [high, low] = [0, 2].map((at) => (((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)).toString(16));
    const inside = [
      `::ffff:${high}:${low}`,
      `::${high}:${low}`,
      `::ffff:0:${high}:${low}`,
      `64:ff9b::${high}:${low}`,
      `64:ff9b:1::${high}:${low}`,
      `2002:${high}:${low}::1`,
      `2001:0:${high}:${low}::1`,
      `2606:4700::5efe:${high}:${low}`,
      `2606:4700::200:5efe:${high}:${low}`,
      `fe80::5efe:${high}:${low}`,
    ];
    expect(inside.filter(isPublic)).toEqual([]);
  });

  test.each([
    ["instance metadata", "169.254.169.254"],
    ["credentials of containers", "169.254.170.2"],
    ["credentials of pods", "169.254.170.23"],
    ["the time of AWS", "169.254.169.123"],
    ["the resolver of AWS", "169.254.169.253"],
    ["the inside of Lambda", "169.254.100.1"],
    ["instance metadata", "fd00:ec2::254"],
    ["the resolver of AWS", "fd00:ec2::253"],
    ["credentials of pods", "fd00:ec2::23"],
    ["another cloud's metadata", "100.100.100.200"],
    ["Oracle's metadata for Classic", "192.0.0.192"],
    ["Azure's host", "168.63.129.16"],
    ["Azure's host, mapped", "::ffff:168.63.129.16"],
    ["IBM's services from inside", "161.26.0.10"],
    ["IBM's service endpoints", "166.8.0.1"],
    ["IBM's service endpoints, the last", "166.11.255.255"],
    ["Google's APIs from inside, restricted", "199.36.153.4"],
    ["Google's APIs from inside", "199.36.153.11"],
    ["Google's APIs from inside", "2600:2d00:2:2000::1"],
    ["Teredo of loopback", "2001:0:4136:e378:8000:63bf:80ff:fffe"],
    ["link local with a zone", "fe80::1%eth0"],
    ["a public address with a zone", "2606:4700::1%eth0"],
    ["a mapped address with a zone", "::ffff:8.8.8.8%lo"],
  ])("%s (%s) is refused", (_, address) => {
    expect(isPublic(address)).toBe(false);
  });

  test.each([
    ["hexadecimal", "0x7f000001"],
    ["one number", "2130706433"],
    ["octal", "0177.0.0.1"],
    ["short", "127.1"],
    ["zero", "0"],
    ["hexadecimal parts", "0x7f.0x0.0x0.0x1"],
    ["metadata as one number", "2852039166"],
    ["what is octal to one reader and decimal to another", "010.0.0.1"],
    ["a zero in front", "08.8.8.8"],
    ["a short public address", "8.8"],
    ["a public address as one number", "134744072"],
    ["a mapped address with octal numbers", "::ffff:0177.0.0.1"],
    ["wide digits", "８.８.８.８"],
    ["a dot at the end", "8.8.8.8."],
  ])("what is not spelled as it is dialled is refused: %s (%s)", (_, address) => {
    expect(isPublic(address)).toBe(false);
  });

  test.each([
    ["a name", "example.com"],
    ["nothing", ""],
    ["a bracketed literal", "[::1]"],
    ["an address with a port", "8.8.8.8:80"],
    ["white space", " 8.8.8.8"],
    ["a range", "8.8.8.0/24"],
    ["too large a part", "8.8.8.256"],
  ])("%s is no address", (_, text) => {
    expect(isPublic(text)).toBe(false);
  });
});

describe("egress policy: the addresses of a name", () => {
  test("may all be dialled when all are public", () => {
    expect(allowedAddresses(["8.8.8.8", "2606:4700::1"], 443, nothing)).toEqual(["8.8.8.8", "2606:4700::1"]);
  });

  test.each([
    ["last", ["8.8.8.8", "127.0.0.1"]],
    ["first", ["10.0.0.1", "8.8.8.8"]],
    ["of the other family", ["8.8.8.8", "::1"]],
  ])("are all refused when one is internal: %s", (_, addresses) => {
    expect(allowedAddresses(addresses, 443, nothing)).toEqual([]);
  });

  test("are none when there is none", () => {
    expect(allowedAddresses([], 443, nothing)).toEqual([]);
  });

  test.each(["localhost", "internal.test", "127.1", ""])("are none when an answer is no address: '%s'", (answer) => {
    expect(allowedAddresses([answer], 443, nothing)).toEqual([]);
    expect(allowedAddresses(["8.8.8.8", answer], 443, parseAllowedOrigins("127.0.0.1:443"))).toEqual([]);
  });
});

/** https://fetch.spec.whatwg.org/#port-blocking; what Chromium holds of it is in `test/attacks/other-outgoing.test.ts`. */
describe("egress policy: a port", () => {
  test.each([80, 443, 3128, 8080, 8443, 9000, 49_152, 65_535])("may be dialled: %i", (port) => {
    expect(allowedAddresses(["8.8.8.8"], port, nothing)).toEqual(["8.8.8.8"]);
    expect(isRefusedUnresolved("shop.test", port, nothing)).toBe(false);
  });

  test.each([0, 1, 21, 22, 23, 25, 53, 110, 143, 389, 465, 587, 636, 993, 2049, 6000, 6667, 6697, 10_080])(
    "is refused as a bad port: %i",
    (port) => {
      expect(isBadPort(port)).toBe(true);
      expect(allowedAddresses(["8.8.8.8", "2606:4700::1"], port, nothing)).toEqual([]);
      expect(isRefusedUnresolved("8.8.8.8", port, nothing)).toBe(true);
      expect(isRefusedUnresolved("mail.test", port, nothing)).toBe(true);
    },
  );

  test("may be a bad port where the operator allows that very origin", () => {
    const mail = parseAllowedOrigins("10.0.0.5:25");
    expect(allowedAddresses(["10.0.0.5"], 25, mail)).toEqual(["10.0.0.5"]);
    expect(allowedAddresses(["8.8.8.8"], 25, mail)).toEqual([]);
    expect(isRefusedUnresolved("mail.test", 25, mail)).toBe(false); // it may lead there
    expect(isRefusedUnresolved("mail.test", 125, parseAllowedOrigins("10.0.0.5:1125"))).toBe(false);
    expect(isRefusedUnresolved("mail.test", 25, parseAllowedOrigins("10.0.0.5:1025"))).toBe(true);
  });
});

describe("egress policy: allowed origins", () => {
  const allowed = parseAllowedOrigins("127.0.0.1:8080, [::1]:9090");

  test.each([
    ["127.0.0.1", 8080, true],
    ["::ffff:127.0.0.1", 8080, true],
    ["::1", 9090, true],
    ["0:0:0:0:0:0:0:1", 9090, true],
    ["127.0.0.1", 8081, false],
    ["127.0.0.1", 9090, false],
    ["127.0.0.2", 8080, false],
    ["::1", 8080, false],
  ])("match address and port together: %s port %i", (address, port, isAllowed) => {
    expect(allowedAddresses([address], port, allowed)).toEqual(isAllowed ? [address] : []);
  });

  test("keep only the allowed addresses of a name that has others", () => {
    expect(allowedAddresses(["10.0.0.1", "127.0.0.1"], 8080, allowed)).toEqual(["127.0.0.1"]);
  });

  test("may be an empty list", () => {
    expect(parseAllowedOrigins(" , ").size).toBe(0);
  });

  test.each([
    ["a name", "localhost:8080"],
    ["no port", "127.0.0.1"],
    ["an empty port", "127.0.0.1:"],
    ["port 0", "127.0.0.1:0"],
    ["too large a port", "127.0.0.1:65536"],
    ["every port", "127.0.0.1:*"],
    ["a range of addresses", "10.0.0.0/8:80"],
    ["a scheme", "http://127.0.0.1:8080"],
    ["IPv6 without brackets", "::1:8080"],
    ["a path", "127.0.0.1:8080/"],
    ["everything", "*"],
  ])("cannot be %s (%s)", (_, entry) => {
    expect(() => parseAllowedOrigins(`127.0.0.1:1,${entry}`)).toThrow(
      `CAPTURE_ALLOW_ORIGINS holds '${entry}', which is not address:port such as 127.0.0.1:8080.`,
    );
  });
});
