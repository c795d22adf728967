import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { BrowserSession } from "../../lib/capture/browser.ts";
import { CHROMIUM_MAJOR, USER_AGENT } from "../../lib/capture/chromium-flags.ts";
import { captureWith } from "../support/chromium.ts";
import { decode } from "../support/png.ts";
import { type Site, startSite } from "../support/site.ts";
import { BAND_HEIGHT, BOX, bandColour, GREEN, RED, WHITE } from "../support/site-pages.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

/** Captures a page of the fixture site, in a small window unless told. */
const captureOf = (path: string, options: Readonly<Record<string, unknown>> = {}) =>
  captureWith(
    { url: site.origin + path, viewport_width: 400, viewport_height: 300, timeout: 20, ...options },
    { allow: [site.hostPort] },
  );

async function imageOf(path: string, options: Readonly<Record<string, unknown>> = {}) {
  const { body } = await captureOf(path, options);
  return decode(body);
}

/** A point inside the box of `/box`, and one just outside of it. */
const [inside, outside] = [
  [BOX.x + 1, BOX.y + 1],
  [BOX.x - 2, BOX.y - 2],
] as const;

describe("a page", () => {
  test("is captured as it is painted, and reported with its address and status", async () => {
    const { body, ...report } = await captureOf("/box");
    const image = await decode(body);
    expect(report).toEqual({
      format: "png",
      mimeType: "image/png",
      finalUrl: `${site.origin}/box`,
      statusCode: 200,
      warnings: [],
    });
    expect([image.width, image.height]).toEqual([400, 300]);
    expect([image.colourAt(...inside), image.colourAt(...outside)]).toEqual([RED, WHITE]);
  });

  test.each([
    ["a redirect", "/redirect"],
    ["a script", "/leaves?how=by%20location"],
    ["a meta refresh", "/leaves?how=by%20meta%20refresh"],
    ["a form post", "/leaves?how=by%20a%20form%20post"],
  ])("is the one that %s leads to", async (_, path) => {
    const { body, finalUrl, statusCode } = await captureOf(path);
    expect({ finalUrl, statusCode }).toEqual({ finalUrl: `${site.origin}/box`, statusCode: 200 });
    expect((await decode(body)).colourAt(...inside)).toEqual(RED);
  });

  test("is captured when it is no HTML", async () => {
    const { mimeType, statusCode } = await captureOf("/json");
    expect({ mimeType, statusCode }).toEqual({ mimeType: "image/png", statusCode: 200 });
  });

  test("cannot stop its capture with a dialog", async () => {
    expect((await imageOf("/alert")).colourAt(...inside)).toEqual(RED);
  });

  test("is captured although it never ceases to send beacons", async () => {
    const { body, warnings } = await captureOf("/beacons", { wait_until: "networkidle0" });
    expect((await decode(body)).colourAt(...inside)).toEqual(RED);
    expect(warnings).toEqual([]);
  });

  test("sees a plain Chrome of the version that it is", async () => {
    let version = "";
    const see = async ({ page }: BrowserSession) => {
      version = await page.browser().version();
    };
    await captureWith({ url: `${site.origin}/box?who` }, { allow: [site.hostPort], launched: see });
    expect(version).toContain(`/${CHROMIUM_MAJOR}.`);
    expect(site.requests.find(({ path }) => path === "/box?who")?.headers["user-agent"]).toBe(USER_AGENT);
  });

  test("is seen by nobody who could not see it from outside: no cookie survives from one capture to the next", async () => {
    const setsCookie = `<script>document.body.append(document.cookie || "none"); document.cookie = "seen=1"</script>`;
    const [first, second] = [await captureWith({ html: setsCookie }), await captureWith({ html: setsCookie })];
    expect(first.body.equals(second.body)).toBe(true);
  });
});

