// Bot challenges: reported from pages, waited for when they let the visit through, and never returned as the page.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { detectChallenge } from "../../../lib/engine/bot-detection/bot-challenge.ts";
import { decode } from "../../fixtures/png.ts";
import { type Site, startSite } from "../../fixtures/site.ts";
import { noWallPages, wallPages, walls } from "../../fixtures/site-pages/bot-challenges.ts";
import { BOX, GREEN } from "../../fixtures/site-pages.ts";
import { captureWith, failureOf } from "../../support/chromium.ts";
import { type OpenPage, openPage } from "../../support/open-page.ts";
import { sampled, slowTest } from "../../support/slow-run.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const small = { viewport_width: 320, viewport_height: 240 };

const captureOf = (path: string, options: Readonly<Record<string, unknown>> = {}) =>
  captureWith({ url: site.origin + path, timeout: 20, ...small, ...options }, { allow: [site.hostPort] });

/** A short timeout, for challenges that do not let the visit through. */
const IMPATIENT = { timeout: 3, format: "text" };

const failed = (path: string, options: Readonly<Record<string, unknown>> = {}) =>
  failureOf(captureOf(path, { ...IMPATIENT, ...options }));

async function boxColour(path: string, options: Readonly<Record<string, unknown>> = {}): Promise<number[]> {
  return (await decode((await captureOf(path, options)).body)).colourAt(BOX.x + 5, BOX.y + 5);
}

describe("challenge detection", () => {
  let page: OpenPage;
  beforeAll(async () => {
    page = await openPage(({ url = "" }, answer) => {
      const { pathname, searchParams } = new URL(url, "http://site.test");
      const html = wallPages[pathname]?.(searchParams, answer);
      if (!answer.writableEnded) answer.setHeader("content-type", "text/html; charset=utf-8").end(html);
    });
  });
  afterAll(() => page[Symbol.asyncDispose]());

  const open = async (path: string) => {
    const { activity, session } = page.capturing;
    const url = page.origin + path;
    activity.expectDocument(url);
    await session.cdp.send("Page.navigate", { url });
    await activity.until(() => activity.document.url === url && activity.document.loaded, 10_000);
  };

  const challengeAt = async (path: string) => {
    await open(path);
    return detectChallenge(page.capturing);
  };

  test.each(Object.entries(walls))("recognises the challenge of %s", async (vendor, { name, isFinal = false }) => {
    expect(await challengeAt(`/wall?vendor=${vendor}`)).toEqual({ name, canOpen: !isFinal });
  });

  test.each(noWallPages)("does not take an ordinary page with signs of a challenge for one: %s", async (name) => {
    expect(await challengeAt(`/no-wall?page=${name}`)).toBeUndefined();
  });

  test("does not use the headers of the previous document", async () => {
    await open("/wall-that-opens?vendor=aws-waf-challenge");
    const { activity } = page.capturing;
    const { documentId } = activity;
    const seen: unknown[] = [];
    while (activity.documentId === documentId || !activity.document.loaded)
      seen.push(await detectChallenge(page.capturing));
    expect(seen).not.toContainEqual(expect.objectContaining({ canOpen: false }));
  });
});

describe("a capture fails with TARGET_BLOCKED at a challenge", () => {
  sampled(test, 12).each([
    ["with an error status", "human-press-and-hold", 403],
    ["with status 200", "f5", 200],
    ["recognised by a header", "aws-waf-challenge", 202],
  ])("%s", async (_, vendor, status) => {
    const path = `/wall?vendor=${vendor}`;
    expect(await failed(path)).toMatchObject({
      code: "TARGET_BLOCKED",
      status: 422,
      blame: "target",
      details: { wall: [walls[vendor]?.name] },
      target: { http_status_code: status, net_error: null, final_url: site.origin + path },
    });
  });

  test("regardless of the condition it waits for, and suggests options that may help", async () => {
    expect(await failed("/wall?vendor=f5", { wait_for_selector: "#never" })).toMatchObject({
      code: "TARGET_BLOCKED",
      message:
        `The page at ${site.hostPort} is behind a bot challenge (F5) that did not let this visit through. ` +
        "These may help: stealth=true, a proxy, the cookies of a visitor who passed the challenge. " +
        "Set ignore_host_errors=true to capture the challenge page itself.",
    });
  });

  sampled(test, 4).each(["akamai-refusal", "anubis"])(
    "that a click has led to, and suggests no option that the request already has: %s",
    async (vendor) => {
      expect(await failed(`/leads-to-wall?vendor=${vendor}`, { click: ["#on"], cookies: ["a=1"] })).toMatchObject({
        code: "TARGET_BLOCKED",
        message: expect.stringContaining("help: stealth=true, a proxy. Set"),
        target: { final_url: `${site.origin}/wall?vendor=${vendor}` },
      });
    },
  );
});

test("a page that refuses without a challenge fails with its HTTP status", async () => {
  expect(await failed("/status?status=403", { timeout: 20 })).toMatchObject({ code: "TARGET_HTTP_ERROR" });
});

slowTest("a page about challenges is captured without a warning", async () => {
  expect(await captureOf("/no-wall?page=article", { format: "text" })).toMatchObject({ warnings: [] });
});

describe("a challenge that lets the visit through is waited for", () => {
  slowTest.each([
    ["with an error status", "cloudflare-challenge"],
    ["with status 200", "anubis"],
    ["recognised by a header", "aws-waf-challenge"],
  ])("%s", async (_, vendor) => {
    const options = { wait_for_selector: "#box" }; // which is on the page, not on the wall
    expect(await boxColour(`/wall-that-opens?vendor=${vendor}`, options)).toEqual(GREEN);
  });

  slowTest("before a page is recorded as a video", async () => {
    const video = { format: "gif", video_duration: 1, video_fps: 2, wait_for_selector: "#box" };
    expect(await boxColour("/wall-that-opens?vendor=cloudflare-challenge", video)).toEqual(GREEN);
  });

  test("when it disappears without a navigation", async () => {
    expect(await boxColour("/wall-that-dissolves?vendor=anubis")).toEqual(GREEN);
  });
});

describe("with ignore_host_errors, a challenge is captured with a warning", () => {
  sampled(test, 2).each([
    ["cloudflare-refusal", "Cloudflare", "Sorry, you have been blocked"],
    ["anubis", "Anubis", "Making sure you're not a bot!"],
  ])("%s", async (vendor, name, text) => {
    const options = { ...IMPATIENT, ignore_host_errors: true };
    const { body, warnings } = await captureOf(`/wall?vendor=${vendor}`, options);
    expect(body.toString()).toContain(text);
    expect(warnings).toEqual([`The capture shows a bot challenge of ${name}, not the page behind it.`]);
  });
});

test("HTML of the caller is not checked for challenges", async () => {
  const html = walls["f5"]?.html ?? "";
  expect((await captureWith({ html, format: "text" })).body.toString()).toContain("support ID");
});
