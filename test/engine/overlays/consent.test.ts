// Consent banners of known platforms: recognised, rejected by a click, and gone from the page.
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildBlockingLayer } from "../../../layers/blocking/build.ts";
import type { BlockReport } from "../../../lib/engine/adblock/block-report.ts";
import { createFilterLists } from "../../../lib/engine/adblock/filter-lists.ts";
import { type BrowserSession, launchBrowser } from "../../../lib/engine/browser/browser.ts";
import { parseAllowedOrigins } from "../../../lib/engine/egress/egress-policy.ts";
import { closePlatformBanner, startAutoconsent } from "../../../lib/engine/overlays/consent.ts";
import { waitForLoad } from "../../../lib/engine/page/load-conditions.ts";
import { trackPage } from "../../../lib/engine/page/page-activity.ts";
import { decode } from "../../fixtures/png.ts";
import { type Site, startSite } from "../../fixtures/site.ts";
import { consentBanners } from "../../fixtures/site-pages/consent/platforms.ts";
import { captureWith, chromiumFiles, testLimits } from "../../support/chromium.ts";
import { GREEN } from "../../support/images.ts";
import { capturingOn } from "../../support/open-page.ts";
import { IS_SLOW_RUN, slowTest } from "../../support/slow-run.ts";

const lists = createFilterLists(join(buildBlockingLayer(), "blocking"));
let site: Site;
let browser: BrowserSession;

beforeAll(async () => {
  site = await startSite();
  browser = await launchBrowser({
    files: await chromiumFiles(),
    allowed: parseAllowedOrigins(site.hostPort),
    limits: testLimits,
    resolve: async () => ["127.0.0.1"], // frames come from a platform's own host
  });
});

afterAll(async () => {
  await browser.close();
  await site.close();
});

interface Seen {
  readonly reported: BlockReport["cookie_banner"];
  /** What was clicked, oldest first. */
  readonly answers: string;
  /** True when no part of a banner is visible. */
  readonly gone: boolean;
  /** True when the centre of the window shows the page itself. */
  readonly visible: boolean;
  /** True when a visitor can scroll the page. */
  readonly scrolls: boolean;
}

/** Opens a page of the site in a tab as a capture does, and inspects it once its banner is closed. */
async function visit(path: string, { accept = false } = {}): Promise<Seen> {
  const page = await browser.browser.newPage();
  try {
    const cdp = await page.createCDPSession();
    const activity = await trackPage({ ...browser, cdp });
    const window = { width: 800, height: 600 };
    const capturing = capturingOn({ ...browser, cdp }, activity, { lists, window });
    await startAutoconsent(capturing, { accept });
    activity.expectDocument(site.origin + path);
    await cdp.send("Page.navigate", { url: site.origin + path });
    await waitForLoad(capturing);
    await closePlatformBanner(capturing);
    // A page unlocks itself a moment after its banner has faded out.
    await page.waitForFunction(() => document.documentElement.dataset["leaving"] === undefined, { polling: 50 });
    return { reported: capturing.blocked.cookie_banner, ...(await page.evaluate(look)) };
  } finally {
    await page.close();
  }
}

/** Runs in the page. */
function look(): Omit<Seen, "reported"> {
  const isSeen = (element: Element) => element.checkVisibility({ opacityProperty: true });
  const shown = document.elementsFromPoint(innerWidth / 2, innerHeight / 2).find(isSeen); // what has faded out may not be removed yet
  const banners = [...document.querySelectorAll("[data-banner]")];
  const parts = banners.flatMap((banner) => [banner, ...banner.querySelectorAll("*")]);
  const isLocked = (element: Element) => getComputedStyle(element).overflowY === "hidden"; // a script could still scroll it
  return {
    answers: document.documentElement.dataset["answers"] ?? "",
    gone: !parts.some((part) => isSeen(part) && part.clientHeight > 100),
    visible: shown === document.body || shown === document.documentElement,
    scrolls: ![document.documentElement, document.body].some(isLocked),
  };
}

const CLEAN = { gone: true, visible: true, scrolls: true };

/** Platforms of each kind: rejected at once, in its settings, by its own API, in a frame, and hidden. */
const KINDS = ["onetrust", "onetrust-settings", "cookiebot-api", "trustarc-frame", "jetpack"];

