// Overlays that no list knows: which are closed, by which control, and that nothing else changes.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { closeDialogs, unlockScrolling } from "../../../lib/engine/overlays/dialogs.ts";
import { decode } from "../../fixtures/png.ts";
import { type Site, startSite } from "../../fixtures/site.ts";
import { coveredPages, dialogPages, innocentPages } from "../../fixtures/site-pages/dialogs.ts";
import { captureWith } from "../../support/chromium.ts";
import { compareImages } from "../../support/image-similarity.ts";
import { GREEN } from "../../support/images.ts";
import { type OpenPage, openPage } from "../../support/open-page.ts";
import { sampled, slowTest } from "../../support/slow-run.ts";

let page: OpenPage;
beforeAll(async () => {
  page = await openPage(({ url = "" }, answer) => {
    const { pathname, searchParams } = new URL(url, "http://site.test");
    answer.setHeader("content-type", "text/html; charset=utf-8");
    answer.end(dialogPages[pathname]?.(searchParams, answer as never));
  });
  const size = { width: 800, height: 500, deviceScaleFactor: 1, mobile: false };
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

/** Fails in words, with the number of pixels. */
async function expectLike(expected: Buffer): Promise<void> {
  const actual = await picture();
  if (!actual.equals(expected)) expect((await compareImages(actual, expected)).summary).toMatch(/^0 pixels/);
}

async function inPage<T>(expression: string): Promise<T> {
  const { result } = await page.capturing.session.cdp.send("Runtime.evaluate", { expression, returnByValue: true });
  return result.value as T;
}

async function close(what: "consent" | "any"): Promise<number> {
  const started = performance.now();
  await closeDialogs(page.capturing, { what });
  await unlockScrolling(page.capturing);
  return performance.now() - started;
}

describe("an overlay", () => {
  let bare: Buffer;
  beforeAll(async () => {
    await open("/covered?bare");
    bare = await picture();
  });
  const table: string[] = [];
  afterAll(() => console.log(table.join("\n")));

  sampled(test, 20).each(Object.entries(coveredPages))(
    "is closed, and the page looks as it does without it: %s",
    async (name, covered) => {
      await open(`/covered?page=${encodeURIComponent(name)}`);
      expect((await picture()).equals(bare)).toBe(false);
      const took = await close(covered.what ?? "consent");
      const clicks = (await inPage<string[]>("clicks")).join(", ");
      table.push(
        `${name.padEnd(50)} ${(clicks || "hidden").slice(0, 40).padEnd(42)} ${took.toFixed(0).padStart(5)} ms`,
      );
      expect(clicks).toBe(covered.clicked ?? "");
      await expectLike(bare);
      const { blocked } = page.capturing;
      expect(blocked).toMatchObject({ dialogs: covered.boxes ?? 1, unlocked: covered.locks ?? false });
      await inPage("scrollTo(0, 100)");
      expect(await inPage("scrollY")).toBe(100);
    },
  );

  test("leaves a page with a fixed body at its scroll offset", async () => {
    await open("/pinned-lower");
    await close("consent");
    expect(await inPage("[scrollY, getComputedStyle(document.body).position].join()")).toBe("80,static");
  });

  test("that a script or list has hidden no longer locks the page", async () => {
    await open("/left-locked");
    await close("consent");
    expect(page.capturing.blocked).toEqual({ requests: 0, dialogs: 0, unlocked: true });
    await inPage("scrollTo(0, 100)");
    expect(await inPage("scrollY")).toBe(100);
  });

  test("may reload the document, which is waited for", async () => {
    await open("/rejects-by-form");
    await close("consent");
    expect(page.capturing.activity.document).toMatchObject({ loaded: true, url: expect.stringContaining("done=") });
    await expectLike(bare);
  });
});

describe("a page without overlays", () => {
  sampled(test, 20).each(Object.keys(innocentPages))("does not change: %s", async (name) => {
    await open(`/innocent?page=${encodeURIComponent(name)}`);
    const before = await picture();
    await close("any");
    await expectLike(before);
    expect(await inPage("clicks")).toEqual([]);
    expect(page.capturing.blocked).toEqual({ requests: 0, dialogs: 0, unlocked: false });
  });

  const applications = [
    "an application that is pinned",
    "an application in pinned parts",
    "a page that is locked by design",
    "an application that hides its consent box",
    "a picture that is all there is",
  ];
  sampled(test, 8).each(applications)("loses nothing but its consent banner: %s", async (name) => {
    await open(`/innocent?page=${encodeURIComponent(name)}`);
    const before = await picture();
    await open(`/innocent?bar&page=${encodeURIComponent(name)}`);
    await close("any");
    await expectLike(before);
    expect(page.capturing.blocked).toEqual({ requests: 0, dialogs: 1, unlocked: false });
  });
});

describe("a capture", () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site.close());

  const captured = (path: string, options: Readonly<Record<string, unknown>>) =>
    captureWith(
      { url: site.origin + path, viewport_width: 320, viewport_height: 240, timeout: 20, ...options },
      { allow: [site.hostPort] },
    );
  /** The page without an overlay, captured once. */
  let bare: Promise<Buffer> | undefined;
  const bareImage = () => {
    bare ??= captured("/covered?bare", {}).then(({ body }) => body);
    return bare;
  };
  const letter = `/covered?page=${encodeURIComponent("a letter with a cross")}`;
  const closing = { block_banners_by_heuristics: true };

  slowTest.each<[string, { javascript?: boolean; viewport_mobile?: boolean }]>([
    ["without scripts", { javascript: false }],
    ["on a phone", { viewport_mobile: true }],
  ])("is of the page without its box: %s", async (_, options) => {
    const { body, metadata } = await captured(letter, { ...closing, ...options });
    expect(metadata).toMatchObject({ blocked: { dialogs: 1 } });
    const bare = options.viewport_mobile ? (await captured("/covered?bare", options)).body : await bareImage();
    expect((await compareImages(body, bare)).summary).toMatch(/^0 pixels/);
  });

  describe("starts over without clicks when a click on an overlay navigates away", () => {
    const consent = "We use cookies and similar techniques, with our partners, to measure how our site is used.";
    const LEFT = "A click to close a banner or dialog navigated to another page; the capture started over and hid it.";
    const covered = (script: string, label = "Close", says = "Our newsletter") =>
      `/left-by-a-click?${new URLSearchParams({ script, label, says })}`;

    slowTest.each([
      ["to another address", covered("location.href = '/elsewhere'"), closing],
      ["to about:blank", covered("location.href = 'about:blank'"), closing],
      ["back to about:blank", covered("history.back()"), closing],
      ["after it has faded", covered("setTimeout(() => location.assign('/elsewhere'), 600)"), closing],
      [
        "from a cookie wall",
        covered("location.href = '/elsewhere'", "Reject all", consent),
        { block_cookie_banners: true },
      ],
    ])("%s", async (_, path, options) => {
      const { body, metadata, warnings, finalUrl } = await captured(path, options);
      expect([warnings, finalUrl]).toEqual([[LEFT], site.origin + path]);
      expect(metadata).toMatchObject({ blocked: { dialogs: 1 } });
      expect((await compareImages(body, await bareImage())).summary).toMatch(/^0 pixels/);
    });

    slowTest("also for HTML of the caller, and for a video", async () => {
      const html = `<!doctype html><body style="background:green"><p>${"It says much. ".repeat(20)}</p><div style="position:fixed;inset:20px;background:red" role="dialog" class="popup"><h2>Our newsletter</h2><button onclick="location.reload()">Close</button></div>`;
      const { body, warnings } = await captureWith({
        html,
        ...closing,
        viewport_width: 200,
        viewport_height: 150,
        format: "gif",
        video_duration: 1,
        video_fps: 2,
      });
      expect(warnings).toEqual([LEFT]);
      expect((await decode(body)).colourAt(100, 140)).toEqual(GREEN);
    });

    test("but not when the caller's own click navigates away", async () => {
      const options = { ...closing, click: "h1", format: "text" };
      const path = `${covered("this.closest('.wall').remove()")}#`;
      const script = `document.querySelector("h1").onclick = () => location.assign("/elsewhere")`;
      const { finalUrl, warnings } = await captured(path, { ...options, scripts: [script] });
      expect([finalUrl, warnings]).toEqual([`${site.origin}/elsewhere`, []]);
    });
  });

  slowTest("records the page without the overlay", async () => {
    const options = { format: "gif", video_duration: 1, video_fps: 2 };
    const { body, metadata } = await captured(letter, { ...closing, ...options });
    expect(metadata).toMatchObject({ blocked: { dialogs: 1 } });
    const { body: bare } = await captured("/covered?bare", options);
    expect((await compareImages(body, bare)).summary).toMatch(/^0 pixels/);
  });
});

// Last, as this page never answers again.
slowTest("a capture succeeds although the page hangs when its overlay is closed", async () => {
  await open("/restless");
  await close("consent");
  expect(page.capturing.blocked.unlocked).toBe(false);
});
