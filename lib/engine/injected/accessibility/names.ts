/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// The accessible name of an element: what assistive technology calls it.
// https://www.w3.org/TR/accname-1.2/#mapping_additional_nd_te
import { queryAll, type Root } from "../dom/shadow-roots.ts";
import { parentElement } from "../dom/tree.ts";
import {
  assignedSlot,
  attribute,
  firstChild,
  isAttributeSet,
  isPainted,
  localName,
  nextSibling,
  nodeType,
  nodeValue,
  referencedElements,
  visitChildren,
} from "./dom.ts";
import { readRole } from "./roles.ts";

const MAX_NAME_CHARACTERS = 200;

/** Much more than the longest name, since it contains white space. */
const MAX_CHARACTERS = 2_000;
const MAX_NODES = 2_000;

const UNNAMED = new Set(
  "caption code definition deletion emphasis insertion mark none paragraph strong subscript superscript term time".split(
    " ",
  ),
);

const NAMED_BY_CONTENT = new Set(
  (
    "button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row " +
    "rowheader switch tab tooltip treeitem"
  ).split(" "),
);

/** Roles whose content counts where they are inside an element that is named by its content. */
const PART_OF_NAME = new Set(
  (
    "caption code contentinfo definition deletion emphasis generic insertion list listitem mark none paragraph region row " +
    "rowgroup strong subscript superscript table term time"
  ).split(" "),
);

const IGNORED = new Set(["style", "script", "noscript", "template"]);

/** True for elements whose content is no text of the page. */
export function isIgnored(element: Element): boolean {
  return IGNORED.has(localName(element));
}

/** Reads names of one state of the page: it remembers which elements are hidden. */
export class NameReader {
  readonly #hidden = new Map<Element, boolean>();
  readonly #inHidden = new Map<Element, boolean>();
  readonly #painted = new Map<Element, boolean>();
  readonly #labels = new Map<Root, Map<Element, HTMLLabelElement[]>>();

  /** The name of an element, in one line of at most 200 characters; empty for one that has none. */
  name(element: Element): string {
    return UNNAMED.has(readRole(element)) ? "" : this.#read(element);
  }

  /** The text in an element, in one line of at most 200 characters: a name for what the page makes a control without a role. */
  content(element: Element): string {
    const reading = new Reading(this, this.isHidden(element));
    return oneLine(attribute(element, "aria-label") ?? "") || oneLine(reading.content(element, { depth: 0 }));
  }

  #read(element: Element): string {
    // An element that is hidden from assistive technology, but shown, is named as if it weren't.
    const reading = new Reading(this, this.isHidden(element));
    return oneLine(reading.text(element, { depth: 0 }));
  }

  /** The labels of a control. Its own property `labels` searches the whole document each time. */
  labels(control: Element): readonly HTMLLabelElement[] {
    const root = Node.prototype.getRootNode.call(control) as Root;
    let labels = this.#labels.get(root);
    if (!labels) {
      labels = new Map();
      for (const label of queryAll<HTMLLabelElement>(root, "label")) {
        const labelled = label.control;
        if (labelled) labels.set(labelled, [...(labels.get(labelled) ?? []), label]);
      }
      this.#labels.set(root, labels);
    }
    return labels.get(control) ?? [];
  }

  /** False for an element without a box, or with `visibility: hidden`. */
  isPainted(element: Element): boolean {
    const known = this.#painted.get(element);
    if (known !== undefined) return known;
    const painted = isPainted(element);
    this.#painted.set(element, painted);
    return painted;
  }

  /** True for an element that assistive technology doesn't see. */
  isHidden(element: Element): boolean {
    const known = this.#hidden.get(element);
    if (known !== undefined) return known;
    const isHidden = this.#computeHidden(element);
    this.#hidden.set(element, isHidden);
    return isHidden;
  }

  #computeHidden(element: Element): boolean {
    if (isIgnored(element)) return true;
    if (this.isPainted(element)) return this.#isInHidden(element);
    const name = localName(element);
    if (name === "slot" || getComputedStyle(element).display === "contents") return this.#isInHidden(element);
    // The options of a closed list have no box.
    return name !== "option" || this.#isInHidden(element);
  }

  /** True in an element with `aria-hidden`. */
  #isInHidden(element: Element): boolean {
    const known = this.#inHidden.get(element);
    if (known !== undefined) return known;
    const outer = parentElement(element);
    const isHidden =
      attribute(element, "aria-hidden")?.toLowerCase() === "true" || (outer !== null && this.#isInHidden(outer));
    this.#inHidden.set(element, isHidden);
    return isHidden;
  }
}

/** How the text of an element is used. */
interface Use {
  /** 0 for the element that is named. */
  readonly depth: number;
  /** True in an element that `aria-labelledby` refers to: it is followed only once. */
  readonly isReferenced?: boolean;
  /** True in a label, a legend, or a caption, whose content counts regardless of its role. */
  readonly isLabel?: boolean;
}

