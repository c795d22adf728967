import { describe, expect, test } from "vitest";
import { dialable, isPublic, parseAllowedOrigins } from "../../lib/egress/egress-policy.ts";

const nothing = parseAllowedOrigins("");

describe("public addresses", () => {
  test.each([
    ["1.1.1.1"],
    ["8.8.8.8"],
    ["93.184.216.34"],
    ["100.63.255.255"], // the last before the carrier's own
    ["100.128.0.0"],
    ["172.15.255.255"],
    ["172.32.0.0"],
    ["192.167.255.255"],
    ["192.169.0.0"],
    ["223.255.255.255"],
    ["2606:4700:4700::1111"],
    ["2a00:1450:4001:81b::200e"],
    ["::ffff:8.8.8.8"],
  ])("%s may be reached", (address) => {
    expect(isPublic(address)).toBe(true);
  });
});

describe("addresses that are not public", () => {
  test.each([
    ["this network", "0.0.0.0"],
    ["this network, its end", "0.255.255.255"],
    ["private 10/8", "10.0.0.1"],
    ["private 10/8, its end", "10.255.255.255"],
    ["carrier-grade NAT", "100.64.0.1"],
    ["carrier-grade NAT, its end", "100.127.255.255"],
    ["loopback", "127.0.0.1"],
    ["loopback, its end", "127.255.255.254"],
    ["link local", "169.254.0.1"],
    ["instance metadata", "169.254.169.254"],
    ["container credentials", "169.254.170.2"],
    ["private 172.16/12", "172.16.0.1"],
    ["private 172.16/12, its end", "172.31.255.255"],
    ["protocol assignments", "192.0.0.1"],
    ["documentation, first net", "192.0.2.1"],
    ["6to4 relays", "192.88.99.1"],
    ["private 192.168/16", "192.168.0.1"],
    ["benchmarks", "198.18.0.1"],
    ["benchmarks, its end", "198.19.255.255"],
    ["documentation, second net", "198.51.100.1"],
    ["documentation, third net", "203.0.113.1"],
    ["multicast", "224.0.0.1"],
    ["multicast, its end", "239.255.255.255"],
    ["reserved", "240.0.0.1"],
    ["broadcast", "255.255.255.255"],
    ["unspecified", "::"],
    ["loopback", "::1"],
    ["IPv4 loopback mapped", "::ffff:127.0.0.1"],
    ["IPv4 loopback mapped, in hexadecimal", "::ffff:7f00:1"],
    ["IPv4 private mapped", "::ffff:10.0.0.1"],
    ["instance metadata mapped", "::ffff:169.254.169.254"],
    ["IPv4-compatible loopback", "::7f00:1"],
    ["translated IPv4", "::ffff:0:127.0.0.1"],
    ["NAT64 of loopback", "64:ff9b::7f00:1"],
    ["NAT64 of a public address", "64:ff9b::808:808"],
    ["local NAT64", "64:ff9b:1::1"],
    ["discard only", "100::1"],
    ["Teredo", "2001:0:4136:e378:8000:63bf:3fff:fdd2"],
    ["benchmarks", "2001:2::1"],
    ["ORCHID", "2001:10::1"],
    ["ORCHIDv2", "2001:20::1"],
    ["documentation", "2001:db8::1"],
    ["6to4 of loopback", "2002:7f00:1::"],
    ["6to4 of a private address", "2002:a00:1::"],
    ["documentation, the newer net", "3fff::1"],
    ["segment routing", "5f00::1"],
    ["not assigned", "4000::1"],
    ["unique local", "fc00::1"],
    ["unique local, as used", "fd12:3456:789a::1"],
    ["instance metadata", "fd00:ec2::254"],
    ["link local", "fe80::1"],
    ["link local with a zone", "fe80::1%eth0"],
    ["site local", "fec0::1"],
    ["multicast", "ff02::1"],
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
  ])("a spelling that Node would dial as an internal address is refused: %s (%s)", (_, address) => {
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

describe("the addresses of a name", () => {
  test("may all be dialled when all are public", () => {
    expect(dialable(["8.8.8.8", "2606:4700::1"], 443, nothing)).toEqual(["8.8.8.8", "2606:4700::1"]);
  });

  test.each([
    ["last", ["8.8.8.8", "127.0.0.1"]],
    ["first", ["10.0.0.1", "8.8.8.8"]],
    ["of the other family", ["8.8.8.8", "::1"]],
  ])("may none be dialled when one is internal: %s", (_, addresses) => {
    expect(dialable(addresses, 443, nothing)).toEqual([]);
  });

  test("are none when there is none", () => {
    expect(dialable([], 443, nothing)).toEqual([]);
  });
});

describe("allowed origins", () => {
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
  ])("decide address and port together: %s port %i", (address, port, isAllowed) => {
    expect(dialable([address], port, allowed)).toEqual(isAllowed ? [address] : []);
  });

  test("keep only the allowed addresses of a name that has others", () => {
    expect(dialable(["10.0.0.1", "127.0.0.1"], 8080, allowed)).toEqual(["127.0.0.1"]);
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
