// What pages find when they look for a robot, with `stealth` and without, and that they work as before.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { captureWith } from "../../support/chromium.ts";
import { type Site, startSite } from "../../support/site.ts";
import { fingerprintPlaces, type Oddities, odditiesIn } from "../../support/site-pages/fingerprint.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

async function odditiesOf(options: Readonly<Record<string, unknown>>): Promise<Oddities> {
  const foreign = site.origin.replace("127.0.0.1", "localhost");
  const surroundings = { allow: [site.hostPort], resolve: async () => ["127.0.0.1"] };
  const url = `${site.origin}/fingerprint?foreign=${foreign}`;
  await captureWith({ url, wait_for_selector: ".examined", timeout: 40, ...options }, surroundings);
  return odditiesIn(site.requests);
}

const nothing = Object.fromEntries(fingerprintPlaces.map((place) => [place, []]));

const WINDOWS =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36";

describe("with stealth, nothing is odd in any frame or worker about", () => {
  test.each([
    ["a desktop", {}],
    ["a desktop that prefers dark, elsewhere", { dark_mode: true, locale: "de-CH", time_zone: "Europe/Zurich" }],
    ["a large window", { viewport_width: 1920, viewport_height: 1080, full_page: true }],
    ["a desktop with another user agent", { user_agent: WINDOWS, viewport_width: 1366, viewport_height: 700 }],
    ["an iPhone", { viewport_device: "iphone_15_pro" }],
    ["an Android phone", { viewport_device: "pixel_5" }],
  ])("%s", async (_, options) => {
    expect(await odditiesOf({ stealth: true, ...options })).toEqual(nothing);
  });
});

test("without it, a browser says that it is steered", async () => {
  const odd = await odditiesOf({});
  expect(odd.page).toContain("webdriver: true");
  console.log(odd);
});
