/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Replaces canvases that Chromium prints blank. Functions that run while the page's scripts are disabled are synchronous.
import { openRoots, openShadowRoot, queryAll, type Root } from "./dom/shadow-roots.ts";

/** A canvas that is printed blank, and the frames around it, outermost first. */
interface BlankCanvas {
  readonly canvas: HTMLCanvasElement;
  readonly frames: readonly HTMLIFrameElement[];
}

let blankCanvases: BlankCanvas[] = [];

/**
 * Finds the canvases that are printed blank, also in frames of the same origin: Chromium prints what can be read from a
 * canvas, and a WebGL context without `preserveDrawingBuffer` cannot be read once its frame was composited. The functions
 * below name them by index. Returns their number.
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
      return false; // it shows images of another origin, as only a 2d context can, which prints
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
  const roots: { root: Root; frames: readonly HTMLIFrameElement[] }[] = [{ root: document, frames: [] }];
  for (const { root, frames } of roots) {
    for (const element of queryAll(root, "*")) {
      const shadowRoot = openShadowRoot(element);
      if (shadowRoot) roots.push({ root: shadowRoot, frames });
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
  blankCanvases = found;
  return found.length;
}

/** The box of a canvas that is shown alone, in CSS pixels of the page: at most as many as the canvas has pixels. */
export interface ShownCanvas {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

let undoShowing: (() => void)[] = [];

/**
 * Shows one canvas alone in the top layer, where no ancestor clips, moves or fades it, at one CSS pixel per canvas pixel,
 * or scaled down to `maxPixels`. Returns null when that fails. `showPage` undoes it. The scripts of the page must be
 * enabled: without them a canvas shows its fallback after a layout.
 */
export function showCanvasAlone(index: number, maxPixels: number): ShownCanvas | null {
  const blank = blankCanvases[index];
  if (!blank) return null;
  const { canvas, frames } = blank;
  const shrink = Math.min(1, Math.sqrt(maxPixels / (canvas.width * canvas.height)));
  const [width, height] = [canvas.width, canvas.height].map((size) => Math.max(1, Math.floor(size * shrink)));
  const chain: HTMLElement[] = [...frames, canvas];
  const undo: (() => void)[] = [];
  undoShowing = undo;
  for (const [depth, element] of chain.entries()) {
    const { ownerDocument } = element;
    const view = ownerDocument.defaultView;
    if (!view) return null;
    const sheet = new (view as unknown as typeof globalThis).CSSStyleSheet();
    sheet.replaceSync(
      "*,*::before,*::after,*::backdrop{visibility:hidden!important}:root,body{background:none!important}",
    );
    for (const root of openRoots(Number.POSITIVE_INFINITY, ownerDocument)) {
      root.adoptedStyleSheets.push(sheet);
      undo.push(() => {
        root.adoptedStyleSheets = root.adoptedStyleSheets.filter((each) => each !== sheet);
      });
    }
    const before = { style: element.getAttribute("style"), popover: element.getAttribute("popover") };
    undo.push(() => {
      const restore = (name: string, value: string | null) => {
        if (value === null) element.removeAttribute(name);
        else element.setAttribute(name, value);
      };
      restore("popover", before.popover);
      restore("style", before.style);
      // Returning must not start a transition of the page.
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
  for (const undo of undoShowing.splice(0).toReversed()) undo();
}

/**
 * Replaces one canvas by a copy that shows a picture, a PNG in base64. The page's styles apply to the copy. The picture
 * is decoded without a URL, so that no content security policy can refuse it.
 */
export async function replaceCanvas(index: number, png: string): Promise<void> {
  const canvas = blankCanvases[index]?.canvas;
  if (!canvas) return;
  const bytes = Uint8Array.from(atob(png), (character) => character.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const copy = canvas.cloneNode(false) as HTMLCanvasElement;
  copy.getContext("2d")?.drawImage(picture, 0, 0, copy.width, copy.height);
  const computed = getComputedStyle(canvas);
  // The animations of a copy would start over.
  if (computed.animationName !== "none" || canvas.getAnimations().length > 0) {
    for (const name of ["opacity", "transform", "translate", "rotate", "scale", "filter", "clip-path"]) {
      copy.style.setProperty(name, computed.getPropertyValue(name), "important");
    }
  }
  copy.style.setProperty("animation", "none", "important");
  copy.style.setProperty("transition", "none", "important");
  canvas.replaceWith(copy);
}
