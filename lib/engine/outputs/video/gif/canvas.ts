// What a viewer of the animation sees so far, and how a change is drawn onto it with the colors of a palette.
import type { Change } from "../animation-encoder.ts";
import { BAYER_SIZE, bayerMatrix, type Ditherer } from "./dithering.ts";

/** Each pixel of a box, row by row, by the index of its color in the palette. */
export interface IndexedDrawing {
  readonly indices: Uint8Array;
  /** The same, but `transparent` wherever the pixel may stay as it is. */
  readonly transparentAlternative: Uint8Array;
}

export class Canvas {
  /** As the viewer sees them, 0xbbggrr; -1 before there is anything. */
  readonly #shown: Int32Array;
  readonly #width: number;

  constructor(width: number, height: number) {
    this.#width = width;
    this.#shown = new Int32Array(width * height).fill(-1);
  }

  /** `transparent` is the index for pixels that stay. */
  draw({ frame, before, box }: Change, mixer: Ditherer, transparent: number): IndexedDrawing {
    const { data } = frame;
    const shown = this.#shown;
    const { palette } = mixer;
    const indices = new Uint8Array(box.width * box.height);
    const sparing = new Uint8Array(box.width * box.height);
    let to = 0;
    let last = -1;
    let mixture = 0;
    for (let y = box.top; y < box.top + box.height; y++) {
      const row = (y % BAYER_SIZE) * BAYER_SIZE;
      for (let x = box.left; x < box.left + box.width; x++) {
        const at = y * this.#width + x;
        const pixel = data[at] as number;
        if (pixel !== last) {
          mixture = mixer.pairFor(pixel);
          last = pixel;
        }
        const share = mixture >> 16;
        const index =
          share > 0 && (bayerMatrix[row + (x % BAYER_SIZE)] as number) < share ? (mixture >> 8) & 255 : mixture & 255;
        const color = palette[index] as number;
        if (shown[at] === color) {
          indices[to] = index;
          sparing[to] = transparent;
        } else if (before?.data[at] === pixel) {
          indices[to] = transparent;
          sparing[to] = transparent;
        } else {
          indices[to] = index;
          sparing[to] = index;
          shown[at] = color;
        }
        to++;
      }
    }
    return { indices, transparentAlternative: sparing };
  }
}
