/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Hides `noscript` elements while the scripts of the page are disabled, and corrects media queries for scripts.
import { tryChange } from "./changes/measured-change.ts";
import { openRoots, queryAll } from "./dom/shadow-roots.ts";

/**
 * Hides `noscript` elements, and makes `scripting` media queries match as they do with scripts: a tall picture is taken
 * while the scripts of the page are disabled.
 */
export function hideNoScript(): void {
  const elements: Element[] = [];
  const rules: CSSMediaRule[] = [];
  for (const root of openRoots()) {
    elements.push(...queryAll(root, "noscript"));
    for (const sheet of [...root.styleSheets, ...root.adoptedStyleSheets]) {
      try {
        rules.push(...scriptingQueries(sheet.cssRules));
      } catch {
        // A style sheet of another origin cannot be read.
      }
    }
  }
  if (elements.length + rules.length === 0) return;
  tryChange({
    apply: (journal) => {
      for (const element of elements) journal.setStyle(element, { display: "none" });
      for (const rule of rules) journal.setMedia(rule, withScripts(rule.media.mediaText));
    },
    hasWorked: () => elements.every((element) => !element.checkVisibility()),
    explains: () => false,
    mayGrowPage: false,
    detail: "boxes",
  });
}

function scriptingQueries(rules: CSSRuleList): CSSMediaRule[] {
  return [...rules].flatMap((rule) => [
    ...(rule instanceof CSSMediaRule && rule.media.mediaText.includes("scripting") ? [rule] : []),
    ...(rule instanceof CSSGroupingRule ? scriptingQueries(rule.cssRules) : []),
  ]);
}

/** Media queries that match without scripts as these do with them. */
function withScripts(mediaText: string): string {
  return mediaText
    .replace(/\(scripting: (none|initial-only)\)/g, "(width < 0px)")
    .replace(/\(scripting(: enabled)?\)/g, "(width >= 0px)");
}
