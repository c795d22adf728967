// One Chromium for one capture: launched with a fresh profile and its own way out, killed and wiped afterwards.
import { once } from "node:events";
import { rm } from "node:fs/promises";
import type { Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import puppeteer, { type Browser, type CDPSession, type Page, type Target } from "puppeteer-core";
import type { Resolve } from "../../egress/egress-dial.ts";
import type { AllowedOrigins } from "../../egress/egress-policy.ts";
import { type EgressProxy, startEgressProxy } from "../../egress/egress-proxy.ts";
import type { CaptureLimits, PageLimit } from "../../options/capture-limits.ts";
import type { ChromiumFiles } from "./chromium-files.ts";
import { chromiumFlags, type FrameMode } from "./chromium-flags.ts";
import { corkWrites } from "./cork-writes.ts";
import type { MissingGlyphs } from "./missing-glyphs.ts";
import { killProcessesIn, ownStartTime } from "./processes.ts";
import { withResourceLimits } from "./resource-limits.ts";
import { monitorResources, type ResourceMonitor } from "./resource-monitor.ts";
import { createTemporaryFolder } from "./temporary-folders.ts";

const LAUNCH_TIMEOUT_MS = 15_000;
const EXIT_TIMEOUT_MS = 1_000;

export interface BrowserSettings {
  readonly files: ChromiumFiles;
  readonly allowed: AllowedOrigins;
  /** What the browser and its page may use. */
  readonly limits: CaptureLimits;
  /** @default continuous */
  readonly painting?: FrameMode;
  readonly resolve?: Resolve;
  /** Kills the browser when it aborts, even while it is starting. */
  readonly signal?: AbortSignal;
  /** Told what could not be removed of a browser that was closed: where it ran, no other may be launched. */
  readonly leftBehind?: (what: string) => void;
}

/** Why a browser went away before it was closed: by itself, or ended for what its page did. */
export type BrowserExit = "crashed" | PageLimit;

export interface BrowserSession {
  readonly browser: Browser;
  /** The session of its page, and the one to which the page's workers are attached. */
  readonly cdp: CDPSession;
  /** Opens another session of the page: what it sets and learns goes with it. */
  attach(): Promise<CDPSession>;
  /** The page as puppeteer sees it, made when it is first asked for: that has Chromium tell of everything, which takes time. */
  page(): Promise<Page>;
  readonly proxy: EgressProxy;
  readonly limits: CaptureLimits;
  /** The characters that no font it has installed can show. */
  readonly missingGlyphs: MissingGlyphs;
  /** How the browser went away before it was closed; pending while it lives, and for ever once it has been closed. */
  readonly gone: Promise<BrowserExit>;
  /** Ends the browser at once, because its page went beyond a limit. */
  exceed(limit: PageLimit): void;
  /**
   * Kills the browser and whatever it has started, closes the proxy and removes the profile; resolves when it is certain
   * that nothing is left, or `leftBehind` was told what is. Idempotent; never rejects.
   */
  close(): Promise<void>;
}

/**
 * Launches Chromium with an empty page. Rejects when it does not start, with nothing left behind.
 * DevTools speaks through a pipe: a page can find a port, but no file descriptor.
 */
export async function launchBrowser(settings: BrowserSettings): Promise<BrowserSession> {
  const { files, allowed, resolve, limits, painting = "continuous", signal, leftBehind } = settings;
  const profile = createTemporaryFolder("profile");
  const proxy = await startEgressProxy({ allowed, ...(resolve && { resolve }) });
  let browser: Browser | undefined;
  let watching: ResourceMonitor | undefined;
  const gone = Promise.withResolvers<BrowserExit>();
  let closing: Promise<void> | undefined;
  const close = () => {
    watching?.stop();
    closing ??= wipe(browser, proxy, profile).then((left) => {
      if (left !== undefined) leftBehind?.(left);
    });
    return closing;
  };
  const exceed = (limit: PageLimit) => {
    gone.resolve(limit);
    killGroup(browser);
  };
  try {
    const ending = endOfStart(signal);
    const flags = chromiumFlags({ profile, proxyPort: proxy.port, painting });
    const confinement = { memoryMegabytes: limits.memory_megabytes };
    const { executable, arguments: args } = withResourceLimits([files.executable, ...flags], confinement);
    const options = { ...launchOptions, executablePath: executable, args, env: browserEnvironment(files, profile) };
    const launching = puppeteer.launch({ ...options, signal: ending.signal });
    browser = await Promise.race([launching, ending.reached]);
    browser.on("disconnected", () => {
      if (!closing) gone.resolve(watching?.isExhausted() ? "memory_megabytes" : "crashed");
    });
    if (!browser.connected) gone.resolve("crashed"); // it went before anybody could listen
    watching = monitorResources({ pid: browser.process()?.pid ?? 0, proxy, limits, exceed });
    corkWrites(devToolsPipe(browser));
    const { target, cdp } = firstPage(browser);
    ending.callOff();
    watching.countNodes(cdp);
    dismissDialogs(cdp);
    const attach = () => target.createCDPSession();
    const { missingGlyphs } = files;
    const facts = { proxy, limits, missingGlyphs, gone: gone.promise };
    return { browser, cdp, attach, page: () => pageOf(target), ...facts, exceed, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * The end of a start that takes too long or that `signal` ends. puppeteer kills the process at its signal, and yet can
 * go on waiting for it for ever, so whoever waits for puppeteer waits for `reached` as well.
 */
function endOfStart(signal: AbortSignal | undefined) {
  const ending = new AbortController();
  const reached = new Promise<never>((_, reject) => {
    const message = "Chromium was ended before it had started.";
    ending.signal.addEventListener("abort", () => reject(new Error(message)), { once: true });
  });
  reached.catch(() => undefined); // it may come when nobody waits any more
  const timer = setTimeout(() => ending.abort(), LAUNCH_TIMEOUT_MS).unref();
  if (signal?.aborted) ending.abort();
  signal?.addEventListener("abort", () => ending.abort(), { once: true });
  return { signal: ending.signal, reached, callOff: () => clearTimeout(timer) };
}

/** What puppeteer writes DevTools messages to. */
function devToolsPipe(browser: Browser): Writable {
  const pipe = browser.process()?.stdio[3];
  if (!pipe || !("write" in pipe)) throw new Error("Chromium started without a pipe.");
  return pipe;
}

/** puppeteer is attached to the page once it has launched the browser; it keeps that session out of its types. */
function firstPage(browser: Browser): { target: Target; cdp: CDPSession } {
  const target = browser.targets().find((each) => each.type() === "page");
  const cdp = (target as { _session?(): CDPSession | undefined } | undefined)?._session?.();
  if (!target || !cdp) throw new Error("Chromium started without a page.");
  return { target, cdp };
}

async function pageOf(target: Target): Promise<Page> {
  const page = await target.page();
  if (!page) throw new Error("Chromium has no page any more.");
  return page;
}

/** An alert would block the page until somebody answers. */
function dismissDialogs(cdp: CDPSession): void {
  cdp.on("Page.javascriptDialogOpening", () => {
    cdp.send("Page.handleJavaScriptDialog", { accept: false }).catch(() => undefined); // it has gone with its page
  });
}

const launchOptions = {
  ignoreDefaultArgs: true,
  pipe: true,
  defaultViewport: null,
  acceptInsecureCerts: false,
  downloadBehavior: { policy: "deny" },
  waitForInitialPage: false, // nor is puppeteer's page made, unless it is asked for
  protocolTimeout: 0, // every wait is bounded by the capture's own budget
  handleSIGINT: false,
  handleSIGTERM: false,
  handleSIGHUP: false,
} as const;

/** All that Chromium's environment holds: the function's has the credentials of its role. */
export function browserEnvironment(files: ChromiumFiles, profile: string): Record<string, string> {
  return {
    HOME: profile,
    TMPDIR: profile,
    LD_LIBRARY_PATH: files.libraries,
    FONTCONFIG_FILE: files.fontConfiguration,
    LANG: "en_US.UTF-8",
    TZ: "UTC",
    ...setByChromium,
  };
}

/**
 * What Chromium sets as it starts, with other values. Where a variable is new, its libraries move the environment to make
 * room, while threads read it where it was: about one start in a thousand died of that. See
 * https://www.gnu.org/software/libc/manual/html_node/Environment-Access.html
 */
const setByChromium = { DBUS_SESSION_BUS_ADDRESS: "disabled:", FC_FONTATIONS: "1", VK_ICD_FILENAMES: "" };

/** Resolves to undefined when nothing is left, otherwise to what is. */
async function wipe(browser: Browser | undefined, proxy: EgressProxy, profile: string): Promise<string | undefined> {
  killGroup(browser);
  proxy.close();
  await exited(browser);
  const left = await killProcessesIn(profile, ownStartTime);
  // A dying process can still create a file while its folder is being removed.
  const removed = rm(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 20 });
  const failure = await removed.then(
    () => undefined,
    (error) => String(error),
  );
  return left.length > 0 ? `processes ${left.join(", ")}` : failure;
}

/** SIGKILL to the process group, which puppeteer gives every browser: asking Chromium to close takes 40 ms or hangs. */
function killGroup(browser: Browser | undefined): void {
  const pid = browser?.process()?.pid;
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Gone already.
  }
}

/** Resolves when the killed process has gone, which takes longer the more memory it holds; a second at most. */
async function exited(browser: Browser | undefined): Promise<void> {
  const child = browser?.process();
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  await Promise.race([once(child, "exit"), sleep(EXIT_TIMEOUT_MS, undefined, { ref: false })]);
}
