// Launches Chromium for one capture, with a fresh profile and its own egress proxy, and kills and cleans it up
// afterwards.
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import puppeteer, { type Browser, type CDPSession, type Page, type Target } from "puppeteer-core";
import type { CaptureLimits, PageLimit } from "../../contract/options/capture-limits.ts";
import type { AllowedOrigins } from "../egress/egress-policy.ts";
import { type EgressProxy, startEgressProxy } from "../egress/egress-proxy.ts";
import type { Resolve } from "../egress/name-resolver.ts";
import type { ChromiumFiles } from "./chromium-files.ts";
import { chromiumFlags, type FrameMode } from "./chromium-flags.ts";
import { prepareDevToolsPipe } from "./devtools-pipe.ts";
import type { MissingGlyphs } from "./missing-glyphs.ts";
import { killProcessesIn, ownStartTime } from "./processes.ts";
import { verifyBrowserFilter } from "./protection.ts";
import { withResourceLimits } from "./resource-limits.ts";
import { monitorResources, type ResourceMonitor } from "./resource-monitor.ts";
import { createTemporaryFolder } from "./temporary-folders.ts";
import { watchdog } from "./watchdog.ts";

const LAUNCH_TIMEOUT_MS = 15_000;
const EXIT_TIMEOUT_MS = 1_000;
const REMOVE_ATTEMPTS = 6;
/** After the first attempt; after each further one by as much longer. */
const REMOVE_DELAY_MS = 20;

export interface BrowserSettings {
  readonly files: ChromiumFiles;
  readonly allowed: AllowedOrigins;
  /** Limits for the browser and its page. */
  readonly limits: CaptureLimits;
  /** @default continuous */
  readonly frameMode?: FrameMode;
  /** @default en-US */
  readonly locale?: string;
  readonly resolve?: Resolve;
  /** IP addresses of the DNS servers, each optionally with a port. @default those of the machine */
  readonly nameServers?: readonly string[];
  /** Kills the browser on abort, even while it is starting. */
  readonly signal?: AbortSignal;
  /** True for a browser without a page, whose resources are monitored once `monitor` is called. @default false */
  readonly isIdle?: boolean;
  /** Changes how Chromium is started, for debugging. */
  readonly adaptStart?: (start: ChromiumStart) => ChromiumStart;
  /** Called when the cleanup after a browser failed, with what was left: no other browser may be launched there. */
  readonly onLeftover?: (what: string) => void;
}

