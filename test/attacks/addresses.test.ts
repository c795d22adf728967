// SSRF and DNS rebinding: internal addresses in every spelling, behind names and redirects, and non-web schemes are
// rejected.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  internalNames,
  OPEN_ADDRESS,
  type PortOfMany,
  servedBy,
  startPortOfMany,
} from "../fixtures/internal-network.ts";
import { type Site, startSite, startTrap, type Trap } from "../fixtures/site.ts";
import { leaving, type Way } from "../fixtures/site-pages/ways-out.ts";
import { type AttackVisit, type Attempt, visitAttacks } from "../support/attack-visit.ts";
import { captureWith, failureOf } from "../support/chromium.ts";
import { sample, sampled, slowTest } from "../support/slow-run.ts";

let site: Site;
/** A server that captures must not reach. */
let internal: Trap;
beforeAll(async () => {
  [site, internal] = await Promise.all([startSite(), startTrap()]);
});
afterAll(() => Promise.all([site.close(), internal.close()]));

const captureOf = (options: Readonly<Record<string, unknown>>, allow: readonly string[] = []) =>
  captureWith({ timeout: 20, ...options }, { allow: [site.hostPort, ...allow], resolve: internalNames() });

const urlOf = (trap: Trap) => `http://127.0.0.1:${trap.port}/`;
const pageThat = (does: string, query: readonly (readonly [string, string])[]) =>
  `${site.origin}/${does}?${new URLSearchParams(query.map((pair) => [...pair]))}`;

/** Hosts that lead to this machine, as they can be written into an address. */
const spellings: [string, string][] = [
  ["loopback", "127.0.0.1"],
  ["another address of loopback", "127.9.8.7"],
  ["IPv6 loopback", "[::1]"],
  ["IPv6 loopback in full", "[0000:0000:0000:0000:0000:0000:0000:0001]"],
  ["mapped loopback", "[::ffff:127.0.0.1]"],
  ["mapped loopback in hexadecimal", "[::FFFF:7f00:1]"],
  ["hexadecimal", "0x7f000001"],
  ["hexadecimal parts", "0x7F.0x0.0x0.0x1"],
  ["one number", "2130706433"],
  ["octal", "0177.0.0.1"],
  ["octal with many zeros", "0000000000177.0.0.01"],
  ["one octal number", "017700000001"],
  ["short", "127.1"],
  ["short with three parts", "127.0.1"],
  ["parts of different kinds", "0x7f.1"],
  ["zero", "0"],
  ["the address of no one", "0.0.0.0"],
  ["the address of no one in IPv6", "[::]"],
  ["a dot at the end", "127.0.0.1."],
  ["wide digits", "１２７.０.０.１"],
  ["digits in circles", "①②⑦.⓪.⓪.①"],
  ["an ideographic full stop", "127。0。0。1"],
  ["percent signs", "%31%32%37.0.0.1"],
  ["a soft hyphen", "127.0.0.%C2%AD1"],
  ["a tab", "127.0.\t0.1"],
  ["a line break", "127.0.\n0.1"],
  ["a user who looks like a host", "example.com@127.0.0.1"],
  ["a password that looks like a host", "a:example.com@127.0.0.1"],
  ["a user with a backslash encoded", "example.com%5C@127.0.0.1"],
  ["localhost", "localhost"],
  ["localhost in capitals", "LOCALHOST"],
  ["localhost with a dot at the end", "localhost."],
  ["a name below localhost", "a.localhost"],
  ["a name in letters of mathematics", "𝓁ocalhost"],
  ["a name", "internal.test"],
  ["a name in mixed case", "InTeRnAl.TeSt"],
  ["a name for IPv6", "six.test"],
  ["a name for a mapped address", "mapped.test"],
  ["a name with a public address, too", "mixed.test"],
  ["a name with a public address after it", "mixed-last.test"],
  ["a name with a public address of the other family", "mixed-six.test"],
  ["an international name", "bücher.test"],
  ["its Punycode", "xn--bcher-kva.test"],
];

