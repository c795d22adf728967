// A page of the website at several widths and in several color schemes: what is wrong with it in each, how much moves while it
// loads, and how many bytes it takes.
import type { CDPSession, Page } from "puppeteer-core";
import { accessibilityProblems, COLOR_RULES } from "./accessibility.ts";

export interface View {
  /** In CSS pixels. */
  readonly width: number;
  /** `forced`: the few colors that the visitor's system has chosen. */
  readonly scheme: "light" | "dark" | "forced";
}

/** From the narrowest phone to a wide screen; 768 and 860 px are where layouts change. */
export const widths = [320, 360, 768, 860, 1280, 1920] as const;
export const schemes = ["light", "dark", "forced"] as const;

/** The views of the ordinary run; the slow run has every combination (`matrix.slow.test.ts`). */
export const ordinaryViews: readonly View[] = [
  { width: 320, scheme: "light" },
  { width: 1280, scheme: "dark" },
];

/** Emulation ends with the session that has requested it. */
const sessions = new WeakMap<Page, CDPSession>();

export async function showView(page: Page, { width, scheme }: View): Promise<void> {
  const session = sessions.get(page) ?? (await page.createCDPSession());
  sessions.set(page, session);
  await session.send("Emulation.setEmulatedMedia", {
    features: [
      { name: "prefers-color-scheme", value: scheme === "dark" ? "dark" : "light" },
      { name: "forced-colors", value: scheme === "forced" ? "active" : "none" },
    ],
  });
  await page.setViewport({ width, height: width < 600 ? 740 : 900 });
}

/**
 * Shows the page in each view. Resolves to what axe-core finds, to small texts, and to where the page is wider than the window. After the first color
 * scheme of a width, only the colors are checked.
 */
export async function viewProblems(page: Page, views: readonly View[]): Promise<string[]> {
  const problems: string[] = [];
  const seen = new Set<number>();
  for (const view of views) {
    await showView(page, view);
    const content = await page.evaluate(() => document.documentElement.scrollWidth);
    const found = await accessibilityProblems(page, seen.has(view.width) ? COLOR_RULES : undefined);
    seen.add(view.width);
    if (content > view.width) found.unshift(`the page is ${content} px wide`);
    found.push(...(await smallTexts(page)));
    problems.push(...found.map((problem) => `${view.width} px, ${view.scheme}: ${problem}`));
  }
  return problems;
}

/** Measures the Cumulative Layout Shift of each page that is opened from now on. */
export async function observeLayoutShift(page: Page): Promise<() => Promise<number>> {
  await page.evaluateOnNewDocument(() => {
    const total = { layoutShift: 0 };
    Object.assign(globalThis, { total });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { readonly value: number })[])
        total.layoutShift += entry.value;
    }).observe({ type: "layout-shift", buffered: true });
  });
  return async () => Number(await page.evaluate("total.layoutShift"));
}

/** Bytes that the bodies of these addresses take on their way to a browser, each. */
export function transferSizes(urls: readonly string[]): Promise<number[]> {
  return Promise.all(
    urls.map(async (url) => {
      const response = await fetch(url, { headers: { "Accept-Encoding": "br" } });
      await response.arrayBuffer();
      return Number(response.headers.get("content-length"));
    }),
  );
}

/** The smallest text that people read without effort, in CSS pixels. */
const MIN_TEXT_PX = 14;

/** Texts of the page that are smaller, each with its size. */
function smallTexts(page: Page): Promise<string[]> {
  return page.evaluate((min) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found: string[] = [];
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const parent = node.parentElement;
      const text = node.textContent?.trim() ?? "";
      if (text === "" || !parent?.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
      const size = Number.parseFloat(getComputedStyle(parent).fontSize);
      if (size < min - 0.01) found.push(`“${text.slice(0, 40)}” has ${size} px`);
    }
    return [...new Set(found)];
  }, MIN_TEXT_PX);
}
