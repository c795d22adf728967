// OVERLAY_LEFT: a dialog, banner, or chat covers a part of the window that reading needs.

import type { ObservedLayer } from "../../injected/observation/observe-page.ts";
import { normalizeText } from "../../injected/overlays/normalize-text.ts";
import { countDistinct, hasMatch, type OverlayPatterns } from "../../injected/overlays/patterns.ts";
import { overlayPatterns } from "../../overlays/overlay-patterns.ts";
import { isVisual, type JudgedPage, type ProblemRule, quoted, rectangle, shareIn } from "../problem-rule.ts";

type LayerKind = "consent" | "chat" | "dialog";

/** Shares of the window from which on a layer is in the way. */
const MIN_SHARE = { consent: 0.03, chat: 0.07, dialog: 0.04, unknown: 0.06 };
/** Words of the page beneath a layer from which on it is in the way, in any language. */
const COVERED_WORDS = 12;
/** A layer of any kind that is so large, and covers so many words, is in the way. */
const LARGE = { share: 0.12, words: 25 };

export const overlayLeft: ProblemRule = {
  code: "OVERLAY_LEFT",
  isJudged: isVisual,
  find(page) {
    const patterns = overlayPatterns();
    const { layers } = page.observed;
    const found = layers
      .map((layer) => ({ layer, kind: layerKind(layer, page, patterns) }))
      .filter((each): each is { layer: ObservedLayer; kind: LayerKind } => each.kind !== undefined)
      .toSorted((one, other) => other.layer.share - one.layer.share);
    const [first] = found;
    const backdrop = layers.find(({ isBackdrop, coveredWords }) => isBackdrop && coveredWords > 20);
    if (!first) return backdrop && describe(backdrop, "dialog", page, layers.length);
    return describe(first.layer, first.kind, page, found.length);
  },
};

function layerKind(layer: ObservedLayer, page: JudgedPage, patterns: OverlayPatterns): LayerKind | undefined {
  const { share, coveredWords, coveredMedia, isDialog, isModal, hasMedia, fields } = layer;
  if (layer.isBackdrop || share < MIN_SHARE.consent || isLoader(layer, page)) return undefined;
  const covers = coveredWords > 0 || coveredMedia > 0;
  const text = normalizeText(layer.text);
  const labels = layer.labels.map(normalizeText);
  const isClosable = labels.some(
    (label) =>
      label === "" ||
      label === "x" ||
      label === "×" ||
      hasMatch(`^(?:${patterns.close})|^(?:${patterns.later})$`, label),
  );
  const cookie = countDistinct(patterns.cookie, text);
  const privacy = countDistinct(patterns.privacy, text) + countDistinct(patterns.context, text);
  const decides = labels.some((label) => hasMatch(`${patterns.accept}|${patterns.reject}|${patterns.settings}`, label));
  if (decides && fields === 0 && ((cookie > 0 && privacy > 0) || privacy > 2)) return "consent";
  const isNamed = (names: string) => hasMatch(names, layer.name);
  if (isNamed(patterns.consentNames) && share >= MIN_SHARE.consent && layer.position === "fixed" && covers)
    return "consent";
  if (isNamed(patterns.chatNames) && share >= MIN_SHARE.chat) return "chat";
  if (isPartOfPage(layer, page)) return undefined;
  const hasBackdrop = page.observed.layers.some(({ isBackdrop }) => isBackdrop);
  if ((isModal || (isDialog && hasBackdrop)) && share >= MIN_SHARE.dialog) return "dialog";
  const isOffer =
    countDistinct(patterns.offer, text) > 0 ||
    countDistinct(patterns.age, text) > 0 ||
    isNamed(patterns.overlayNames) ||
    isNamed(patterns.gateNames);
  if (hasBackdrop && share >= MIN_SHARE.dialog && (labels.length > 0 || fields > 0)) return "dialog";
  if (isDialog && covers && share >= MIN_SHARE.dialog) return "dialog";
  if (isClosable && (isOffer || hasMedia) && share >= MIN_SHARE.dialog) return "dialog";
  if (isOffer && covers && (labels.length > 0 || fields > 0) && share >= MIN_SHARE.dialog) return "dialog";
  if (isClosable && covers && share >= MIN_SHARE.unknown) return "dialog";
  const isUsable = labels.length > 0 || fields > 0 || hasMedia;
  if (isUsable && share >= MIN_SHARE.unknown && (coveredWords >= COVERED_WORDS || hidesBeginning(layer, page)))
    return "dialog";
  return share >= LARGE.share && coveredWords >= LARGE.words && layer.position === "fixed" ? "dialog" : undefined;
}