describe("full_page", () => {
  test("captures from top to bottom of the page, each place once", async () => {
    const image = await imageOf("/bands?count=25", { full_page: true });
    expect([image.width, image.height]).toEqual([400, 25 * BAND_HEIGHT]);
    const middles = Array.from({ length: 25 }, (_, band) => image.colourAt(200, (band + 0.5) * BAND_HEIGHT));
    expect(middles).toEqual(middles.map((_, band) => bandColour(band)));
  });

  test("is as tall as the window when the page is shorter", async () => {
    expect((await imageOf("/box", { full_page: true })).height).toBe(300);
  });

  test("off, captures the window only", async () => {
    expect((await imageOf("/bands")).height).toBe(300);
  });

  test("ends at 20,000 pixels, and says so", async () => {
    const { body, warnings } = await captureOf("/bands?count=202", { full_page: true, viewport_width: 64 });
    const image = await decode(body);
    expect(image.height).toBe(20_000);
    expect(image.colourAt(30, 19_950)).toEqual(bandColour(199));
    expect(warnings).toEqual(["The page is 20200 pixels tall; the image ends at 20000."]);
  });

  test("becomes a PNG where a WebP would be too tall, and says so", async () => {
    const tall = { full_page: true, viewport_width: 64, format: "webp" };
    const { mimeType, body, warnings } = await captureOf("/bands?count=170", tall);
    expect(mimeType).toBe("image/png");
    expect((await decode(body)).height).toBe(17_000);
    expect(warnings).toEqual(["An image of this size cannot be expressed as webp; it is a png."]);
  });

  test("brings an image of more than 30 MB whole", async () => {
    const { body } = await captureOf("/noise", { full_page: true });
    expect(body.length).toBeGreaterThan(30e6);
    const { width, height } = await decode(body);
    expect([width, height]).toEqual([3600, 3000]);
  }, 30_000);
});

describe("selector", () => {
  test("captures the element's box and nothing around it", async () => {
    const image = await imageOf("/box", { selector: "#box" });
    expect([image.width, image.height]).toEqual([BOX.width, BOX.height]);
    expect([image.colourAt(0, 0), image.colourAt(BOX.width - 1, BOX.height - 1)]).toEqual([RED, RED]);
  });

  test("captures an element below the window", async () => {
    const image = await imageOf("/bands", { selector: "#band-25", device_scale_factor: 2 });
    expect([image.width, image.height]).toEqual([800, 2 * BAND_HEIGHT]);
    expect([image.colourAt(0, 0), image.colourAt(799, 199)]).toEqual([bandColour(25), bandColour(25)]);
  });

  test("captures the first visible element of those that match", async () => {
    const image = await imageOf("/cards", { selector: ".card" });
    expect([image.width, image.height]).toEqual([60, 40]);
    expect(image.colourAt(30, 20)).toEqual(GREEN);
  });

  test("waits for an element that comes late", async () => {
    const image = await imageOf("/late-element?after=600", { selector: "#late" });
    expect([image.width, image.height]).toEqual([BOX.width, BOX.height]);
    expect(image.colourAt(0, 0)).toEqual(GREEN);
  });
});

describe("omit_background", () => {
  test.each([["png"], ["webp"]])("leaves the ground of a %s transparent and the content as it is", async (format) => {
    const image = await imageOf("/box", { omit_background: true, format });
    expect(image.hasAlpha).toBe(true);
    expect(image.pixelAt(...outside)[3]).toBe(0);
    const [red = 0, green = 255, blue = 255, alpha] = image.pixelAt(BOX.x + 50, BOX.y + 25);
    expect(alpha).toBe(255);
    expect(red).toBeGreaterThan(240);
    expect(Math.max(green, blue)).toBeLessThan(15);
  });

  test("off, the ground is white", async () => {
    expect((await imageOf("/box")).pixelAt(...outside)).toEqual([...WHITE, 255]);
  });
});

describe("format and image_quality", () => {
  test.each([
    ["png", "image/png", "\x89PNG"],
    ["jpeg", "image/jpeg", "\xff\xd8\xff"],
    ["jpg", "image/jpeg", "\xff\xd8\xff"],
    ["webp", "image/webp", "RIFF"],
  ])("%s is %s", async (format, mimeType, magic) => {
    const captured = await captureOf("/box", { format });
    expect(captured.mimeType).toBe(mimeType);
    expect(captured.body.subarray(0, magic.length).toString("latin1")).toBe(magic);
    expect((await decode(captured.body)).width).toBe(400);
  });

  test.each([["jpeg"], ["webp"]])("a lower quality makes a smaller %s, and 80 is the default", async (format) => {
    const sizes: number[] = [];
    for (const image_quality of [0, 80, undefined, 100]) {
      const { body } = await captureOf("/noise?width=400&height=300", {
        format,
        ...(image_quality !== undefined && { image_quality }),
      });
      sizes.push(body.length);
    }
    const [lowest = 0, eighty = 0, unset, highest] = sizes;
    expect(unset).toBe(eighty);
    expect(eighty).toBeGreaterThan(lowest * 1.5);
    expect(highest).toBeGreaterThan(eighty * 1.5);
  });
});

test("captures at the same time do not mix up", async () => {
  const bands = [3, 8, 13, 18, 23, 28];
  const images = await Promise.all(
    bands.map((band, n) => imageOf("/bands", { selector: `#band-${band}`, viewport_width: 100 + n })),
  );
  expect(images.map(({ width, colourAt }) => [width, colourAt(50, 50)])).toEqual(
    bands.map((band, n) => [100 + n, bandColour(band)]),
  );
}, 30_000);
