// The documents of a visit that have panes: the page, and frames in it that scroll, of any origin. Calls page scripts in each of them.
import type { CapturedPage } from "../page/captured-page.ts";
import { openClosedRoots } from "../page/closed-roots.ts";
import { isContextLost } from "../page/context-lost.ts";
import { evaluateInFrameOrPage } from "../page/isolated-world.ts";
import { findPageFrames, type PageFrame, whileThere } from "../page/page-frames.ts";
import type { Injected, PageFunction, PageResult } from "../page/page-function.ts";
import type { Pane } from "./panes.page.ts";

/** Finds the panes of a document, which is none itself where frames in it scroll in its place. */
type FindPanes = PageFunction<(may: { beElements: boolean; beDocument: boolean }) => Pane[]>;

export interface PaneDocument {
  /** Undefined for the page itself. */
  readonly frame: PageFrame | undefined;
  /** Where its window is in that of the page, in CSS pixels. */
  readonly origin: { readonly x: number; readonly y: number };
  /** In the window of the page. */
  readonly panes: readonly Pane[];
}

/** A page that scrolls by a smaller share of its window does so by accident. */
const MAX_ACCIDENTAL = 0.25;

const AT_ORIGIN = { x: 0, y: 0 };

/** The documents that have panes; the page itself is the first one. */
export class PaneDocuments {
  readonly #page: CapturedPage;
  #documents: readonly PaneDocument[] = [{ frame: undefined, origin: AT_ORIGIN, panes: [] }];

  constructor(page: CapturedPage) {
    this.#page = page;
  }

  get all(): readonly PaneDocument[] {
    return this.#documents;
  }

  get panes(): readonly Pane[] {
    return this.#documents.flatMap(({ panes }) => panes);
  }

  /** The height of a window: that of the lowest pane. */
  get view(): number {
    return Math.min(...this.panes.map(({ height }) => height));
  }

  /** How far the furthest pane can be scrolled, in CSS pixels. */
  get maxOffset(): number {
    return Math.max(...this.panes.map(({ maxOffset }) => maxOffset));
  }

  /** The id of the frame that scrolls in place of the page, where it is the only one. */
  get onlyFrameId(): string | undefined {
    const scrolling = this.#documents.filter(({ panes }) => panes.length > 0);
    return scrolling.length === 1 ? scrolling[0]?.frame?.frameId : undefined;
  }

  /** Finds them. `findsPanes` is false where only the page itself may be a pane. */
  async find(findPanes: FindPanes, findsPanes: boolean): Promise<void> {
    const inFrames = findsPanes ? await this.#findInFrames(findPanes, undefined) : [];
    const may = { beElements: findsPanes, beDocument: inFrames.length === 0 };
    const find = () => evaluateInFrameOrPage(this.#page, undefined, findPanes, may);
    let panes = await find();
    const hasNone = panes.every(({ isPage, maxOffset, height }) => isPage && maxOffset <= MAX_ACCIDENTAL * height);
    if (findsPanes && hasNone && (await openClosedRoots(this.#page)) > 0) panes = await find();
    this.#documents = [{ frame: undefined, origin: AT_ORIGIN, panes }, ...inFrames];
  }

  async #findInFrames(findPanes: FindPanes, outer: PageFrame | undefined): Promise<PaneDocument[]> {
    const found: PaneDocument[] = [];
    for (const frame of await findPageFrames(this.#page, outer)) {
      const inner = await this.#findInFrames(findPanes, frame);
      const may = { beElements: true, beDocument: inner.length === 0 };
      const panes = await whileThere(() => evaluateInFrameOrPage(this.#page, frame, findPanes, may));
      if (panes?.some(({ maxOffset }) => maxOffset > 0)) {
        const origin = await originOfFrame(this.#page, frame);
        found.push({ frame, origin, panes: placePanes(panes, { frame, origin }) });
      }
      found.push(...inner);
    }
    return found;
  }

  /** Calls a page script in each document. The results are in the order of the documents. */
  call<F extends Injected>(called: PageFunction<F>, ...args: Parameters<F>): Promise<PageResult<F>[]> {
    return this.callEach(called, () => args);
  }

  /** Like `call`, with arguments of its own for each document. */
  async callEach<F extends Injected>(
    called: PageFunction<F>,
    argumentsFor: (document: PaneDocument) => Parameters<F>,
  ): Promise<PageResult<F>[]> {
    const results: PageResult<F>[] = [];
    for (const each of this.#documents) {
      const work = () => evaluateInFrameOrPage(this.#page, each.frame, called, ...argumentsFor(each));
      results.push(await (each.frame ? inNextDocumentIfLost(work) : work()));
    }
    return results;
  }

  /** Notes what the scripts in the documents say of their panes. */
  update(panes: readonly (readonly Pane[])[]): void {
    this.#documents = this.#documents.map((each, index) => ({ ...each, panes: placePanes(panes[index] ?? [], each) }));
  }

  /** Notes where the frames are, after the page around them was scrolled. */
  async locate(): Promise<void> {
    const located: PaneDocument[] = [];
    for (const { frame, ...rest } of this.#documents)
      located.push({ ...rest, frame, origin: frame ? await originOfFrame(this.#page, frame) : AT_ORIGIN });
    this.#documents = located;
  }
}

/** Does something in a frame, and again in its next document when this one goes away meanwhile. */
async function inNextDocumentIfLost<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isContextLost(error)) throw error;
    return work();
  }
}

/** Panes of a document, in the window of the page. */
function placePanes(panes: readonly Pane[], { frame, origin }: Pick<PaneDocument, "frame" | "origin">): Pane[] {
  const { x, y } = origin;
  return panes.map((pane) => ({ ...pane, isPage: pane.isPage && !frame, x: pane.x + x, y: pane.y + y }));
}

/** Where a frame is in the window of the page, in CSS pixels. */
async function originOfFrame({ session }: CapturedPage, { frameId }: PageFrame): Promise<{ x: number; y: number }> {
  const { backendNodeId } = await session.cdp.send("DOM.getFrameOwner", { frameId });
  const { model } = await session.cdp.send("DOM.getBoxModel", { backendNodeId });
  const [x = 0, y = 0] = model.content;
  return { x, y };
}
