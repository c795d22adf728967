// Which captures have a thumbnail, and where it will be stored.
import { describe, expect, test } from "vitest";
import { parseCaptureOptions } from "../../../lib/contract/options/capture-options.ts";
import { formatKind, formats } from "../../../lib/contract/options/formats.ts";
import { toCaller } from "../../../lib/service/account/account.ts";
import { planThumbnail } from "../../../lib/service/captures/capture-thumbnail.ts";
import { internalPrefixes } from "../../../lib/service/results/lifetime-class.ts";
import { anAccount, anApiKey } from "../../support/builders.ts";

const NOW = Date.UTC(2026, 0, 31);
const DAY_MS = 24 * 60 * 60 * 1000;
const body = Buffer.from("body");
const firstFrame = Buffer.from("first frame");

function requested(options: object, store_thumbnails: boolean) {
  const account = anAccount({ store_thumbnails });
  return {
    caller: toCaller(account, anApiKey()),
    options: parseCaptureOptions({ url: "https://example.com", ...options }),
  };
}

describe("the thumbnail of a capture", () => {
  test.each([
    [{}, true, true],
    [{}, false, false],
    [{ store_thumbnail: false }, true, false],
    [{ store_thumbnail: true }, false, true],
  ])("with the options %j and the account's setting %j is planned: %j", (options, setting, isPlanned) => {
    const planned = planThumbnail(requested(options, setting), { body, format: "png" }, NOW);
    expect(planned !== undefined).toBe(isPlanned);
  });

  test.each(formats)("is made of the picture that %s has, if any", (format) => {
    const kind = formatKind(format);
    const rendered = { body, format, ...(kind === "video" && { firstFrame }) };
    const planned = planThumbnail(requested({}, true), rendered, NOW);
    const pictures = { image: body, video: firstFrame, pdf: undefined, document: undefined };
    expect(planned?.picture).toBe(pictures[kind]);
  });

  test("has a key of its own that says nothing, and expires after 30 days", () => {
    const plan = () => planThumbnail(requested({}, true), { body, format: "png" }, NOW)?.place;
    const places = Array.from({ length: 100 }, plan);
    expect(new Set(places.map((place) => place?.key)).size).toBe(100);
    for (const place of places) expect(place?.key).toMatch(/^thumbnails\/[\w-]{22}\.webp$/);
    expect(places[0]?.expires_at).toBe(NOW + 30 * DAY_MS);
    expect(internalPrefixes.thumbnails.days).toBe(30);
  });
});
