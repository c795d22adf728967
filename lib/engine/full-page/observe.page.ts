/// <reference lib="dom" />
// What a visit learns of the window that it has scrolled to.
import { type Item, listItems } from "./items.page.ts";
import { observePanes, type Pane } from "./panes.page.ts";
import { type ObservedPins, observePinned, type WindowPlace } from "./pinned.page.ts";
import { holdViewAnimations } from "./scroll-driven.page.ts";

export interface ObservedWindow extends ObservedPins {
  readonly panes: readonly Pane[];
  /** Empty unless they are asked for. */
  readonly items: readonly Item[];
}

/** Observes the window, and shows pinned elements in the windows that they belong to alone. */
export function observeWindow(place: WindowPlace, listsItems: boolean): ObservedWindow {
  holdViewAnimations();
  observePanes();
  const pinned = observePinned(place);
  return { ...pinned, panes: observePanes(), items: listsItems ? listItems() : [] };
}