describe("SSRF: a host that resolves to this machine is rejected", () => {
  /** Plainly, with TLS, by a redirect, as a document and by a web socket. */
  const ways: readonly Way[] = [
    (to) => `<img src="${to}">`,
    (to) => `<img src="${to.replace("http:", "https:")}">`,
    (to, home) => `<img src="${servedBy(home, { status: 302, headers: { location: asHeader(to) } })}">`,
    (to) => `<iframe src="${to}"></iframe>`,
    (to) => `<script>try { new WebSocket(\`${to.replace("http:", "ws:")}\`) } catch {}</script>`,
  ];
  const tried = sample(spellings, 5);
  const attempts = Object.fromEntries(
    tried.map(([spelling, host]): [string, Attempt] => [
      spelling,
      ({ port, path }, home) => ways.map((way) => way(`http://${host}:${port}${path}`, home)).join(""),
    ]),
  );
  const addresses = ["127.0.0.1", "127.9.8.7", "[::1]", "0.0.0.0", "[::]"];
  /** To these, Chromium asks for nothing but tunnels. */
  const pathless = ["zero", "the address of no one", "the address of no one in IPv6"].filter(
    (name) => name in attempts,
  );
  let visit: AttackVisit;
  beforeAll(async () => {
    visit = await visitAttacks({ attempts, pathless, addresses, optionsFor: (html) => ({ html }) });
  }, 90_000);

  test.each(tried)("%s, although it leads to an allowed server: %j", (spelling) => {
    const { allowed, internal } = visit.reached(spelling);
    expect(allowed).toBeGreaterThan(0);
    expect(internal).toBe(0);
  });

  test("in every spelling, with and without TLS", () => {
    expect(visit.inside).toBe(0);
  });
});

describe("SSRF: a name whose DNS answer changes (DNS rebinding)", () => {
  let port: PortOfMany;
  beforeAll(async () => {
    port = await startPortOfMany(["127.0.0.1", OPEN_ADDRESS]);
  });
  afterAll(() => port.close());

  test("is connected to at the address that was checked, whenever it changes", async () => {
    const [second, late, always] = ["rebinding.test", "late-rebinding.test", "both.test"].map(
      (host) => `http://${host}:${port.port}`,
    );
    const ask = (address: string) => `await fetch("${address}", { mode: "no-cors", cache: "no-store" });`;
    const paths = ["first", "second", "third", "fourth"];
    const requests = [`${second}/with-second`, `${late}/with-third`, `${always}/with-every`].flatMap((address) =>
      paths.map((path) => ask(`${address}-${path}`)),
    );
    const socket = `await new Promise((over) => { new WebSocket("${second?.replace("http", "ws")}/socket").onerror = over })`;
    await captureOf({ url: `${second}/page`, scripts: [...requests, socket].join(" ") }, [
      `${OPEN_ADDRESS}:${port.port}`,
    ]);
    expect(port.paths(OPEN_ADDRESS)).toEqual(
      expect.arrayContaining([
        "/page",
        ...["/with-second", "/with-third", "/with-every"].flatMap((start) => paths.map((path) => `${start}-${path}`)),
        "/socket",
      ]),
    );
    expect(port.paths("127.0.0.1")).toEqual([]);
  });
});

