/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Functions that make printed what canvases show. They run inside the page, sent there as text: they can use nothing from
// outside themselves. What runs while the page's scripts rest must be synchronous.

/** A canvas that print would leave blank, and the frames around it, outermost first. */
interface BlankCanvas {
  readonly canvas: HTMLCanvasElement;
  readonly frames: readonly HTMLIFrameElement[];
}

/**
 * Finds the canvases that a print would leave blank, also in frames of the same origin: Chromium prints what can be read
 * from a canvas, and a WebGL context without `preserveDrawingBuffer` has nothing to read once its frame was composited.
 * Remembers them for the functions below. Returns how many there are.
 */
export function findBlankCanvases(): number {
  const side = 32;
  const context = new OffscreenCanvas(side, side).getContext("2d", { willReadFrequently: true });
  const isBlank = (canvas: HTMLCanvasElement) => {
    try {
      context?.clearRect(0, 0, side, side);
      context?.drawImage(canvas, 0, 0, side, side);
      const { data } = context?.getImageData(0, 0, side, side) ?? { data: [] };
      if (data.some((value, at) => value !== data[at % 4])) return false; // without an alpha channel, blank is black
    } catch {
      return false; // it shows images of another origin: only a 2d context can, which prints
    }
    try {
      return canvas.getContext("2d") === null;
    } catch {
      return true; // a worker draws it
    }
  };
  const isShown = (element: HTMLElement) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && getComputedStyle(element).visibility === "visible";
  };
  const found: BlankCanvas[] = [];
  const roots: { root: Document | ShadowRoot; frames: readonly HTMLIFrameElement[] }[] = [
    { root: document, frames: [] },
  ];
  for (const { root, frames } of roots) {
    for (const element of root.querySelectorAll("*")) {
      if (element.shadowRoot) roots.push({ root: element.shadowRoot, frames });
      if (element.localName === "iframe") {
        const frame = element as HTMLIFrameElement;
        const framed = frame.contentDocument; // null for another origin
        if (framed?.documentElement && isShown(frame)) roots.push({ root: framed, frames: [...frames, frame] });
      }
      if (element.localName !== "canvas") continue;
      const canvas = element as HTMLCanvasElement;
      if (canvas.width > 0 && canvas.height > 0 && isShown(canvas) && isBlank(canvas)) found.push({ canvas, frames });
    }
  }
  Object.assign(globalThis, { blankCanvases: found });
  return found.length;
}

/** Where a canvas lies that is shown alone, in CSS pixels of the page: at most as many as it has pixels itself. */
export interface ShownCanvas {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/**
 * Shows one of the canvases alone, in the top layer, where no ancestor clips, moves or fades it, a CSS pixel to each of its
 * own unless these are more than `most`; null for one that cannot be shown so. Undone by `showPage`. The scripts of the
 * page must be enabled: a canvas that is laid out anew without them shows its fallback.
 */
export function showCanvasAlone(index: number, most: number): ShownCanvas | null {
  const { blankCanvases = [] } = globalThis as { blankCanvases?: BlankCanvas[] };
  const blank = blankCanvases[index];
  if (!blank) return null;
  const { canvas, frames } = blank;
  const shrink = Math.min(1, Math.sqrt(most / (canvas.width * canvas.height)));
  const [width, height] = [canvas.width, canvas.height].map((size) => Math.max(1, Math.floor(size * shrink)));
  const chain: HTMLElement[] = [...frames, canvas];
  const undo: (() => void)[] = [];
  Object.assign(globalThis, { undoShowing: undo });
  for (const [depth, element] of chain.entries()) {
    const { ownerDocument } = element;
    const view = ownerDocument.defaultView;
    if (!view) return null;
    const sheet = new (view as unknown as typeof globalThis).CSSStyleSheet();
    sheet.replaceSync(
      "*,*::before,*::after,*::backdrop{visibility:hidden!important}:root,body{background:none!important}",
    );
    const roots: (Document | ShadowRoot)[] = [ownerDocument];
    for (const root of roots) {
      root.adoptedStyleSheets.push(sheet);
      undo.push(() => {
        root.adoptedStyleSheets = root.adoptedStyleSheets.filter((each) => each !== sheet);
      });
      for (const each of root.querySelectorAll("*")) if (each.shadowRoot) roots.push(each.shadowRoot);
    }
    const before = { style: element.getAttribute("style"), popover: element.getAttribute("popover") };
    undo.push(() => {
      const restore = (name: string, value: string | null) => {
        if (value === null) element.removeAttribute(name);
        else element.setAttribute(name, value);
      };
      restore("popover", before.popover);
      restore("style", before.style);
      // What comes back must not be a transition of the page's own.
      element.style.setProperty("transition", "none", "important");
      element.getBoundingClientRect();
      restore("style", before.style);
    });
    const style: Record<string, string> = {
      transition: "none",
      display: "block",
      visibility: "visible",
      position: depth === 0 ? "absolute" : "fixed",
      inset: "0 auto auto 0",
      width: `${width}px`,
      height: `${height}px`,
      "min-width": "0",
      "min-height": "0",
      "max-width": "none",
      "max-height": "none",
      margin: "0",
      padding: "0",
      border: "none",
      "border-radius": "0",
      outline: "none",
      "box-shadow": "none",
      background: "none",
      opacity: "1",
      transform: "none",
      translate: "none",
      rotate: "none",
      scale: "none",
      zoom: "1",
      filter: "none",
      "backdrop-filter": "none",
      "mix-blend-mode": "normal",
      "clip-path": "none",
      mask: "none",
      "object-fit": "fill",
      "image-rendering": "auto",
    };
    for (const [name, value] of Object.entries(style)) element.style.setProperty(name, value, "important");
    element.setAttribute("popover", "manual");
    try {
      element.showPopover();
    } catch {
      return null;
    }
  }
  const { x, y } = (chain[0] as HTMLElement).getBoundingClientRect();
  return { x: x + window.scrollX, y: y + window.scrollY, width: width ?? 1, height: height ?? 1 };
}

/** Shows the page again after `showCanvasAlone`. */
export function showPage(): void {
  const { undoShowing = [] } = globalThis as { undoShowing?: (() => void)[] };
  for (const undo of undoShowing.splice(0).toReversed()) undo();
}

/**
 * Puts a canvas that shows a picture, a PNG in base64, in the place of one of the canvases. It is a copy of the canvas, so
 * that the page's styles apply to it. The picture is decoded where no content security policy can refuse it.
 */
export async function replaceCanvas(index: number, png: string): Promise<void> {
  const { blankCanvases = [] } = globalThis as { blankCanvases?: BlankCanvas[] };
  const canvas = blankCanvases[index]?.canvas;
  if (!canvas) return;
  const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const copy = canvas.cloneNode(false) as HTMLCanvasElement;
  copy.getContext("2d")?.drawImage(picture, 0, 0, copy.width, copy.height);
  const computed = getComputedStyle(canvas);
  // The animations of a copy would begin again.
  if (computed.animationName !== "none" || canvas.getAnimations().length > 0) {
    for (const name of ["opacity", "transform", "translate", "rotate", "scale", "filter", "clip-path"]) {
      copy.style.setProperty(name, computed.getPropertyValue(name), "important");
    }
  }
  copy.style.setProperty("animation", "none", "important");
  copy.style.setProperty("transition", "none", "important");
  canvas.replaceWith(copy);
}
