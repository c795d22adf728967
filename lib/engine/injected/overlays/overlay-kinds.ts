/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Distinguishes the kinds of overlays: consent banners, chats, backdrops, other dialogs, and gates that ask a question.
import { colourAlpha, elementName, isShown, viewport, visibleText, windowShare } from "../dom/appearance.ts";
import { elementsIn, matchesIn } from "../dom/tree.ts";
import type { Control } from "./controls.ts";
import type { ContentBeneath } from "./page-content.ts";
import { countDistinct, type OverlayPatterns } from "./patterns.ts";

export const DIALOGS = "dialog[open], [role=dialog], [role=alertdialog], [aria-modal=true]";

const FIELDS =
  "input:not([type=hidden], [type=submit], [type=button], [type=checkbox], [type=radio], [type=range]), textarea";

/** Landmarks of a page, which an overlay does not contain. */
const LANDMARKS = "main, nav, article, [role=main], [role=navigation]";
const BARS = "header, footer, [role=banner], [role=toolbar], [role=menu], [role=search], [role=tooltip]";
const OUTBOUND_LINKS = "a[href]:not([href^='#'], [href^='javascript:'])";

/** An overlay as it was read: its normalized text, and its controls. */
export interface OverlayText {
  readonly text: string;
  readonly controls: readonly Control[];
}

/**
 * A consent banner speaks of cookies or privacy in the words of one, or is named so, and asks for a decision. It has no
 * fields to type into.
 */
export function isConsentBanner(
  overlay: HTMLElement,
  { text, controls }: OverlayText,
  patterns: OverlayPatterns,
): boolean {
  const [cookie, privacy, context] = [
    countDistinct(patterns.cookie, text),
    countDistinct(patterns.privacy, text),
    countDistinct(patterns.context, text),
  ];
  const isHeader = getComputedStyle(overlay).position === "sticky" || overlay.matches("header");
  const decides = controls.some(({ isDecision }) => isDecision);
  const rejects = controls.some(({ rank, isDecision }) => rank > 2 && isDecision);
  const accepts = controls.some(({ rank, isDecision }) => rank === 0 && isDecision);
  const speaksOfConsent =
    (cookie > 0 && privacy + context > 0) ||
    (!isHeader && privacy > 0 && privacy + context > 2) ||
    (!isHeader && rejects && accepts && privacy + context > 1) ||
    (decides && cookie + privacy + context > 0 && isNamed(overlay, patterns.consentNames));
  if (!speaksOfConsent || matchesIn(overlay, FIELDS).some(isShown)) return false;
  return decides || (controls.some(({ rank }) => rank > 0) && !isHeader);
}

/** A frame of another origin can only be recognised as a consent banner by its name. */
export function isNamedConsentFrame(frame: HTMLElement, patterns: OverlayPatterns): boolean {
  return new RegExp(patterns.consentNames).test(elementName(frame)) && getComputedStyle(frame).position === "fixed";
}

/** A chat is named so, small, and fixed to a lower corner of the window. */
export function isChat(overlay: HTMLElement, patterns: OverlayPatterns): boolean {
  const { left, right, bottom, width, height } = overlay.getBoundingClientRect();
  const view = viewport(overlay);
  const isInCorner = bottom > view.height - 140 && (right > view.width - 140 || left < 140);
  const isSmall =
    width <= Math.max(480, 0.4 * view.width) && height <= 0.95 * view.height && windowShare(overlay) < 0.6;
  const isFixed = getComputedStyle(overlay).position === "fixed";
  return isInCorner && isSmall && isFixed && isNamed(overlay, patterns.chatNames);
}

/** What is around an overlay in its document. */
export interface OverlayContext {
  readonly backdrops: readonly HTMLElement[];
  /** True when the page cannot be scrolled. */
  readonly isScrollLocked: boolean;
  readonly content: () => ContentBeneath;
}

