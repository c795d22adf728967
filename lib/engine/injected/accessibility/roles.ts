/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// The role of an element: the one that the page gives it, or that of its HTML element.
// https://www.w3.org/TR/wai-aria-1.2/#role_definitions and https://www.w3.org/TR/html-aam-1.0/#html-element-role-mappings
import { parentElement } from "../dom/tree.ts";
import { attribute, isAttributeSet, localName, referencedElements } from "./dom.ts";

const ROLES = new Set(
  (
    "alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox " +
    "complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell " +
    "group heading img insertion link list listbox listitem log main mark marquee math meter menu menubar menuitem " +
    "menuitemcheckbox menuitemradio navigation none note option paragraph presentation progressbar radio radiogroup region row " +
    "rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong subscript superscript switch tab " +
    "table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem"
  ).split(" "),
);

/** Attributes by which an element takes part in the accessibility tree although it says that it's presentational. */
const GLOBAL_ATTRIBUTES = (
  "aria-atomic aria-busy aria-controls aria-current aria-describedby aria-details aria-dropeffect aria-flowto aria-grabbed " +
  "aria-hidden aria-keyshortcuts aria-label aria-labelledby aria-live aria-owns aria-relevant aria-roledescription"
).split(" ");

const SIMPLE: Readonly<Record<string, string>> = {
  article: "article",
  aside: "complementary",
  blockquote: "blockquote",
  button: "button",
  caption: "caption",
  code: "code",
  datalist: "listbox",
  dd: "definition",
  del: "deletion",
  details: "group",
  dfn: "term",
  dialog: "dialog",
  dt: "term",
  em: "emphasis",
  fieldset: "group",
  figure: "figure",
  frame: "iframe",
  h1: "heading",
  h2: "heading",
  h3: "heading",
  h4: "heading",
  h5: "heading",
  h6: "heading",
  hr: "separator",
  html: "document",
  iframe: "iframe",
  ins: "insertion",
  li: "listitem",
  main: "main",
  mark: "mark",
  math: "math",
  menu: "list",
  meter: "meter",
  nav: "navigation",
  ol: "list",
  optgroup: "group",
  option: "option",
  output: "status",
  p: "paragraph",
  progress: "progressbar",
  search: "search",
  strong: "strong",
  sub: "subscript",
  summary: "button",
  sup: "superscript",
  svg: "img",
  table: "table",
  tbody: "rowgroup",
  textarea: "textbox",
  tfoot: "rowgroup",
  thead: "rowgroup",
  time: "time",
  tr: "row",
  ul: "list",
};

const INPUTS: Readonly<Record<string, string>> = {
  button: "button",
  checkbox: "checkbox",
  file: "button",
  image: "button",
  number: "spinbutton",
  radio: "radio",
  range: "slider",
  reset: "button",
  submit: "button",
};

/** Parts of lists and tables lose their role with that of what they are part of. */
const PARTS: Readonly<Record<string, readonly string[]>> = {
  dd: ["dl", "div"],
  div: ["dl"],
  dt: ["dl", "div"],
  li: ["ol", "ul", "menu"],
  tbody: ["table"],
  td: ["tr"],
  tfoot: ["table"],
  th: ["tr"],
  thead: ["table"],
  tr: ["thead", "tbody", "tfoot", "table"],
};

const SECTIONS = new Set(["article", "aside", "main", "nav", "section"]);
const SECTION_ROLES = new Set(["article", "complementary", "main", "navigation", "region"]);

let known = new WeakMap<Element, string>();

/** The role of an element; `generic` for one that has none, `none` for one that is only presentation. */
export function readRole(element: Element): string {
  const cached = known.get(element);
  if (cached !== undefined) return cached;
  const role = computeRole(element);
  known.set(element, role);
  return role;
}

/** Roles change with the page: called before it is read once more. */
export function forgetRoles(): void {
  known = new WeakMap();
}

function computeRole(element: Element): string {
  const explicit = explicitRole(element);
  if (explicit === undefined) return implicitRole(element);
  if (explicit !== "none") return explicit;
  return staysInTree(element) ? implicitRole(element) : "none";
}

/** The first valid role that the page gives the element; `presentation` is `none`. */
function explicitRole(element: Element): string | undefined {
  const roles = attribute(element, "role");
  if (roles === null || roles.length > MAX_ROLES_LENGTH) return undefined;
  const role = roles
    .toLowerCase()
    .split(/\s+/)
    .find((each) => ROLES.has(each));
  return role === "presentation" ? "none" : role;
}

const MAX_ROLES_LENGTH = 1_000;

/** True for a presentational element that keeps its own role: one that can be focused, or that the page describes. */
function staysInTree(element: Element): boolean {
  return GLOBAL_ATTRIBUTES.some((name) => isAttributeSet(element, name)) || isFocusable(element);
}

