/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Connects autoconsent's content script to the capture, in the isolated world of the script.
import { delay } from "./dom/document.ts";
import { isInWindow } from "./dom/in-window.ts";

/** A message of the content script; its fields depend on its type. */
interface Message {
  readonly type: string;
  readonly state?: { readonly lifecycle: string };
}

/** What the content script calls, and what it defines. */
interface ContentScriptGlobals {
  autoconsentSendMessage(message: Message): Promise<void>;
  autoconsentReceiveMessage(message: object): Promise<void>;
  requestIdleCallback: unknown;
  console: unknown;
}

const world = globalThis as unknown as ContentScriptGlobals;

const unread: unknown[] = [];
let notify: (() => void) | undefined;

/** Fixed and sticky elements in which something was clicked. */
const clickedBanners = new Set<Element>();

/**
 * Prepares the isolated world for the content script. Its messages are queued for `nextMessages`. Before each click the
 * binding `clicked` is called with `documentId`.
 */
export function prepareWorld(clicked: string, documentId: string): void {
  const click = HTMLElement.prototype.click;
  HTMLElement.prototype.click = function () {
    const banner = closestFixed(this);
    if (banner) clickedBanners.add(banner);
    const report = Reflect.get(globalThis, clicked) as ((id: string) => void) | undefined;
    report?.(documentId);
    click.call(this);
  };
  let lifecycle: string | undefined;
  const silent = () => undefined;
  Object.assign(world, {
    async autoconsentSendMessage(message: Message) {
      if (message.type === "report") {
        if (message.state?.lifecycle === lifecycle) return;
        lifecycle = message.state?.lifecycle;
        unread.push({ type: "lifecycle", lifecycle });
      } else unread.push(message);
      notify?.();
    },
    requestIdleCallback: undefined, // no idle callback runs before the page has loaded; without it the script uses a timer
    console: { log: silent, warn: silent, error: silent }, // its messages are not those of the page
  } satisfies Partial<ContentScriptGlobals>);
}

/** The messages since the last call; waits until there are some. */
export async function nextMessages(): Promise<unknown[]> {
  if (unread.length === 0) {
    await new Promise<void>((resolve) => {
      notify = resolve;
    });
  }
  return unread.splice(0);
}

/** Sends a message to the content script. */
export function sendMessage(message: object): void {
  void world.autoconsentReceiveMessage(message);
}

const POLL_MS = 30;

/**
 * Waits until no match of the selectors, and no banner in which something was clicked, is visible; false after `capMs`. A
 * selector that is a list leads through shadow roots.
 */
export async function awaitBannerGone(selectors: readonly (string | string[])[], capMs: number): Promise<boolean> {
  const expiry = performance.now() + capMs;
  for (;;) {
    if (![...clickedBanners, ...selectors.flatMap(findAll)].some(isInWindow)) return true;
    if (performance.now() >= expiry) return false;
    await delay(POLL_MS);
  }
}

function findAll(selector: string | string[]): Element[] {
  let found: Element[] = [];
  for (const step of typeof selector === "string" ? [selector] : selector) {
    const root: ParentNode = found[0] ? (found[0].shadowRoot ?? found[0]) : document;
    try {
      found = [...root.querySelectorAll(step)];
    } catch {
      return []; // not a CSS selector
    }
    if (found.length === 0) return [];
  }
  return found;
}

function closestFixed(element: Element): Element | null {
  for (let node: Node | null = element; node; node = node.parentNode ?? (node as ShadowRoot).host ?? null) {
    if (node instanceof Element && /fixed|sticky/.test(getComputedStyle(node).position)) return node;
  }
  return null;
}
