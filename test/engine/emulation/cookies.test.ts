// Cookies of the caller: which hosts and paths get them, and which are rejected.
import { afterEach, expect, test } from "vitest";
import { setCookies } from "../../../lib/engine/emulation/cookies.ts";
import { failureOf } from "../../support/chromium.ts";
import { sampled } from "../../support/slow-run.ts";
import { startTwoOrigins, type TwoOrigins } from "../../support/two-origins.ts";

const toClose: TwoOrigins[] = [];
afterEach(() => Promise.all(toClose.splice(0).map((origins) => origins.close())));

async function twoOrigins(): Promise<TwoOrigins> {
  const origins = await startTwoOrigins();
  toClose.push(origins);
  return origins;
}

test("cookies: go to the target's host; with a domain also to its subdomains; with a path only below it", async () => {
  const { session, target, other, requests, page } = await twoOrigins();
  const cookies = [
    { name: "host", value: "1" },
    { name: "domain", value: "2", domain: "target.test" },
    { name: "path", value: "3", path: "/below" },
    { name: "elsewhere", value: "4", domain: "other.test" },
  ];
  await setCookies(session.cdp, cookies, `${target}/folder/page`);

  const [above, below] = [`${target}/x`, `${target}/below/x`];
  for (const url of [above, below, `${target.replace("//", "//www.")}/x`, `${other}/x`]) await page.goto(url);

  expect(requests.map(({ headers }) => headers.cookie?.split("; ").sort())).toEqual([
    ["domain=2", "host=1"],
    ["domain=2", "host=1", "path=3"],
    ["domain=2"],
    ["elsewhere=4"],
  ]);
});

test.each(["127.0.0.1", "localhost"])("cookies: the domain %s, which has no subdomains, is accepted", async (host) => {
  const { session, secure, requests, page } = await twoOrigins();
  const url = secure.replace("localhost", host);
  await setCookies(session.cdp, [{ name: "a", value: "1", domain: host }], url);
  await page.goto(url);
  expect(requests.map(({ headers }) => headers.cookie)).toEqual(["a=1"]);
});

test("cookies: scripts see those that are not HttpOnly", async () => {
  const { session, target, page } = await twoOrigins();
  const cookies = [
    { name: "seen", value: '"a b"' },
    { name: "hidden", value: "1", httpOnly: true },
  ];
  await setCookies(session.cdp, cookies, target);
  await page.goto(target);
  expect(await page.evaluate("document.cookie")).toBe('seen="a b"');
});

sampled(test, 6).each([
  ["a prefix without what it promises", { name: "__Host-a", value: "secret" }],
  ["SameSite=None without Secure", { name: "a", value: "secret", sameSite: "None" as const }],
  ["a name that is none", { name: "a;b", value: "secret" }],
  ["a path that is none", { name: "a", value: "secret", path: "here" }],
  ["a domain with a port", { name: "a", value: "secret", domain: "target.test:80" }],
  ["a value that is too long", { name: "a", value: "secret".repeat(1000) }],
])("cookies: one with %s is rejected by name, without its value", async (_, cookie) => {
  const { session, target } = await twoOrigins();
  const error = await failureOf(setCookies(session.cdp, [{ name: "good", value: "1" }, cookie], target));
  expect(error).toMatchObject({
    code: "VALIDATION_ERROR",
    message: expect.stringContaining(`'${cookie.name}'`),
    details: { cookies: [`the browser refuses '${cookie.name}'`] },
  });
  expect(error.message + JSON.stringify(error)).not.toContain("secret");
});
