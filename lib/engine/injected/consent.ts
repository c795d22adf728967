/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Runs inside the page, sent there as text: what a consent banner's script says, and whether the banner is gone.

type Send = (message: { type: string }) => void;

interface ConsentWorld {
  autoconsentSendMessage: (message: { type: string; state?: { lifecycle: string } }) => Promise<void>;
  autoconsentMessages: () => Promise<unknown[]>;
  /** What lies over the page and holds what was clicked. */
  consentBoxes: Set<Element>;
  requestIdleCallback: unknown;
  console: unknown;
}

/**
 * Prepares a world for the content script of autoconsent: what it says is kept until it is asked for. Calls the function
 * of the name `clicked` with `id` before each click.
 */
export function openConsentWorld(clicked: string, id: string): void {
  const said: unknown[] = [];
  let told: Send | undefined;
  let lifecycle: string | undefined;
  const silent = () => undefined;
  const boxes = new Set<Element>();
  const click = HTMLElement.prototype.click;
  HTMLElement.prototype.click = function () {
    const lies = (element: Element) => /fixed|sticky/.test(getComputedStyle(element).position);
    let box: Node | null = this;
    while (box && !(box instanceof Element && lies(box))) box = box.parentNode ?? (box as ShadowRoot).host ?? null;
    if (box) boxes.add(box as Element);
    (globalThis as unknown as Record<string, ((id: string) => void) | undefined>)[clicked]?.(id);
    click.call(this);
  };
  const world: ConsentWorld = {
    async autoconsentSendMessage(message) {
      if (message.type === "report") {
        if (message.state?.lifecycle === lifecycle) return;
        lifecycle = message.state?.lifecycle;
        said.push({ type: "lifecycle", lifecycle });
      } else said.push(message);
      told?.({ type: "told" });
    },
    async autoconsentMessages() {
      if (said.length === 0) {
        await new Promise((resolve) => {
          told = resolve;
        });
      }
      return said.splice(0);
    },
    consentBoxes: boxes,
    requestIdleCallback: undefined, // before a page has been read it has no idle moments here; without them it takes a timer
    console: { log: silent, warn: silent, error: silent }, // what it writes is not the page's
  };
  Object.assign(globalThis, world);
}

/** What the content script has said since it was last asked; waits until it says something. */
export function consentMessages(): Promise<unknown[]> {
  return (globalThis as unknown as ConsentWorld).autoconsentMessages();
}

/** Tells the content script something. */
export function sendConsentMessage(message: object): void {
  void (
    globalThis as unknown as { autoconsentReceiveMessage(message: object): Promise<void> }
  ).autoconsentReceiveMessage(message);
}

/**
 * Waits until nothing that the selectors name is to be seen any more, nor what was clicked, at most `capMs`, and tells
 * whether it is so. A selector that is a list leads through the shadow roots of what it names.
 */
export async function untilGone(selectors: readonly (string | string[])[], capMs: number): Promise<boolean> {
  const { consentBoxes: boxes } = globalThis as unknown as ConsentWorld;
  const named = (selector: string | string[]): Element[] => {
    let found: Element[] = [];
    for (const step of typeof selector === "string" ? [selector] : selector) {
      const root: ParentNode = found[0] ? (found[0].shadowRoot ?? found[0]) : document;
      try {
        found = [...root.querySelectorAll(step)];
      } catch {
        return []; // it is no selector of CSS
      }
      if (found.length === 0) return [];
    }
    return found;
  };
  const isSeen = (element: Element) => {
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
    const { top, left, bottom, right, width, height } = element.getBoundingClientRect();
    return width * height > 0 && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
  };
  const expiry = performance.now() + capMs;
  for (;;) {
    if (![...boxes, ...selectors.flatMap(named)].some(isSeen)) return true;
    if (performance.now() >= expiry) return false;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

/** Whether an element of the page is to be seen: called on the frame that holds a banner. */
export function isFrameSeen(this: Element): boolean {
  if (!this.isConnected || !this.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false;
  const { top, left, bottom, right, width, height } = this.getBoundingClientRect();
  return width * height > 0 && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth;
}

/** In the page's own world: true where its consent platform says that it is showing a banner, or about to. */
export function isBannerDue(): boolean | Promise<boolean> {
  type Ping = { cmpStatus?: string; displayStatus?: string };
  const { __tcfapi: ask } = globalThis as {
    __tcfapi?: (command: string, version: 2, tell: (ping: Ping) => void) => void;
  };
  if (typeof ask !== "function") return false;
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), 50);
    ask("ping", 2, (ping) => resolve(ping?.cmpStatus === "loading" || ping?.displayStatus === "visible"));
  });
}
