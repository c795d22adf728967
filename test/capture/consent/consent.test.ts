// Consent banners of known platforms: recognised, answered by what rejects, and gone from the page.
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildBlockingLayer } from "../../../layers/blocking/build.ts";
import { createFilterLists } from "../../../lib/capture/blocking/filter-lists.ts";
import { type BrowserSession, launchBrowser } from "../../../lib/capture/browser/browser.ts";
import { createBudget } from "../../../lib/capture/budget.ts";
import type { Capturing } from "../../../lib/capture/capturing.ts";
import { closeConsent, watchForConsent } from "../../../lib/capture/consent/consent.ts";
import { loadConditions } from "../../../lib/capture/page/load-conditions.ts";
import { followPage } from "../../../lib/capture/page/page-activity.ts";
import { parseAllowedOrigins } from "../../../lib/egress/egress-policy.ts";
import { chromiumFiles } from "../../support/chromium.ts";
import { type Site, startSite } from "../../support/site.ts";
import { consentBanners } from "../../support/site-pages/consent/platforms.ts";

const lists = createFilterLists(join(buildBlockingLayer(), "blocking"));
let site: Site;
let browser: BrowserSession;

beforeAll(async () => {
  site = await startSite();
  browser = await launchBrowser({
    files: await chromiumFiles(),
    allowed: parseAllowedOrigins(site.hostPort),
    memoryLimit: 1.5e9,
    resolve: async () => ["127.0.0.1"],
  });
});

afterAll(async () => {
  await browser.close();
  await site.close();
});

interface Seen {
  readonly told: Capturing["blocked"]["cookie_banner"];
  /** What was clicked, oldest first. */
  readonly answers: string;
  readonly gone: boolean;
  readonly visible: boolean;
  readonly scrolls: boolean;
  readonly ms: number;
}

/** Opens a page of the site as a capture does, and looks at it once its banner is closed. */
async function visit(path: string, { accept = false } = {}): Promise<Seen> {
  const page = await browser.page.browser().newPage();
  try {
    const cdp = await page.createCDPSession();
    const activity = await followPage(page, cdp);
    const now = () => performance.now();
    const capturing: Capturing = {
      session: { ...browser, page, cdp },
      launch: () => Promise.reject(new Error("one browser is all there is here")),
      lists,
      activity,
      budget: createBudget(now(), 60),
      now,
      warnings: [],
      blocked: { requests: 0, dialogs: 0, unlocked: false },
      confirmed: "",
      window: { width: 800, height: 600, scale: 1, mobile: false },
      area: { x: 0, y: 0, width: 0, height: 0 },
      scale: 1,
      strips: [],
      slices: [],
      metadata: {},
    };
    await watchForConsent(capturing, { accept });
    activity.expectDocument(site.origin + path);
    await cdp.send("Page.navigate", { url: site.origin + path });
    await loadConditions.auto(capturing);
    const before = performance.now();
    await closeConsent(capturing);
    const ms = Math.round(performance.now() - before);
    const seen = await page.evaluate(() => {
      const shown = document.elementFromPoint(innerWidth / 2, innerHeight / 2);
      const banner = [...document.querySelectorAll("[data-banner]")].flatMap((part) => [
        ...part.querySelectorAll("*"),
        part,
      ]);
      scrollTo(0, 300);
      return {
        answers: document.documentElement.dataset.answers ?? "",
        gone: !banner.some((part) => part.checkVisibility({ opacityProperty: true }) && part.clientHeight > 100),
        visible: shown === document.body || shown === document.documentElement,
        scrolls: scrollY === 300,
      };
    });
    return { told: capturing.blocked.cookie_banner, ...seen, ms };
  } finally {
    await page.close();
  }
}

describe("Consent banners", () => {
  it("of known platforms are rejected", { timeout: 120_000 }, async () => {
    const table: Record<string, unknown>[] = [];
    for (const [name, { platform }] of Object.entries(consentBanners)) {
      const { told, ...seen } = await visit(`/consent/${name}`);
      table.push({ name, ok: told?.platform === platform, told: told?.platform, by: told?.closed_by, ...seen });
    }
    console.table(table);
    expect(table.length).toBeGreaterThan(25);
  });
});
