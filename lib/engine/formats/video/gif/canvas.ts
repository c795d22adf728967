// GIF canvas: the image that a viewer has after the frames so far, onto which each change is drawn with dithering.
import type { FrameChange } from "../animation-encoder.ts";
import { BAYER_SIZE, bayerMatrix, type Ditherer } from "./dithering.ts";

/** Palette index of each pixel of a box, row by row. */
export interface IndexedDrawing {
  readonly indices: Uint8Array;
  /** The same, but `transparent` wherever the pixel may stay unchanged; it often compresses better. */
  readonly transparentAlternative: Uint8Array;
}

export class Canvas {
  /** Displayed colors, 0xbbggrr; -1 before the first frame. */
  readonly #shown: Int32Array;
  readonly #width: number;

  constructor(width: number, height: number) {
    this.#width = width;
    this.#shown = new Int32Array(width * height).fill(-1);
  }

  /** Draws a change; `transparent` is the palette index for unchanged pixels. */
  draw({ frame, before, box }: FrameChange, ditherer: Ditherer, transparent: number): IndexedDrawing {
    const { data } = frame;
    const shown = this.#shown;
    const { palette } = ditherer;
    const indices = new Uint8Array(box.width * box.height);
    const transparentAlternative = new Uint8Array(box.width * box.height);
    let to = 0;
    let lastPixel = -1;
    let pair = 0;
    for (let y = box.top; y < box.top + box.height; y++) {
      const row = (y % BAYER_SIZE) * BAYER_SIZE;
      for (let x = box.left; x < box.left + box.width; x++) {
        const at = y * this.#width + x;
        const pixel = data[at] as number;
        if (pixel !== lastPixel) {
          pair = ditherer.pairFor(pixel);
          lastPixel = pixel;
        }
        const level = pair >> 16;
        const index =
          level > 0 && (bayerMatrix[row + (x % BAYER_SIZE)] as number) < level ? (pair >> 8) & 255 : pair & 255;
        const color = palette[index] as number;
        if (shown[at] === color) {
          indices[to] = index;
          transparentAlternative[to] = transparent;
        } else if (before?.data[at] === pixel) {
          indices[to] = transparent;
          transparentAlternative[to] = transparent;
        } else {
          indices[to] = index;
          transparentAlternative[to] = index;
          shown[at] = color;
        }
        to++;
      }
    }
    return { indices, transparentAlternative };
  }
}
