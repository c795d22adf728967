// Pages that are complete at once: a box, bands, a colour scheme, noise.
import { bands, box, document, numberIn, type Pages } from "./page.ts";

export const plainPages: Pages = {
  /** A red box, nothing else. */
  "/box": () => document(box),

  /** `count` bands of 100 px (30 unless told), each in its `bandColour`, with the ids band-0, band-1, … */
  "/bands": (query) => document(bands(numberIn(query, "count", 30))),

  /** Black for who prefers dark, green for who prefers light, red for who has no preference. */
  "/color-scheme": () =>
    document(
      `<style>body{background:red} @media (prefers-color-scheme:dark){body{background:black}} @media (prefers-color-scheme:light){body{background:green}}</style>`,
    ),

  /** A hidden card, a card without size, and after them a visible one, which is green. */
  "/cards": () =>
    document(
      `<p class="card" style="display:none">no box</p><p class="card" style="width:0;height:0"></p><div class="card" style="margin:20px;width:60px;height:40px;background:green"></div><p id="hidden" hidden>hidden</p>`,
    ),

  /** `width` × `height` pixels that no image format can make smaller: 3600 × 3000 are a PNG of more than 30 MB. */
  "/noise": (query) => {
    const [width, height] = [numberIn(query, "width", 3600), numberIn(query, "height", 3000)];
    return document(`<canvas width="${width}" height="${height}" style="display:block"></canvas><script>
      const context = document.querySelector("canvas").getContext("2d");
      const image = context.createImageData(${width}, ${height});
      const words = new Uint32Array(image.data.buffer);
      for (let index = 0, seed = 1; index < words.length; index++) {
        seed ^= seed << 13; seed ^= seed >>> 17; seed ^= seed << 5;
        words[index] = seed | 0xff000000;
      }
      context.putImageData(image, 0, 0);
    </script>`);
  },
};
