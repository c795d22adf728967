/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Procedural cosmetic filters: selectors of filter lists that go beyond CSS, such as `:has-text()`.
import type { CosmeticFilter } from "@ghostery/adblocker";

/** A parsed selector, as the filter engine returns it. */
export type Selector = NonNullable<ReturnType<CosmeticFilter["getASTComponents"]>>["element"];

/** The elements that match a selector of CSS and procedural operators. Throws for parts that Chromium does not support. */
export function findByProcedure(selector: Selector): Element[] {
  const BEYOND_CSS =
    /^(has-text|min-text-length|matches-(path|attr|css|css-before|css-after)|upward|xpath|remove|remove-attr|remove-class)$/;

  /** The selector as CSS; undefined when it has procedural operators. CSS allows no `:has` inside a `:has`. */
  const asCss = (part: Selector, inHas = false): string | undefined => {
    const all = (parts: readonly Selector[], between: string) => {
      const texts = parts.map((each) => asCss(each, inHas));
      return texts.every((text) => text !== undefined) ? texts.join(between) : undefined;
    };
    if (part.type === "list") return all(part.list, ",");
    if (part.type === "compound") return all(part.compound, "");
    if (part.type === "complex") return part.left && all([part.left, part.right], part.combinator);
    if (part.type !== "pseudo-class") return part.content;
    const isHas = part.name === "has";
    if (BEYOND_CSS.test(part.name) || (isHas && inHas)) return undefined;
    if (!part.subtree) return part.content;
    return isPlainWithin(part.subtree, inHas || isHas) ? part.content : undefined;
  };
  /** Like `asCss`, also for relative selectors, as in `:has(> a)`. */
  const isPlainWithin = (part: Selector, inHas: boolean): boolean => {
    if (part.type === "list") return part.list.every((each) => isPlainWithin(each, inHas));
    if (part.type === "complex" && !part.left) return asCss(part.right, inHas) !== undefined;
    return asCss(part, inHas) !== undefined;
  };

  const select = (part: Selector, scope: Element): Element[] => {
    const css = asCss(part);
    if (css !== undefined) return [...scope.querySelectorAll(css)];
    if (part.type === "list") return [...new Set(part.list.flatMap((each) => select(each, scope)))];
    if (part.type === "complex") {
      const from = part.left ? select(part.left, scope) : [scope];
      const next = new Set(from.flatMap((element) => reached(element, part.combinator)));
      return refine([...next], part.right.type === "compound" ? part.right.compound : [part.right]);
    }
    const [first, ...rest] = part.type === "compound" ? part.compound : [part];
    if (!first) return [];
    const start = asCss(first);
    if (start === undefined) return refine([...scope.querySelectorAll("*")], [first, ...rest]);
    return refine([...scope.querySelectorAll(start)], rest);
  };

  const reached = (element: Element, combinator: string): Element[] => {
    if (combinator === ">") return [...element.children];
    if (combinator === " ") return [...element.querySelectorAll("*")];
    const after: Element[] = [];
    for (let next = element.nextElementSibling; next; next = next.nextElementSibling) {
      after.push(next);
      if (combinator === "+") break;
    }
    return after;
  };

  const refine = (elements: Element[], parts: readonly Selector[]): Element[] => {
    let left = elements;
    for (const part of parts) {
      left = isStep(part)
        ? [...new Set(left.flatMap((from) => step(from, part)))]
        : left.filter((each) => is(each, part));
    }
    return left;
  };

  const isStep = (part: Selector) => part.type === "pseudo-class" && (part.name === "upward" || part.name === "xpath");

  const step = (from: Element, part: Selector): Element[] => {
    if (part.type !== "pseudo-class" || part.argument === undefined) return [];
    const argument = unquoted(part.argument);
    if (part.name === "xpath") {
      const result = document.evaluate(argument, from, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE);
      const nodes = Array.from({ length: result.snapshotLength }, (_, index) => result.snapshotItem(index));
      return nodes.filter((node) => node instanceof Element);
    }
    const levels = Number(argument);
    let up = from.parentElement;
    for (let level = 1; up && (levels > 0 ? level < levels : !up.matches(argument)); level++) up = up.parentElement;
    return up ? [up] : [];
  };

  const is = (element: Element, part: Selector): boolean => {
    const css = asCss(part);
    if (css !== undefined) return element.matches(css);
    if (part.type === "list") return part.list.some((each) => is(element, each));
    if (part.type === "compound") return part.compound.every((each) => is(element, each));
    if (part.type === "complex") return select(part, document.documentElement).includes(element);
    if (part.type !== "pseudo-class") return false;
    const { name, argument = "", subtree } = part;
    const text = () => (element.textContent ?? "").trim();
    if (name === "has") return subtree !== undefined && select(subtree, element).length > 0;
    if (name === "not") return subtree !== undefined && !is(element, subtree);
    if (name === "is" || name === "where") return subtree !== undefined && is(element, subtree);
    if (name === "has-text") return says(unquoted(argument), text());
    if (name === "min-text-length") return text().length >= Number(argument);
    if (name === "matches-path") return says(unquoted(argument), location.pathname + location.search);
    if (name === "matches-attr") return hasAttribute(element, argument);
    if (name.startsWith("matches-css")) return hasStyle(element, argument, name.slice("matches-css".length));
    return false;
  };

  const hasAttribute = (element: Element, argument: string) => {
    const [, name = "", value] = /^("[^"]*"|\/(?:[^/\\]|\\.)*\/\w*|[^=]*)(?:=(.*))?$/s.exec(argument) ?? [];
    return [...element.attributes].some(
      (attribute) =>
        equals(unquoted(name), attribute.name) && (value === undefined || equals(unquoted(value), attribute.value)),
    );
  };

  const hasStyle = (element: Element, argument: string, pseudo: string) => {
    const [, property = "", value = ""] = /^\s*([\w-]+)\s*:\s*(.*?)\s*$/s.exec(argument) ?? [];
    const style = getComputedStyle(element, pseudo === "" ? null : pseudo.replace("-", "::"));
    return equals(value, style.getPropertyValue(property));
  };

  const unquoted = (text: string) => (/^(["']).*\1$/s.test(text) ? text.slice(1, -1) : text);
  const expression = (text: string) => {
    const [, source, flags] = /^\/(.*)\/([imsu]*)$/s.exec(text) ?? [];
    return source === undefined ? undefined : new RegExp(source, flags);
  };
  const says = (pattern: string, text: string) => expression(pattern)?.test(text) ?? text.includes(pattern);
  const equals = (pattern: string, text: string) => expression(pattern)?.test(text) ?? text === pattern;

  return select(selector, document.documentElement);
}
