// Closes the cookie banners of known consent platforms (autoconsent): rejects by a click, else accepts, else hides.

import { setTimeout as sleep } from "node:timers/promises";
import * as v from "valibot";
import { hideBanners } from "../adblock/hide-banners.ts";
import type * as inWindow from "../injected/dom/in-window.ts";
import { injectedCall } from "../page/injected-scripts.ts";
import { callIsolatedOnNode } from "../page/isolated-world.ts";
import { waitForLoad } from "../page/load-conditions.ts";
import { type PageFunction, pageFunction } from "../page/page-function.ts";
import { softAllowance } from "../timing/budget.ts";
import { withTimeout } from "../timing/with-timeout.ts";
import type { AutoconsentFrame, Stage } from "./autoconsent-frame.ts";
import { AutoconsentPage } from "./autoconsent-page.ts";
import { bannerParts, platformName } from "./autoconsent-rules.ts";
import type { OverlayPage } from "./overlay-page.ts";
import { type ClickedDocument, currentDocument, recordDismissal } from "./page-left.ts";

/** Longest wait for autoconsent to close a banner that it has found. */
const CLOSE_MS = 4_000;

/** Longest wait for each stage to end. */
const STAGES_MS: Partial<Record<Stage, number>> = {
  looking: 1_000,
  found: 550, // it checks for the banner every 500 ms
  closing: CLOSE_MS,
  "passed-on": 1_500,
};

/** Longest wait for a banner that its platform is about to show. */
const DUE_MS = 1_000;
const DUE_PAUSE_MS = 150;

/** Longest wait for a closed banner to fade out. */
const FADE_MS = 1_500;
const FADE_PAUSE_MS = 30;

/** Longest wait until a banner that could not be closed is hidden. */
const HIDING_MS = 100;

const POLL_MS = 10;

/** The click may navigate to another document, which can have a banner as well. */
const MAX_ROUNDS = 2;

/** Starts autoconsent in all frames of all later documents. */
export async function startAutoconsent(
  capturing: OverlayPage,
  { accept }: { readonly accept: boolean },
): Promise<void> {
  const files = await capturing.lists.consent();
  const page = {
    document: () => currentDocument(capturing),
    clicked: (document: ClickedDocument) => recordDismissal(capturing, document, { isPlatform: true }),
  };
  capturing.overlays.consent = { watch: new AutoconsentPage(capturing.session.cdp, files, page), accept };
}

/**
 * Waits for a short time until the banner, if there is one, is closed. Then hides banners that filter lists name, in the
 * current documents and all later ones.
 */
export async function closePlatformBanner(capturing: OverlayPage): Promise<void> {
  const { overlays, blocked } = capturing;
  const { consent } = overlays;
  if (consent) await closeBanner(capturing, consent.watch);
  overlays.hiding ??= hideBanners(capturing);
  await overlays.hiding;
  const left = blocked.cookie_banner ? undefined : consent?.watch.frames.find(hasBanner);
  if (left && (await awaitGone(capturing, left, HIDING_MS))) record(capturing, left, "hiding");
}

/** Also true when the answer did not close it. */
const hasBanner = ({ rule }: AutoconsentFrame) => rule !== undefined;

async function closeBanner(capturing: OverlayPage, watch: AutoconsentPage): Promise<void> {
  const { activity, budget, now } = capturing;
  const end = now() + softAllowance(budget, now(), CLOSE_MS);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { startedNavigations, documentId } = activity;
    const found = await withTimeout(findBanner(capturing, watch, end), Math.max(0, end - now()));
    const closedBy =
      found && (await withTimeout(awaitClosed(capturing, found), softAllowance(budget, now(), CLOSE_MS)));
    if (closedBy) record(capturing, found, closedBy);
    if (activity.startedNavigations === startedNavigations && activity.documentId === documentId) return;
    await waitForLoad(capturing);
  }
}

function record({ blocked }: OverlayPage, { rule = "" }: AutoconsentFrame, closedBy: ClosedBy): void {
  blocked.cookie_banner = { platform: platformName(rule), closed_by: closedBy };
}

/** The document with a banner, once the click on it has succeeded or failed, or at `end`; undefined without a banner. */
async function findBanner(
  { session, now }: OverlayPage,
  watch: AutoconsentPage,
  end: number,
): Promise<AutoconsentFrame | undefined> {
  const dueEnd = Math.min(end, now() + DUE_MS);
  const findStage = (stage: Stage) => watch.frames.find((frame) => frame.stage === stage);
  for (;;) {
    await watch.look();
    while (now() < end && watch.frames.some(isBusy) && !findStage("closed")) await sleep(POLL_MS);
    const found =
      findStage("closed") ?? findStage("failed") ?? findStage("closing") ?? watch.closed ?? findStage("passed-on");
    if (found || findStage("found") || now() >= dueEnd) return found;
    const asking = session.cdp.send("Runtime.evaluate", {
      expression: await injectedCall("consentPlatform", "isBannerDue"),
      awaitPromise: true,
      returnByValue: true,
    });
    const answer = await withTimeout(asking, dueEnd - now()).catch(() => undefined);
    if (answer?.result.value !== true) return undefined;
    await sleep(DUE_PAUSE_MS);
  }
}

function isBusy({ stage, since }: AutoconsentFrame): boolean {
  return performance.now() - since < (STAGES_MS[stage] ?? 0);
}

type ClosedBy = "rejecting" | "accepting" | "hiding";

/** How a banner was closed, once it is no longer visible; undefined when it stays. */
async function awaitClosed(capturing: OverlayPage, frame: AutoconsentFrame): Promise<ClosedBy | undefined> {
  const { stage, isHidden } = frame;
  if ((stage === "closed" || stage === "passed-on") && (await awaitGone(capturing, frame, FADE_MS))) {
    // No second banner came up that could have been answered.
    return isHidden || stage === "passed-on" ? "hiding" : "rejecting";
  }
  if (!capturing.overlays.consent?.accept) return undefined;
  recordDismissal(capturing, frame.document.page, { isPlatform: true });
  frame.accept();
  return (await awaitGone(capturing, frame, FADE_MS)) ? "accepting" : undefined;
}

/** Waits at most `capMs` until a banner, or the frame it is in, is no longer visible. */
async function awaitGone(
  { overlays: { consent }, session, now }: OverlayPage,
  frame: AutoconsentFrame,
  capMs: number,
): Promise<boolean> {
  const { document, rule = "" } = frame;
  if (document.isTop) return frame.awaitBannerGone(bannerParts(consent?.watch.files.rules ?? [], rule), capMs);
  const expiry = now() + capMs;
  while (await isFrameShown(session.cdp, document.frameId)) {
    if (now() >= expiry) return false;
    await sleep(FADE_PAUSE_MS);
  }
  return true;
}

/** False for a frame that is gone or not visible. */
async function isFrameShown(cdp: OverlayPage["session"]["cdp"], frameId: string): Promise<boolean> {
  try {
    const { backendNodeId } = await cdp.send("DOM.getFrameOwner", { frameId });
    return await callIsolatedOnNode(cdp, isInWindow, backendNodeId);
  } catch {
    return false;
  }
}

const isInWindow: PageFunction<typeof inWindow.isInWindow> = pageFunction("overlays", "isInWindow", {
  result: v.boolean(),
});
