// Closes overlays that no list knows: consent banners and other dialogs, recognised by their appearance and their words.

import { setTimeout as sleep } from "node:timers/promises";
import * as v from "valibot";
import type * as overlays from "../injected/overlays/close-overlays.ts";
import type * as scrollLock from "../injected/overlays/restore-scroll.ts";
import { evaluateInIsolatedWorld } from "../page/isolated-world.ts";
import { waitForLoad } from "../page/load-conditions.ts";
import { type PageFunction, pageFunction } from "../page/page-function.ts";
import { softAllowance } from "../timing/budget.ts";
import { withTimeout } from "../timing/with-timeout.ts";
import type { OverlayPage } from "./overlay-page.ts";
import { overlayPatterns } from "./overlay-patterns.ts";
import { assertNotNavigated, currentDocument, recordDismissal } from "./page-left.ts";

/** No overlay is closed after this time; the last one may take a little longer. */
const DIALOGS_MS = 1_500;
const GRACE_MS = 1_000;

/** Longest wait for a clicked overlay to fade out; then it is hidden. */
const FADE_MS = 600;
const POLL_MS = 30;

/** Overlays that wait for the first one to be closed appear within this time. */
const SECOND_LOOK_MS = 300;

export interface DialogClosing {
  /** Consent banners only, or any dialog. */
  readonly what: "consent" | "any";
  /** True to click nothing, because a click has led away from the page before. @default false */
  readonly onlyHides?: boolean | undefined;
}

/**
 * Closes overlays by a click that rejects, closes or confirms, else by hiding them. A page that resists is not an error.
 * Throws `PageLeft` when a click leads to another page.
 */
export async function closeDialogs(capturing: OverlayPage, closing: DialogClosing): Promise<void> {
  const { activity, budget, now } = capturing;
  let end = now() + softAllowance(budget, now(), DIALOGS_MS);
  for (const isFirst of [true, false]) {
    const { startedNavigations, documentId } = activity;
    const hasClosed = await bounded(closeCurrent(capturing, closing, end), end + GRACE_MS - now());
    if (!hasClosed || !isFirst) return;
    await sleep(SECOND_LOOK_MS);
    const isSameDocument = activity.startedNavigations === startedNavigations && activity.documentId === documentId;
    if (isSameDocument && now() >= end) return;
    if (isSameDocument) continue;
    assertNotNavigated(capturing);
    await waitForLoad(capturing); // the click has reloaded the page
    end = now() + softAllowance(budget, now(), DIALOGS_MS);
  }
}

/** Closes the overlays that are there. False when there are none, or time is up: then the page may be another step's. */
async function closeCurrent(
  capturing: OverlayPage,
  { what, onlyHides = false }: DialogClosing,
  end: number,
): Promise<boolean> {
  const { blocked, now, overlays } = capturing;
  const { dismissal } = overlays;
  recordDismissal(capturing, currentDocument(capturing));
  const afterConsent = blocked.cookie_banner !== undefined;
  const closing = { what, onlyHides, afterConsent, patterns: overlayPatterns() };
  const { closed, clicked } = await evaluateInIsolatedWorld(capturing, closeOverlays, closing);
  const isSameDocument = overlays.dismissal?.documentId === capturing.activity.documentId;
  if (!clicked && isSameDocument) overlays.dismissal = dismissal;
  if (closed === 0 || now() >= end + GRACE_MS) return false;
  blocked.dialogs += closed;
  const faded = Math.min(end, now() + FADE_MS);
  while (clicked && now() < faded && (await evaluateInIsolatedWorld(capturing, removeOverlays, false)) > 0)
    await sleep(POLL_MS);
  if (now() >= end + GRACE_MS) return false;
  await evaluateInIsolatedWorld(capturing, removeOverlays, true);
  return true;
}

/** Restores scrolling, and removes the blur, of a page that an overlay had locked. */
export async function unlockScrolling(capturing: OverlayPage): Promise<void> {
  const { budget, now, blocked } = capturing;
  const hasClosed = blocked.dialogs > 0 || blocked.cookie_banner !== undefined;
  const { consentNames } = overlayPatterns();
  const restoring = evaluateInIsolatedWorld(capturing, restoreScrollInPage, { hasClosed, consentNames });
  const isRestored = await bounded(restoring, softAllowance(budget, now(), DIALOGS_MS));
  if (isRestored) blocked.unlocked = true;
}

/** Undefined when a page is too busy, or navigates away: it stays as it is. */
async function bounded<T>(work: Promise<T>, allowanceMs: number): Promise<T | undefined> {
  return withTimeout(work, Math.max(0, allowanceMs)).catch(() => undefined);
}

const closeOverlays: PageFunction<typeof overlays.closeOverlays> = pageFunction("overlays", "closeOverlays", {
  result: v.object({ closed: v.number(), clicked: v.boolean() }),
});

const removeOverlays: PageFunction<typeof overlays.removeOverlays> = pageFunction("overlays", "removeOverlays", {
  result: v.number(),
});

const restoreScrollInPage: PageFunction<typeof scrollLock.restoreScroll> = pageFunction("overlays", "restoreScroll", {
  result: v.boolean(),
});
