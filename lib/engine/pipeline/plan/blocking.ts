// Plans what is blocked, and how the overlays of the page are closed.

import type { EngineOptions } from "../../../contract/options/engine-options.ts";
import { type Purpose, purposes } from "../../../contract/options/filter-purposes.ts";
import { type BlockedContent, startBlocking } from "../../adblock/block-page.ts";
import { closePlatformBanner, startAutoconsent } from "../../overlays/consent.ts";
import { closeDialogs, type DialogClosing, unlockScrolling } from "../../overlays/dialogs.ts";
import { installTimers } from "../../page/isolated-world.ts";
import { atRealPace } from "../../rendering/page-time.ts";
import { type PrepareStep, prepareStep, type ReadyStep, readyStep } from "../step.ts";

interface Closing {
  /** True when banners and dialogs are hidden, not clicked. */
  readonly onlyHides: boolean;
}

/** What is decided before the page makes its first request. */
export function* planBlocking(options: EngineOptions, { onlyHides }: Closing): Generator<PrepareStep> {
  const { block_requests: requests = [], block_resources: resources = [], block_cookie_banners } = options;
  const blocked = purposes.filter((purpose) => options[purposeOptions[purpose]]);
  if (blocked.length + requests.length + resources.length > 0) {
    yield blockRequests({ purposes: blocked, requests, resources });
  }
  // Without JavaScript, no banner reacts to a click.
  if (block_cookie_banners && options.javascript && !onlyHides) {
    yield startAutoconsentStep({ accept: options.accept_cookie_banners });
  }
}

export function* planScripting({ javascript }: EngineOptions): Generator<PrepareStep> {
  if (!javascript) yield disableJavaScript();
}

/** The option that asks for the filter lists of a purpose. */
const purposeOptions = {
  ads: "block_ads",
  trackers: "block_trackers",
  cookies: "block_cookie_banners",
  socials: "block_socials",
  chats: "block_chats",
  annoyances: "block_annoyances",
} as const satisfies Record<Purpose, keyof EngineOptions>;

/** Closes what covers the page once it has loaded, and restores what the overlay locked. */
export function* planOverlays(options: EngineOptions, { onlyHides }: Closing): Generator<ReadyStep> {
  const { block_cookie_banners: consent, block_banners_by_heuristics: any } = options;
  if (consent) yield closeConsentBanner();
  if (!consent && !any) return;
  yield closeDialogsStep({ what: any ? "any" : "consent", ...(onlyHides && { onlyHides }) });
  yield restoreScrollStep();
}

/** True when anything is blocked or closed, so that the metadata reports it. */
export function reportsBlocked(options: EngineOptions): boolean {
  const steps = [...planBlocking(options, { onlyHides: false }), ...planOverlays(options, { onlyHides: false })];
  return steps.length > 0;
}

/** Blocks requests by filter lists, URL patterns and resource types, and hides what blocking leaves empty. */
const blockRequests = prepareStep<BlockedContent>({
  name: "block-requests",
  run: startBlocking,
});

interface StartAutoconsent {
  /** Accepts a banner that cannot be rejected. */
  readonly accept: boolean;
}

/** Starts autoconsent: it looks for the cookie banners of known consent platforms in all frames of all documents. */
const startAutoconsentStep = prepareStep<StartAutoconsent>({
  name: "start-autoconsent",
  run: startAutoconsent,
});

/** Disables the page's own JavaScript. Scripts in the isolated world still run. */
const disableJavaScript = prepareStep({
  name: "disable-javascript",
  run: async ({ session: { cdp } }) => {
    installTimers(cdp);
    await cdp.send("Emulation.setScriptExecutionDisabled", { value: true });
    return { isJavaScriptDisabled: true };
  },
});

/** Closes the cookie banner of a known consent platform, and hides the banners that filter lists name. */
const closeConsentBanner = readyStep({
  name: "close-consent-banner",
  // The content script of autoconsent and this process answer each other, which takes real time.
  run: (page) => atRealPace(page, () => closePlatformBanner(page)),
});

/** Closes dialogs and the cookie banners of unknown platforms, which are recognized by their appearance and words. */
const closeDialogsStep = readyStep<DialogClosing>({
  name: "close-dialogs",
  // Dialogs fade while this process looks at them, which takes real time.
  run: (page, closing) => atRealPace(page, () => closeDialogs(page, closing)),
});

/** Restores scrolling on a page that an overlay locked, and removes the blur behind it. */
const restoreScrollStep = readyStep({
  name: "restore-scroll",
  run: unlockScrolling,
});
