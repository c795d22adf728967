// Warm browser: a page of its own, with an egress proxy of its own, in a Chromium that stays for the next page of the test file.
// Pages never share a browser at the same time. They share its context, whose data are cleared: in its single process, Chromium
// loads what pages of further contexts request through the first one, and ends when a context is disposed of. Captures can not
// use it: virtual time belongs to the one main thread, and outlives the page that it was set for.
import { EventEmitter, once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import type { Browser, CDPSession, Target } from "puppeteer-core";
import type { CaptureLimits } from "../../lib/contract/options/capture-limits.ts";
import {
  type BrowserExit,
  type BrowserSession,
  dismissDialogs,
  launchBrowser,
} from "../../lib/engine/browser/browser.ts";
import { type AllowedOrigins, NO_ORIGINS } from "../../lib/engine/egress/egress-policy.ts";
import { type EgressProxy, startEgressProxy } from "../../lib/engine/egress/egress-proxy.ts";
import { withTimeout } from "../../lib/engine/timing/with-timeout.ts";
import { chromiumFiles } from "../fixtures/chromium-files.ts";
import { assertGoneAfterFile } from "./leftovers.ts";
import { afterEachTestFile } from "./test-file.ts";

export interface WarmPageSettings {
  readonly allowed: AllowedOrigins;
  readonly limits: CaptureLimits;
}

interface WarmBrowser {
  readonly session: BrowserSession;
  /** CDP session of the browser itself. */
  readonly root: CDPSession;
  readonly relay: ProxyRelay;
  pages: number;
}

/** A browser grows with its pages. */
const MAX_PAGES = 40;

/** Longest wait for a page to respond or to close; after that, its browser is closed. */
const RESPONSE_TIMEOUT_MS = 2_000;

const idle: WarmBrowser[] = [];
afterEachTestFile(async () => {
  await Promise.all(idle.splice(0).map(closeWarm));
});

/** Opens an empty page, as the session of a browser that was launched for it. `close` closes the page alone. */
export async function openWarmPage(settings: WarmPageSettings): Promise<BrowserSession> {
  const { allowed, limits } = settings;
  const proxy = await startEgressProxy({ allowed });
  try {
    const ready = await openIdle(proxy);
    const opened = ready ?? (await openPage(await launchWarm(limits), proxy));
    if (!opened) throw new Error("A browser that was just launched does not respond.");
    return createSession(opened, proxy, limits);
  } catch (error) {
    proxy.close();
    throw error;
  }
}

async function launchWarm(limits: CaptureLimits): Promise<WarmBrowser> {
  const files = await chromiumFiles();
  const relay = await startProxyRelay();
  const session = await launchBrowser({
    files,
    allowed: NO_ORIGINS,
    limits,
    isIdle: true,
    adaptStart: ({ flags, ...start }) => ({ ...start, flags: flags.map((flag) => throughRelay(flag, relay)) }),
  });
  assertGoneAfterFile(session);
  return { session, root: await session.browser.target().createCDPSession(), relay, pages: 0 };
}

function throughRelay(flag: string, { port }: ProxyRelay): string {
  return flag.startsWith("--proxy-server=") ? `--proxy-server=http://127.0.0.1:${port}` : flag;
}

async function closeWarm({ session, relay }: WarmBrowser): Promise<void> {
  await session.close();
  relay.close();
}

interface ProxyRelay {
  readonly port: number;
  /** Ends all connections, and leads the next ones to this port. */
  leadTo(port: number): void;
  close(): void;
}

/** A port that leads to the egress proxy of the present page, as Chromium knows one port for all of its life. */
async function startProxyRelay(): Promise<ProxyRelay> {
  let proxyPort = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const proxy = connect(proxyPort, "127.0.0.1");
    for (const [socket, other] of [
      [client, proxy],
      [proxy, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const end = () => sockets.forEach((socket) => void socket.destroy());
  return {
    port: (server.address() as AddressInfo).port,
    leadTo(port) {
      end();
      proxyPort = port;
    },
    close() {
      end();
      server.close();
    },
  };
}

async function openIdle(proxy: EgressProxy): Promise<OpenedPage | undefined> {
  for (;;) {
    const warm = idle.pop();
    if (!warm) return undefined;
    const opened = await openPage(warm, proxy).catch(() => undefined);
    if (opened) return opened;
    await closeWarm(warm);
  }
}

interface OpenedPage {
  readonly warm: WarmBrowser;
  readonly target: Target;
  readonly targetId: string;
  readonly cdp: CDPSession;
}

/** Undefined when the browser does not respond. */
async function openPage(warm: WarmBrowser, proxy: EgressProxy): Promise<OpenedPage | undefined> {
  const opening = createPage(warm, proxy);
  opening.catch(() => undefined); // it may fail when nothing awaits it any more
  return withTimeout(opening, RESPONSE_TIMEOUT_MS * 5);
}

async function createPage(warm: WarmBrowser, proxy: EgressProxy): Promise<OpenedPage> {
  const { root, session, relay } = warm;
  warm.pages++;
  relay.leadTo(proxy.port);
  const { targetId } = await root.send("Target.createTarget", { url: "about:blank" });
  const isOurs = (target: Target) => (target as unknown as { _targetId: string })._targetId === targetId;
  const target = await session.browser.waitForTarget(isOurs, { timeout: 0 });
  const cdp = (target as unknown as { _session(): CDPSession | undefined })._session();
  if (!cdp) throw new Error("The page has no session.");
  dismissDialogs(cdp);
  await Promise.all([
    cdp.send("Network.clearBrowserCache"),
    cdp.send("Network.clearBrowserCookies"),
    cdp.send("Storage.clearDataForOrigin", { origin: "*", storageTypes: "all" }),
    cdp.send("HeapProfiler.collectGarbage"), // Blink's memory cache holds what is not collected
  ]);
  return { warm, target, targetId, cdp };
}

function createSession({ warm, target, targetId, cdp }: OpenedPage, proxy: EgressProxy, limits: CaptureLimits) {
  const exit = Promise.withResolvers<BrowserExit>();
  const gone = Promise.withResolvers<void>();
  const { browser, missingGlyphs } = warm.session;
  const events = new EventEmitter();
  const onDisconnected = () => {
    gone.resolve();
    events.emit("disconnected");
    exit.resolve("crashed");
  };
  browser.once("disconnected", onDisconnected);
  const closePage = async () => {
    browser.off("disconnected", onDisconnected);
    proxy.close();
    const closing = warm.root.send("Target.closeTarget", { targetId }).catch(() => undefined);
    const closed = browser.connected && (await withTimeout(closing, RESPONSE_TIMEOUT_MS));
    events.emit("disconnected");
    if (closed && warm.pages < MAX_PAGES) idle.push(warm);
    else await closeWarm(warm);
  };
  let closing: Promise<void> | undefined;
  const session: BrowserSession = {
    browser: pageBrowser(browser, events),
    cdp,
    attach: () => target.createCDPSession(),
    async page() {
      const page = await target.page();
      if (!page) throw new Error("There is no page any more.");
      return page;
    },
    proxy,
    limits,
    monitor: () => undefined,
    missingGlyphs,
    exitReason: exit.promise,
    disconnected: gone.promise,
    exceedLimit(limit) {
      exit.resolve(limit);
      void closeWarm(warm);
    },
    close() {
      closing ??= closePage();
      return closing;
    },
  };
  return session;
}

/**
 * The browser as a page's session has it: its listeners end with the page, and the DevTools pipe is not read, whose limit is
 * for one page.
 */
function pageBrowser(browser: Browser, events: EventEmitter): Browser {
  const { pid = 0 } = browser.process() ?? {};
  const facade = {
    process: () => ({ pid, stdio: [] }),
    version: () => browser.version(),
    get connected() {
      return browser.connected;
    },
    on: events.on.bind(events),
    once: events.once.bind(events),
    off: events.off.bind(events),
  };
  return facade as unknown as Browser;
}
