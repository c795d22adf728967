// Plans what is blocked, and how the overlays of the page are closed.

import type { CaptureOptions } from "../../../options/capture-options.ts";
import { type Purpose, purposes } from "../../../options/filter-purposes.ts";
import type { PhaseStep } from "../step-registry.ts";

interface Closing {
  /** True when banners and dialogs are hidden, not clicked. */
  readonly onlyHides: boolean;
}

/** What is decided before the page makes its first request. */
export function* blockContent(options: CaptureOptions, { onlyHides }: Closing): Generator<PhaseStep<"prepare">> {
  const { block_requests: requests = [], block_resources: resources = [], block_cookie_banners } = options;
  const blocked = purposes.filter((purpose) => options[purposeOptions[purpose]]);
  if (blocked.length + requests.length + resources.length > 0) {
    yield { name: "block-requests", purposes: blocked, requests, resources };
  }
  // Without JavaScript, no banner reacts to a click.
  if (block_cookie_banners && options.javascript && !onlyHides) {
    yield { name: "start-autoconsent", accept: options.accept_cookie_banners };
  }
  if (!options.javascript) yield { name: "disable-javascript" };
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
export function* closeOverlays(options: CaptureOptions, { onlyHides }: Closing): Generator<PhaseStep<"ready">> {
  const { block_cookie_banners: consent, block_banners_by_heuristics: any } = options;
  if (consent) yield { name: "close-consent-banner" };
  if (!consent && !any) return;
  yield { name: "close-dialogs", what: any ? "any" : "consent", ...(onlyHides && { onlyHides }) };
  yield { name: "restore-scroll" };
}

/** True when anything is blocked or closed, so that the metadata reports it. */
export function reportsBlocked(options: CaptureOptions): boolean {
  const steps = [...blockContent(options, { onlyHides: false }), ...closeOverlays(options, { onlyHides: false })];
  return steps.some(({ name }) => name !== "disable-javascript");
}
