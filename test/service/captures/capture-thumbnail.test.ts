// Which captures have a thumbnail, and where it will be stored.
import { describe, expect, test } from "vitest";
import { parseCaptureOptions } from "../../../lib/contract/options/capture-options.ts";
import { toCaller } from "../../../lib/service/account/account.ts";
import { planThumbnail, wantsThumbnail } from "../../../lib/service/captures/capture-thumbnail.ts";
import { internalPrefixes } from "../../../lib/service/results/lifetime-class.ts";
import { anAccount, anApiKey } from "../../support/builders.ts";

const NOW = Date.UTC(2026, 0, 31);
const DAY_MS = 24 * 60 * 60 * 1000;

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
  ])("with the options %j and the account's setting %j is wanted: %j", (options, setting, isWanted) => {
    expect(wantsThumbnail(requested(options, setting))).toBe(isWanted);
  });

  test("is planned for a capture that was rendered with one", () => {
    expect(planThumbnail({}, NOW)).toBeUndefined();
    expect(planThumbnail({ thumbnail: async () => undefined }, NOW)).toBeDefined();
  });

  test("has a key of its own that says nothing, and expires after 30 days", () => {
    const plan = () => planThumbnail({ thumbnail: async () => undefined }, NOW)?.place;
    const places = Array.from({ length: 100 }, plan);
    expect(new Set(places.map((place) => place?.key)).size).toBe(100);
    for (const place of places) expect(place?.key).toMatch(/^thumbnails\/[\w-]{22}\.webp$/);
    expect(places[0]?.expires_at).toBe(NOW + 30 * DAY_MS);
    expect(internalPrefixes.thumbnails.days).toBe(30);
  });
});
