/// <reference lib="dom" />
// All that a visit changes in the page: attributes, styles and style sheets by one journal, and elements that are kept out of some windows.
import { Journal, revertAllChanges } from "../injected/changes/journal.ts";
import { contains } from "../injected/dom/tree.ts";
import { type Hiding, record } from "./record.page.ts";

/** The changes that stay for all of the visit. */
export const changes: Journal = new Journal();

/** True where a script of the page has replaced a change. */
export function isHidingReplaced(element: Element, { properties }: Hiding): boolean {
  const { style } = element as HTMLElement;
  return properties.some(({ name, changed }) => style.getPropertyValue(name) !== changed);
}

/** Changes an element's own style, again where a script of the page has replaced it. */
export function applyHiding(
  element: Element,
  how: Hiding["how"],
  properties: Readonly<Record<string, string>>,
  by = 0,
): void {
  const { style } = element as HTMLElement;
  const known = record.hidings.get(element);
  if (known?.how === how && known.by === by && !isHidingReplaced(element, known)) return;
  revertHiding(element);
  const before = element.getAttribute("style");
  const changedProperties = Object.entries(properties).map(([name, wanted]) => {
    const [value, priority] = [style.getPropertyValue(name), style.getPropertyPriority(name)];
    style.setProperty(name, wanted, "important");
    return { name, value, priority, changed: style.getPropertyValue(name) };
  });
  record.hidings.set(element, { how, by, before, after: element.getAttribute("style"), properties: changedProperties });
}

/** Undoes a change, but not what scripts of the page have changed since. */
export function revertHiding(element: Element): void {
  const hiding = record.hidings.get(element);
  if (!hiding) return;
  record.hidings.delete(element);
  element.getAttribute("style"); // Chromium writes it when it is read, and would leave it empty otherwise
  if (element.getAttribute("style") !== hiding.after) {
    const { style } = element as HTMLElement;
    for (const { name, value, priority, changed } of hiding.properties)
      if (style.getPropertyValue(name) === changed) style.setProperty(name, value, priority);
  } else if (hiding.before === null) element.removeAttribute("style");
  else element.setAttribute("style", hiding.before);
  if (hiding.how === "hollow") {
    for (const each of [...record.hidings.keys()]) if (each !== element && contains(element, each)) revertHiding(each);
  }
}

/** Shows what is hidden, and takes back what the journal has changed, and what the release of fixed backgrounds has. */
export function revertChanges(): void {
  for (const element of [...record.hidings.keys()].reverse()) revertHiding(element);
  revertAllChanges();
}
