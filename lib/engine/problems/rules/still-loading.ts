// STILL_LOADING: spinners, skeletons, progress bars, busy regions, or charts without marks stand in place of content, or the
// element that the page's script fills is still empty.

import type { ObservedLoader } from "../../injected/observation/observe-page.ts";
import { type Finding, type JudgedPage, type ProblemRule, quoted, rectangle, shareIn } from "../problem-rule.ts";
import { failureOfScript, isWithoutContent, shareOfWindow } from "./page-error.ts";

/** From this share of the window on, what is missing counts although the rest of the page is there. */
const MIN_SHARE = 0.2;
/** A page with fewer words has nothing but its loader. */
const FEW_WORDS = 30;
const VERY_FEW_WORDS = 8;
/** Several regions that are loading count from a smaller share on. */
const SEVERAL = { regions: 3, share: 0.12 };

/** Seconds that are likely to be enough. */
const DELAY_S = 10;

const NAMES = {
  spinner: "a spinner",
  skeleton: "skeletons",
  progress: "a progress bar",
  busy: "a busy region",
  text: "a loading message",
  chart: "a chart without marks",
} as const;

export const stillLoading: ProblemRule = {
  code: "STILL_LOADING",
  find(page) {
    const { observed, area } = page;
    const loaders = observed.loaders.filter((loader) => shareIn(loader.area, area) > 0.3);
    const [first] = loaders;
    if (!first) return emptyShell(page);
    const largest = loaders.reduce((most, each) => (each.regionShare > most.regionShare ? each : most), first);
    const share = unionShare(loaders, page);
    const isAlone =
      observed.mainWords - loaderWords(loaders) <= FEW_WORDS &&
      observed.mainMedia - loaders.length <= 2 &&
      (largest.regionShare > 0.05 || observed.mainWords - loaderWords(loaders) <= VERY_FEW_WORDS);
    const isLarge = largest.regionShare >= MIN_SHARE || share >= 0.3;
    const areSeveral = distinctRegions(loaders) >= SEVERAL.regions && share >= SEVERAL.share;
    if (!isAlone && !isLarge && !areSeveral) return undefined;
    const named =
      largest.kind === "text" || loaders.length === 1
        ? largest
        : (loaders.find(({ kind }) => kind !== "text") ?? largest);
    const says = loaders.find(({ text }) => text !== "")?.text;
    return {
      message: `The page is still loading: it shows ${NAMES[named.kind]}${says ? ` (${quoted(says)})` : ""}. Wait for its content with 'wait_for_selector', or longer with 'delay'.`,
      evidence: {
        selector: named.selector,
        count: loaders.length,
        share: Math.min(1, Number(share.toFixed(2))),
        rectangle: rectangle(named.area),
        ...(says && { text: says }),
      },
      fixes: [{ delay: DELAY_S }, { delay: 2 * DELAY_S }],
    };
  },
};

/** An application whose script has not failed, and has not filled its element yet. */
function emptyShell(page: JudgedPage): Finding | undefined {
  const { observed, options } = page;
  const [root] = observed.emptyRoots;
  if (!root || !options.javascript || !observed.hasScripts || failureOfScript(page) !== undefined) return undefined;
  const hasFields = observed.fields.some(({ isEdge }) => !isEdge);
  const isLarge = shareOfWindow(root.area, observed.window) >= MIN_SHARE;
  const isShell = isLarge && observed.mainWords <= VERY_FEW_WORDS && observed.mainMedia === 0 && !hasFields;
  if (!isShell && !isWithoutContent(page)) return undefined;
  return {
    message: `The page is still loading: '${root.selector}' is empty, and no script is known to have failed. Wait for its content with 'wait_for_selector', or longer with 'delay'.`,
    evidence: { selector: root.selector, rectangle: rectangle(root.area) },
    fixes: [{ delay: DELAY_S }, { delay: 2 * DELAY_S }],
  };
}

function loaderWords(loaders: readonly ObservedLoader[]): number {
  return loaders.reduce((sum, { text }) => sum + (text === "" ? 0 : text.split(" ").length), 0);
}

/** The share of the window that the regions have together, as far as they do not contain one another. */
function unionShare(loaders: readonly ObservedLoader[], { observed }: JudgedPage): number {
  const regions = distinct(loaders);
  const view = observed.window.width * observed.window.height;
  const visible = regions.reduce((sum, { regionShare }) => sum + regionShare, 0);
  const whole =
    regions.reduce((sum, { region }) => sum + region.width * region.height, 0) /
    Math.max(view, observed.page.height * observed.window.width);
  return Math.min(1, Math.max(visible, whole));
}

function distinct(loaders: readonly ObservedLoader[]): ObservedLoader[] {
  const bySize = loaders.toSorted(
    (one, other) => other.region.width * other.region.height - one.region.width * one.region.height,
  );
  const chosen: ObservedLoader[] = [];
  for (const each of bySize) if (!chosen.some(({ region }) => shareIn(each.region, region) > 0.7)) chosen.push(each);
  return chosen;
}

function distinctRegions(loaders: readonly ObservedLoader[]): number {
  return distinct(loaders).length;
}