describe.concurrent("SSRF: an internal address is rejected", () => {
  const requested: [string, (port: number) => string][] = [
    ["loopback", (port) => `http://127.0.0.1:${port}/`],
    ["loopback with TLS", (port) => `https://127.0.0.1:${port}/`],
    ["IPv6 loopback with TLS", (port) => `https://[::1]:${port}/`],
    ["instance metadata", () => "http://169.254.169.254/latest/meta-data/"],
    ["instance metadata by IPv6", () => "http://[fd00:ec2::254]/latest/meta-data/"],
    ["a name with TLS", (port) => `https://internal.test:${port}/`],
    ["the function's own runtime", () => "http://127.0.0.1:9001/2018-06-01/runtime/invocation/next"],
    ["what a container's role is", () => "http://169.254.170.2/v2/credentials"],
    ["a name", (port) => `http://internal.test:${port}/`],
    ["a name with a public address, too", (port) => `http://mixed.test:${port}/`],
  ];
  const refused = {
    code: "URL_NOT_ALLOWED",
    message: "This address is not allowed. You can capture only public http and https addresses.",
    target: { http_status_code: null, net_error: null },
  };

  sampled(test, 5).each(requested)("when it is requested: %s", async (_, address) => {
    expect(await failureOf(captureOf({ url: address(internal.port) }))).toMatchObject(refused);
    expect(internal.connections).toBe(0);
  });

  sampled(test, 10).each(requested)("when a redirect leads to it: %s", async (_, address) => {
    const url = pageThat("redirect", [["to", pageThat("redirect", [["to", address(internal.port)]])]]);
    expect(await failureOf(captureOf({ url }))).toMatchObject({ code: "URL_NOT_ALLOWED" });
    expect(internal.connections).toBe(0);
  });

  sampled(test, 7).each(Object.keys(leaving).toReversed())(
    "when a page navigates to it %s, which leads to an allowed server",
    async (how) => {
      const to = (trap: Trap) => pageThat("leaves", [["how", how], ["to", urlOf(trap)]]); // biome-ignore format: a pair each
      const open = await startTrap();
      const allowed = await captureOf({ url: to(open), delay: 0.3 }, [`127.0.0.1:${open.port}`]);
      expect(allowed).toMatchObject({ statusCode: 200, finalUrl: urlOf(open) });
      await open.close();
      expect(await failureOf(captureOf({ url: to(internal), delay: 0.3 }))).toMatchObject({
        code: "URL_NOT_ALLOWED",
        target: { final_url: urlOf(internal) },
      });
      expect(internal.connections).toBe(0);
    },
  );

  test("when HTML navigates to it", async () => {
    const html = leaving["by location"]?.(urlOf(internal));
    expect(await failureOf(captureOf({ html }))).toMatchObject({ code: "URL_NOT_ALLOWED" });
    expect(internal.connections).toBe(0);
  });

  slowTest("when its port is one that browsers block", async () => {
    expect(await failureOf(captureOf({ url: "http://public.test:25/" }))).toMatchObject(refused);
  });
});

describe.concurrent("SSRF: a URL with another scheme is rejected", () => {
  const schemes: [string, () => string][] = [
    ["a file", () => "file:///etc/passwd"],
    ["the browser's own pages", () => "chrome://version"],
    ["its developer tools", () => "devtools://devtools/bundled/inspector.html"],
    ["source code", () => `view-source:${site.origin}/box`],
    ["about:", () => "about:blank"],
    ["a script", () => "javascript:alert(1)"],
    ["data", () => "data:text/html,hello"],
    ["a blob", () => `blob:${site.origin}/x`],
    ["a file system", () => `filesystem:${site.origin}/temporary/x`],
    ["FTP", () => `ftp://127.0.0.1:${internal.port}/`],
    ["a web socket", () => `ws://127.0.0.1:${internal.port}/`],
  ];

  sampled(test, 11).each(schemes)("when it is requested: %s", async (_, address) => {
    expect(await failureOf(captureOf({ url: address() }))).toMatchObject({
      code: "URL_NOT_ALLOWED",
      target: { http_status_code: null, net_error: null, final_url: address() },
    });
  });

  // Chromium has several words for it; none of them is a capture.
  sampled(test, 11).each(schemes)("when a redirect leads to it: %s", async (_, address) => {
    const url = pageThat("redirect", [["to", address()]]);
    expect((await failureOf(captureOf({ url }))).code).toMatch(/^(URL_NOT_ALLOWED|TARGET_UNREACHABLE)$/);
  });
});

/** As a Location can carry it: what is no ASCII is encoded, and there are no tabs and line breaks. */
function asHeader(address: string): string {
  return address.replace(/[\t\n]/g, "").replace(/[^\x20-\x7e]+/gu, encodeURIComponent);
}
