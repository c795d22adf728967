/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Prepares a page to be painted as one tall picture.
import { expandToContent, findInnerScroller } from "./dom/scrollers.ts";
import { openRoots, queryAll, queryAllRoots } from "./dom/shadow-roots.ts";

/** Renders content that `content-visibility: auto` renders near the window only. */
export function renderEverything(): void {
  for (const element of queryAllRoots("*")) {
    if (getComputedStyle(element).getPropertyValue("content-visibility") !== "auto") continue;
    element.style.setProperty("content-visibility", "visible", "important");
  }
}

/**
 * Gives its full height to the element that scrolls in place of the page, or to a body that is only kept from
 * scrolling.
 */
export function expandScroller(): void {
  const { body, documentElement: page } = document;
  const isLocked = [body, page].every((each) => each && /hidden|clip/.test(getComputedStyle(each).overflowY));
  const locked = isLocked && body.scrollHeight > body.clientHeight + 1 ? body : null;
  const scroller = findInnerScroller([document]) ?? locked;
  if (scroller) expandToContent(scroller);
}

/**
 * Hides `noscript` elements, and makes `scripting` media queries match as they do with scripts: a tall picture is taken
 * while the scripts of the page are disabled.
 */
export function hideNoScript(): void {
  for (const root of openRoots()) {
    for (const element of queryAll<HTMLElement>(root, "noscript")) {
      element.style.setProperty("display", "none", "important");
    }
    for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) {
      try {
        rewriteScriptingQueries(sheet.cssRules);
      } catch {
        // A style sheet of another origin cannot be read.
      }
    }
  }
}

function rewriteScriptingQueries(rules: CSSRuleList): void {
  for (const rule of rules) {
    if (rule instanceof CSSMediaRule && rule.media.mediaText.includes("scripting")) {
      rule.media.mediaText = rule.media.mediaText
        .replace(/\(scripting: (none|initial-only)\)/g, "(width < 0px)")
        .replace(/\(scripting(: enabled)?\)/g, "(width >= 0px)");
    }
    if (rule instanceof CSSGroupingRule) rewriteScriptingQueries(rule.cssRules);
  }
}