/** A layer that shows nothing but that the page is loading is another problem. */
function isLoader({ area, labels, fields }: ObservedLayer, { observed }: JudgedPage): boolean {
  return labels.length === 0 && fields === 0 && observed.loaders.some((loader) => shareIn(loader.area, area) > 0.9);
}

/** Bars and sidebars that a page has on purpose, and layers that are the page itself. */
function isPartOfPage(layer: ObservedLayer, page: JudgedPage): boolean {
  const { observed } = page;
  const { area, share, links, labels, isEdge, hasLandmarks, coveredWords, isModal, text } = layer;
  if (isModal) return share > 0.95 && observed.mainWords + observed.mainMedia < 10;
  if (hasLandmarks) return true;
  const { width, height } = observed.window;
  const isMostlyLinks = links >= 4 && links > 0.7 * labels.length;
  const isSidebar =
    area.height > 0.8 * height && area.width < 0.4 * width && (area.x <= 2 || area.x + area.width >= width - 2);
  const isTopBar = area.width > 0.9 * width && area.y - observed.window.y <= 2 && area.height < 0.16 * height;
  if (isMostlyLinks || (isSidebar && links > 2)) return true;
  const isInTheWay = hidesBeginning(layer, page) || (coveredWords >= COVERED_WORDS && !isTopBar && !isFooter(layer));
  if (isEdge && (isTopBar || links > 1) && !isInTheWay) return true;
  if (isTopBar && coveredWords === 0) return true;
  // An application, or a splash screen, is a layer without anything beneath it.
  return share > 0.9 && coveredWords < 10 && observed.mainWords < 20 && text.length > 0;
}

/** True for what lies above the first words of the page: a header of the page leaves room for them. */
function hidesBeginning({ area, position, coveredWords }: ObservedLayer, { observed }: JudgedPage): boolean {
  const isBar = position === "fixed" && area.y <= 2 && area.height < 0.4 * observed.window.height;
  return isBar && observed.window.y === 0 && coveredWords >= 2;
}

/** A bar of links at the end of a window. */
function isFooter({ selector, name }: ObservedLayer): boolean {
  return /^(?:footer|nav)\b/.test(selector) || /(?<![a-z])(?:nav|navbar|navigation|footer)(?![a-z])/.test(name);
}

function describe(layer: ObservedLayer, kind: LayerKind, page: JudgedPage, count: number) {
  const what = { consent: "A cookie banner", chat: "A chat window", dialog: "A dialog or banner" }[kind];
  const text = layer.text.slice(0, 120);
  const percent = Math.round(layer.share * 100);
  // What no heuristic closes, a selector hides, with the backdrop behind it.
  const backdrops = page.observed.layers.filter(({ isBackdrop }) => isBackdrop);
  const own = [layer, ...backdrops].flatMap(({ uniqueSelector }) => uniqueSelector ?? []);
  const hiding =
    own.length > 0 ? { hide_selectors: [...new Set([...(page.options.hide_selectors ?? []), ...own])] } : {};
  const fixes = {
    consent: [{ block_cookie_banners: true }],
    chat: [{ block_chats: true }, { block_banners_by_heuristics: true }],
    dialog: [{ block_banners_by_heuristics: true, ...hiding }],
  }[kind];
  return {
    message: `${what}${text ? ` (${quoted(text)})` : ""} covers ${percent} % of the window. Close it with 'click', or hide it with 'hide_selectors'.`,
    evidence: {
      selector: layer.selector,
      share: Number(Math.min(1, layer.share).toFixed(2)),
      count,
      rectangle: rectangle(layer.area),
      ...(text && { text }),
    },
    fixes: [...fixes, hiding],
  };
}
