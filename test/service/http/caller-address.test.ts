// The address of a caller behind reverse proxies.
import type { APIGatewayProxyEvent } from "aws-lambda";
import { afterEach, expect, test, vi } from "vitest";
import { createApiRequest } from "../../../lib/service/http/api-request.ts";
import { callerAddress, parseTrustedProxies } from "../../../lib/service/http/caller-address.ts";

afterEach(() => vi.unstubAllEnvs());

const addressOf = (peer: string, forwardedFor: readonly string[], trusted: string) =>
  callerAddress({ peer, forwardedFor }, parseTrustedProxies(trusted));

test.each<[string, string, string[], string, string]>([
  ["is that of the connection without trusted proxies", "10.0.0.1", ["198.51.100.9, 10.0.0.1"], "", "10.0.0.1"],
  [
    "is that of the connection when it is no trusted proxy",
    "203.0.113.9",
    ["198.51.100.9"],
    "10.0.0.0/8",
    "203.0.113.9",
  ],
  ["is what the trusted proxy was reached from", "10.0.0.1", ["198.51.100.9, 10.0.0.1"], "10.0.0.0/8", "198.51.100.9"],
  [
    "is not what the caller itself wrote",
    "10.0.0.1",
    ["192.0.2.1, 198.51.100.9, 10.0.0.1"],
    "10.0.0.1",
    "198.51.100.9",
  ],
  ["is behind several proxies", "10.0.0.1", ["192.0.2.1, 198.51.100.9", "10.0.0.7"], "10.0.0.0/8", "198.51.100.9"],
  ["has no port", "10.0.0.1", ["198.51.100.9:4711"], "10.0.0.1", "198.51.100.9"],
  ["can be IPv6, with a port", "::1", ["[2001:db8::9]:4711"], "::1", "2001:db8::9"],
  ["can be an IPv4 address in IPv6", "::ffff:10.0.0.1", ["::ffff:198.51.100.9"], "10.0.0.1", "198.51.100.9"],
  ["is the proxy's when that wrote no address", "10.0.0.1", ["192.0.2.1, unknown"], "10.0.0.1", "10.0.0.1"],
  ["is the proxy's without the header", "10.0.0.1", [], "10.0.0.1", "10.0.0.1"],
])("caller address: %s", (_, peer, forwardedFor, trusted, expected) => {
  expect(addressOf(peer, forwardedFor, trusted)).toBe(expected);
});

test.each(["x", "10.0.0.0/33", "0.0.0.0/0", "::/0", "proxy.example"])(
  "caller address: %j is no trusted proxy",
  (setting) => {
    expect(() => parseTrustedProxies(setting)).toThrow("A trusted proxy must be an address or a range such as");
  },
);

test("caller address: a request has it, of all lines of the header", () => {
  const event = {
    httpMethod: "GET",
    path: "/",
    resource: "/",
    headers: {},
    multiValueHeaders: { "X-Forwarded-For": ["192.0.2.1", "198.51.100.9, 10.0.0.1"] },
    requestContext: { identity: { sourceIp: "10.0.0.1" } },
  } as unknown as APIGatewayProxyEvent;
  expect(createApiRequest(event).sourceIp).toBe("10.0.0.1");
  vi.stubEnv("TRUSTED_PROXIES", "10.0.0.0/8");
  expect(createApiRequest(event).sourceIp).toBe("198.51.100.9");
});
