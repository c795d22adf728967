/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Functions that run inside the captured page, sent there as text: they can use nothing from outside themselves.
import type { Area } from "./image.ts";

/** Replaces the document. Writing it keeps its doctype and runs its scripts, as loading it would. */
export function writeDocument(html: string): void {
  document.open();
  document.write(html);
  document.close();
}

/**
 * Waits until fonts are loaded and images in view are decoded, at most `capMs`, and reports whether the page can still change
 * by itself.
 */
export async function readiness(capMs: number): Promise<{ canChange: boolean }> {
  const inView = (image: HTMLImageElement) => {
    const box = image.getBoundingClientRect();
    return box.bottom > 0 && box.right > 0 && box.top < window.innerHeight && box.left < window.innerWidth;
  };
  const decoded = [...document.images].filter(inView).map((image) => image.decode().catch(() => undefined));
  const cap = new Promise((resolve) => setTimeout(resolve, capMs));
  await Promise.race([Promise.all([document.fonts.ready, ...decoded]), cap]);
  return { canChange: document.querySelector("script, meta[http-equiv=refresh i]") !== null };
}

/** What a selector led to: the box of the first visible match on the page, or why there is none. */
export interface FoundElement {
  readonly area: Area | undefined;
  /** True when the selector cannot be parsed. */
  readonly invalid: boolean;
  /** True when something matched but has no size. */
  readonly hidden: boolean;
}

/** Finds the first visible element, looking again on each change of the page for at most `capMs`. */
export async function findElement(selector: string, capMs: number): Promise<FoundElement> {
  let hidden = false;
  const look = (): Area | undefined => {
    for (const element of document.querySelectorAll(selector)) {
      const { x, y, width, height } = element.getBoundingClientRect();
      if (width > 0 && height > 0) return { x: x + window.scrollX, y: y + window.scrollY, width, height };
      hidden = true;
    }
    return undefined;
  };
  try {
    document.querySelector(selector);
  } catch {
    return { area: undefined, invalid: true, hidden: false };
  }
  const expiry = performance.now() + capMs;
  for (;;) {
    const area = look();
    if (area || performance.now() >= expiry) return { area, invalid: false, hidden };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
