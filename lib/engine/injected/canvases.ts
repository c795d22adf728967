/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Waits for charts and the like, which scripts draw on canvases step by step.
import { delay } from "./dom/document.ts";
import { queryAll, type Root } from "./dom/shadow-roots.ts";

const MAX_CANVASES = 30;
const POLL_MS = 30;

/** Polls with the same content in a row: an animation can stand still for a frame or two. */
const STABLE_POLLS = 3;

/** Canvases are compared in this size. */
const SIDE = 32;

let waiting: Promise<string | null> | undefined;

/**
 * Waits until the contents of canvases no longer change, at most `capMs`. Canvases that show images of other origins
 * cannot be read, and are not waited for. A later call waits only if they have changed since, and not at all if they did
 * not stop changing before.
 */
export async function awaitCanvases(capMs: number): Promise<void> {
  const before = await waiting;
  if (before === null || before === fingerprints()) return;
  waiting = stableFingerprints(capMs);
  await waiting;
}

/** The fingerprints once they no longer change; null when that took longer than `capMs`. */
async function stableFingerprints(capMs: number): Promise<string | null> {
  const expiry = performance.now() + capMs;
  let [before, stable] = [fingerprints(), 0];
  while (before !== "" && stable < STABLE_POLLS) {
    if (performance.now() >= expiry) return null;
    const frame = new Promise((resolve) => requestAnimationFrame(resolve));
    // Frames of a slow machine are further apart: two polls without a frame between them see the same.
    await Promise.all([delay(POLL_MS), Promise.race([frame, delay(250)])]);
    const now = fingerprints();
    stable = now === before ? stable + 1 : 0;
    before = now;
  }
  return before;
}

function fingerprints(): string {
  return findCanvases(document).map(fingerprintCanvas).join();
}

/** The canvases of a root that have a size, 30 at most. */
export function findCanvases(root: Root): HTMLCanvasElement[] {
  return [...queryAll<HTMLCanvasElement>(root, "canvas")]
    .filter(({ width, height, offsetWidth }) => width > 0 && height > 0 && offsetWidth > 0)
    .slice(0, MAX_CANVASES);
}

let context2d: OffscreenCanvasRenderingContext2D | null | undefined; // most pages have no canvas

/** A hash of the pixels, which would be a long text; empty for a canvas with images of other origins, which cannot be read. */
export function fingerprintCanvas(canvas: HTMLCanvasElement): number | "" {
  try {
    context2d ??= new OffscreenCanvas(SIDE, SIDE).getContext("2d", { willReadFrequently: true });
    context2d?.clearRect(0, 0, SIDE, SIDE);
    context2d?.drawImage(canvas, 0, 0, SIDE, SIDE);
    const { buffer = new ArrayBuffer() } = context2d?.getImageData(0, 0, SIDE, SIDE).data ?? {};
    return new Uint32Array(buffer).reduce((sum, pixel) => (Math.imul(sum, 31) + pixel) | 0, 1);
  } catch {
    return "";
  }
}
