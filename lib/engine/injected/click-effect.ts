/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Detects whether a click has changed anything on the page.
import { queryAll, type Root, rootsWithFrames } from "./dom/shadow-roots.ts";
import { findVisible } from "./dom/visible-box.ts";

/** Elements whose inside is not seen from here: they may have changed, and so may custom elements with a closed root. */
const OPAQUE = "iframe, frame, object, embed, canvas, video, audio";

/** States that no mutation reports. */
const STATES = ":checked, :popover-open, :modal, :target, :fullscreen, :focus-visible";

let hasMutated = false;
let before = "";
let observer: MutationObserver | undefined;

/**
 * Starts watching, before the click on the first visible match. A form that it would post into another tab is posted into this
 * one, since its data have no address; returns whether it is such a form.
 */
export function watchClick(selector: string): boolean {
  observer?.disconnect();
  hasMutated = false;
  observer = new MutationObserver(() => {
    hasMutated = true;
    observer?.disconnect();
  });
  const roots = rootsWithFrames();
  const all = { subtree: true, childList: true, characterData: true, attributes: true };
  for (const root of roots) observer.observe(root, all);
  before = describeStates(roots);
  return postHere(findVisible(selector));
}

/** Makes the form of a button post into this tab, if it would open another one. */
function postHere(clicked: Element | undefined): boolean {
  const button = clicked?.closest<HTMLButtonElement | HTMLInputElement>("button, input");
  const form = button?.form;
  if (!button || !form || (button.formMethod || form.method) !== "post") return false;
  const target = button.formTarget || form.target;
  const isHere =
    /^(_self|_parent|_top)?$/i.test(target) || queryAll(document, `[name="${CSS.escape(target)}"]`).length > 0;
  if (isHere) return false;
  button.formTarget = "_self";
  return true;
}

/** Whether anything is different since `watchClick`, as far as it can be seen, or something has changed that cannot. */
export function hasClickEffect(selector: string): boolean {
  if (hasMutated || describeStates(rootsWithFrames()) !== before) return true;
  const element = findVisible(selector);
  return !element || hasOpaqueParts(element);
}

function hasOpaqueParts(element: Element): boolean {
  if (element.matches(OPAQUE) || element.querySelector(OPAQUE)) return true;
  const isClosed = ({ localName, shadowRoot }: Element) => localName.includes("-") && shadowRoot === null;
  for (let each: Element | null = element; each; each = each.parentElement) if (isClosed(each)) return true;
  return [...element.querySelectorAll("*")].some(isClosed);
}

function describeStates(roots: readonly Root[]): string {
  const inState = roots.flatMap((root) => [...queryAll(root, STATES)]);
  for (const element of inState) if (!numbers.has(element)) numbers.set(element, ++last);
  const fields = roots.flatMap((root) => [...queryAll<HTMLInputElement>(root, "input, textarea, select")]);
  const values = fields.slice(0, MAX_FIELDS).map(({ value }) => value);
  const states = inState.map((element) => numbers.get(element));
  return JSON.stringify([location.href, window.scrollX, window.scrollY, states, values]);
}

const MAX_FIELDS = 1_000;

const numbers = new WeakMap<Element, number>();
let last = 0;
