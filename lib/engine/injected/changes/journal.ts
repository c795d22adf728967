/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Records changes to inline styles, attributes, style sheets and scroll positions, so that they can be undone exactly.
import { readProperty } from "../dom/read-property.ts";
import type { Root } from "../dom/shadow-roots.ts";

/** Values of CSS properties by their names. */
export type Declarations = Readonly<Record<string, string>>;

/** The inline style of an element before its first change, as text of its attribute and as Chromium parsed it. */
interface InlineStyle {
  readonly attribute: string | null;
  readonly cssText: string;
  /** The values and priorities of the properties that were changed. */
  readonly properties: Map<string, { readonly value: string; readonly priority: string }>;
  /** The attribute after the last change. */
  changed: string | null;
}

/** The journals whose changes are in the page, in the order of their first change. */
const applied = new Set<Journal>();

/** Takes the changes of all journals back, the last one first. */
export function revertAllChanges(): void {
  for (const journal of [...applied].reverse()) journal.revert();
}

/** The changes of one try. All of them go through the journal, which takes them back in `revert`. */
export class Journal {
  readonly #styles = new Map<Element, InlineStyle>();
  readonly #undo: (() => void)[] = [];

  /** Sets inline properties, with priority over the style sheets of the page. */
  setStyle(element: Element, declarations: Declarations): void {
    const style = inlineStyle(element);
    if (!style) return;
    applied.add(this);
    let known = this.#styles.get(element);
    if (!known) {
      const attribute = element.getAttribute("style");
      known = { attribute, cssText: style.cssText, properties: new Map(), changed: attribute };
      this.#styles.set(element, known);
    }
    for (const [name, value] of Object.entries(declarations)) {
      if (!known.properties.has(name)) {
        const [before, priority] = [style.getPropertyValue(name), style.getPropertyPriority(name)];
        known.properties.set(name, { value: before, priority });
      }
      style.setProperty(name, value, "important");
    }
    known.changed = element.getAttribute("style");
  }

  setAttribute(element: Element, name: string, value: string): void {
    const before = element.getAttribute(name);
    element.setAttribute(name, value);
    this.#willUndo(() => (before === null ? element.removeAttribute(name) : element.setAttribute(name, before)));
  }

  /** Adds a constructed style sheet to a document or shadow root, which no content security policy forbids. */
  adoptSheet(root: Root, css: string): CSSStyleSheet {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    root.adoptedStyleSheets.push(sheet);
    this.#willUndo(() => {
      root.adoptedStyleSheets = root.adoptedStyleSheets.filter((each) => each !== sheet);
    });
    return sheet;
  }

  setMedia(rule: CSSMediaRule, mediaText: string): void {
    const before = rule.media.mediaText;
    rule.media.mediaText = mediaText;
    this.#willUndo(() => {
      rule.media.mediaText = before;
    });
  }

  /** Remembers where an element is scrolled to, for a change that takes its scrolling away. */
  keepScrollPosition(element: Element): void {
    const { scrollLeft: left, scrollTop: top } = element;
    if (left === 0 && top === 0) return;
    this.#willUndo(() => element.scrollTo({ left, top, behavior: "instant" }));
  }

  #willUndo(undo: () => void): void {
    applied.add(this);
    this.#undo.push(undo);
  }

  /**
   * Takes all changes back, the last one first. Where a script has changed an inline style meanwhile, only the properties of
   * the journal return to what they were. No transition starts by it.
   */
  revert(): void {
    applied.delete(this);
    const finish = [...this.#styles].map(([element, before]) => restoreWithoutTransition(element, before));
    for (const undo of this.#undo.reverse()) undo();
    document.documentElement?.getBoundingClientRect(); // styles apply while there are no transitions
    for (const each of finish) each();
    this.#styles.clear();
    this.#undo.length = 0;
  }
}

/** The classes of elements that have an inline style, by their namespaces; an element of a frame is an instance of others. */
const styledClasses = new Map<string | null, { readonly prototype: ElementCSSInlineStyle }>([
  ["http://www.w3.org/1999/xhtml", HTMLElement],
  ["http://www.w3.org/2000/svg", SVGElement],
  ["http://www.w3.org/1998/Math/MathML", MathMLElement],
]);

/** The inline style of an element; undefined for one of an unknown namespace. Fields of a form hide the form's own. */
function inlineStyle(element: Element): CSSStyleDeclaration | undefined {
  const styled = styledClasses.get(element.namespaceURI);
  return styled && readProperty(styled.prototype, "style", element as Element & ElementCSSInlineStyle);
}

/** Restores an inline style except its transition, which the returned function restores. */
function restoreWithoutTransition(element: Element, before: InlineStyle): () => void {
  const style = inlineStyle(element) as CSSStyleDeclaration;
  const isUntouched = element.getAttribute("style") === before.changed;
  const restore = () => {
    element.getAttribute("style"); // Chromium writes it when it is read, and would leave it empty otherwise
    element.removeAttribute("style");
    if (before.attribute === null) return;
    element.setAttribute("style", before.attribute);
    // A content security policy can forbid the attribute, though not what a script has set.
    if (style.cssText !== before.cssText) style.cssText = before.cssText;
  };
  if (isUntouched) restore();
  else for (const [name, { value, priority }] of before.properties) style.setProperty(name, value, priority);
  const [transition, priority] = [style.getPropertyValue("transition"), style.getPropertyPriority("transition")];
  style.setProperty("transition", "none", "important");
  return () => {
    if (isUntouched) restore();
    else style.setProperty("transition", transition, priority);
  };
}
