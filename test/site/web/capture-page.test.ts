// The page of a capture in a browser: its result, error, phases, request, and webhook, and what can be done with it.
import { describe, expect, inject, test } from "vitest";
import { createId } from "../../../lib/service/platform/ids.ts";
import { createCaptureLog } from "../../../lib/service/usage/capture-log.ts";
import { logItems, writeItems } from "../../fixtures/usage-items.ts";
import { accessibilityProblems } from "../../support/accessibility.ts";
import { aCaptureLog } from "../../support/builders.ts";
import { type Client, openClient } from "../../support/client.ts";
import { openScreen, press, textOf } from "../../support/dashboard-screens.ts";
import { observeLayoutShift, ordinaryViews, viewProblems } from "../../support/page-views.ts";
import { slowTest } from "../../support/slow-run.ts";
import { webBrowser } from "../../support/web-browser.ts";

const { baseUrl, site } = inject("service");
const browser = webBrowser();

const small = { viewport_width: "200", viewport_height: "100" };
const stored = { ...small, response_type: "json" };

/** Captures, and resolves to the id of the capture. */
async function capturedId(client: Client, options: Record<string, string>): Promise<number> {
  await (await client.capture(options)).arrayBuffer();
  const [log] = await client.logs();
  return Number(log?.["id"]);
}

async function openPage(client: Client, id: number) {
  const opened = await openScreen(browser, client.accountId, `/captures/${id}`);
  await opened.page.waitForSelector(".capture-summary");
  return opened;
}