function implicitRole(element: Element): string {
  const role = htmlRole(element);
  for (let part = element; ; ) {
    const around = PARTS[localName(part)];
    const outer: Element | null = around ? parentElement(part) : null;
    if (!outer || !around?.includes(localName(outer))) return role;
    if (role !== "generic" && explicitRole(outer) === "none" && !staysInTree(outer)) return "none";
    part = outer;
  }
}

function htmlRole(element: Element): string {
  const name = localName(element);
  const simple = SIMPLE[name];
  if (simple !== undefined) return simple;
  switch (name) {
    case "a":
    case "area":
      return isAttributeSet(element, "href") ? "link" : "generic";
    case "header":
      return isInSection(element) ? "generic" : "banner";
    case "footer":
      return isInSection(element) ? "generic" : "contentinfo";
    case "form":
      return isNamed(element) ? "form" : "generic";
    case "section":
      return isNamed(element) ? "region" : "generic";
    case "img":
      return imageRole(element);
    case "input":
      return inputRole(element as HTMLInputElement);
    case "select":
      return (element as HTMLSelectElement).multiple || (element as HTMLSelectElement).size > 1
        ? "listbox"
        : "combobox";
    case "td":
      return /^(tree)?grid$/.test(explicitRole(closest(element, "table") ?? element) ?? "") ? "gridcell" : "cell";
    case "th":
      return headerRole(element);
    default:
      return "generic";
  }
}

function isNamed(element: Element): boolean {
  return isAttributeSet(element, "aria-label") || isAttributeSet(element, "aria-labelledby");
}

/** True in a section of the page, whose header and footer are no landmarks. */
function isInSection(element: Element): boolean {
  for (let outer = parentElement(element); outer; outer = parentElement(outer)) {
    const role = attribute(outer, "role");
    if (role === null ? SECTIONS.has(localName(outer)) : SECTION_ROLES.has(role)) return true;
  }
  return false;
}

function imageRole(element: Element): string {
  if (attribute(element, "alt") !== "" || attribute(element, "title")) return "img";
  return GLOBAL_ATTRIBUTES.some((name) => isAttributeSet(element, name)) || hasTabIndex(element) ? "img" : "none";
}

function inputRole(element: HTMLInputElement): string {
  const { type } = element;
  if (type === "hidden") return "none";
  if (/^(email|search|tel|text|url)$/.test(type)) {
    const [list] = referencedElements(element, attribute(element, "list"));
    if (list && localName(list) === "datalist") return "combobox";
    return type === "search" ? "searchbox" : "textbox";
  }
  return INPUTS[type] ?? "textbox";
}

function headerRole(element: Element): string {
  const scope = attribute(element, "scope");
  if (scope === "col" || scope === "colgroup") return "columnheader";
  if (scope === "row" || scope === "rowgroup") return "rowheader";
  const siblings = [element.nextElementSibling, element.previousElementSibling];
  if (siblings.every((each) => each === null)) {
    const table = closest(element, "table") as HTMLTableElement | undefined;
    return table && table.rows.length <= 1 ? "generic" : "columnheader";
  }
  if (siblings.every((each) => each !== null && localName(each) === "th")) return "columnheader";
  const isData = (cell: Element | null) =>
    cell !== null && localName(cell) === "td" && (cell.children.length > 0 || /\S/.test(cell.textContent ?? ""));
  return siblings.some(isData) ? "rowheader" : "columnheader";
}

function closest(element: Element, name: string): Element | undefined {
  for (let outer: Element | null = element; outer; outer = parentElement(outer))
    if (localName(outer) === name) return outer;
  return undefined;
}

export function hasTabIndex(element: Element): boolean {
  const index = attribute(element, "tabindex");
  return index !== null && /^\s*-?\d+/.test(index);
}

const FOCUSABLE = new Set(["button", "details", "select", "textarea"]);

function isFocusable(element: Element): boolean {
  if (isDisabled(element)) return false;
  const name = localName(element);
  if (FOCUSABLE.has(name) || hasTabIndex(element)) return true;
  if (name === "a" || name === "area") return isAttributeSet(element, "href");
  return name === "input" && (element as HTMLInputElement).type !== "hidden";
}

const { matches } = Element.prototype;

const DISABLEABLE = new Set(["button", "fieldset", "input", "optgroup", "option", "select", "textarea"]);

/** True for a control that HTML disables, by itself or by the group around it. */
export function isDisabled(element: Element): boolean {
  const name = localName(element);
  if (!DISABLEABLE.has(name) && !name.includes("-")) return false; // only these, and custom elements
  return matches.call(element, ":disabled");
}
