/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Observes the page once for all rules that find problems in it: what a reader sees, and what should be there.
import type { Area } from "../../geometry/area.ts";
import { describeElement } from "../dom/appearance.ts";
import { documentBody } from "../dom/document.ts";
import { readProperty } from "../dom/read-property.ts";
import { uniqueSelector } from "../dom/unique-selector.ts";
import { charactersWithoutGlyph, containsSuspects, type GlyphSearch } from "../missing-glyphs.ts";
import { readPageErrors } from "../page-errors.ts";
import { PhraseMatcher } from "../text/phrase-matcher.ts";
import { readCuts, readOverflow, type SeenCut } from "./cuts.ts";
import { readEmptyRoots } from "./empty-roots.ts";
import { type ImageState, readImages } from "./images.ts";
import { readLayers, type SeenLayer } from "./layers.ts";
import { readLoaders, type SeenLoader } from "./loaders.ts";
import {
  controlLabel,
  countContents,
  countWords,
  fieldWords,
  isControl,
  isField,
  isReplacedElement,
  readTexts,
  type SeenText,
} from "./texts.ts";
import { areaWindowShare, type SeenElement, walkPage } from "./walk.ts";

export interface ObservationLimits {
  readonly elements: number;
  /** Texts that are returned, and the characters of each. */
  readonly texts: number;
  readonly characters: number;
  /** Of each other list that is returned. */
  readonly entries: number;
}

export interface ObservationRequest {
  readonly limits: ObservationLimits;
  /** What pages say while they load. */
  readonly loadingPhrases: readonly string[];
  /** True to observe all of the page, false for the window. */
  readonly isWhole: boolean;
  /** Where the page's errors are asked for; null where none are recorded. */
  readonly errorChannel: string | null;
  /** Null where no glyphs are searched for. */
  readonly glyphs: GlyphSearch | null;
}

export interface ObservedText {
  readonly text: string;
  readonly words: number;
  readonly fontSize: number;
  readonly area: Area;
  readonly selector: string;
  readonly isHeading: boolean;
  /** True in headers, footers, navigation, and sidebars. */
  readonly isEdge: boolean;
  /** True in what lies above the page. */
  readonly isInLayer: boolean;
  /** True for a link or a button, in one, and for a line of them. */
  readonly isControl: boolean;
  /** True for code, and for what is typed. */
  readonly isCode: boolean;
}

interface ObservedPart {
  readonly selector: string;
  readonly area: Area;
}

export interface ObservedField extends ObservedPart {
  readonly words: string;
  readonly isPassword: boolean;
  readonly isEdge: boolean;
}

export interface ObservedControl extends ObservedPart {
  readonly label: string;
  readonly isLink: boolean;
  readonly isEdge: boolean;
}

export interface ObservedImage extends ObservedPart {
  readonly state: ImageState;
  readonly url: string;
}

export interface ObservedLoader extends ObservedPart, Omit<SeenLoader, "at"> {
  /** The share of the region in the window. */
  readonly regionShare: number;
}

export interface ObservedLayer extends ObservedPart, Omit<SeenLayer, "at" | "area"> {
  /** Matches nothing else; null where there is none. */
  readonly uniqueSelector: string | null;
  readonly name: string;
  readonly position: string;
  readonly isEdge: boolean;
}

export interface ObservedCut extends ObservedPart, Omit<SeenCut, "at" | "area"> {
  /** Matches nothing else; null where there is none. */
  readonly uniqueSelector: string | null;
}

export interface PageObservation {
  /** Elements of the document; how many of them were looked at, and whether some were left out. */
  readonly elements: number;
  readonly looked: number;
  readonly isSampled: boolean;
  readonly title: string;
  readonly window: { readonly width: number; readonly height: number; readonly y: number };
  readonly page: { readonly width: number; readonly height: number };
  /** Words outside of headers, footers, navigation, sidebars and what lies above the page; and words of all texts. */
  readonly mainWords: number;
  readonly allWords: number;
  /** Images, canvases, videos, drawings and frames outside of those parts, and their share of the window. */
  readonly mainMedia: number;
  readonly mediaShare: number;
  readonly texts: readonly ObservedText[];
  readonly fields: readonly ObservedField[];
  readonly controls: readonly ObservedControl[];
  readonly images: readonly ObservedImage[];
  readonly loaders: readonly ObservedLoader[];
  readonly layers: readonly ObservedLayer[];
  readonly cuts: readonly ObservedCut[];
  readonly overflow: {
    readonly pixels: number;
    readonly width: number;
    readonly selector: string;
    readonly area: Area | null;
  };
  /** Elements that scripts fill, and that are empty. */
  readonly emptyRoots: readonly ObservedPart[];
  /** True when the page has a script. */
  readonly hasScripts: boolean;
  /** Errors of the page's scripts that none of them caught. */
  readonly errors: readonly string[];
  /** Web fonts that failed, or are loading: their families. */
  readonly fonts: readonly { readonly family: string; readonly isFailed: boolean; readonly isUsed: boolean }[];
  /** Characters that no font has a glyph for, with how often they occur. */
  readonly glyphs: readonly [character: string, count: number][];
  /** True for a text that is cut at its end, as teasers are. */
  readonly hasFadedText: boolean;
}