describe.concurrent("capture page", () => {
  test("shows the stored picture in a frame that is there before it, and the phases, and captures it again", async () => {
    const client = await openClient();
    const id = await capturedId(client, { html: "<h1>Kept</h1>", ...stored, block_ads: "true" });
    await using opened = await openPage(client, id);
    const { page, problems } = opened;
    const layoutShift = await observeLayoutShift(page);
    await page.reload({ waitUntil: "networkidle0" });
    await page.waitForFunction(() => document.querySelector<HTMLImageElement>(".preview")?.naturalWidth === 200);
    expect(await layoutShift()).toBeLessThanOrEqual(0.02);
    expect([await page.title(), await textOf(page, "h1")]).toEqual(["HTML: Kept – Screen Capture API", "HTML: Kept"]);
    expect(await textOf(page, ".waterfall")).toMatch(/capture Capture it\s+[\d.]+ m?s[\s\S]*Response time/);
    expect(await textOf(page, ".screen")).toMatch(/Blocked[\s\S]*"requests": 0/);
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.focus(".preview-frame"); // opens it large, by the keyboard alone
    await page.keyboard.press("Enter");
    await page.waitForSelector(".capture-dialog .facts");
    await page.waitForFunction(() => document.querySelector(".picture-bar .note")?.textContent === "200 × 100");
    const dialog = await textOf(page, ".capture-dialog");
    expect(dialog).toMatch(
      /Nothing looks wrong\. Quality 100 of 100\.[\s\S]*block_ads\s+true[\s\S]*Open in the playground/,
    );
    await press(page, "100 %");
    await page.waitForSelector(".canvas-real");
    expect(await viewProblems(page, ordinaryViews)).toEqual([]);
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => document.activeElement?.matches(".preview-frame"));
    await press(page, "Capture again");
    await page.waitForFunction((path) => !location.pathname.endsWith(path), {}, `/${id}`);
    await page.waitForSelector(".capture-summary");
    expect((await client.logs()).map((log) => Number(log["id"]))).toContain(Number(page.url().split("/").at(-1)));
    expect(problems).toEqual([]);
  });

  slowTest("lists the other results of its request, each with a link to its page", async () => {
    const client = await openClient();
    const outputs = JSON.stringify([{ name: "shot" }, { name: "words", format: "text" }]);
    await (await client.capture({ html: "<h1>Kept</h1>", ...small, outputs })).arrayBuffer();
    const [words, shot] = await client.logs();
    await using opened = await openPage(client, Number(shot?.["id"]));
    const { page, problems } = opened;
    await page.waitForSelector(".capture-group");
    expect(await textOf(page, ".capture-group")).toMatch(
      /^2 results of one request\s+shot\s+png\s+ok\s+words\s+text\s+ok$/,
    );
    expect(await textOf(page, ".capture-group [aria-current]")).toBe("shot");
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.click(".capture-group li:last-child a");
    await page.waitForFunction((path) => location.pathname.endsWith(path), {}, `/${words?.["id"]}`);
    await page.waitForFunction(() => document.querySelector(".capture-group [aria-current]")?.textContent === "words");
    await page.click(".back a");
    await page.waitForSelector(".capture-output");
    expect(await page.$$eval(".capture-output", (all) => all.map(({ textContent }) => textContent))).toEqual([
      "Result “words” of several",
      "Result “shot” of several",
    ]);
    expect(problems).toEqual([]);
  });

  slowTest("shows of a full page the top, and all of it in the dialog", async () => {
    const client = await openClient();
    const html = "<body style='margin: 0'><div style='height: 9000px; background: linear-gradient(teal, gold)'>";
    const id = await capturedId(client, { html, full_page: "true", viewport_width: "400", response_type: "json" });
    await using opened = await openPage(client, id);
    const { page } = opened;
    await page.waitForSelector(".is-cropped");
    expect(await page.$eval(".preview-frame", (frame) => frame.clientHeight)).toBeLessThan(600);
    await press(page, "Open large");
    await page.waitForFunction(() => document.querySelector(".capture-dialog .canvas")?.scrollHeight === 9000);
  });

  slowTest("copies the address, the id, the curl command with a placeholder for the key, and JSON", async () => {
    const client = await openClient();
    const url = `${site}/box?a=1&b='2'`;
    const id = await capturedId(client, { url, ...small });
    await using opened = await openPage(client, id);
    const { page } = opened;
    await page.browserContext().overridePermissions(baseUrl, ["clipboard-read", "clipboard-sanitized-write"]);
    const copied = async (button: string) => {
      await press(page, button);
      await page.waitForFunction(() =>
        [...document.querySelectorAll(".copy-button")].some(({ textContent }) => textContent === "Copied"),
      );
      return page.evaluate(() => navigator.clipboard.readText());
    };
    expect(await copied("Copy the address")).toBe(url);
    expect(await copied("Copy the request number")).toBe(String(id));
    const command = await copied("Copy the request as curl");
    expect(command).toMatch(/-H "Authorization: Bearer \$SCREEN_CAPTURE_KEY"[\s\S]*-o capture\.png$/);
    expect(command).toContain(`"url":"${site}/box?a=1&b='\\''2'\\''"`);
    await press(page, "JSON");
    expect(JSON.parse(await copied("Copy the request as json"))).toMatchObject({ id, url, status: "success" });
  });

  test("shows the error of a failed capture as text, with what to do about it", async () => {
    const client = await openClient();
    const id = createId(Date.now(), 0);
    const { id: _, created_at: __, ...log } = aCaptureLog({ user_id: client.accountId, api_key_id: client.keyId });
    const error_message = "SELECTOR_NOT_FOUND: No element matched '<img src=x onerror=alert(1)>'.";
    const failed = createCaptureLog(id, { ...log, options: {}, status: "failed", error_message });
    await writeItems(inject("service").activityTable, logItems([failed]));
    await using opened = await openPage(client, id);
    const { page, problems } = opened;
    const error = await textOf(page, ".capture-error");
    expect(error).toContain("<img src=x onerror=alert(1)>");
    expect(error).toMatch(/^SELECTOR_NOT_FOUND\n[\s\S]*What to do: [\s\S]*Nothing was billed/);
    expect(await page.$$("#app img")).toEqual([]);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  slowTest("shows the thumbnail of a result that isn't stored, and deletes it once that is confirmed", async () => {
    const client = await openClient();
    const id = await capturedId(client, { html: "<body style='background: teal'>", ...small });
    const thumbnail = () => client.get(`/api/v1/usage/${id}/thumbnail`);
    await expect.poll(async () => (await thumbnail()).status).toBe(200);
    await using opened = await openPage(client, id);
    const { page, problems } = opened;
    await page.waitForFunction(() => document.querySelector<HTMLImageElement>(".thumbnail img")?.naturalWidth);
    expect(await textOf(page, ".screen")).toContain("This is the thumbnail. The result isn’t stored");
    await press(page, "Delete…");
    await page.waitForFunction(() => document.activeElement?.textContent === "Delete");
    await page.keyboard.press("Escape");
    await page.waitForFunction(() => document.activeElement?.textContent === "Delete…");
    expect((await thumbnail()).status).toBe(200);
    await press(page, "Delete…");
    expect(await accessibilityProblems(page)).toEqual([]);
    await press(page, "Delete");
    await page.waitForFunction(() => document.querySelector(".thumbnail img") === null);
    expect((await thumbnail()).status).toBe(404);
    expect(await page.$(".danger")).toBeNull();
    expect((await client.logs()).map((log) => log["id"])).toEqual([id]);
    expect(problems).toEqual([]);
  });

  slowTest("shows the pages of a PDF, and captured text as text", async () => {
    const client = await openClient();
    const html = "<p style='break-after: page'>One</p><p>Two";
    const pdf = await capturedId(client, { html, format: "pdf", response_type: "json" });
    const text = await capturedId(client, {
      html: "<p>&lt;img src=x onerror=alert(1)&gt;",
      format: "markdown",
      response_type: "json",
    });
    await using opened = await openPage(client, pdf);
    const { page, problems } = opened;
    await page.waitForFunction(() => document.body.innerText.includes("Page 1 of 2"));
    await press(page, "Next");
    await page.waitForFunction(() => document.body.innerText.includes("Page 2 of 2"));
    expect(await accessibilityProblems(page)).toEqual([]);
    await page.goto(`${baseUrl}/app/captures/${text}`);
    await page.waitForFunction(() => document.querySelector(".text-view")?.textContent?.includes("<img src=x"));
    expect(await page.$$("#app img")).toEqual([]);
    expect(problems).toEqual([]);
  });

  slowTest("plays a video", async () => {
    const client = await openClient();
    const id = await capturedId(client, { html: "<h1>Hi", format: "webm", video_duration: "1", ...stored });
    await using opened = await openPage(client, id);
    await opened.page.waitForFunction(() => document.querySelector("video")?.videoWidth === 200);
    expect(await accessibilityProblems(opened.page)).toEqual([]);
    expect(opened.problems).toEqual([]);
  });

  test("says that there is no such capture, also for one of another account", async () => {
    const [owner, other] = [await openClient(), await openClient()];
    const id = await capturedId(owner, { html: "<h1>Hers", ...stored });
    await using opened = await openScreen(browser, other.accountId, `/captures/${id}`);
    await opened.page.waitForFunction(() => document.querySelector("h1")?.textContent === "No such capture");
    expect(await textOf(opened.page, ".screen")).not.toContain("Hers");
  });

  slowTest("opens a capture in the playground", async () => {
    const client = await openClient();
    const id = await capturedId(client, { html: "<h1>From the log", viewport_width: "234", viewport_height: "100" });
    await using opened = await openPage(client, id);
    const { page } = opened;
    await Promise.all([page.waitForNavigation(), press(page, "Open in the playground")]);
    await page.waitForSelector(".playground-grid");
    await page.waitForFunction(
      () => document.querySelector<HTMLTextAreaElement>("#option-html")?.value === "<h1>From the log",
    );
  });

  slowTest("does not repeat a capture of which the log has no secrets", async () => {
    const client = await openClient();
    const id = await capturedId(client, {
      url: `${site}/box`,
      headers: JSON.stringify({ "X-Secret": "Bearer x" }),
      ...small,
    });
    await using opened = await openPage(client, id);
    const text = await textOf(opened.page, ".screen");
    expect(text).not.toContain("Bearer x");
    expect(text).toContain("The log has no secrets");
    expect(await opened.page.$eval(".capture-actions button", ({ disabled }) => disabled)).toBe(true);
  });

  slowTest("shows an asynchronous capture with the deliveries of its webhook, and sends it again", async () => {
    const client = await openClient();
    const accepted = await client.capture({
      html: "<p>",
      async: "true",
      webhook_url: `${site}/nothing-here`,
      external_identifier: "order-7",
    });
    const { request_id } = await accepted.json();
    await using opened = await openPage(client, request_id);
    const { page } = opened;
    await page.waitForSelector(".stored-result");
    await page.waitForFunction(() => document.querySelector(".deliveries")?.textContent?.includes(": 404 in"));
    expect(await textOf(page, ".capture-main")).toContain(`to ${site}`);
    expect(await accessibilityProblems(page)).toEqual([]);
    await press(page, "Send again");
    await page.waitForFunction(() => document.body.innerText.includes("Sent again"));
  });
});
