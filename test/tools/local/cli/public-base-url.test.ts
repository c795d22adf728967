// The public base URL of the local service, with which its links begin.
import type { NetworkInterfaceInfo } from "node:os";
import { describe, expect, test } from "vitest";
import { listeningAddress, parsePublicBaseUrl } from "../../../../lib/tools/local/cli/public-base-url.ts";

const at = (address: string, family: "IPv4" | "IPv6", internal = false) =>
  ({ address, family, internal }) as NetworkInterfaceInfo;
const networks = {
  lo: [at("127.0.0.1", "IPv4", true), at("::1", "IPv6", true)],
  eth0: [at("fe80::1", "IPv6"), at("192.0.2.7", "IPv4")],
  eth1: [at("198.51.100.1", "IPv4")],
};

test.each([
  ["127.0.0.1", "http://127.0.0.1:3000"],
  ["localhost", "http://localhost:3000"],
  ["192.0.2.9", "http://192.0.2.9:3000"],
  ["::1", "http://[::1]:3000"],
  ["0.0.0.0", "http://192.0.2.7:3000"],
  ["::", "http://192.0.2.7:3000"],
])(
  "a service that listens on %s is at %s, which other machines can use as well where it listens for them",
  (host, url) => {
    expect(listeningAddress(host, 3000, networks)).toBe(url);
  },
);

test("base URL: a machine without a network uses its loopback address", () => {
  expect(listeningAddress("0.0.0.0", 3000, { lo: networks.lo })).toBe("http://127.0.0.1:3000");
});

describe("PUBLIC_BASE_URL", () => {
  test.each([
    ["", undefined],
    ["https://captures.example.com", "https://captures.example.com"],
    ["https://captures.example.com/", "https://captures.example.com"],
    ["http://example.com:8080/captures/", "http://example.com:8080/captures"],
  ])("%j is parsed as %s", (setting, url) => {
    expect(parsePublicBaseUrl(setting)).toBe(url);
  });

  test.each([
    "captures.example.com",
    "ftp://example.com",
    "https://example.com/?a=1",
    "https://a:b@example.com",
    "//x",
  ])("%j is rejected", (setting) => {
    expect(() => parsePublicBaseUrl(setting)).toThrow(
      `PUBLIC_BASE_URL must be an http or https address without a query, such as https://captures.example.com, not '${setting}'.`,
    );
  });
});
