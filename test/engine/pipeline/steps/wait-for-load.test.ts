// When a page counts as loaded, for each value of `wait_until`.
import { describe, expect, test } from "vitest";
import { decode } from "../../../fixtures/png.ts";
import { PAINTED, SLOW_IMAGE_HEIGHT, SPA } from "../../../fixtures/site-pages/late.ts";
import { BOX, bandColour, GREEN, RED } from "../../../fixtures/site-pages.ts";
import { captureWith } from "../../../support/chromium.ts";
import { startPackagedSite } from "../../../support/packaged-sites.ts";
import { sampled, slowTest } from "../../../support/slow-run.ts";
import { type Options, startSmallCaptures } from "../../../support/small-captures.ts";
import { measureMs, scaleLimitByLoad } from "../../../support/timing.ts";

const { captureOf, imageOf } = startSmallCaptures();

/** A point inside the box of `/box`. */
const inside = [BOX.x + 1, BOX.y + 1] as const;

describe("wait_until", () => {
  sampled(test, 12).each([
    ["auto waits for the load event", "auto", "/green-on-load?after=400"],
    ["auto waits for what a script fetches after it", "auto", "/green-after-fetch?after=400"],
    ["load waits for the load event", "load", "/green-on-load?after=400"],
    ["networkidle waits for the load event's requests", "networkidle", "/green-on-load?after=100"],
    ["networkidle0 waits for what a script fetches after it", "networkidle0", "/green-after-fetch?after=400"],
    ["several conditions must all hold", ["domcontentloaded", "networkidle0"], "/green-after-fetch?after=400"],
    ["several conditions may be text", '["domcontentloaded","load"]', "/green-on-load?after=400"],
  ])("%s", async (_, wait_until, path) => {
    const { body, warnings } = await captureOf(path, { wait_until });
    expect((await decode(body)).colourAt(...inside)).toEqual(GREEN);
    expect(warnings).toEqual([]);
  });

  sampled(test, 8).each([
    ["domcontentloaded does not wait for images", "domcontentloaded", "/green-on-load"],
    ["load does not wait for what begins after it", "load", "/green-after-fetch"],
    ["networkidle bears with two open requests", "networkidle", "/images-never-arrive?count=2"],
    ["networkidle2 bears with two open requests", "networkidle2", "/images-never-arrive?count=2"],
  ])("%s", async (_, wait_until, path) => {
    const { body, warnings } = await captureOf(path, { wait_until });
    expect((await decode(body)).colourAt(...inside)).toEqual(RED);
    expect(warnings).toEqual([]);
  });

  sampled(test, 4).each([
    ["auto", "/images-never-arrive", /^The page had not finished loading; still pending: .*\/image\?n=0\.$/],
    [
      "networkidle",
      "/images-never-arrive?count=3",
      /^The network did not become idle; still pending: .*\/image\?n=0 and 2 more\.$/,
    ],
  ])("%s stops waiting for requests without a response, with a warning", async (wait_until, path, warning) => {
    const { body, warnings } = await captureOf(path, { wait_until, timeout: 6 });
    expect((await decode(body)).colourAt(...inside)).toEqual(RED);
    expect(warnings).toEqual([expect.stringMatching(warning)]);
  });
});

describe("wait_until auto", () => {
  sampled(test, 4).each([["/spa"], ["/spa?spinner"]])(
    "waits until an application has rendered itself: %s",
    async (path) => {
      const image = await imageOf(path, path.includes("spinner") ? { wait_for_selector: "header" } : {});
      expect(image.colourAt(200, 10)).toEqual(SPA.header.colour);
      expect(image.colourAt(200, SPA.header.height + 50)).toEqual(bandColour(0));
    },
  );

  test("waits while a page with a script is blank", async () => {
    expect((await imageOf("/blank-then-painted?after=700")).colourAt(9, 9)).toEqual(PAINTED);
  });

  slowTest("waits for slow images", async () => {
    const image = await imageOf("/slow-images");
    const middles = [0, 1, 2].map((n) => image.colourAt(200, (n + 0.5) * SLOW_IMAGE_HEIGHT));
    expect(middles).toEqual([0, 1, 2].map(bandColour));
  });

  slowTest("does not wait for a page that polls the same URL", async () => {
    const capturing = captureOf("/fetch-beacons");
    const [took, control] = await Promise.all([measureMs(() => capturing), measureMs(() => captureOf("/box"))]);
    expect(took).toBeLessThan(scaleLimitByLoad(4_000, control));
    expect((await capturing).warnings).toEqual([]);
  });

  slowTest("waits for animated charts", async () => {
    const dashboard = await startPackagedSite("startbootstrap-sb-admin-2");
    const shot = (options: Options) =>
      captureWith(
        { url: `${dashboard.origin}/index.html`, viewport_width: 1280, viewport_height: 1024, ...options },
        { allow: [dashboard.hostPort] },
      );
    const [first, loaded, later] = await Promise.all([shot({}), shot({ wait_until: "load" }), shot({ delay: 2 })]);
    await dashboard.close();
    expect([first, loaded].map(({ body }) => body.equals(later.body))).toEqual([true, true]);
  });
});
