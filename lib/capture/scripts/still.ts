/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Runs inside the page, sent there as text: brings it to rest, and changes its looks.

/**
 * Finishes animations and transitions that have an end, and takes those that have none back to their first frame. The
 * page is told that they ended, as if time had passed.
 */
export function finishAnimations(): void {
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots) {
    for (const element of root.querySelectorAll("*")) if (element.shadowRoot) roots.push(element.shadowRoot);
    for (const animation of root.getAnimations()) {
      try {
        const { endTime = 0 } = animation.effect?.getComputedTiming() ?? {};
        if (animation.playbackRate !== 0 && Number.isFinite(Number(endTime))) animation.finish();
        else animation.cancel();
      } catch {
        // An animation whose timeline is the scroll position has no end in time: it stays where it is.
      }
    }
  }
}

/**
 * Waits until what scripts draw on canvases no longer changes, at most `capMs`: charts draw themselves step by step.
 * Canvases that show images of other origins cannot be looked at, and are not waited for.
 */
export async function awaitCanvases(capMs: number): Promise<void> {
  const canvases = [...document.querySelectorAll("canvas")]
    .filter(({ width, height, offsetWidth }) => width > 0 && height > 0 && offsetWidth > 0)
    .slice(0, 30);
  if (canvases.length === 0) return;
  const side = 32;
  const pen = new OffscreenCanvas(side, side).getContext("2d", { willReadFrequently: true });
  const look = () =>
    canvases.map((canvas) => {
      try {
        pen?.clearRect(0, 0, side, side);
        pen?.drawImage(canvas, 0, 0, side, side);
        return String(pen?.getImageData(0, 0, side, side).data);
      } catch {
        return "";
      }
    });
  const expiry = performance.now() + capMs;
  let [before, still] = [look(), 0];
  // Thrice the same in a row: an animation may stand still for a frame or two.
  while (still < 3 && performance.now() < expiry) {
    await new Promise((resolve) => setTimeout(resolve, 30));
    const now = look();
    still = now.every((pixels, index) => pixels === before[index]) ? still + 1 : 0;
    before = now;
  }
}

/** Hides elements for good; returns the first selector that cannot be parsed, or null. */
export function hide(selectors: string[]): string | null {
  for (const selector of selectors) {
    try {
      document.querySelector(selector);
    } catch {
      return selector;
    }
  }
  const style = document.createElement("style");
  // A rule for each: one that a style sheet does not understand must not take the others with it.
  style.textContent = selectors.map((selector) => `${selector} { display: none !important }`).join("\n");
  document.documentElement.append(style);
  return null;
}

/** Adds rules to the page, behind its own. */
export function addRules(css: string): void {
  const style = document.createElement("style");
  style.textContent = css;
  document.documentElement.append(style);
}

/** Adds a style sheet and waits for it, at most `capMs`: true once it applies, false when it does not come. */
export async function addSheet(href: string, capMs: number): Promise<boolean> {
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = href;
  const loaded = new Promise<boolean>((resolve) => {
    link.onload = () => resolve(true);
    link.onerror = () => resolve(false);
    setTimeout(() => resolve(false), capMs);
  });
  document.documentElement.append(link);
  return loaded;
}
