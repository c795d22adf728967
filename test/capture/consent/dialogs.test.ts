// Boxes over pages that no list knows: which are closed, by what, and that nothing else is touched.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeDialogs, unlockPage } from "../../../lib/capture/consent/dialogs.ts";
import { differenceOf } from "../../support/likeness.ts";
import { type OpenPage, openPage } from "../../support/open-page.ts";
import { coveredPages, dialogPages, innocentPages } from "../../support/site-pages/dialogs.ts";

let page: OpenPage;
beforeAll(async () => {
  page = await openPage(({ url = "" }, answer) => {
    const { pathname, searchParams } = new URL(url, "http://site.test");
    answer.setHeader("content-type", "text/html; charset=utf-8");
    answer.end(dialogPages[pathname]?.(searchParams, answer as never));
  });
  const size = { width: 800, height: 600, deviceScaleFactor: 1, mobile: false };
  await page.capturing.session.cdp.send("Emulation.setDeviceMetricsOverride", size);
});
afterAll(() => page[Symbol.asyncDispose]());

async function open(path: string): Promise<void> {
  const { capturing, origin } = page;
  const { activity, session } = capturing;
  Object.assign(capturing, { blocked: { requests: 0, dialogs: 0, unlocked: false } });
  activity.expectDocument(origin + path);
  await session.cdp.send("Page.navigate", { url: origin + path });
  await activity.until(() => activity.document.url === origin + path && activity.document.loaded, 10_000);
}

async function picture(): Promise<Buffer> {
  const { data } = await page.capturing.session.cdp.send("Page.captureScreenshot", { format: "png" });
  return Buffer.from(data, "base64");
}

async function inPage<T>(expression: string): Promise<T> {
  const { result } = await page.capturing.session.cdp.send("Runtime.evaluate", { expression, returnByValue: true });
  return result.value as T;
}

async function close(what: "consent" | "any"): Promise<number> {
  const begun = performance.now();
  await closeDialogs(page.capturing, what);
  await unlockPage(page.capturing);
  return performance.now() - begun;
}

describe("a box over the page", () => {
  let bare: Buffer;
  beforeAll(async () => {
    await open("/covered?bare");
    bare = await picture();
  });
  const table: string[] = [];
  afterAll(() => console.log(table.join("\n")));

  test.each(Object.entries(coveredPages))("goes, and the page is as it would be without: %s", async (name, covered) => {
    await open(`/covered?page=${encodeURIComponent(name)}`);
    expect((await differenceOf(await picture(), bare)).share).toBeGreaterThan(0.003);
    const took = await close(covered.what ?? "consent");
    const clicks = await inPage<string[]>("clicks");
    table.push(`${name.padEnd(52)} ${(clicks.join(", ") || "hidden").padEnd(28)} ${took.toFixed(0).padStart(5)} ms`);
    expect(clicks.join(", ")).toBe(covered.clicked ?? "");
    expect((await differenceOf(await picture(), bare)).summary).toMatch(/^0 pixels/);
    const { blocked } = page.capturing;
    expect(blocked).toMatchObject({ dialogs: covered.boxes ?? 1, unlocked: covered.locks ?? false });
    await inPage("scrollTo(0, 100)");
    expect(await inPage("scrollY")).toBe(100);
  });
});

describe("a page over which nothing lies", () => {
  test.each(Object.keys(innocentPages))("stays as it is: %s", async (name) => {
    await open(`/innocent?page=${encodeURIComponent(name)}`);
    const before = await picture();
    await close("any");
    expect((await differenceOf(await picture(), before)).summary).toMatch(/^0 pixels/);
    expect(await inPage("clicks")).toEqual([]);
    expect(page.capturing.blocked).toEqual({ requests: 0, dialogs: 0, unlocked: false });
  });
});