/** A part of the page that was left out counts as if it had so many words. */
const WORDS_BELOW = 8;
/** Paywalls are at the end of what they show. */
const LAST_TEXTS = 20;
const CONTROLS = "a, button, [role=button], label, summary";
const MAX_CONTROLS_TEXT = 200;
const HEADINGS = "h1, h2, h3, [role=heading], [class*=title i], [class*=heading i]";

export function observePage({
  limits,
  loadingPhrases,
  glyphs,
  errorChannel,
  isWhole,
}: ObservationRequest): PageObservation {
  const { seen, isSampled, omittedBelow } = walkPage(limits.elements, isWhole);
  const texts = readTexts(seen);
  const replaced = new Set(seen.filter(isReplacedElement));
  countContents(seen, texts, replaced);
  const loading = new PhraseMatcher(loadingPhrases);
  const shownTexts = texts.filter(({ at }) => at.shown);
  const isMain = (at: SeenElement) => !at.isEdge && !at.layer;
  const media = [...replaced].filter((at) => isMain(at) && !at.element.matches("input, select, textarea"));
  const overflow = readOverflow(seen);
  const some = <T>(list: readonly T[]) => list.slice(0, limits.entries);
  return {
    elements: Document.prototype.getElementsByTagName.call(document, "*").length,
    looked: seen.length,
    isSampled: isSampled || omittedBelow > 0,
    title: readProperty(Document.prototype, "title", document).slice(0, 300),
    window: { width: window.innerWidth, height: window.innerHeight, y: window.scrollY },
    page: { width: documentBody()?.scrollWidth ?? 0, height: document.documentElement.scrollHeight },
    mainWords: sumWords(shownTexts.filter(({ at }) => isMain(at))) + omittedBelow * WORDS_BELOW,
    allWords: sumWords(shownTexts),
    mainMedia: media.length,
    mediaShare: Math.min(
      1,
      media.reduce((sum, { shown }) => sum + (shown ? areaWindowShare(shown) : 0), 0),
    ),
    texts: observeTexts(shownTexts, limits),
    fields: some(
      seen.filter(isField).map((at) => ({
        ...part(at),
        words: fieldWords(at),
        isPassword: at.element.getAttribute("type") === "password",
        isEdge: at.isEdge,
      })),
    ),
    controls: some(
      seen.filter(isControl).map((at) => ({
        ...part(at),
        label: controlLabel(at),
        isLink: at.element.localName === "a",
        isEdge: at.isEdge,
      })),
    ),
    images: readImages(seen)
      .slice(0, 3 * limits.entries)
      .map(({ at, area, state, url }) => ({
        selector: state === "shown" ? "" : describeElement(at.element),
        area,
        state,
        url: url.slice(0, 2_000),
      })),
    loaders: some(
      readLoaders(seen, texts, (text) => loading.isNotice(text)).map(({ at, kind, region, text }) => ({
        ...part(at),
        kind,
        region,
        regionShare: areaWindowShare(region),
        text,
      })),
    ),
    layers: some(
      readLayers(seen, texts, replaced).map(({ at, area, ...layer }) => ({
        ...layer,
        selector: describeElement(at.element),
        uniqueSelector: uniqueSelector(at.element) ?? null,
        area,
        name: at.name.slice(0, 300),
        position: at.position,
        isEdge: at.isEdge,
      })),
    ),
    cuts: some(
      readCuts(seen, texts).map(({ at, ...cut }) => ({
        ...cut,
        selector: describeElement(at.element),
        uniqueSelector: uniqueSelector(at.element) ?? null,
      })),
    ),
    overflow: {
      pixels: overflow.pixels,
      width: overflow.width,
      selector: overflow.at ? describeElement(overflow.at.element) : "",
      area: overflow.at?.shown ?? null,
    },
    emptyRoots: some(readEmptyRoots(seen).map(part)),
    hasScripts: Document.prototype.querySelector.call(document, "script:not([type*=json])") !== null,
    errors: errorChannel === null ? [] : readPageErrors(errorChannel),
    fonts: some(observeFonts(seen)),
    glyphs: glyphs && containsSuspects(glyphs.pattern, glyphs.limits.elements) ? charactersWithoutGlyph(glyphs) : [],
    hasFadedText: seen.some(isFade),
  };
}

