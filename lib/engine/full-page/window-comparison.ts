// Compares the windows of a visit with each other: where the same content is in two of them, and whether it looks the same.
import type { Pixels } from "../formats/screenshot/raster-source.ts";
import type { Area } from "../geometry/area.ts";
import { decode, differences, paneBox } from "./compare.ts";
import { SAME } from "./join.ts";
import type { Pane } from "./panes.page.ts";
import type { VisitedWindow } from "./visit-windows.ts";

/** Bytes of pixels that are kept, but at least two windows. */
const MAX_KEPT_BYTES = 16_000_000;

interface Surface {
  /** The area of a window. */
  readonly area: Area;
  readonly panes: readonly Pane[];
}

/** Decodes each picture of a window, and compares each pair of them, once as far as memory allows. */
export class WindowComparison {
  readonly #surface: Surface;
  /** Image pixels for each CSS pixel. */
  readonly scale: number;
  /** The pixels of pictures that were used last, oldest first, and what has been compared. */
  readonly #decoded = new Map<Buffer, Promise<Pixels>>();
  readonly #compared = new WeakMap<Buffer, WeakMap<Buffer, Map<string, Float32Array>>>();

  constructor(surface: Surface, scale: number) {
    [this.#surface, this.scale] = [surface, scale];
  }

  /** The pixels of a picture, which are kept for a while. */
  pixels(image: Buffer): Promise<Pixels> {
    const pixels = this.#decoded.get(image) ?? decode(image);
    this.#decoded.delete(image);
    this.#decoded.set(image, pixels);
    const { width, height } = this.#surface.area;
    const kept = Math.max(2, Math.floor(MAX_KEPT_BYTES / (4 * width * height * this.scale ** 2)));
    const [oldest] = this.#decoded.keys();
    if (oldest && this.#decoded.size > kept) this.#decoded.delete(oldest);
    return pixels;
  }

  /** The row of the picture with which a pane of a window begins, in image pixels. The shift of content is known of a single pane. */
  rowOf({ top, offsets }: VisitedWindow, pane: number): number {
    return Math.round((this.#surface.panes.length === 1 ? top : (offsets[pane] ?? 0)) * this.scale);
  }

  /**
   * The share of different pixels in each row of a pane that two windows have in common, if the content has moved up by `moved` CSS pixels
   * between them; undefined where the lower one begins above the upper one.
   */
  async differences(
    upper: VisitedWindow,
    lower: VisitedWindow,
    { pane, moved = 0 }: { readonly pane: number; readonly moved?: number },
  ): Promise<Float32Array | undefined> {
    const shift = this.rowOf(lower, pane) - this.rowOf(upper, pane) + Math.round(moved * this.scale);
    const shown = this.#surface.panes[pane];
    if (shift < 0 || !shown) return undefined;
    const lowers = this.#compared.get(upper.image) ?? new WeakMap<Buffer, Map<string, Float32Array>>();
    const known = lowers.get(lower.image) ?? new Map<string, Float32Array>();
    this.#compared.set(upper.image, lowers.set(lower.image, known));
    const key = `${pane} ${shift}`;
    const box = paneBox(shown, this.#surface.area, this.scale);
    const compared =
      known.get(key) ?? differences(await this.pixels(upper.image), await this.pixels(lower.image), { box, shift });
    known.set(key, compared);
    return compared;
  }

  /** True when all panes of two windows show the same where they overlap, if the content has moved up by `moved` CSS pixels between them. */
  async agree(upper: VisitedWindow, lower: VisitedWindow, moved = 0): Promise<boolean> {
    for (const pane of this.#surface.panes.keys()) {
      const compared = await this.differences(upper, lower, { pane, moved });
      if (!compared?.every((share) => share <= SAME)) return false;
    }
    return true;
  }
}