describe("Consent banners of known platforms", () => {
  it("are recognised, rejected and gone", { timeout: 170_000 }, async () => {
    const visited = Object.entries(consentBanners).filter(([name]) => IS_SLOW_RUN || KINDS.includes(name));
    const table: Record<string, Seen> = {};
    // The product gives a banner seconds to appear and to go, which other tabs would take from it.
    for (const [name] of visited) table[name] = await visit(`/consent/${name}`);
    console.table(
      Object.entries(table).map(([banner, { reported, ...seen }]) => ({ banner, ...reported, ...seen })),
      ["banner", "platform", "closed_by", "answers", "gone", "visible", "scrolls"],
    );
    for (const [name, { platform, hides = false }] of visited) {
      const reported = { platform, closed_by: hides ? "hiding" : "rejecting" };
      // A page whose banner is hidden stays locked, which captures look past.
      expect({ name, ...table[name] }).toMatchObject({ name, reported, ...CLEAN, scrolls: !hides });
      expect({ name, answers: table[name]?.answers }).toEqual({
        name,
        answers: hides ? "" : expect.stringMatching(/^(settings (switch )?)?(reject|save)/),
      });
    }
    expect(Object.keys(table).length).toBeGreaterThan(IS_SLOW_RUN ? 40 : KINDS.length - 1);
  });

  it("are closed where the answer leads to the page once more", async () => {
    const reported = { platform: "CookieScript", closed_by: "rejecting" };
    expect(await visit("/consent/reloads")).toEqual({ reported, answers: "", ...CLEAN });
  });

  it("are waited for where the platform announces them", async () => {
    expect(await visit("/consent/announced")).toMatchObject({
      reported: { platform: "OneTrust" },
      answers: "reject",
      ...CLEAN,
    });
  });

  slowTest("are hidden where the answer has closed nothing and a list knows them", async () => {
    const reported = { platform: "Complianz", closed_by: "hiding" };
    expect(await visit("/consent/stays")).toMatchObject({
      reported,
      answers: "reject",
      gone: true,
      visible: true,
    });
  });

  it("are never accepted where nothing rejects", async () => {
    const [only, paywall] = [await visit("/consent/accept-only"), await visit("/consent/paywall")];
    expect(only).toMatchObject({ reported: undefined, answers: "" });
    expect(paywall).toMatchObject({ reported: undefined, answers: "" });
  });

  it("are not told of where the platform has nothing to ask", async () => {
    const [silent, none] = [await visit("/consent/silent"), await visit("/consent/none")];
    expect(silent).toEqual({ reported: undefined, answers: "", ...CLEAN });
    expect(none).toEqual({ reported: undefined, answers: "", ...CLEAN });
  });
});

describe("With accept_cookie_banners", () => {
  it("a banner is accepted where nothing else closes it", async () => {
    const [only, paywall] = [
      await visit("/consent/accept-only", { accept: true }),
      await visit("/consent/paywall", { accept: true }),
    ];
    expect(only).toEqual({ reported: { platform: "HubSpot", closed_by: "accepting" }, answers: "accept", ...CLEAN });
    expect(paywall).toEqual({
      reported: { platform: "Sourcepoint", closed_by: "accepting" },
      answers: "accept",
      ...CLEAN,
    });
  });

  slowTest("a banner is still rejected where it can be", async () => {
    const reported = { platform: "Complianz", closed_by: "rejecting" };
    expect(await visit("/consent/complianz", { accept: true })).toEqual({
      reported,
      answers: "reject",
      ...CLEAN,
    });
  });
});

describe("A capture with block_cookie_banners", () => {
  const small = { viewport_width: 300, viewport_height: 200, block_cookie_banners: true };
  const take = (options: Record<string, unknown>) =>
    captureWith({ timeout: 25, ...small, ...options }, { allow: [site.hostPort], isTimedFromLaunch: true });
  const isGreen = async (image: Buffer) => (await decode(image)).countInColumn(280, GREEN) === 200;
  const banner = { platform: "Complianz", closed_by: "rejecting" };

  it("shows the page in the banner's place", async () => {
    const { body, metadata } = await take({ url: `${site.origin}/consent/complianz` });
    expect(metadata.blocked?.cookie_banner).toEqual(banner);
    expect(await isGreen(body)).toBe(true);
    const plain = await take({ url: `${site.origin}/consent/complianz`, block_cookie_banners: false });
    expect(plain.metadata.blocked).toBeUndefined();
    expect(await isGreen(plain.body)).toBe(false);
  });

  slowTest("films the page where Chromium paints on demand", async () => {
    const { body, metadata } = await take({
      url: `${site.origin}/consent/onetrust`,
      format: "animated_webp",
      video_duration: 1,
    });
    expect(metadata.blocked?.cookie_banner).toEqual({ ...banner, platform: "OneTrust" });
    expect(await isGreen(body)).toBe(true); // its first frame
  });

  slowTest("closes what HTML of the caller brings along", async () => {
    const { html } = consentBanners["complianz"] ?? {};
    const closing = `document.querySelector(".cmplz-deny").onclick = () => document.querySelector(".cmplz-cookiebanner").remove();`;
    const { body, metadata } = await take({
      html: `<html style="background:rgb(0,128,0)"><p>What it says.</p>${html}<script>${closing}</script>`,
    });
    expect(metadata.blocked?.cookie_banner).toEqual(banner);
    expect(await isGreen(body)).toBe(true);
  });

  slowTest("starts over and hides the banner where the click that rejects leads to another page", async () => {
    const { body, metadata, warnings, finalUrl } = await take({ url: `${site.origin}/consent/leaves` });
    expect([finalUrl, metadata.blocked?.cookie_banner]).toEqual([`${site.origin}/consent/leaves`, undefined]);
    expect(warnings).toEqual([expect.stringMatching(/navigated to another page; the capture started over and hid it/)]);
    expect(await isGreen(body)).toBe(true);
  });

  it("clicks nothing on a page whose scripts do not run, and hides what lists know", async () => {
    const { body, metadata } = await take({ url: `${site.origin}/consent/written`, javascript: false });
    expect(metadata.blocked?.cookie_banner).toBeUndefined();
    expect(await isGreen(body)).toBe(true);
  });
});