export interface ChromiumStart {
  /** Path of the program. */
  readonly program: string;
  readonly flags: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/** Why a browser ended before it was closed: it crashed, or its page exceeded a limit. */
export type BrowserExit = "crashed" | PageLimit;

export interface BrowserSession {
  readonly browser: Browser;
  /** CDP session of the page; the page's workers are attached to it. */
  readonly cdp: CDPSession;
  /** Opens another CDP session of the page; its settings and events end with it. */
  attach(): Promise<CDPSession>;
  /** Puppeteer's `Page`, created on the first call: it enables many CDP events, which costs time. */
  page(): Promise<Page>;
  readonly proxy: EgressProxy;
  readonly limits: CaptureLimits;
  /** True when it was launched before the capture was requested. */
  readonly isLaunchedAhead?: true;
  /** Starts monitoring the resources of a browser that was launched idle. */
  monitor(): void;
  /** Characters for which no installed font has a glyph. */
  readonly missingGlyphs: MissingGlyphs;
  /** Why the browser ended before it was closed. Pending while it runs, and forever after `close`. */
  readonly exitReason: Promise<BrowserExit>;
  /** Resolves when the browser has exited and its last event was received. */
  readonly disconnected: Promise<void>;
  /** Kills the browser at once, because its page exceeded `limit`. */
  exceedLimit(limit: PageLimit): void;
  /**
   * Kills the browser with all its child processes, closes the proxy and removes the profile. Resolves when nothing is
   * left, or after `onLeftover` was called. Idempotent; never rejects.
   */
  close(): Promise<void>;
}

/**
 * Launches Chromium with an empty page. Rejects when it does not start, after cleaning up. DevTools uses a pipe,
 * because a page can find an open port, but not a file descriptor.
 */
export async function launchBrowser(settings: BrowserSettings): Promise<BrowserSession> {
  const { files, allowed, resolve, nameServers, limits, frameMode = "continuous" } = settings;
  const { locale, signal, isIdle = false, onLeftover } = settings;
  const profile = createTemporaryFolder("profile");
  const proxy = await startEgressProxy({ allowed, ...(resolve && { resolve }), ...(nameServers && { nameServers }) });
  let browser: Browser | undefined;
  let monitor: ResourceMonitor | undefined;
  let watched: Disposable | undefined;
  const exit = Promise.withResolvers<BrowserExit>();
  const disconnected = Promise.withResolvers<void>();
  let closing: Promise<void> | undefined;
  const close = () => {
    monitor?.stop();
    closing ??= cleanUp(browser, proxy, profile).then((left) => {
      watched?.[Symbol.dispose]();
      if (left !== undefined) onLeftover?.(left);
    });
    return closing;
  };
  const exceedLimit = (limit: PageLimit) => {
    exit.resolve(limit);
    killGroup(browser);
  };
  try {
    const deadline = launchDeadline(signal);
    const flags = chromiumFlags({ profile, proxyPort: proxy.port, frameMode, ...(locale && { locale }) });
    const usual = { program: files.executable, flags, environment: browserEnvironment(files, profile) };
    const start = settings.adaptStart?.(usual) ?? usual;
    const { executable, arguments: args } = withResourceLimits([start.program, ...start.flags], {
      memoryMegabytes: limits.memory_megabytes,
      ...(files.preload !== undefined && { preload: files.preload }),
    });
    const options = { ...launchOptions, executablePath: executable, args, env: { ...start.environment } };
    const launching = puppeteer.launch({ ...options, signal: deadline.signal });
    browser = await Promise.race([launching, deadline.aborted]);
    browser.on("disconnected", () => {
      disconnected.resolve();
      if (!closing) exit.resolve(monitor?.crashReason() ?? "crashed");
    });
    if (!browser.connected) {
      // It ended before the listener was added.
      exit.resolve("crashed");
      disconnected.resolve();
    }
    prepareDevToolsPipe(browser);
    const { target, cdp } = firstPage(browser);
    const pid = browser.process()?.pid ?? 0;
    if (pid !== 0) watched = watchdog.addGroup(pid);
    verifyBrowserFilter(pid);
    const startMonitor = () => {
      monitor ??= monitorResources({ pid, proxy, limits, cdp, exceedLimit });
    };
    if (!isIdle) startMonitor();
    deadline.clear();
    dismissDialogs(cdp);
    const attach = () => target.createCDPSession();
    const { missingGlyphs } = files;
    const facts = { proxy, limits, missingGlyphs, exitReason: exit.promise, disconnected: disconnected.promise };
    return { browser, cdp, attach, page: () => openPage(target), monitor: startMonitor, ...facts, exceedLimit, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Launch timeout and cancellation. Puppeteer kills the process when its signal aborts, but may go on waiting for it
 * forever, so callers also wait for `aborted`.
 */
function launchDeadline(signal: AbortSignal | undefined) {
  const deadline = new AbortController();
  const aborted = new Promise<never>((_, reject) => {
    const message = "Chromium was killed before it had started.";
    deadline.signal.addEventListener("abort", () => reject(new Error(message)), { once: true });
  });
  aborted.catch(() => undefined); // it may reject when nothing awaits it any more
  const timer = setTimeout(() => deadline.abort(), LAUNCH_TIMEOUT_MS).unref();
  if (signal?.aborted) deadline.abort();
  signal?.addEventListener("abort", () => deadline.abort(), { once: true });
  return { signal: deadline.signal, aborted, clear: () => clearTimeout(timer) };
}

/** Puppeteer attaches to the page while it launches, but keeps that session out of its public types. */
function firstPage(browser: Browser): { target: Target; cdp: CDPSession } {
  const target = browser.targets().find((each) => each.type() === "page");
  const cdp = (target as { _session?(): CDPSession | undefined } | undefined)?._session?.();
  if (!target || !cdp) throw new Error("Chromium started without a page.");
  return { target, cdp };
}

async function openPage(target: Target): Promise<Page> {
  const page = await target.page();
  if (!page) throw new Error("Chromium has no page any more.");
  return page;
}

/** Dismisses JavaScript dialogs: an alert blocks the page until it is answered. A page that asks whether to leave it is left. */
export function dismissDialogs(cdp: CDPSession): void {
  cdp.on("Page.javascriptDialogOpening", ({ type }) => {
    const accept = type === "beforeunload";
    cdp.send("Page.handleJavaScriptDialog", { accept }).catch(() => undefined); // the dialog closed with its page
  });
}

const launchOptions = {
  ignoreDefaultArgs: true,
  pipe: true,
  defaultViewport: null,
  acceptInsecureCerts: false,
  downloadBehavior: { policy: "deny" },
  waitForInitialPage: false, // puppeteer's page is created on demand only
  protocolTimeout: 0, // the capture's own budget bounds every wait
  handleSIGINT: false,
  handleSIGTERM: false,
  handleSIGHUP: false,
} as const;

/** Chromium's complete environment. It does not inherit the function's, which holds the credentials of its role. */
export function browserEnvironment(files: ChromiumFiles, profile: string): Record<string, string> {
  return {
    HOME: profile,
    TMPDIR: profile,
    LD_LIBRARY_PATH: files.libraries,
    FONTCONFIG_FILE: files.fontConfiguration,
    LANG: "en_US.UTF-8",
    TZ: "UTC",
    ...variablesSetByChromium,
  };
}

/**
 * Variables that Chromium sets at startup, to other values. Adding a new variable makes libc move the environment while
 * threads read it: about one launch in a thousand crashed. See
 * https://www.gnu.org/software/libc/manual/html_node/Environment-Access.html
 */
const variablesSetByChromium = { DBUS_SESSION_BUS_ADDRESS: "disabled:", FC_FONTATIONS: "1", VK_ICD_FILENAMES: "" };

/** Kills the browser and removes its files. Resolves to what is left, or undefined. */
async function cleanUp(browser: Browser | undefined, proxy: EgressProxy, profile: string): Promise<string | undefined> {
  killGroup(browser);
  proxy.close();
  await waitForExit(browser);
  const left = await killProcessesIn(profile, ownStartTime);
  const failure = await removeFolder(profile);
  return left.length > 0 ? `processes ${left.join(", ")}` : failure;
}

/**
 * Removes a folder, in several attempts: a dying process can still create a file in it meanwhile. Resolves to the last error,
 * or undefined. The retries of `rm` itself multiply with the depth of a folder.
 */
async function removeFolder(folder: string): Promise<string | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      await rm(folder, { recursive: true, force: true });
      return undefined;
    } catch (error) {
      if (attempt === REMOVE_ATTEMPTS) return String(error);
      await sleep(REMOVE_DELAY_MS * attempt);
    }
  }
}

/**
 * Sends SIGKILL to the process group, which puppeteer creates for every browser. Closing Chromium by request takes 40
 * ms or hangs.
 */
function killGroup(browser: Browser | undefined): void {
  const pid = browser?.process()?.pid;
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // Already gone.
  }
}

/** Resolves when the killed process has exited, which takes longer the more memory it holds, or after 1 s. */
async function waitForExit(browser: Browser | undefined): Promise<void> {
  const child = browser?.process();
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  await Promise.race([once(child, "exit"), sleep(EXIT_TIMEOUT_MS, undefined, { ref: false })]);
}