/** The computation of one name, within limits of time and size. */
class Reading {
  readonly #names: NameReader;
  readonly #includesHidden: boolean;
  readonly #visited = new Set<Element>();
  #characters = 0;
  #nodes = 0;

  constructor(names: NameReader, includesHidden: boolean) {
    this.#names = names;
    this.#includesHidden = includesHidden;
  }

  text(element: Element, use: Use, isHiddenReference = false): string {
    if (this.#visited.has(element) || this.#isFull()) return "";
    if (isIgnored(element)) return "";
    if (!this.#includesHidden && !isHiddenReference && this.#names.isHidden(element)) return "";
    if (!use.isReferenced) {
      const labels = referencedElements(element, attribute(element, "aria-labelledby"));
      const name = labels.map((label) => this.#referenced(label)).join(" ");
      if (name.trim() !== "") return name;
    }
    const role = readRole(element);
    const isEmbedded = use.depth > 0 || use.isReferenced === true || use.isLabel === true;
    if (isEmbedded) {
      const value = embeddedValue(element, role);
      if (value !== undefined) return this.#count(value);
    }
    const label = attribute(element, "aria-label");
    if (label !== null && label.trim() !== "") return this.#count(label);
    this.#visited.add(element);
    if (role !== "none") {
      const native = this.#native(element, use);
      if (native !== undefined) return native;
    }
    const byContent =
      NAMED_BY_CONTENT.has(role) || use.isReferenced || use.isLabel || (use.depth > 0 && PART_OF_NAME.has(role));
    if (byContent) {
      const content = this.content(element, use, isHiddenReference);
      if (use.depth > 0 ? content !== "" : content.trim() !== "") return content;
    }
    return this.#count(attribute(element, "title") ?? "");
  }

  content(element: Element, use: Use, isHiddenReference = false): string {
    const inner = { ...use, depth: use.depth + 1 };
    let text = this.#pseudo(element, "::before");
    const add = (node: Node): boolean => {
      if (this.#isFull()) return false;
      if (nodeType(node) === Node.TEXT_NODE) {
        if (isShownText(element, node)) text += this.#count(nodeValue(node) ?? "");
      } else if (nodeType(node) === Node.ELEMENT_NODE) {
        const child = node as Element;
        const part = this.text(child, inner, isHiddenReference);
        text += part !== "" && isBlock(child) ? ` ${part} ` : part;
        if (part === "" && localName(child) === "br") text += " ";
      }
      return true;
    };
    visitChildren(element, add);
    for (const owned of referencedElements(element, attribute(element, "aria-owns"))) {
      text += ` ${this.text(owned, inner, isHiddenReference)} `;
    }
    return text + this.#pseudo(element, "::after");
  }

  #referenced(label: Element): string {
    const isHidden = this.#names.isHidden(label);
    this.#visited.delete(label);
    return this.text(label, { depth: 0, isReferenced: true }, isHidden);
  }

  #isFull(): boolean {
    return this.#characters >= MAX_CHARACTERS || this.#nodes >= MAX_NODES;
  }

  #count(text: string): string {
    const part = text.length > MAX_CHARACTERS ? text.slice(0, MAX_CHARACTERS) : text;
    this.#characters += part.trim().length;
    this.#nodes++;
    return part;
  }

  /** The text of a pseudo-element. Icon fonts use private characters, which say nothing. */
  #pseudo(element: Element, pseudo: "::before" | "::after"): string {
    this.#nodes++;
    const style = getComputedStyle(element, pseudo);
    const { content } = style;
    if (content === "none" || content === "normal" || content === "" || style.display === "none") return "";
    const text = contentText(content).replace(/\p{Co}/gu, "");
    if (text === "") return "";
    return this.#count(style.display === "inline" ? text : ` ${text} `);
  }

