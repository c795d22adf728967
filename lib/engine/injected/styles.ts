/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Adds the caller's styles to the page.
import { delay, documentElement } from "./dom/document.ts";

const XHTML = "http://www.w3.org/1999/xhtml";

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
  return null;
}

/**
 * Adds rules after those of the page, whatever its content security policy. Waits for imported style sheets, at most
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
    const constructed = new CSSStyleSheet();
    constructed.replaceSync(css);
    document.adoptedStyleSheets.push(constructed);
    return !/@import\b/i.test(css);
  }
  const imports = [...sheet.cssRules].some((rule) => rule instanceof CSSImportRule);
  return imports ? loaded : true;
}

/** Adds a style sheet by its address, and waits at most `capMs` until it applies; false when it does not load. */
export async function addSheet(href: string, capMs: number): Promise<boolean> {
  const link = document.createElementNS(XHTML, "link") as HTMLLinkElement;
  link.rel = "stylesheet";
  link.href = href;
  const loaded = untilLoaded(link, capMs);
  (documentElement() ?? document).appendChild(link);
  return loaded;
}

function untilLoaded(element: HTMLElement, capMs: number): Promise<boolean> {
  const settled = new Promise<boolean>((resolve) => {
    element.onload = () => resolve(true);
    element.onerror = () => resolve(false);
  });
  return Promise.race([settled, delay(capMs).then(() => false)]);
}
