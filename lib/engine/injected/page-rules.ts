/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Reads the size and the margins of sheets from the page's `@page` rules, for the emulated media type.
import { documentElement } from "./dom/document.ts";
import { readProperty } from "./dom/read-property.ts";

/** What `@page` rules say about a sheet, in CSS pixels; null where they say nothing, or nothing that can be resolved. */
export interface SheetRules {
  readonly width: number | null;
  readonly height: number | null;
  readonly orientation: Orientation | null;
  readonly marginTop: number | null;
  readonly marginRight: number | null;
  readonly marginBottom: number | null;
  readonly marginLeft: number | null;
}

export type Orientation = "portrait" | "landscape";

/** What the rules say about the first sheet, and the orientations of named pages. */
export interface PageRules extends SheetRules {
  /** By name; those without an orientation are left out. */
  readonly namedPages: readonly { readonly name: string; readonly orientation: Orientation }[];
}

/** Sizes by name, portrait, in millimetres or inches. See https://www.w3.org/TR/css-page-3/#page-size-prop */
const namedSizes: Readonly<Record<string, readonly [width: string, height: string]>> = {
  a5: ["148mm", "210mm"],
  a4: ["210mm", "297mm"],
  a3: ["297mm", "420mm"],
  b5: ["176mm", "250mm"],
  b4: ["250mm", "353mm"],
  "jis-b5": ["182mm", "257mm"],
  "jis-b4": ["257mm", "364mm"],
  letter: ["8.5in", "11in"],
  legal: ["8.5in", "14in"],
  ledger: ["11in", "17in"],
};

/** Deepest nesting of imports and of grouping rules. */
const MAX_DEPTH = 20;

/**
 * The rules for the first sheet, and the orientations of named pages. Of several rules the last one counts, a rule for the name
 * of a sheet before a rule for all. Rules of a style sheet from another origin cannot be read.
 */
export function readPageRules(): PageRules {
  const rules = allSheets().flatMap((sheet) => pageRulesOf(() => sheet.cssRules, 0));
  const names = new Set(rules.map(({ selectorText }) => selectorText).filter((name) => name !== "" && !/:/.test(name)));
  const namedPages = [...names].flatMap((name) => {
    const { width, height, orientation } = sheetRules(rules, name);
    if (width !== null && height !== null) {
      return width === height ? [] : [{ name, orientation: width > height ? "landscape" : "portrait" } as const];
    }
    return orientation === null ? [] : [{ name, orientation }];
  });
  return { ...sheetRules(rules, firstPageName()), namedPages };
}

/** The rules for the sheets of a name; `auto` is none. */
function sheetRules(rules: readonly CSSPageRule[], name: string): SheetRules {
  const matching = [...rules.filter(hasName("")), ...(name === "auto" ? [] : rules.filter(hasName(name)))];
  const lastValue = (property: string): string => {
    const setting = matching.filter(({ style }) => style.getPropertyValue(property) !== "");
    const important = setting.filter(({ style }) => style.getPropertyPriority(property) === "important");
    return (important.at(-1) ?? setting.at(-1))?.style.getPropertyValue(property) ?? "";
  };
  const words = lastValue("size")
    .toLowerCase()
    .split(/\s+(?![^(]*\))/);
  const named = words.map((word) => namedSizes[word]).find((size) => size !== undefined);
  const [first = null, second = first] = (named ?? words).map(pixels).filter((length) => length !== null);
  const turned = words.find((word) => word === "portrait" || word === "landscape");
  const isTurned = named && turned === "landscape";
  return {
    width: isTurned ? second : first,
    height: isTurned ? first : second,
    orientation: turned === "portrait" || turned === "landscape" ? turned : null,
    marginTop: pixels(lastValue("margin-top")),
    marginRight: pixels(lastValue("margin-right")),
    marginBottom: pixels(lastValue("margin-bottom")),
    marginLeft: pixels(lastValue("margin-left")),
  };
}

/** The name of the sheet on which the document begins: that of its first element with one. */
function firstPageName(): string {
  let name = "auto";
  for (let element: Element | null = documentElement(); element; element = firstBox(element)) {
    const own = getComputedStyle(element).getPropertyValue("page") || "auto";
    if (own !== "auto") name = own;
  }
  return name;
}

function firstBox(element: Element): Element | null {
  const isBlock = (child: Element) => !/^(none|contents)$/.test(getComputedStyle(child).display);
  return [...readProperty(Element.prototype, "children", element)].find(isBlock) ?? null;
}

function allSheets(): CSSStyleSheet[] {
  const sheets = readProperty(Document.prototype, "styleSheets", document);
  const adopted = readProperty(Document.prototype, "adoptedStyleSheets", document);
  return [...sheets, ...adopted].filter((sheet) => !sheet.disabled && applies(sheet.media));
}

function pageRulesOf(read: () => CSSRuleList, depth: number): CSSPageRule[] {
  if (depth > MAX_DEPTH) return [];
  let rules: CSSRule[];
  try {
    rules = [...read()];
  } catch {
    return []; // a style sheet of another origin
  }
  return rules.flatMap((rule): CSSPageRule[] => {
    if (rule instanceof CSSPageRule) return [rule];
    if (rule instanceof CSSImportRule) {
      const { styleSheet } = rule;
      return styleSheet && applies(rule.media) ? pageRulesOf(() => styleSheet.cssRules, depth + 1) : [];
    }
    if (rule instanceof CSSMediaRule && !applies(rule.media)) return [];
    if (rule instanceof CSSSupportsRule && !CSS.supports(rule.conditionText)) return [];
    return rule instanceof CSSGroupingRule ? pageRulesOf(() => rule.cssRules, depth + 1) : [];
  });
}

function applies({ mediaText }: MediaList): boolean {
  return mediaText === "" || matchMedia(mediaText).matches;
}

function hasName(name: string) {
  return ({ selectorText }: CSSPageRule) => selectorText === name;
}

/** A length in CSS pixels; null for one that depends on something else, and for what is no length. */
function pixels(text: string): number | null {
  try {
    return CSSNumericValue.parse(text).to("px").value;
  } catch {
    return null;
  }
}
