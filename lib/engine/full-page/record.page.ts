/// <reference lib="dom" />
// What the scripts of a visit remember of the page between its windows.

/**
 * What a pinned element is for the picture: a layer behind the content and a scene stay in all windows; a side bar and a cover show
 * their content in the first one; a foot stands in the last one; others stand where they belong.
 */
export type Kind = "layer" | "scene" | "side" | "cover" | "foot" | "once";

/** Where an element was, as it was seen at the last window. Lengths are in CSS pixels. */
export interface Track {
  /** Its upper edge in the window, and its height. */
  readonly top: number;
  readonly height: number;
  /** Its upper edge on the page. */
  readonly place: number;
  /** Its place when it last moved with the page, or when it was first seen. */
  readonly home: number;
  readonly isFixed: boolean;
  readonly isSticky: boolean;
  /** True when it kept its place in the window while the page was scrolled to this window. */
  readonly isPinned: boolean;
  readonly wasPinned: boolean;
  /** True when it moved with the page, to this window or at some time; also where it was in its place before it became fixed. */
  readonly isMoving: boolean;
  readonly hasMoved: boolean;
}

/** How an element is kept out of windows that are not its own. */
export interface Hiding {
  /** Held elements are moved by so many pixels, to where they belong on the page. */
  readonly how: "transparent" | "hollow" | "held";
  by: number;
  /** The attribute `style` before and after the last change, and what the changed properties were. */
  before: string | null;
  after: string | null;
  properties: readonly StyleProperty[];
}

/** A property of an element's own style before it was changed, and after. */
export interface StyleProperty {
  readonly name: string;
  readonly value: string;
  readonly priority: string;
  readonly changed: string;
}

/** When something began to change and when it last changed, by `performance.now()`, and its longest pause, in milliseconds. */
export interface Changing {
  readonly since: number;
  readonly until: number;
  readonly pauseMs: number;
}

/** How far each pane was scrolled in a window, and when it was scrolled to, by `performance.now()`. */
export interface LeftWindow {
  readonly offsets: ReadonlyMap<HTMLElement | null, number>;
  readonly at: number;
}

const newRecord = () => ({
  /** The elements that scroll in place of the page; null for the page itself. */
  panes: [null] as readonly (HTMLElement | null)[],
  /** True for a page that is kept from scrolling, and has nothing below its window. */
  endsWithWindow: false,
  /** How far each pane was scrolled in the last window, and in the one before. */
  offsets: new Map() as ReadonlyMap<HTMLElement | null, number>,
  offsetsBefore: new Map() as ReadonlyMap<HTMLElement | null, number>,
  tracks: new Map<Element, Track>(),
  /** The tracks at the end of the window before. */
  tracksBefore: new Map() as ReadonlyMap<Element, Track>,
  /** Pinned elements in which something moves with the page: viewports of smooth scrolling. */
  viewports: new Set<Element>(),
  /** What each pinned element is for the picture, once that is known. */
  kinds: new Map<Element, Kind>(),
  /** Fixed elements that came with the scrolling, such as a button that leads to the top: they belong to no place of the page. */
  late: new Set<Element>(),
  /** The offsets of windows in which an element neither stood still nor moved with the page, such as on its way to where it is pinned. */
  strays: new Map<Element, Set<number>>(),
  hidings: new Map<Element, Hiding>(),
  /** Scroll-driven animations that do not follow the scroll position during the visit. */
  heldAnimations: new Set<Animation>(),
  /** Endless animations that stand still during the visit. */
  heldEndless: new Set<Animation>(),
  /** What is there but unseen in the window, and where its middle is. */
  unseen: [] as readonly { readonly middle: number; readonly element: Element }[],
  /** Elements that were brought into the middle of a window to be seen, and how often that failed, by tag and class. */
  tried: new Set<Element>(),
  failures: new Map<string, number>(),
  /** Texts that change, and elements whose children do. */
  texts: new Map<Element, Changing>(),
  groups: new Map<Element, Changing>(),
  /** When each element last changed, by `performance.now()`. */
  changedAt: new WeakMap<Element, number>(),
  changeObserver: undefined as MutationObserver | undefined,
  /** The longest pause of a text, and the longest time that the page took to answer a window, in milliseconds. */
  textPauseMs: 0,
  answerMs: 0,
  /** When the page was scrolled to this window, by `performance.now()`; and the windows that it has left not long ago. */
  scrolledAt: 0,
  left: [] as readonly LeftWindow[],
  /** Elements that were looked at in this window because they changed late; and the offsets of windows that were left too early. */
  looks: 0,
  lateOffsets: new Set<number>(),
  ids: new WeakMap<Node, number>(),
  /** The texts of elements, by their place among its nodes. */
  textsOf: new WeakMap<Element, Map<number, Text>>(),
  nextId: 1,
});

export const record = newRecord();

/** Forgets all: the next visit of the page starts from nothing. */
export function forgetVisit(): void {
  record.changeObserver?.disconnect();
  Object.assign(record, newRecord());
}

/** A number by which a node is known in all windows. */
export function idOf(node: Node): number {
  const known = record.ids.get(node);
  if (known !== undefined) return known;
  const id = record.nextId++;
  record.ids.set(node, id);
  return id;
}

/** The number of a text. One that takes the place of another, as scripts write counters, has the number of that. */
export function idOfText(text: Text, element: Element): number {
  const known = record.ids.get(text);
  if (known !== undefined) return known;
  const texts = record.textsOf.get(element) ?? new Map<number, Text>();
  record.textsOf.set(element, texts);
  const place = [...element.childNodes].indexOf(text);
  const before = texts.get(place);
  const replaced = before && !before.isConnected ? record.ids.get(before) : undefined;
  texts.set(place, text);
  if (replaced === undefined) return idOf(text);
  record.ids.set(text, replaced);
  return replaced;
}