  /** What HTML and SVG name an element by; undefined where that is its content. */
  #native(element: Element, use: Use): string | undefined {
    const name = localName(element);
    const title = attribute(element, "title") ?? "";
    switch (name) {
      case "input":
        return this.#input(element as HTMLInputElement, use, title);
      case "textarea":
      case "select":
      case "meter":
      case "progress":
      case "output":
        return (
          this.#labels(element, use) ??
          this.#count(title || (name === "textarea" ? (attribute(element, "placeholder") ?? "") : ""))
        );
      case "button":
        return this.#labels(element, use);
      case "fieldset":
        return this.#part(element, "legend", use) ?? this.#count(title);
      case "figure":
        return this.#part(element, "figcaption", use) ?? this.#count(title);
      case "table":
        return this.#part(element, "caption", use) ?? (this.#count(attribute(element, "summary") ?? "") || undefined);
      case "img":
      case "area":
        return this.#count(notBlank(attribute(element, "alt")) ?? title);
      default:
        return this.#svg(element, use);
    }
  }

  #input(element: HTMLInputElement, use: Use, title: string): string {
    const { type } = element;
    if (type === "button" || type === "submit" || type === "reset") {
      const standard = { submit: "Submit", reset: "Reset", button: title }[type];
      return this.#count(notBlank(element.value) ?? standard);
    }
    const labels = this.#labels(element, use);
    if (labels !== undefined) return labels;
    if (type === "file") return "Choose File";
    if (type === "image") return this.#count(notBlank(attribute(element, "alt")) ?? notBlank(title) ?? "Submit");
    const hasPlaceholder = /^(text|password|number|search|tel|email|url)$/.test(type);
    return this.#count(title || (hasPlaceholder ? (attribute(element, "placeholder") ?? "") : ""));
  }

  /** The text of the labels of a control; undefined for one without any. */
  #labels(element: Element, use: Use): string | undefined {
    if (use.isReferenced) return undefined;
    const labels = this.#names.labels(element);
    if (labels.length === 0) return undefined;
    const texts = labels.map((label) => this.text(label, { depth: 0, isLabel: true }, this.#names.isHidden(label)));
    return texts.filter((text) => text !== "").join(" ");
  }

  /** The text of the first child of a name; undefined where there is none. */
  #part(element: Element, name: string, use: Use): string | undefined {
    for (let node = firstChild(element); node; node = nextSibling(node)) {
      if (nodeType(node) !== Node.ELEMENT_NODE || localName(node as Element) !== name) continue;
      return this.text(node as Element, { ...use, isLabel: true }, this.#names.isHidden(node as Element));
    }
    return undefined;
  }

  #svg(element: Element, use: Use): string | undefined {
    if (!(element instanceof SVGElement)) return undefined;
    for (let node = firstChild(element); node; node = nextSibling(node)) {
      if (node instanceof SVGTitleElement) return this.content(node, { ...use, isReferenced: true }, true);
    }
    return undefined;
  }
}

/** What a control in a label says: its value. That of a password field is not for names. */
function embeddedValue(element: Element, role: string): string | undefined {
  if (role === "textbox" || role === "searchbox") {
    const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
    if (isField) return isSecretField(element) ? "" : element.value;
    return element.textContent ?? "";
  }
  if (role === "combobox" || role === "listbox") {
    if (element instanceof HTMLSelectElement) return selectedText(element);
    if (element instanceof HTMLInputElement) return element.value;
    return undefined;
  }
  if (/^(progressbar|scrollbar|slider|spinbutton|meter)$/.test(role)) {
    if (isAttributeSet(element, "aria-valuetext")) return attribute(element, "aria-valuetext") ?? "";
    if (isAttributeSet(element, "aria-valuenow")) return attribute(element, "aria-valuenow") ?? "";
    return attribute(element, "value") ?? "";
  }
  return role === "menu" ? "" : undefined;
}

/** The options of a list that are selected, in one line. */
export function selectedText(select: HTMLSelectElement): string {
  return Array.from(select.selectedOptions, (option) => option.label).join(", ");
}

const SECRETS = /^(current-password|new-password|one-time-code|cc-number|cc-csc)$/;

/** True for a field whose value is for no one's eyes, also while the page shows it. */
export function isSecretField(element: HTMLInputElement | HTMLTextAreaElement): boolean {
  if (element.type === "password") return true;
  const purpose = (attribute(element, "autocomplete") ?? "").slice(0, 200).toLowerCase().split(/\s+/);
  return purpose.some((each) => SECRETS.test(each));
}

/** True for a text in the flat tree, and not in closed details. */
function isShownText(element: Element, node: Node): boolean {
  const name = localName(element);
  if (name === "details") return (element as HTMLDetailsElement).open;
  return name === "slot" || assignedSlot(node) === null;
}

function isBlock(element: Element): boolean {
  return getComputedStyle(element).display !== "inline";
}

function notBlank(text: string | null): string | undefined {
  return text !== null && text.trim() !== "" ? text : undefined;
}

/** A text in one line, without what isn't seen, cut at a whole character. */
export function oneLine(text: string, maxCharacters: number = MAX_NAME_CHARACTERS): string {
  const line = text
    .slice(0, 10 * maxCharacters)
    .replace(/[\u200b\u00ad]/g, "")
    .replace(/\s+/g, " ")
    .trim()
    .toWellFormed();
  return line.length <= maxCharacters ? line : Array.from(line).slice(0, maxCharacters).join("").trimEnd();
}

/** The strings of a `content` property: those of its alternative text, which follows a slash, where it has one. */
function contentText(content: string): string {
  let [before, after]: [string, string | undefined] = ["", undefined];
  for (const [, string] of content.matchAll(/"((?:[^"\\]|\\.?)*)(?:"|$)| \/ /gs)) {
    if (string === undefined) after = "";
    else if (after === undefined) before += string;
    else after += string;
  }
  return (after || before).replace(/\\(.)/g, "$1");
}
