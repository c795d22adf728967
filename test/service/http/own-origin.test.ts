// Which pages in a browser may send requests: each kind of foreign page, and the service's own.
import { describe, expect, test, vi } from "vitest";
import { refuseOtherSites, requireOwnPage } from "../../../lib/service/http/own-origin.ts";
import { anApiRequest, apiErrorOf, JSON_TYPE } from "../../support/builders.ts";

const BASE_URL = "http://127.0.0.1:8080";
const ownHost = { host: "127.0.0.1:8080" };
const foreign: [string, Record<string, string>][] = [
  ["of another site", { ...ownHost, origin: "https://evil.example", "sec-fetch-site": "cross-site" }],
  ["of another site, in an older browser", { ...ownHost, origin: "https://evil.example" }],
  ["of no page", { ...ownHost, "sec-fetch-site": "none", origin: "evil" }],
  ["of another site that names this origin", { ...ownHost, origin: BASE_URL, "sec-fetch-site": "cross-site" }],
  ["of another subdomain", { ...ownHost, origin: "http://sub.127.0.0.1.example", "sec-fetch-site": "same-site" }],
  ["without an origin", { ...ownHost, origin: "null" }],
  ["of another port", { ...ownHost, origin: "http://127.0.0.1:1" }],
  ["of another local name and port", { ...ownHost, origin: "http://localhost:1" }],
  ["of this host over another scheme", { ...ownHost, origin: "chrome-extension://127.0.0.1:8080" }],
  ["whose origin begins as this one", { ...ownHost, origin: `${BASE_URL}.evil.example` }],
  ["whose name was pointed at the service", { origin: "http://evil.example:8080", host: "evil.example:8080" }],
  ["whose origin contradicts what it says", { origin: "https://evil.example", "sec-fetch-site": "same-origin" }],
];
const own: [string, Record<string, string>][] = [
  ["at the base URL", { ...ownHost, origin: BASE_URL, "sec-fetch-site": "same-origin" }],
  ["at the base URL, in an older browser", { ...ownHost, origin: BASE_URL }],
  ["at localhost", { origin: "http://localhost:8080", host: "localhost:8080" }],
  ["at another address of this machine", { origin: "http://192.0.2.7:8080", host: "192.0.2.7:8080" }],
  ["behind a proxy with https", { origin: "https://captures.example", host: "captures.example" }],
];
const post = (headers: Record<string, string>) =>
  anApiRequest({ method: "POST", headers: { ...JSON_TYPE, ...headers } });

describe("own origin: a page", () => {
  test.each(foreign)("%s is refused", (_, headers) => {
    vi.stubEnv("BASE_URL", BASE_URL);
    for (const check of [refuseOtherSites, requireOwnPage])
      expect(apiErrorOf(() => check(post(headers)))).toMatchObject({ code: "FORBIDDEN", status: 403 });
  });

  test.each(own)("%s is accepted", (_, headers) => {
    vi.stubEnv("BASE_URL", BASE_URL);
    for (const check of [refuseOtherSites, requireOwnPage]) expect(() => check(post(headers))).not.toThrow();
  });
});

test("own origin: a program, which sends no origin, passes where no cookie counts, and not where one does", () => {
  vi.stubEnv("BASE_URL", BASE_URL);
  expect(() => refuseOtherSites(post(ownHost))).not.toThrow();
  expect(apiErrorOf(() => requireOwnPage(post(ownHost)))).toMatchObject({ code: "FORBIDDEN" });
});
