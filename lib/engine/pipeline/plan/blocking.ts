// Plans what is blocked, and how the overlays of the page are closed.

import type { CaptureOptions } from "../../../options/capture-options.ts";
import { type Purpose, purposes } from "../../../options/filter-purposes.ts";
import type { PrepareStep, ReadyStep } from "../step.ts";
import { blockRequests } from "../steps/block-requests.ts";
import { closeConsentBanner } from "../steps/close-consent-banner.ts";
import { closeDialogsStep } from "../steps/close-dialogs.ts";
import { disableJavaScript } from "../steps/disable-javascript.ts";
import { restoreScrollStep } from "../steps/restore-scroll.ts";
import { startAutoconsentStep } from "../steps/start-autoconsent.ts";

interface Closing {
  /** True when banners and dialogs are hidden, not clicked. */
  readonly onlyHides: boolean;
}

/** What is decided before the page makes its first request. */
export function* planBlocking(options: CaptureOptions, { onlyHides }: Closing): Generator<PrepareStep> {
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

export function* planScripting({ javascript }: CaptureOptions): Generator<PrepareStep> {
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
} as const satisfies Record<Purpose, keyof CaptureOptions>;

/** Closes what covers the page once it has loaded, and restores what the overlay locked. */
export function* planOverlays(options: CaptureOptions, { onlyHides }: Closing): Generator<ReadyStep> {
  const { block_cookie_banners: consent, block_banners_by_heuristics: any } = options;
  if (consent) yield closeConsentBanner();
  if (!consent && !any) return;
  yield closeDialogsStep({ what: any ? "any" : "consent", ...(onlyHides && { onlyHides }) });
  yield restoreScrollStep();
}

/** True when anything is blocked or closed, so that the metadata reports it. */
export function reportsBlocked(options: CaptureOptions): boolean {
  const steps = [...planBlocking(options, { onlyHides: false }), ...planOverlays(options, { onlyHides: false })];
  return steps.length > 0;
}
