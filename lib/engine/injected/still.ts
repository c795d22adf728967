/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Runs inside the page, sent there as text: brings it to rest, and changes its looks.

/**
 * Finishes animations and transitions that have an end, and takes those that have none to their beginning. The page is
 * told that they ended, as if time had passed, and what it begins then is finished too. Those that are driven by the
 * scroll position go on with it, unless `areHeld`: see `holdScrollDriven`.
 */
export async function finishAnimations(
  areHeld: boolean,
  holdScrollDriven: (animation: Animation) => void,
): Promise<void> {
  const isShadow = (root: Node) => Object.prototype.toString.call(root) === "[object ShadowRoot]";
  const elementsIn = (root: Document | ShadowRoot) =>
    (isShadow(root) ? ShadowRoot : Document).prototype.querySelectorAll.call(root, "*");
  const animationsIn = (root: Document | ShadowRoot) =>
    (isShadow(root) ? ShadowRoot : Document).prototype.getAnimations.call(root);
  const roots: (Document | ShadowRoot)[] = [document];
  for (const root of roots) {
    for (const element of elementsIn(root)) {
      const shadow = Reflect.get(Element.prototype, "shadowRoot", element) as ShadowRoot | null;
      if (shadow) roots.push(shadow);
      // null for what another origin shows
      const framed = element instanceof HTMLIFrameElement ? element.contentDocument : null;
      if (framed) roots.push(framed);
    }
  }
  for (const animation of areHeld ? roots.flatMap(animationsIn) : []) holdScrollDriven(animation);
  const seen = new Set<Animation>();
  const rounds = 5; // what begins when another has ended, a few times; a page can go on for ever
  for (let round = 0; round < rounds; round++) {
    // One that follows the scroll position does not pass with time.
    const begun = roots.flatMap(animationsIn).filter((animation) => {
      return String(animation.timeline) === "[object DocumentTimeline]" && !seen.has(animation);
    });
    if (begun.length === 0) return;
    for (const animation of begun) {
      seen.add(animation);
      try {
        const hasEnd = Number.isFinite(Number(animation.effect?.getComputedTiming().endTime ?? 0));
        if (hasEnd && animation.playbackRate !== 0) animation.finish();
        else {
          animation.pause();
          animation.currentTime = 0;
        }
      } catch {
        // It has neither an end nor a beginning, because it runs backwards from infinity.
      }
    }
    const frame = new Promise((resolve) => requestAnimationFrame(resolve));
    await Promise.race([frame, new Promise((resolve) => setTimeout(resolve, 50))]);
  }
}

/**
 * Holds an animation that is driven by the scroll position (`view()`, `scroll()`) where it is when its element has been
 * scrolled to the middle of what scrolls, which must be at its top. What is there already, and what stays in the window
 * while the page is scrolled, such as a bar that shows how far it has been read, is held as it is. Goes along to
 * `finishAnimations`.
 */
export function holdScrollDriven(animation: Animation): void {
  const kind = Object.prototype.toString.call(animation.timeline);
  const isView = kind === "[object ViewTimeline]";
  if (!isView && kind !== "[object ScrollTimeline]") return;
  const timeline = animation.timeline as AnimationTimeline & { readonly source: Element | null; readonly axis: string };
  const percent = (time: unknown) => (time instanceof CSSUnitValue && time.unit === "percent" ? time.value : undefined);
  const now = percent(timeline.currentTime);
  const start = percent(animation.startTime);
  if (now === undefined || start === undefined) return;

  const target = animation.effect instanceof KeyframeEffect ? animation.effect.target : null;
  const isPinned = (): boolean => {
    for (let each = target; each; each = each.parentElement) {
      if (/fixed|sticky/.test(getComputedStyle(each).position)) return true;
    }
    return false;
  };
  /** Of the way that `source` scrolls down, how much it has when the element is in its middle. */
  const shareInMiddle = (source: Element): number => {
    const isPage = source === document.scrollingElement;
    const height = isPage ? window.innerHeight : source.clientHeight;
    const from = isPage ? 0 : source.getBoundingClientRect().top;
    const box = target?.getBoundingClientRect() ?? { top: 0, height: 0 };
    const middle = box.top - from + source.scrollTop + box.height / 2;
    const scrollable = source.scrollHeight - height;
    return scrollable <= 0 ? 0 : Math.max(0, Math.min(1, (middle - height / 2) / scrollable));
  };
  const isDown = timeline.axis === "block" || timeline.axis === "y";
  let held = now;
  if (isView) held = Math.max(now, 50);
  else if (isDown && timeline.source && !isPinned()) held = Math.max(now, 100 * shareInMiddle(timeline.source));
  animation.pause();
  animation.currentTime = CSS.percent(held - start);
}

