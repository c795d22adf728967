/// <reference lib="dom" />
// Finds a CSS selector that matches one element only, for options such as `hide_selectors`.
import { readAttribute, typeName } from "./appearance.ts";
import { readProperty } from "./read-property.ts";

const MAX_LENGTH = 200;

/** Undefined for an element in a frame, and for one that no short selector matches alone. */
export function uniqueSelector(element: Element): string | undefined {
  if (element.ownerDocument !== document) return undefined;
  const root = element.getRootNode();
  if (!(root instanceof Document || root instanceof ShadowRoot)) return undefined;
  const isUnique = (selector: string) =>
    selector.length <= MAX_LENGTH &&
    count(root, selector) === 1 &&
    // A rule for an element in a shadow root applies to the document, too.
    (root === document || count(document, selector) === 0);
  const short = names(element).find(isUnique);
  if (short !== undefined) return short;
  let path = nth(element);
  for (let outer = elementAround(element); outer; outer = elementAround(outer)) {
    const named = names(outer).find(isUnique);
    if (named !== undefined && isUnique(`${named} > ${path}`)) return `${named} > ${path}`;
    if (isUnique(path)) return path;
    path = `${nth(outer)} > ${path}`;
  }
  return isUnique(path) ? path : undefined;
}

function count(root: Document | ShadowRoot, selector: string): number {
  const prototype = root instanceof Document ? Document.prototype : DocumentFragment.prototype;
  return prototype.querySelectorAll.call(root, selector).length;
}

/** By its id, its classes, or what assistive technology calls it. */
function names(element: Element): string[] {
  const localName = typeName(element);
  const id = readAttribute(element, "id");
  const classes = (readAttribute(element, "class") ?? "").split(/\s+/).filter(Boolean);
  const role = readAttribute(element, "role");
  return [
    ...(id ? [`#${CSS.escape(id)}`] : []),
    ...classes.map((name) => `${localName}.${CSS.escape(name)}`),
    ...(classes.length > 1 ? [localName + classes.map((name) => `.${CSS.escape(name)}`).join("")] : []),
    ...(role ? [`${localName}[role="${CSS.escape(role)}"]`] : []),
    ...(localName.includes("-") || localName === "dialog" ? [localName] : []),
  ];
}

function elementAround(element: Element): Element | null {
  return readProperty(Node.prototype, "parentElement", element);
}

function nth(element: Element): string {
  const around = elementAround(element);
  const siblings = around ? readProperty(Element.prototype, "children", around) : [];
  const name = typeName(element);
  const alike = Array.from(siblings).filter((sibling) => typeName(sibling) === name);
  return alike.length > 1 ? `${name}:nth-of-type(${alike.indexOf(element) + 1})` : name;
}
