// Outgoing requests of a page by every web API: they reach an allowed server and no internal one.
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { browserEnvironment } from "../../lib/engine/browser/browser.ts";
import { chromiumFlags } from "../../lib/engine/browser/chromium-flags.ts";
import { parseAllowedOrigins } from "../../lib/engine/egress/egress-policy.ts";
import { startEgressProxy } from "../../lib/engine/egress/egress-proxy.ts";
import { internalNames, startAttackSite } from "../fixtures/internal-network.ts";
import { startTrap, type Trap } from "../fixtures/site.ts";
import { closedWays, encrypted, reaching, reachingWithAnOrigin, type Ways } from "../fixtures/site-pages/ways-out.ts";
import { type AttackPage, type AttackVisit, type Attempt, visitAttacks } from "../support/attack-visit.ts";
import { captureWith, chromiumFiles } from "../support/chromium.ts";
import { IS_SLOW_RUN, sample } from "../support/slow-run.ts";

/** An address and a name, which stand for all: what else leads to a server is in `addresses.test.ts`. */
const INTERNAL_HOSTS = ["127.0.0.1", "internal.test"];

/** Each way to both hosts in the slow run, and to one of them in turn in the ordinary one. */
const attemptsBy = (ways: Ways): Readonly<Record<string, Attempt>> =>
  Object.fromEntries(
    Object.entries(ways).map(([name, way], index) => {
      const hosts = IS_SLOW_RUN ? INTERNAL_HOSTS : [INTERNAL_HOSTS[index % INTERNAL_HOSTS.length]];
      return [name, ({ port, path }, home) => hosts.map((host) => way(`http://${host}:${port}${path}`, home)).join("")];
    }),
  );

/** From the end on, the ordinary run has some of every kind, with TLS, WebRTC and workers. */
const tried = sample(Object.keys(reaching).toReversed(), 3);
const having = (isIncluded: (way: string) => boolean): Ways =>
  Object.fromEntries(Object.entries(reaching).filter(([way]) => tried.includes(way) && isIncluded(way)));
const all = having(() => true);
const withoutOrigin = having((way) => !reachingWithAnOrigin.includes(way));

const surfaces: [string, Ways, AttackPage["optionsFor"]][] = [
  [
    "a page",
    all,
    (body, site) => {
      site.serve("/page", { body });
      return { url: `${site.origin}/page` };
    },
  ],
  ["HTML", withoutOrigin, (html) => ({ html })],
  ["HTML with a base address", all, (html, site) => ({ html, base_url: `${site.origin}/page` })],
];

describe.each(sample(surfaces, 3))(
  "outgoing requests: %s reaches an allowed server and no internal one",
  (_, ways, optionsFor) => {
    let visit: AttackVisit;
    beforeAll(async () => {
      const attempts = attemptsBy(ways);
      const pathless = encrypted.filter((way) => way in ways);
      visit = await visitAttacks({ attempts, pathless, addresses: ["127.0.0.1", "127.9.8.7"], optionsFor });
    }, 90_000);

    test.each(Object.keys(ways))("with %s", (way) => {
      const { allowed, internal } = visit.reached(way);
      expect(allowed).toBeGreaterThan(0);
      expect(internal).toBe(0);
    });

    test("without any other way out", () => {
      expect(visit.inside).toBe(0);
    });
  },
);

describe("outgoing requests: a page reaches no server at all, not even an allowed one,", () => {
  const found = new Map<string, Trap>();
  beforeAll(async () => {
    for (const way of Object.keys(closedWays)) found.set(way, await startTrap());
    const html = [...found].map(([way, { port }]) => closedWays[way]?.(`http://127.0.0.1:${port}/`));
    const allow = [...found.values()].map(({ port }) => `127.0.0.1:${port}`);
    await captureWith({ html: html.join("\n"), delay: 1 }, { allow });
  });
  afterAll(() => Promise.all([...found.values()].map((trap) => trap.close())));

  test.each(Object.keys(closedWays))("with %s", (way) => {
    expect([found.get(way)?.connections, found.get(way)?.datagrams]).toEqual([0, 0]);
  });
});