/** Another dialog is recognised by several signs: its role, a backdrop, a close button, its name, the words of an offer. */
export function isDialogOverlay(
  overlay: HTMLElement,
  { text, controls }: OverlayText,
  { patterns, backdrops, isScrollLocked, content }: OverlayContext & { readonly patterns: OverlayPatterns },
): boolean {
  if (overlay.matches(`${LANDMARKS}, ${BARS}`) || matchesIn(overlay, LANDMARKS).some(isShown)) return false;
  const { position, backgroundColor, backdropFilter } = getComputedStyle(overlay);
  const isDialog = overlay.matches(DIALOGS) || matchesIn(overlay, DIALOGS).some(isShown);
  if (position !== "fixed" && !isDialog) return false;
  const share = windowShare(overlay);
  if (share < 0.02 || isMostlyLinks(overlay, text)) return false;
  const { width, height, top, bottom } = overlay.getBoundingClientRect();
  const view = viewport(overlay);
  const isBar = width > 0.9 * view.width && height < 0.4 * view.height && (top < 5 || bottom > view.height - 5);
  const isClosable = controls.some(({ rank }) => rank > 0);
  const isNamedSo = isNamed(overlay, patterns.overlayNames);
  const isOffer = countDistinct(patterns.offer, text) > 0;
  const isCover = share > 0.95 && (colourAlpha(backgroundColor) > 0.05 || backdropFilter !== "none");
  const hasBackdrop = backdrops.some((backdrop) => backdrop !== overlay) || isCover || overlay.matches(":modal");
  if (isBar && !isDialog && !hasBackdrop) return isClosable && (isNamedSo || isOffer);
  if (!isDialog && !hasBackdrop && !content().isOverlapping(overlay)) return false;
  const signs = [isScrollLocked, isClosable, isNamedSo, isOffer].filter(Boolean).length;
  return (isDialog ? 2 : 0) + (hasBackdrop ? 2 : 0) + signs >= 3;
}

/** A gate asks for the visitor's age, or wants yes or no: "no" leads away from the page. */
export function isGate(overlay: HTMLElement, { text, controls }: OverlayText, patterns: OverlayPatterns): boolean {
  const hasAnswer = (wanted: Control["answer"]) => controls.some(({ answer }) => answer === wanted);
  return (
    countDistinct(patterns.age, text) > 0 ||
    isNamed(overlay, patterns.gateNames) ||
    (hasAnswer("yes") && hasAnswer("no"))
  );
}

/** A backdrop is empty, covers the window, and takes the clicks that were meant for the page. */
export function isBackdrop(element: HTMLElement): boolean {
  if (windowShare(element) < 0.9 || element.matches("iframe, canvas, img, video, svg, main, [role=main]")) return false;
  const { position, zIndex, pointerEvents, backgroundColor, backgroundImage, backdropFilter, opacity } =
    getComputedStyle(element);
  if (pointerEvents === "none" || Number(zIndex) < 0 || position === "sticky") return false;
  const alpha = colourAlpha(backgroundColor) * Number(opacity);
  const isPainted = (alpha > 0.05 && alpha < 0.99) || backdropFilter !== "none" || backgroundImage !== "none";
  return (
    isPainted &&
    elementsIn(element, 20).length < 10 &&
    visibleText(element, 10).trim() === "" &&
    !element.querySelector("img, video, canvas, svg, iframe")
  );
}

/** True for navigation: more than half of the text is in links. */
function isMostlyLinks(overlay: Element, text: string): boolean {
  const links = matchesIn(overlay, OUTBOUND_LINKS).filter(isShown);
  const characters = () => links.reduce((sum, link) => sum + visibleText(link, 200).length, 0);
  return links.length > 5 && characters() > text.length / 2;
}

function isNamed(overlay: Element, names: string): boolean {
  const pattern = new RegExp(names);
  return elementsIn(overlay, 12).some((each) => pattern.test(elementName(each)));
}
