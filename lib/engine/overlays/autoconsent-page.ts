// Autoconsent in all documents of a page that can have a consent banner, from their start.
import { setTimeout as sleep } from "node:timers/promises";
import type { CDPSession, Protocol } from "puppeteer-core";
import type { ConsentFiles } from "../adblock/autoconsent-files.ts";
import { AutoconsentFrame, CLICKED, CONSENT_WORLD, type ConsentDocument } from "./autoconsent-frame.ts";
import { concernsFrame, rulesFor } from "./autoconsent-rules.ts";
import type { ClickedDocument } from "./page-left.ts";

/** Pause between checks while a page loads. */
const PAUSE_MS = 500;

/** The page whose banners are clicked. */
export interface ClickedPage {
  /** The newest document of its main frame. */
  readonly document: () => ClickedDocument;
  /** Called with each click. */
  readonly clicked: (document: ClickedDocument) => void;
}

export class AutoconsentPage {
  readonly #cdp: CDPSession;
  readonly files: ConsentFiles;
  /** By the ids of their frames. */
  readonly #frames = new Map<string, AutoconsentFrame>();
  readonly #opening = new Set<Promise<void>>();
  /** By the ids that their content scripts send. */
  readonly #documents = new Map<string, ConsentDocument>();
  #isOnDemand = false;
  /** The document that has closed a banner most recently; it may be gone. */
  closed?: AutoconsentFrame;

  readonly #page: ClickedPage;

  /** Starts with the next document. `cdp` must have the page's events (`Page.enable`). */
  constructor(cdp: CDPSession, files: ConsentFiles, page: ClickedPage) {
    this.#cdp = cdp;
    this.files = files;
    this.#page = page;
    // A click can end its document before any later message of the document arrives.
    cdp.send("Runtime.addBinding", { name: CLICKED, executionContextName: CONSENT_WORLD }).catch(() => undefined);
    cdp.on("Runtime.bindingCalled", ({ name, payload }) => {
      const document = name === CLICKED ? this.#documents.get(payload) : undefined;
      if (document) page.clicked(document.page);
    });
    cdp.on("Page.frameNavigated", ({ frame }) => {
      const document = { ...readDocument(frame), page: page.document() };
      const concerns = document.isTop ? /^https?:/.test(document.url) : concernsFrame(files.rules, document.url);
      if (concerns) this.#open(document);
    });
  }

  get frames(): readonly AutoconsentFrame[] {
    return [...this.#frames.values()];
  }

  /** Checks the current documents, again or for the first time. From now on there are no checks on its own. */
  async look(): Promise<void> {
    this.#isOnDemand = true;
    // Not the frame tree, whose size the page determines.
    const { targetId, url } = (await this.#cdp.send("Target.getTargetInfo")).targetInfo;
    await Promise.all(this.#opening);
    if (!this.#frames.has(targetId)) this.#open({ frameId: targetId, isTop: true, url, page: this.#page.document() });
    for (const frame of this.frames) if (frame.stage === "nothing") frame.look();
    await Promise.all(this.#opening);
  }

  #open(document: ConsentDocument): void {
    const opening = this.#openNow(document)
      .catch(() => undefined) // the document is gone
      .finally(() => this.#opening.delete(opening));
    this.#opening.add(opening);
  }

  async #openNow(document: ConsentDocument): Promise<void> {
    const { script, snippets, rules } = this.files;
    const id = String(this.#documents.size);
    this.#documents.set(id, document);
    const files = { script, snippets, rules: rulesFor(rules, document) };
    const frame = await AutoconsentFrame.open(this.#cdp, document, {
      ...files,
      id,
      clicked: () => this.#page.clicked(document.page),
    });
    this.#frames.set(document.frameId, frame);
    void frame
      .follow(() => this.#changed(frame))
      .finally(() => {
        if (this.#frames.get(document.frameId) === frame) this.#frames.delete(document.frameId);
      });
  }

  async #changed(frame: AutoconsentFrame): Promise<void> {
    if (frame.stage === "closed") this.#hasClosed(frame);
    if (frame.stage !== "nothing" || this.#isOnDemand) return;
    await sleep(PAUSE_MS, undefined, { ref: false });
    if (frame.stage === "nothing" && !this.#isOnDemand) frame.look();
  }

  #hasClosed(closed: AutoconsentFrame): void {
    this.closed = closed;
    if (closed.document.isTop) return;
    // It was the second banner of another frame.
    for (const frame of this.frames) if (frame.stage === "passed-on") frame.stage = "closed";
  }
}

function readDocument({ id, parentId, url }: Protocol.Page.Frame): Omit<ConsentDocument, "page"> {
  return { frameId: id, isTop: parentId === undefined, url };
}
