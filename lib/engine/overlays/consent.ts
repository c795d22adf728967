// Cookie banners of the platforms that are known: rejected by a click, as a visitor would.
import { setTimeout as sleep } from "node:timers/promises";
import { hideBanners } from "../adblock/hide-banners.ts";
import { isBannerDue, isFrameSeen } from "../injected/consent.ts";
import { waitForLoad } from "../page/load-conditions.ts";
import { softAllowance } from "../timing/budget.ts";
import { withTimeout } from "../timing/with-timeout.ts";
import type { AutoconsentFrame, Stage } from "./autoconsent-frame.ts";
import { AutoconsentPage } from "./autoconsent-page.ts";
import { bannerParts, platformName } from "./autoconsent-rules.ts";
import type { OverlayPage } from "./overlay-page.ts";
import { type ClickedDocument, currentDocument, recordDismissal } from "./page-left.ts";

/** Longest wait for a banner that has been found to be closed. */
const CLOSE_MS = 4_000;

/** Longest time each stage is waited for: a look at the page, a platform to show its banner, another frame to go on. */
const STAGES_MS: Partial<Record<Stage, number>> = {
  looking: 1_000,
  found: 550, // it looks for the banner every half a second
  closing: CLOSE_MS,
  "passed-on": 1_500,
};

/** Longest wait for a banner that its platform announces. */
const DUE_MS = 1_000;
const DUE_PAUSE_MS = 150;

/** Longest wait for a closed banner to fade out. */
const FADE_MS = 1_500;
const FADE_PAUSE_MS = 30;

/** Longest wait for a banner to be hidden that could not be closed. */
const HIDING_MS = 100;

const POLL_MS = 10;

/** Looks out for banners from now on, in all frames of all documents to come. */
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
 * Waits until the banner that has come up, if one has, is closed: for a short time of its own. Then hides what filter
 * lists name, in the documents of now and all to come.
 */
export async function rejectConsent(capturing: OverlayPage): Promise<void> {
  const { overlays, blocked } = capturing;
  const { consent } = overlays;
  if (consent) await answer(capturing, consent.watch);
  overlays.hiding ??= hideBanners(capturing);
  await overlays.hiding;
  const left = blocked.cookie_banner ? undefined : consent?.watch.frames.find(hasBanner);
  if (left && (await isGone(capturing, left, HIDING_MS))) tell(capturing, left, "hiding");
}

/** One that was answered in vain, too. */
const hasBanner = ({ rule }: AutoconsentFrame) => rule !== undefined;

async function answer(capturing: OverlayPage, watch: AutoconsentPage): Promise<void> {
  const { activity, budget, now } = capturing;
  const end = now() + softAllowance(budget, now(), CLOSE_MS);
  const rounds = 2; // the answer may lead to another document, which is looked at, too
  for (let round = 0; round < rounds; round++) {
    const { departures, documentId } = activity;
    const found = await withTimeout(banner(capturing, watch, end), Math.max(0, end - now()));
    const closedBy = found && (await withTimeout(closing(capturing, found), softAllowance(budget, now(), CLOSE_MS)));
    if (closedBy) tell(capturing, found, closedBy);
    if (activity.departures === departures && activity.documentId === documentId) return;
    await waitForLoad(capturing);
  }
}

function tell({ blocked }: OverlayPage, { rule = "" }: AutoconsentFrame, closedBy: ClosedBy): void {
  blocked.cookie_banner = { platform: platformName(rule), closed_by: closedBy };
}

/** The document whose banner was answered, or could not be until `end`; undefined where there is none. */
async function banner(
  { session, now }: OverlayPage,
  watch: AutoconsentPage,
  end: number,
): Promise<AutoconsentFrame | undefined> {
  const due = Math.min(end, now() + DUE_MS);
  const is = (stage: Stage) => watch.frames.find((frame) => frame.stage === stage);
  for (;;) {
    await watch.look();
    while (now() < end && watch.frames.some(isBusy) && !is("closed")) await sleep(POLL_MS);
    const found = is("closed") ?? is("failed") ?? is("closing") ?? watch.closed ?? is("passed-on");
    if (found || is("found") || now() >= due) return found;
    const asking = session.cdp.send("Runtime.evaluate", {
      expression: `(${isBannerDue})()`,
      awaitPromise: true,
      returnByValue: true,
    });
    const answer = await withTimeout(asking, due - now()).catch(() => undefined);
    if (answer?.result.value !== true) return undefined;
    await sleep(DUE_PAUSE_MS);
  }
}

function isBusy({ stage, since }: AutoconsentFrame): boolean {
  return performance.now() - since < (STAGES_MS[stage] ?? 0);
}

type ClosedBy = "rejecting" | "accepting" | "hiding";

/** How a banner was closed, once it is not to be seen any more; undefined where it stays. */
async function closing(capturing: OverlayPage, frame: AutoconsentFrame): Promise<ClosedBy | undefined> {
  const { stage, isHidden } = frame;
  if ((stage === "closed" || stage === "passed-on") && (await isGone(capturing, frame, FADE_MS))) {
    // What was to come after it did not.
    return isHidden || stage === "passed-on" ? "hiding" : "rejecting";
  }
  if (!capturing.overlays.consent?.accept) return undefined;
  recordDismissal(capturing, frame.document.page, { isPlatform: true });
  frame.accept();
  return (await isGone(capturing, frame, FADE_MS)) ? "accepting" : undefined;
}

/** Waits until a banner is not to be seen any more, nor the frame it is in, at most `capMs`. */
async function isGone(
  { overlays: { consent }, session, now }: OverlayPage,
  frame: AutoconsentFrame,
  capMs: number,
): Promise<boolean> {
  const { document, rule = "" } = frame;
  if (document.isTop) return frame.bannerGone(bannerParts(consent?.watch.files.rules ?? [], rule), capMs);
  const expiry = now() + capMs;
  while (await isFrameShown(session.cdp, document.frameId)) {
    if (now() >= expiry) return false;
    await sleep(FADE_PAUSE_MS);
  }
  return true;
}

/** False where the frame is gone, or is not to be seen. */
async function isFrameShown(cdp: OverlayPage["session"]["cdp"], frameId: string): Promise<boolean> {
  try {
    const { backendNodeId } = await cdp.send("DOM.getFrameOwner", { frameId });
    const { object } = await cdp.send("DOM.resolveNode", { backendNodeId });
    const { result } = await cdp.send("Runtime.callFunctionOn", {
      objectId: object.objectId ?? "",
      functionDeclaration: String(isFrameSeen),
      returnByValue: true,
    });
    return result.value === true;
  } catch {
    return false;
  }
}
