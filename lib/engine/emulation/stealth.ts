// Makes the browser look like one that a person uses: what Chromium can be told first, and a script for the rest.
import type { CDPSession } from "puppeteer-core";
import type { BrowserSession } from "../browser/browser.ts";
import { injectedCall } from "../page/injected-scripts.ts";
import type { CaptureState } from "../pipeline/capture-context.ts";
import { applyEmulation, type PageEnvironment } from "./emulation.ts";
import { createFingerprintProfile, PROCESSORS } from "./fingerprint-profile.ts";
import { exactly } from "./identity.ts";

/**
 * Comes after the environment and before the page is asked for, and holds for all frames and workers. What a capture
 * sees by itself is not changed: its own scripts run in a world apart.
 */
export async function applyStealth({ session }: CaptureState, environment: PageEnvironment): Promise<void> {
  const { cdp, browser } = session;
  const source = await injectedCall("stealth", "installStealth", createFingerprintProfile(environment));
  const identity = exactly(environment.identity, await browser.version());
  // A worker is held until puppeteer lets it run, which it does after this. A session of a page has a document.
  const beforeWorker = (worker: CDPSession) =>
    Promise.all([
      applyEmulation(worker, identity),
      worker.send("Runtime.evaluate", { expression: `"document" in globalThis || ${source}` }),
    ]);
  cdp.connection()?.on("sessionattached", (attached) => void beforeWorker(attached).catch(() => undefined));
  await Promise.all([
    applyEmulation(cdp, identity),
    cdp.send("Emulation.setHardwareConcurrencyOverride", { hardwareConcurrency: PROCESSORS }),
    // The window has the focus, but a document can be read before it is told so.
    cdp.send("Emulation.setFocusEmulationEnabled", { enabled: true }),
    ...permissions.map(([name, setting]) => cdp.send("Browser.setPermission", { permission: { name }, setting })),
    settleApart(session),
    // HTML may be written into the document that is there.
    cdp.send("Page.addScriptToEvaluateOnNewDocument", { source, runImmediately: true }),
  ]);
}

/** What would not last on the session of the page. */
async function settleApart(session: BrowserSession): Promise<void> {
  const cdp = await session.attach();
  await Promise.all([
    // Where requests are told, another document is as well connected as the machine.
    cdp.send("Network.overrideNetworkState", { offline: false, ...CONNECTION }),
    // puppeteer leaves service workers as soon as they run, and with it goes what they were told; this stays.
    cdp.send("Target.setAutoAttach", {
      autoAttach: true,
      waitForDebuggerOnStart: false,
      flatten: true,
      filter: [{ type: "service_worker" }],
    }),
  ]);
}

/** A usual one at home: in milliseconds and bytes per second. */
const CONNECTION = { latency: 50, downloadThroughput: 1_250_000, uploadThroughput: 250_000 };

/**
 * What a browser grants without a question, where the shell would ask. Notifications the shell denies and says that it
 * would ask: a person who wants none has denied them, too, once for all pages.
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
