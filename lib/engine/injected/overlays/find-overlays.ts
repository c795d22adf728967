/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Finds the overlays of a document, and the backdrops behind them.
import { isShown, visibleText, windowShare } from "../dom/appearance.ts";
import { documentBody } from "../dom/document.ts";
import { elementsIn, frameDocument, matchesIn, parentElement } from "../dom/tree.ts";
import { type Control, readControls } from "./controls.ts";
import { normalizeText } from "./normalize-text.ts";
import {
  DIALOGS,
  isBackdrop,
  isChat,
  isConsentBanner,
  isDialogOverlay,
  isGate,
  isNamedConsentFrame,
  type OverlayContext,
} from "./overlay-kinds.ts";
import { readPageContent } from "./page-content.ts";
import type { OverlayPatterns } from "./patterns.ts";

export interface OverlaySearch {
  readonly what: "consent" | "any";
  /** True when a consent banner was closed before, whose backdrop may be left. */
  readonly afterConsent: boolean;
  readonly patterns: OverlayPatterns;
}

export interface FoundOverlay {
  readonly element: HTMLElement;
  readonly kind: "consent" | "overlay" | "chat";
  readonly controls: readonly Control[];
  /** True when it asks a question that only some visitors pass. */
  readonly isGate: boolean;
}

interface Candidate extends FoundOverlay {
  /** Overlays inside it. */
  readonly inner: readonly Candidate[];
}

const MAX_ELEMENTS = 20_000;
const MAX_CANDIDATES = 200;

/** Overlays have less text than a page. */
const MAX_TEXT = 5_000;
const TEXT_CHARACTERS = 6_000;

/** In document order; an overlay inside another one is part of it. */
export function findOverlays(
  document: Document,
  search: OverlaySearch,
): { overlays: FoundOverlay[]; backdrops: HTMLElement[] } {
  const body = documentBody(document);
  const positioned = body ? findPositioned(body) : [];
  if (!body || positioned.length === 0) return { overlays: [], backdrops: [] };
  const context = readContext(document, body, positioned);
  const candidates = findCandidates(positioned, search, context);
  const chosen = keepPage(candidates, context)
    .sort((one, other) => positioned.indexOf(one.element) - positioned.indexOf(other.element))
    .map((overlay) => ({ ...overlay, element: outermostWrapper(overlay.element, body) }));
  const areBackdropsLeft = chosen.some(({ kind }) => kind !== "chat") || search.afterConsent;
  const isRemovable = (backdrop: HTMLElement) => context.content().weightOutside([backdrop], { edges: true }) > 0;
  return { overlays: chosen, backdrops: areBackdropsLeft ? context.backdrops.filter(isRemovable) : [] };
}

/** Elements that are taken out of the flow and lie above the page: fixed, sticky, or absolute with a stacking order. */
function findPositioned(body: HTMLElement): HTMLElement[] {
  return elementsIn(body, MAX_ELEMENTS).filter((element): element is HTMLElement => {
    if (element === body) return false;
    const { position, zIndex } = getComputedStyle(element);
    if (position === "static" || position === "relative") return false;
    const isHigh = Number(zIndex) >= 10 || element.matches(DIALOGS) || element.matches(":popover-open");
    if (position === "absolute" && !isHigh) return false;
    return (windowShare(element) > 0 || element.getAnimations().length > 0) && isShown(element);
  });
}

function readContext(document: Document, body: HTMLElement, positioned: readonly HTMLElement[]): OverlayContext {
  let content: ReturnType<typeof readPageContent> | undefined;
  return {
    backdrops: positioned.filter(isBackdrop),
    isScrollLocked: [document.documentElement, body].some((element) => {
      const { overflowY, position } = getComputedStyle(element);
      return /hidden|clip/.test(overflowY) || position === "fixed";
    }),
    content() {
      content ??= readPageContent(document);
      return content;
    },
  };
}