/**
 * Waits until what scripts draw on canvases no longer changes, at most `capMs`: charts draw themselves step by step.
 * Canvases that show images of other origins cannot be looked at, and are not waited for. Asked again, it waits only where
 * they have changed since, and no more where they would not stop.
 */
export async function awaitCanvases(capMs: number): Promise<void> {
  const side = 32;
  let pen: OffscreenCanvasRenderingContext2D | null | undefined; // most pages have nothing to look at
  const pixelsOf = (canvas: HTMLCanvasElement) => {
    try {
      pen ??= new OffscreenCanvas(side, side).getContext("2d", { willReadFrequently: true });
      pen?.clearRect(0, 0, side, side);
      pen?.drawImage(canvas, 0, 0, side, side);
      const { buffer = new ArrayBuffer() } = pen?.getImageData(0, 0, side, side).data ?? {};
      // A number that another picture hardly has: the pixels themselves would be long texts, several times over.
      return new Uint32Array(buffer).reduce((sum, pixel) => (Math.imul(sum, 31) + pixel) | 0, 1);
    } catch {
      return "";
    }
  };
  const look = () =>
    [...(Document.prototype.querySelectorAll.call(document, "canvas") as NodeListOf<HTMLCanvasElement>)]
      .filter(({ width, height, offsetWidth }) => width > 0 && height > 0 && offsetWidth > 0)
      .slice(0, 30)
      .map(pixelsOf)
      .join();
  const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  /** What they show once they stand still; null when they did not in time. */
  const settle = async (): Promise<string | null> => {
    const expiry = performance.now() + capMs;
    let [before, still] = [look(), 0];
    // Thrice the same in a row: an animation may stand still for a frame or two.
    while (before !== "" && still < 3) {
      if (performance.now() >= expiry) return null;
      const frame = new Promise((resolve) => requestAnimationFrame(resolve));
      // On a slow machine frames are further apart: without one between them, two looks see the same.
      await Promise.all([pause(30), Promise.race([frame, pause(250)])]);
      const now = look();
      still = now === before ? still + 1 : 0;
      before = now;
    }
    return before;
  };
  const world = globalThis as { canvases?: Promise<string | null> };
  const known = await world.canvases;
  if (known === null || known === look()) return;
  world.canvases = settle();
  await world.canvases;
}

/** Hides elements for good; returns the first selector that cannot be parsed, or null. `add` adds rules. */
export async function hideElements(
  selectors: string[],
  add: (css: string, capMs: number) => Promise<boolean>,
): Promise<string | null> {
  const sheet = new CSSStyleSheet();
  sheet.insertRule("none { display: none !important }");
  const rule = sheet.cssRules[0] as CSSStyleRule;
  const rules: string[] = [];
  for (const selector of selectors) {
    try {
      Document.prototype.querySelector.call(document, selector);
    } catch {
      return selector;
    }
    // Brackets and comments that are left open would swallow what follows; a rule closes them. And a rule for each: one
    // that a style sheet does not understand must not take the others with it.
    rule.selectorText = selector;
    rules.push(rule.cssText);
  }
  await add(rules.join("\n"), 0);
  return null;
}

/**
 * Adds rules to the page, behind its own, whatever its content security policy. Waits for what they import, at most
 * `capMs`: false when that does not come.
 */
export async function addRules(css: string, capMs: number): Promise<boolean> {
  const style = document.createElementNS("http://www.w3.org/1999/xhtml", "style") as HTMLStyleElement;
  style.textContent = css;
  const loaded = new Promise<boolean>((resolve) => {
    style.onload = () => resolve(true);
    style.onerror = () => resolve(false);
    setTimeout(() => resolve(false), capMs);
  });
  const root = Reflect.get(Document.prototype, "documentElement", document) as Element | null;
  (root ?? document).appendChild(style);
  const sheet = style.sheet;
  if (!sheet) {
    // The page's policy forbids style elements. A sheet made by a script is no part of the page; it imports nothing.
    style.remove();
    const made = new CSSStyleSheet();
    made.replaceSync(css);
    document.adoptedStyleSheets.push(made);
    return !/@import\b/i.test(css);
  }
  const imports = [...sheet.cssRules].some((rule) => rule instanceof CSSImportRule);
  return imports ? loaded : true;
}

/** Adds a style sheet and waits for it, at most `capMs`: true once it applies, false when it does not come. */
export async function addSheet(href: string, capMs: number): Promise<boolean> {
  const link = document.createElementNS("http://www.w3.org/1999/xhtml", "link") as HTMLLinkElement;
  link.rel = "stylesheet";
  link.href = href;
  const loaded = new Promise<boolean>((resolve) => {
    link.onload = () => resolve(true);
    link.onerror = () => resolve(false);
    setTimeout(() => resolve(false), capMs);
  });
  const root = Reflect.get(Document.prototype, "documentElement", document) as Element | null;
  (root ?? document).appendChild(link);
  return loaded;
}
