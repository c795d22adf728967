// The captured page: its content, its URL, and what it can notice of the capture.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { BrowserSession } from "../../../lib/engine/browser/browser.ts";
import { CHROMIUM_MAJOR, USER_AGENT } from "../../../lib/engine/browser/chromium-flags.ts";
import { decode } from "../../fixtures/png.ts";
import { type Site, startSite } from "../../fixtures/site.ts";
import { BOX, RED, WHITE } from "../../fixtures/site-pages.ts";
import { captureWith } from "../../support/chromium.ts";
import { sampled } from "../../support/slow-run.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

/** Captures a page of the fixture site, in a small window by default. */
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

describe("page: a page", () => {
  test("is captured as painted, and reported with its URL and status", async () => {
    const { body, ...report } = await captureOf("/box");
    const image = await decode(body);
    expect(report).toEqual({
      format: "png",
      mimeType: "image/png",
      finalUrl: `${site.origin}/box`,
      statusCode: 200,
      warnings: [],
      problems: [],
      quality: 100,
      metadata: {},
      slices: [],
    });
    expect([image.width, image.height]).toEqual([400, 300]);
    expect([image.colourAt(...inside), image.colourAt(...outside)]).toEqual([RED, WHITE]);
  });

  sampled(test, 8).each([
    ["a redirect", "/redirect"],
    ["a script", "/leaves?how=by%20location"],
    ["a meta refresh", "/leaves?how=by%20meta%20refresh"],
    ["a form post", "/leaves?how=by%20a%20form%20post"],
  ])("is the one that %s leads to", async (_, path) => {
    const { body, finalUrl, statusCode } = await captureOf(path);
    expect({ finalUrl, statusCode }).toEqual({ finalUrl: `${site.origin}/box`, statusCode: 200 });
    expect((await decode(body)).colourAt(...inside)).toEqual(RED);
  });

  test("is captured when it is not HTML", async () => {
    const { mimeType, statusCode } = await captureOf("/json");
    expect({ mimeType, statusCode }).toEqual({ mimeType: "image/png", statusCode: 200 });
  });

  test("cannot stop its capture with a dialog", async () => {
    expect((await imageOf("/alert")).colourAt(...inside)).toEqual(RED);
  });

  test("is captured although it never stops sending beacons", async () => {
    const { body, warnings } = await captureOf("/beacons", { wait_until: "networkidle0" });
    expect((await decode(body)).colourAt(...inside)).toEqual(RED);
    expect(warnings).toEqual([]);
  });

  test("sees Chrome with its actual version", async () => {
    let version = "";
    const see = async ({ browser }: BrowserSession) => {
      version = await browser.version();
    };
    await captureWith({ url: `${site.origin}/box?who`, format: "text" }, { allow: [site.hostPort], launched: see });
    expect(version).toContain(`/${CHROMIUM_MAJOR}.`);
    expect(site.requests.find(({ path }) => path === "/box?who")?.headers["user-agent"]).toBe(USER_AGENT);
  });

  test("cannot recognise a visitor: no cookie survives from one capture to the next", async () => {
    const html = `<body><script>document.body.append(document.cookie || "none"); document.cookie = "seen=1"; document.title = document.cookie</script>`;
    const options = { html, base_url: "https://example.com/", metadata_page_title: true, format: "text" };
    const [first, second] = [await captureWith(options), await captureWith(options)];
    expect(first.metadata.page_title).toBe("seen=1");
    expect([String(first.body).trim(), String(second.body).trim()]).toEqual(["none", "none"]);
  });
});
