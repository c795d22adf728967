// Stealth: makes headless Chromium look like an ordinary browser, by CDP overrides where they exist and by a script for
// the rest.
import type { CDPSession } from "puppeteer-core";
import type { BrowserSession } from "../browser/browser.ts";
import { injectedCall } from "../page/injected-scripts.ts";
import { applyEmulation, type PageEnvironment } from "./emulation.ts";
import { createFingerprintProfile, HARDWARE_CONCURRENCY } from "./fingerprint-profile.ts";
import { withExactVersion } from "./identity.ts";

/**
 * Applies to all frames and workers. Call it after `emulate` and before the navigation. The capture's own scripts are
 * not affected: they run in an isolated world.
 */
export async function applyStealth(
  { session }: { readonly session: BrowserSession },
  environment: PageEnvironment,
): Promise<void> {
  const { cdp, browser } = session;
  const source = await injectedCall("stealth", "installStealth", createFingerprintProfile(environment));
  const identity = withExactVersion(environment.identity, await browser.version());
  // Puppeteer holds a new worker until after this event. A page's session has a document.
  const beforeWorker = (worker: CDPSession) =>
    Promise.all([
      applyEmulation(worker, identity),
      worker.send("Runtime.evaluate", { expression: `"document" in globalThis || ${source}` }),
    ]);
  cdp.connection()?.on("sessionattached", (attached) => void beforeWorker(attached).catch(() => undefined));
  await Promise.all([
    applyEmulation(cdp, identity),
    cdp.send("Emulation.setHardwareConcurrencyOverride", { hardwareConcurrency: HARDWARE_CONCURRENCY }),
    // The window has focus, but a document can be parsed before it is notified.
    cdp.send("Emulation.setFocusEmulationEnabled", { enabled: true }),
    ...permissions.map(([name, setting]) => cdp.send("Browser.setPermission", { permission: { name }, setting })),
    configureSeparateSession(session),
    // Also for the current document: HTML may be written into it.
    cdp.send("Page.addScriptToEvaluateOnNewDocument", { source, runImmediately: true }),
  ]);
}

/** Overrides that would not last on the page's own session. */
async function configureSeparateSession(session: BrowserSession): Promise<void> {
  const cdp = await session.attach();
  await Promise.all([
    // With the Network domain enabled, a new document would report the machine's own connection.
    cdp.send("Network.overrideNetworkState", { offline: false, ...CONNECTION }),
    // Puppeteer detaches from service workers once they run, which reverts their overrides; this session stays
    // attached.
    cdp.send("Target.setAutoAttach", {
      autoAttach: true,
      waitForDebuggerOnStart: false,
      flatten: true,
      filter: [{ type: "service_worker" }],
    }),
  ]);
}

/** An ordinary home connection: milliseconds and bytes per second. */
const CONNECTION = { latency: 50, downloadThroughput: 1_250_000, uploadThroughput: 250_000 };

/**
 * Permissions that Chrome grants without a prompt, where the headless shell would prompt. The shell denies
 * notifications but reports "prompt"; a user who blocks them for all sites also has "denied".
 */
const permissions = [
  ["notifications", "denied"],
  ["background-sync", "granted"],
  ["clipboard-write", "granted"],
  ["accelerometer", "granted"],
  ["gyroscope", "granted"],
  ["magnetometer", "granted"],
  ["payment-handler", "granted"],
  ["screen-wake-lock", "granted"],
] as const;
