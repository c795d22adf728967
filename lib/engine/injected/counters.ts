/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// CSS counters: their values at an element, by the rules of CSS Lists 3 (https://www.w3.org/TR/css-lists-3/#auto-numbering), since no
// interface of the browser tells them.

interface Counter {
  /** The children of one element, or its own boxes, among which the counter was created. */
  readonly siblings: object;
  value: number;
}

/** The counters in scope by their names, the innermost one last. */
type Scope = Map<string, Counter[]>;

/** Elements that are counted. */
const MAX_ELEMENTS = 50_000;

/**
 * The values of the counters that are in scope at an element which has counted itself, as values of `counter-set`: those of the innermost
 * counters first, then of those around them. Empty where the page has none. Elements that are not displayed do not count; shadow roots are
 * not followed.
 */
export function counterValues(target: Element): string[] {
  let found: Scope = new Map();
  if (!mayCount()) return [];
  let visited = 0;

  /** Counts an element and all in it. Returns true once it has come to the target. */
  const visit = (element: Element, scope: Scope, siblings: object): boolean => {
    const style = getComputedStyle(element);
    if (style.display === "none" || ++visited > MAX_ELEMENTS) return false;
    count(style, scope, siblings);
    if (element === target) {
      found = scope;
      return true;
    }
    const inner: Scope = new Map([...scope].map(([name, counters]) => [name, [...counters]]));
    const children = {};
    const countPseudo = (name: string) => {
      const pseudo = getComputedStyle(element, name);
      if (!/^(?:none|normal)$/.test(pseudo.content) && pseudo.display !== "none") count(pseudo, inner, children);
    };
    countPseudo("::before");
    for (const child of element.children) if (visit(child, inner, children)) return true;
    countPseudo("::after");
    return false;
  };
  visit(document.documentElement, new Map(), {});
  const depth = Math.max(0, ...[...found.values()].map(({ length }) => length));
  return Array.from({ length: depth }, (_, outwards) =>
    [...found]
      .flatMap(([name, counters]) => {
        const counter = counters.at(-1 - outwards);
        return counter ? `${name} ${counter.value}` : [];
      })
      .join(" "),
  );
}

/** True unless all style sheets can be read, and none of them has counters. */
function mayCount(): boolean {
  if (document.querySelector("[style*=counter-]")) return true;
  return [...document.styleSheets, ...document.adoptedStyleSheets].some((sheet) => {
    try {
      return [...sheet.cssRules].some(({ cssText }) => /counter-(?:increment|set|reset)|@import/.test(cssText));
    } catch {
      return true; // of another origin
    }
  });
}

function count({ counterReset, counterIncrement, counterSet }: CSSStyleDeclaration, scope: Scope, siblings: object) {
  for (const [name, value] of pairs(counterReset)) create(scope, name, { siblings, value });
  for (const [name, value] of pairs(counterIncrement)) innermost(scope, name, siblings).value += value;
  for (const [name, value] of pairs(counterSet)) innermost(scope, name, siblings).value = value;
}

/** A counter takes the place of one that a sibling has created, and is nested in any other. */
function create(scope: Scope, name: string, counter: Counter): Counter {
  const counters = scope.get(name) ?? [];
  if (counters.at(-1)?.siblings === counter.siblings) counters.pop();
  counters.push(counter);
  scope.set(name, counters);
  return counter;
}

function innermost(scope: Scope, name: string, siblings: object): Counter {
  return scope.get(name)?.at(-1) ?? create(scope, name, { siblings, value: 0 });
}

/** The names and numbers of a computed value such as `chapter 1 section 0`. */
function pairs(value: string): [string, number][] {
  const parts = value.split(" ");
  return parts.flatMap((name, index): [string, number][] => {
    const number = index % 2 === 0 ? Number(parts[index + 1]) : Number.NaN; // the initial value is `none`
    return Number.isInteger(number) ? [[name, number]] : [];
  });
}

/** The number of an item of an ordered list; undefined for other elements. */
export function ordinal(item: Element): number | undefined {
  const list = item.parentElement;
  if (!(item instanceof HTMLLIElement) || !(list instanceof HTMLOListElement)) return undefined;
  const items = [...list.children].filter((each) => each instanceof HTMLLIElement);
  const [first, step] = list.reversed ? [items.length, -1] : [1, 1];
  let number = (list.hasAttribute("start") ? list.start : first) - step;
  for (const each of items) {
    number = each.hasAttribute("value") ? each.value : number + step;
    if (each === item) break;
  }
  return number;
}