function part(at: SeenElement): ObservedPart {
  return { selector: describeElement(at.element), area: at.shown ?? at.box };
}

function sumWords(texts: readonly SeenText[]): number {
  return texts.reduce((sum, { words }) => sum + words, 0);
}

/** The first and the last ones in reading order, and the largest. */
function observeTexts(texts: readonly SeenText[], { texts: most, characters }: ObservationLimits): ObservedText[] {
  const byOrder = texts.toSorted((one, other) => one.at.box.y - other.at.box.y || one.at.box.x - other.at.box.x);
  const large = new Set(texts.toSorted((one, other) => other.fontSize - one.fontSize).slice(0, 20));
  const chosen = byOrder.filter(
    (text, index) => index < most || index >= byOrder.length - LAST_TEXTS || large.has(text),
  );
  return chosen.map(({ at, text, words, fontSize }) => ({
    text: text.slice(0, characters),
    words,
    fontSize,
    area: at.shown ?? at.box,
    selector: describeElement(at.element),
    isHeading: at.element.matches(HEADINGS),
    isEdge: at.isEdge,
    isInLayer: at.layer !== undefined,
    isControl: at.element.closest(CONTROLS) !== null || isOfControls(at.element, text),
    isCode: at.element.closest("pre, code, samp, kbd") !== null,
  }));
}

/** True for a block whose text is that of links and buttons in its lines, and nothing else. */
function isOfControls(element: Element, text: string): boolean {
  if (text.length > MAX_CONTROLS_TEXT) return false;
  const controls = Element.prototype.querySelectorAll.call(element, CONTROLS) as NodeListOf<Element>;
  if (controls.length === 0) return false;
  let rest = text;
  for (const control of controls) {
    const label = (control.textContent ?? "").replace(/\s+/g, " ").trim();
    if (label !== "") rest = rest.replace(label, " ");
  }
  return countWords(rest) === 0;
}

/** Teasers end in a gradient that hides their last lines. */
function isFade({ style, shown, words, isEdge }: SeenElement): boolean {
  if (!shown || isEdge || words > 40) return false;
  const mask = style.maskImage !== "none" && style.maskImage.includes("gradient");
  const fade =
    style.backgroundImage.includes("gradient") &&
    style.backgroundImage.includes("rgba(") &&
    style.position === "absolute";
  return (mask || fade) && shown.height >= 30 && shown.width >= 200;
}

function observeFonts(seen: readonly SeenElement[]): { family: string; isFailed: boolean; isUsed: boolean }[] {
  const fonts = [...readProperty(Document.prototype, "fonts", document)];
  const suspects = new Map<string, boolean>();
  const name = (family: string) => family.replaceAll(/^["']|["']$/g, "");
  const key = ({ family, weight, style, stretch }: FontFace) => [name(family), weight, style, stretch].join();
  const loaded = new Set(fonts.filter(({ status }) => status === "loaded").map(key));
  for (const face of fonts) {
    const { status, family } = face;
    if (status !== "error" && status !== "loading") continue;
    // Of several faces of one style, one is enough.
    if (status === "error" && loaded.has(key(face))) continue;
    suspects.set(name(family), (suspects.get(name(family)) ?? false) || status === "error");
  }
  if (suspects.size === 0) return [];
  const isUsed = (family: string) => {
    const uses = (style: CSSStyleDeclaration | undefined) =>
      style !== undefined && firstFamilies(style).includes(family);
    return seen.some((each) => {
      if (!each.shown || !each.isVisible) return false;
      if (uses(each.style)) return true;
      const view = each.element.ownerDocument.defaultView;
      return (
        /icon|fa-|glyph|material/.test(each.name) &&
        [":before", ":after"].some((pseudo) => uses(view?.getComputedStyle(each.element, pseudo)))
      );
    });
  };
  return [...suspects].map(([family, isFailed]) => ({
    family: family.slice(0, 100),
    isFailed,
    isUsed: isUsed(family),
  }));
}

function firstFamilies({ fontFamily }: CSSStyleDeclaration): string[] {
  return fontFamily.split(",").map((family) => family.trim().replaceAll(/^["']|["']$/g, ""));
}
