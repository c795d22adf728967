// JavaScript disabled: the page looks as without scripts, and all options work.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readPdf } from "../../fixtures/pdf.ts";
import { decode } from "../../fixtures/png.ts";
import { type Site, startSite } from "../../fixtures/site.ts";
import { ranIn, SCRIPTED } from "../../fixtures/site-pages/scripted.ts";
import { GREEN, RED, WHITE } from "../../fixtures/site-pages.ts";
import { captureWith, failureOf } from "../../support/chromium.ts";
import { slowTest } from "../../support/slow-run.ts";
import { decodeVideo } from "../../support/video.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

/** A capture of `/scripted` without its scripts, and those that ran all the same. */
async function captureOf(options: Readonly<Record<string, unknown>> = {}) {
  const seen = site.requests.length;
  const requested = { url: `${site.origin}/scripted`, viewport_width: 400, viewport_height: 300, javascript: false };
  const capture = await captureWith(
    { ...requested, timeout: 20, ...options },
    { allow: [site.hostPort], isTimedFromLaunch: true },
  );
  return { ...capture, ran: ranIn(site.requests, seen) };
}

async function imageOf(options: Readonly<Record<string, unknown>> = {}) {
  const { body, ran } = await captureOf(options);
  expect(ran).toEqual([]);
  return decode(body);
}

const MIDDLE = 25;
const html = `<style>body{margin:0}div{height:50px;background:red}@media (scripting: none){div{background:green}}</style>
  <body><noscript><div></div></noscript><div></div><script>document.body.remove()</script>`;

const clicks = { click: ["#button", "#link"], hover: "#button" };

test("javascript off: with scripts the fixture looks different, and they run, also when something is clicked", async () => {
  const { body, ran } = await captureOf({ javascript: true, ...clicks });
  expect((await decode(body)).colourAt(5, MIDDLE)).toEqual(RED);
  expect([...new Set(ran)].sort()).toEqual(["button", "file", "frame", "image", "link", "script"]);
});

test("javascript off: without them a full page is shown to its end, clicks run nothing, and elements and metadata are found", async () => {
  const { body, ran, metadata } = await captureOf({
    ...clicks,
    full_page: true,
    viewport_height: 1_000,
    wait_for_selector: "#late",
    metadata_page_title: true,
    metadata_links: true,
    response_type: "json",
  });
  const image = await decode(body);
  expect(ran).toEqual([]);
  expect(image.height).toBe(SCRIPTED.height);
  const rows = { top: MIDDLE, media: SCRIPTED.media + MIDDLE, late: SCRIPTED.late + MIDDLE, between: 2000, bottom: SCRIPTED.noscript.bottom + MIDDLE }; // biome-ignore format: a row each
  expect(Object.entries(rows).map(([name, y]) => [name, image.colourAt(5, y)])).toEqual([
    ["top", GREEN],
    ["media", GREEN],
    ["late", [0, 0, 255]],
    ["between", WHITE],
    ["bottom", GREEN],
  ]);
  expect(metadata).toMatchObject({ page_title: "Fixture", links: expect.arrayContaining([expect.anything()]) });
});

describe("javascript off: shows the content for visitors without scripts", () => {
  slowTest.each([
    ["at an address", {}],
    ["in HTML", { url: undefined, html }],
    ["in HTML of an address", { url: undefined, html, base_url: "https://example.com/" }],
    ["in HTML, by dark", { url: undefined, html, dark_mode: true }],
    ["with stealth", { stealth: true }],
    ["before a wait of the caller", { wait_until: ["networkidle0"] }],
  ])("%s", async (_, options) => {
    const image = await imageOf(options);
    expect([image.colourAt(5, MIDDLE), image.colourAt(5, SCRIPTED.media + MIDDLE)]).toEqual([GREEN, GREEN]);
  });

  slowTest.each([
    ["by sections", { full_page_algorithm: "by_sections" }],
    ["to a visitor with a phone", { viewport_mobile: true, viewport_has_touch: true, viewport_width: 980 }],
  ])("to the end of the full page, %s", async (_, options) => {
    const image = await imageOf({ full_page: true, ...options });
    expect(image.height).toBe(SCRIPTED.height);
    const rows = [MIDDLE, SCRIPTED.media + MIDDLE, 2000, SCRIPTED.noscript.bottom + MIDDLE];
    expect(rows.map((y) => image.colourAt(5, y))).toEqual([GREEN, GREEN, WHITE, GREEN]);
  });

  test("in an element far below the window", async () => {
    const image = await imageOf({ selector: "noscript:last-of-type > div" });
    expect([image.height, image.colourAt(395, MIDDLE)]).toEqual([50, GREEN]);
  });

  test("in a PDF", async () => {
    const { body, ran } = await captureOf({ format: "pdf" });
    const text = readPdf(body).texts.join(" ");
    expect([text.includes("Without scripts"), text.includes("The end"), ran]).toEqual([true, true, []]);
  });

  slowTest.each([["html"], ["markdown"], ["text"]])("as %s", async (format) => {
    const { body, ran } = await captureOf({ format });
    expect(body.toString()).toContain("Without scripts");
    expect(ran).toEqual([]);
  });

  slowTest("in a video that scrolls", async () => {
    const { body, ran } = await captureOf({
      format: "gif",
      video_duration: 2,
      video_scenario: "scroll",
      scroll_by: 3000,
    });
    const { frames } = await decodeVideo(body);
    expect([frames[0]?.pixel(5, MIDDLE), ran]).toEqual([GREEN, []]);
    expect(frames.some((frame) => frame.pixel(5, 300 - MIDDLE)[1] === 128)).toBe(true);
  });
});

describe("javascript off: options", () => {
  test("a link is followed, to a page whose scripts do not run either", async () => {
    const { body, ran, finalUrl } = await captureOf({ click: "#next", format: "text" });
    expect([String(body).trim(), finalUrl, ran]).toEqual(["Next", `${site.origin}/scripted-next`, []]);
  });

  slowTest("a wait for an element that never appears fails", async () => {
    const error = await failureOf(captureOf({ wait_for_selector: "#never", timeout: 4 }));
    expect([error.code, error.message]).toEqual(["SELECTOR_NOT_FOUND", expect.stringContaining("'#never'")]);
  });

  slowTest("a missing element fails the capture", async () => {
    const error = await failureOf(captureOf({ selector: "#never", timeout: 7 }));
    expect([error.code, error.message]).toEqual(["SELECTOR_NOT_FOUND", expect.stringContaining("'#never'")]);
  });

  test("styles are added, and elements hidden", async () => {
    const styles = "#media { background: red !important }";
    const image = await imageOf({ styles, hide_selectors: "noscript" });
    expect(image.colourAt(5, MIDDLE)).toEqual(RED);
  });

  slowTest("a style sheet that never loads is not awaited forever", async () => {
    const error = await failureOf(captureOf({ styles: `${site.origin}/never-answers`, timeout: 4 }));
    expect(error.code).toBe("STYLE_FAILED");
  });
});
