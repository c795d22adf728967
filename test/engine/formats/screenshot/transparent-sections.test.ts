// Transparent full pages, by either algorithm.
import { expect, test } from "vitest";
import { decode } from "../../../fixtures/png.ts";
import { captureWith } from "../../../support/chromium.ts";
import { sampled } from "../../../support/slow-run.ts";

const html = `<!doctype html><style>
  body { margin: 0; height: 900px; position: relative }
  div { position: absolute; left: 0; width: 100px; height: 50px; background: red }
</style><div style="top: 0"></div><div style="top: 850px"></div>`;

sampled(test, 4).each(["default", "by_sections"])(
  "omit_background: a full page is transparent with the algorithm %s",
  async (full_page_algorithm) => {
    const { body } = await captureWith({
      html,
      viewport_width: 400,
      viewport_height: 300,
      full_page: true,
      full_page_algorithm,
      omit_background: true,
    });
    const image = await decode(body);
    expect([image.width, image.height, image.hasAlpha]).toEqual([400, 900, true]);
    expect([image.pixelAt(10, 10), image.pixelAt(10, 890)]).toEqual([
      [255, 0, 0, 255],
      [255, 0, 0, 255],
    ]);
    expect([image.pixelAt(200, 10)[3], image.pixelAt(200, 450)[3], image.pixelAt(200, 890)[3]]).toEqual([0, 0, 0]);
  },
);
