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

/** Hides elements for good; returns the first selector that cannot be parsed. */
export function hide(selectors: string[]): string | undefined {
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
  return undefined;
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
