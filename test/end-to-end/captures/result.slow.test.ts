// Stored slices of a page that Chromium has captured.
import { expect, inject, test } from "vitest";
import { openClient } from "../../support/client.ts";

const { site } = inject("service");
const options = { viewport_width: "200", viewport_height: "100" };

test("result: slices keep their format when the whole page is a PNG because it is too tall for it", async () => {
  const sliced = { full_page: "true", full_page_slices: "true", response_type: "json", format: "webp" };
  const requested = { ...options, ...sliced, image_fallback_format: "png", url: `${site}/bands?count=170` };
  const response = await (await openClient()).capture(requested);
  const { mime_type, slices } = await response.json();
  const stored = await fetch(slices[4].url);
  const bytes = Buffer.from(await stored.arrayBuffer());
  expect([mime_type, stored.headers.get("content-type"), bytes.toString("latin1", 0, 4)]).toEqual([
    "image/png",
    "image/webp",
    "RIFF",
  ]);
});
