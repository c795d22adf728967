/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Closes overlays: by a click on the best of their controls, by the Escape key, and by hiding what is left.
import { hide, isShown, windowShare } from "../dom/appearance.ts";
import { documentBody } from "../dom/document.ts";
import { contains, elementsIn, frameDocument } from "../dom/tree.ts";
import type { Control } from "./controls.ts";
import { type FoundOverlay, findOverlays, type OverlaySearch } from "./find-overlays.ts";

export interface OverlayClosing extends OverlaySearch {
  /** True to click nothing, and only hide. */
  readonly onlyHides: boolean;
}

/** The overlays closed so far, with their backdrops, for `removeOverlays`. */
const closedOverlays: { readonly element: HTMLElement; readonly backdrops: readonly HTMLElement[] }[] = [];

const MAX_ELEMENTS = 20_000;
const MAX_DOCUMENTS = 20;

/**
 * Closes the overlays of the document, and of large frames of the same origin. Returns the number of overlays that it had
 * not closed before, and whether one of them was clicked, which may take a while to fade out.
 */
export function closeOverlays(closing: OverlayClosing): { closed: number; clicked: boolean } {
  const known = new Set(closedOverlays.map(({ element }) => element));
  const handled: Element[] = [];
  let [closed, clicked] = [0, false];
  for (const each of documentsInView()) {
    const frame = each === document ? null : (each.defaultView?.frameElement ?? null);
    if (frame && handled.some((element) => contains(element, frame))) continue;
    const { overlays, backdrops } = findOverlays(each, closing);
    for (const overlay of overlays) {
      const { element } = overlay;
      handled.push(element);
      if (!known.has(element)) {
        closed++;
        if (!closing.onlyHides && close(overlay)) clicked = true;
      }
      closedOverlays.push({ element, backdrops });
    }
    if (overlays.length === 0 && backdrops.length > 0) {
      for (const backdrop of backdrops) hide(backdrop);
      closed++;
    }
  }
  return { closed, clicked };
}

/** Returns the number of closed overlays that can still be seen. With `isLast`, hides them and their backdrops. */
export function removeOverlays(isLast: boolean): number {
  const isVisible = (element: HTMLElement) => element.isConnected && isShown(element) && windowShare(element) > 0;
  const left = closedOverlays.filter(({ element }) => isVisible(element));
  if (!isLast) return left.length;
  for (const { element, backdrops } of closedOverlays) {
    for (const dialog of element.isConnected ? elementsIn(element, 500) : []) {
      if (dialog.matches("dialog[open]") && isVisible(element)) (dialog as HTMLDialogElement).close();
    }
    for (const each of [element, ...backdrops]) if (isVisible(each)) hide(each);
  }
  return left.length;
}

/** The document, and those of frames of the same origin that cover more than a fifth of the window. */
function documentsInView(): Document[] {
  const documents = [document];
  for (const each of documents) {
    const body = documentBody(each);
    for (const frame of body ? elementsIn(body, MAX_ELEMENTS) : []) {
      const inner = frameDocument(frame);
      const isLarge = inner && isShown(frame) && windowShare(frame) > 0.2;
      if (isLarge && documents.length < MAX_DOCUMENTS) documents.push(inner);
    }
  }
  return documents;
}

/** Returns true when something was clicked. */
function close(overlay: FoundOverlay): boolean {
  const control = chooseControl(overlay);
  if (control) control.element.click();
  else if (overlay.kind === "overlay") pressEscape(overlay.element);
  return control !== undefined;
}

/** The control to click, if any: none that may lead away from the page. */
function chooseControl({ kind, controls, isGate }: FoundOverlay): Control | undefined {
  const ranked = controls
    .filter(({ rank, answer }) => rank > 0 && answer !== "leave")
    .toSorted((one, other) => other.rank - one.rank);
  if (kind === "consent") return ranked.find(({ rank }) => rank !== 2 || !isGate);
  const closing = ranked.find(({ rank }) => rank === 1);
  if (isGate) return controls.find(({ answer, canClick }) => answer === "yes" && canClick) ?? closing;
  // An offer is closed rather than declined. A label that rejects something else may belong to a real question.
  return closing ?? ranked.find(({ answer }) => answer === "later" || answer === "no");
}

function pressEscape(element: HTMLElement): void {
  const key = { key: "Escape", code: "Escape", keyCode: 27, bubbles: true, cancelable: true, composed: true };
  for (const type of ["keydown", "keyup"]) element.dispatchEvent(new KeyboardEvent(type, key));
}