describe("outgoing requests: Chromium, according to its net log,", () => {
  const NAMES = [
    "prefetched",
    "preconnected",
    "stunned",
    "turned",
    "turned-by-tcp",
    "transported",
    "fetched",
    "socket",
  ];
  let log: NetworkLog;
  let proxy: string;
  beforeAll(async () => {
    const [files, profile, site] = await Promise.all([
      chromiumFiles(),
      mkdtemp(join(tmpdir(), "profile-")),
      startAttackSite(),
    ]);
    const egress = await startEgressProxy({ allowed: parseAllowedOrigins(site.hostPort), resolve: internalNames() });
    proxy = `127.0.0.1:${egress.port}`;
    const peer = (server: string) =>
      `{ const peer = new RTCPeerConnection({ iceServers: [{ urls: "${server}", username: "u", credential: "c" }] });
         peer.createDataChannel("x"); peer.createOffer().then((offer) => peer.setLocalDescription(offer)) }`;
    site.serve("/page", {
      body: `<link rel="dns-prefetch" href="//prefetched.test"><link rel="preconnect" href="https://preconnected.test">
        <script>
          ${peer("stun:stunned.test:3478")} ${peer("turn:turned.test:3478?transport=udp")}
          ${peer("turn:turned-by-tcp.test:3478?transport=tcp")}
          const transports = ["transported.test", "127.0.0.1"].map((host) => new WebTransport("https://" + host + "/"));
          Promise.allSettled([
            ...transports.flatMap(({ ready, closed }) => [ready, closed]), fetch("http://fetched.test/"), fetch("http://127.0.0.1:9/"), fetch("https://[::1]:99/"),
            new Promise((failed) => { new WebSocket("wss://socket.test/").onerror = failed })
          ]).then(() => { document.title = "over" });
        </script>`,
    });
    const path = join(profile, "network.json");
    const args = [
      `--log-net-log=${path}`,
      ...chromiumFlags({ profile, proxyPort: egress.port, frameMode: "continuous" }),
    ];
    const launching = { executablePath: files.executable, ignoreDefaultArgs: true, pipe: true, args };
    const browser = await puppeteer.launch({ ...launching, env: browserEnvironment(files, profile) });
    const [page] = await browser.pages();
    await page?.goto(`${site.origin}/page`);
    await page?.waitForFunction(`document.title === "over"`, { timeout: 30_000 });
    // Chromium writes events in their order, many at a time: once the log has this request, it has all before it.
    await vi.waitFor(
      async () => {
        await page?.evaluate(`fetch("/end-of-log").catch(() => undefined)`);
        expect(await readFile(path, "utf8")).toContain("/end-of-log");
      },
      { timeout: 20_000, interval: 100 },
    );
    log = parseNetworkLog(await readFile(path, "utf8"));
    const gone = once(browser.process() as ChildProcess, "exit");
    browser.process()?.kill("SIGKILL");
    await gone;
    egress.close();
    await site.close();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  });

  test("connects to the proxy only", () => {
    const addresses = log
      .filter(({ event }) => event === "TCP_CONNECT_ATTEMPT")
      .flatMap(({ address }) => address ?? []);
    expect([...new Set(addresses)]).toEqual([proxy]);
  });

  test("sends no DNS query", () => {
    expect(
      log.filter(
        ({ event }) =>
          /^HOST_RESOLVER_MANAGER_(JOB|ATTEMPT)|^HOST_RESOLVER_.*TASK_/.test(event) && !/SEQUENCE/.test(event),
      ),
    ).toEqual([]);
    expect(
      log.filter(
        ({ event, host = "" }) =>
          event.startsWith("HOST_RESOLVER") && NAMES.some((name) => host.includes(`${name}.test`)),
      ),
    ).toEqual([]);
  });

  // A connected UDP socket returns whether there is a route; nothing is sent through this one.
  test("sends no datagram, and only probes for an IPv6 route", () => {
    expect(log.filter(({ event }) => event === "UDP_BYTES_SENT")).toEqual([]);
    const addresses = log.filter(({ event }) => event === "UDP_CONNECT").flatMap(({ address }) => address ?? []);
    expect(addresses.filter((address) => address !== "[2001:4860:4860::8888]:443")).toEqual([]);
  });
});

type NetworkLog = readonly { readonly event: string; readonly address?: string; readonly host?: string }[];

/**
 * Parses the log of a Chromium that still writes it: constants in the first line, the start of the list in the second, then
 * one event a line, the last of which may be incomplete. See net/log/file_net_log_observer.cc.
 */
function parseNetworkLog(text: string): NetworkLog {
  const [first = "", , ...lines] = text.split("\n");
  const withoutComma = (line: string) => line.replace(/,$/, "");
  const { constants } = JSON.parse(`${withoutComma(first)}}`) as {
    constants: { logEventTypes: Record<string, number> };
  };
  const names = new Map(Object.entries(constants.logEventTypes).map(([name, type]) => [type, name]));
  return lines.slice(0, -1).map((line) => {
    const { type, params } = JSON.parse(withoutComma(line)) as {
      type: number;
      params?: { address?: string; host?: string };
    };
    return { event: names.get(type) ?? "", ...params };
  });
}
