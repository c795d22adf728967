/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Adds the caller's styles to the page and its open shadow roots.
import { delay, documentElement } from "./dom/document.ts";
import { openShadowRoots, queryAllRoots } from "./dom/shadow-roots.ts";

const XHTML = "http://www.w3.org/1999/xhtml";

/** What each open shadow root gets: rules, and elements for style sheets that load others. */
const sheets: CSSStyleSheet[] = [];
const elements: HTMLElement[] = [];
const styled = new WeakMap<ShadowRoot, Set<CSSStyleSheet | HTMLElement>>();

/** Selectors of `hideElements` for which an element has been found. */
const matched = new Set<string>();

/** Hides elements for good. Returns the first selector that cannot be parsed, or null. */
export async function hideElements(selectors: string[]): Promise<string | null> {
  const sheet = new CSSStyleSheet();
  sheet.insertRule("none { display: none !important }");
  const rule = sheet.cssRules[0] as CSSStyleRule;
  const rules: string[] = [];
  for (const selector of selectors) {
    try {
      Document.prototype.querySelector.call(document, selector);
    } catch {
      return selector;
    }
    // A rule per selector, since one that style sheets do not support would take the others with it. The rule's own text
    // closes brackets and comments that the selector leaves open.
    rule.selectorText = selector;
    rules.push(rule.cssText);
  }
  await addRules(rules.join("\n"), 0);
  findUnmatched(selectors);
  return null;
}

/** The selectors of `hideElements` that have matched nothing, neither then nor now. */
export function findUnmatched(selectors: string[]): string[] {
  for (const selector of selectors) {
    const elements =
      selector.replace(/::?(before|after|marker|backdrop|placeholder|first-line|first-letter)\b/gi, "") || "*";
    if (queryAllRoots(elements).length > 0) matched.add(selector);
  }
  return selectors.filter((selector) => !matched.has(selector));
}

/** Applies the styles to open shadow roots that have none yet, such as those that scripts have attached since. */
export function styleShadowRoots(): void {
  for (const root of openShadowRoots(Number.POSITIVE_INFINITY)) {
    const known = styled.get(root) ?? new Set();
    styled.set(root, known);
    const missing = sheets.filter((sheet) => !known.has(sheet));
    if (missing.length > 0) root.adoptedStyleSheets = [...root.adoptedStyleSheets, ...missing];
    for (const element of elements) if (!known.has(element)) root.appendChild(element.cloneNode(true));
    for (const each of [...sheets, ...elements]) known.add(each);
  }
}

/**
 * Adds rules after those of the page, regardless of its content security policy. Waits for imported style sheets, at most
 * `capMs`; false when they do not load.
 */
export async function addRules(css: string, capMs: number): Promise<boolean> {
  const style = document.createElementNS(XHTML, "style") as HTMLStyleElement;
  style.textContent = css;
  const loaded = untilLoaded(style, capMs);
  (documentElement() ?? document).appendChild(style);
  const sheet = style.sheet;
  if (!sheet) {
    // The page's policy forbids style elements, but not constructed style sheets, which cannot import others.
    style.remove();
    document.adoptedStyleSheets.push(constructed(css));
    styleShadowRoots();
    return !/@import\b/i.test(css);
  }
  const imports = [...sheet.cssRules].some((rule) => rule instanceof CSSImportRule);
  if (imports) elements.push(style);
  else constructed(css);
  styleShadowRoots();
  return imports ? loaded : true;
}

/** A sheet for the document or shadow roots, which get it with the next `styleShadowRoots`. */
function constructed(css: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  sheets.push(sheet);
  return sheet;
}

/** Adds a style sheet by its address, and waits at most `capMs` until it applies; false when it does not load. */
export async function addSheet(href: string, capMs: number): Promise<boolean> {
  const link = document.createElementNS(XHTML, "link") as HTMLLinkElement;
  link.rel = "stylesheet";
  link.href = href;
  const loaded = untilLoaded(link, capMs);
  (documentElement() ?? document).appendChild(link);
  elements.push(link);
  styleShadowRoots();
  return loaded;
}

function untilLoaded(element: HTMLElement, capMs: number): Promise<boolean> {
  const settled = new Promise<boolean>((resolve) => {
    element.onload = () => resolve(true);
    element.onerror = () => resolve(false);
  });
  return Promise.race([settled, delay(capMs).then(() => false)]);
}
