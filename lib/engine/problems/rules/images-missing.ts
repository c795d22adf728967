// IMAGES_MISSING: images have failed, or were still loading.

import type { ObservedImage } from "../../injected/observation/observe-page.ts";
import { addressWithoutQuery } from "../../page/record-text.ts";
import { isVisual, type JudgedPage, type ProblemRule, rectangle, shareIn } from "../problem-rule.ts";

/** What all missing images take at least, in square CSS pixels: less is an icon. */
const MIN_AREA = 3_000;
const MIN_SHARE = 0.04;

const PENALTY = { least: 10, most: 60 };
const MAX_URLS = 5;
const DELAY_S = 10;
const RETRY_DELAY_S = 3;
/** Those of `full_page_scroll_by` and `full_page_scroll_delay`. */
const STEP_SHARE = 0.95;
const MIN_STEP_MS = 400;
const MAX_STEP_MS = 5_000;

export const imagesMissing: ProblemRule = {
  code: "IMAGES_MISSING",
  isJudged: isVisual,
  find(page) {
    const images = page.observed.images.flatMap((image) => {
      const pixels = image.area.width * image.area.height * shareIn(image.area, page.area);
      return pixels > 0 ? [{ ...image, pixels, state: knownState(image, page) }] : [];
    });
    const failed = images.filter(({ state }) => state === "failed");
    const pending = images.filter(({ state }) => state === "pending");
    const missing = [...failed, ...pending];
    const pixels = sum(missing);
    const share = pixels / Math.max(1, sum(images));
    const [first] = missing.toSorted((one, other) => other.pixels - one.pixels);
    const view = page.observed.window.width * page.observed.window.height;
    if (!first || pixels < MIN_AREA || (share < MIN_SHARE && pixels < 0.02 * view)) return undefined;
    const parts = [
      failed.length > 0 ? `${failed.length} failed` : "",
      pending.length > 0 ? `${pending.length} were still loading` : "",
    ];
    return {
      message: `Of ${images.length} ${images.length === 1 ? "image" : "images"}, ${parts.filter(Boolean).join(" and ")}: ${Math.round(share * 100)} % of their area. ${advice(failed.length, pending.length)}`,
      evidence: {
        selector: first.selector,
        count: missing.length,
        share: Number(share.toFixed(2)),
        rectangle: rectangle(first.area),
        urls: missing.slice(0, MAX_URLS).map(({ url }) => addressWithoutQuery(url)),
      },
      fixes: fixes(page, pending.length),
      severity: share > 0.5 ? "error" : "warning",
      penalty: Math.round(PENALTY.least + (PENALTY.most - PENALTY.least) * share),
    };
  },
};

function sum(images: readonly { readonly pixels: number }[]): number {
  return images.reduce((total, { pixels }) => total + pixels, 0);
}

/** The network tells what Chromium does not: whether a background, poster, or image in SVG is there. */
function knownState(
  { state, url }: ObservedImage,
  { failures, brokenImages, pending, options }: JudgedPage,
): ObservedImage["state"] {
  if (state === "shown") return state;
  if (/^(?:data|blob):/.test(url)) return state === "unknown" ? "shown" : state;
  // What the caller blocks is not missing.
  if (options.block_resources?.includes("image")) return "shown";
  const isSame = (other: string) => other === url || other === withoutFragment(url);
  if (failures.some((failure) => isSame(failure.url)) || brokenImages.has(url)) return "failed";
  if (pending.some(isSame)) return "pending";
  return state === "unknown" ? "shown" : state;
}

function withoutFragment(url: string): string {
  return url.split("#", 1)[0] ?? url;
}

function advice(failed: number, pending: number): string {
  return pending >= failed
    ? "Wait for them with 'delay', or load them with 'full_page_scroll'."
    : "Check their addresses.";
}

function fixes({ options, isWhole, observed }: JudgedPage, pending: number): Readonly<Record<string, unknown>>[] {
  const loads = isWhole && options.full_page_scroll === false ? [{ full_page_scroll: true }] : [];
  // Images that have failed may be there when they are requested again.
  if (pending === 0) return [{ delay: RETRY_DELAY_S }];
  // Images that load on scrolling need their time at each step.
  const steps = Math.max(1, Math.ceil(observed.page.height / (STEP_SHARE * observed.window.height)));
  const perStep = Math.round(Math.min(MAX_STEP_MS, Math.max(MIN_STEP_MS, (DELAY_S * 1000) / steps)));
  return [...loads, { delay: DELAY_S, ...(options.full_page && { full_page_scroll_delay: perStep }) }];
}