/** The outermost positioned elements that are overlays; instead of one that seems to be the page, those inside it. */
function findCandidates(
  positioned: readonly HTMLElement[],
  search: OverlaySearch,
  context: OverlayContext,
): Candidate[] {
  const isPositioned = new Set<Element>(positioned);
  const positionedAround = (element: Element): Element | null => {
    let outer = parentElement(element);
    while (outer && !isPositioned.has(outer)) outer = parentElement(outer);
    return outer;
  };
  const parents = new Map(positioned.map((element) => [element, positionedAround(element)]));
  let classified = 0;
  const visit = (around: Element | null): Candidate[] =>
    positioned
      .filter((element) => parents.get(element) === around)
      .flatMap((element) => {
        if (classified++ > MAX_CANDIDATES) return [];
        const overlay = classify(element, search, context);
        const inner = visit(element);
        if (!overlay) return inner;
        const own = textLength(element) - inner.reduce((sum, each) => sum + textLength(each.element), 0);
        const outside = () => context.content().weightOutside([element, ...context.backdrops], { edges: true });
        const isPage = inner.length > 0 && outside() < own;
        return isPage ? inner : [{ ...overlay, inner }];
      });
  return visit(null);
}

/** Undefined for an element that is no overlay, or not of the kind that is searched for. */
function classify(
  element: HTMLElement,
  { what, patterns }: OverlaySearch,
  context: OverlayContext,
): FoundOverlay | undefined {
  if (context.backdrops.includes(element)) return undefined;
  const { height, width } = element.getBoundingClientRect();
  if (what === "any" && isChat(element, patterns)) return { element, kind: "chat", controls: [], isGate: false };
  if (width < 60 || height < 20) return undefined;
  if (element.tagName === "IFRAME" && !frameDocument(element)) {
    const isConsent = isNamedConsentFrame(element, patterns);
    return isConsent ? { element, kind: "consent", controls: [], isGate: false } : undefined;
  }
  const text = normalizeText(visibleText(element, TEXT_CHARACTERS));
  if (text.length > MAX_TEXT || text === "") return undefined;
  const mayBeConsent = new RegExp(`${patterns.cookie}|${patterns.privacy}|${patterns.context}`, "u").test(text);
  if (!mayBeConsent && what === "consent") return undefined;
  const controls = readControls(element, patterns);
  const read = { text, controls };
  const found = { element, controls, isGate: isGate(element, read, patterns) };
  if (mayBeConsent && isConsentBanner(element, read, patterns)) return { ...found, kind: "consent" };
  const isOverlay = what === "any" && isDialogOverlay(element, read, { ...context, patterns });
  return isOverlay ? { ...found, kind: "overlay" } : undefined;
}

/** Leaves out overlays without which the page would be empty, in favour of overlays inside them. */
function keepPage(candidates: readonly Candidate[], context: OverlayContext): FoundOverlay[] {
  const size = ({ element, kind }: Candidate) => (kind === "overlay" ? 1e6 : 0) + textLength(element);
  const chosen: FoundOverlay[] = [];
  const waiting = candidates.toSorted((one, other) => size(one) - size(other));
  for (const { inner, ...overlay } of waiting) {
    const without = [...chosen.map(({ element }) => element), overlay.element, ...context.backdrops];
    const rest = context.content().weightOutside(without, { edges: overlay.kind !== "overlay" });
    if (rest >= requiredRest(overlay)) chosen.push(overlay);
    else waiting.push(...inner);
  }
  return chosen;
}

/** The weight of content that must be left: more than headers and footers, and much more without a login form. */
function requiredRest({ element, kind }: FoundOverlay): number {
  if (kind !== "overlay") return 1;
  const hasLogin = matchesIn(element, "input[type=password], input[autocomplete=username]").length > 0;
  return hasLogin ? 400 : 40;
}

/** The outermost positioned ancestor that shows nothing else. */
function outermostWrapper(element: HTMLElement, body: HTMLElement): HTMLElement {
  const mediaIn = (each: Element) => matchesIn(each, "img, video, canvas, iframe, input").filter(isShown).length;
  let wrapper = element;
  for (let outer = parentElement(wrapper); outer && outer !== body; outer = parentElement(outer)) {
    const hasMore =
      textLength(outer) > textLength(wrapper) + 2 ||
      outer.querySelector("main, article") !== null ||
      mediaIn(outer) > mediaIn(wrapper);
    if (hasMore || getComputedStyle(outer).position === "static") break;
    wrapper = outer as HTMLElement;
  }
  return wrapper;
}

function textLength(element: Element): number {
  return visibleText(element, TEXT_CHARACTERS).length;
}
