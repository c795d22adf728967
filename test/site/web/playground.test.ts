// The playground in a real browser against the running service: results of each kind, errors at their field, and share links.
import { randomUUID } from "node:crypto";
import type { HTTPRequest, Page } from "puppeteer-core";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { shareFragment } from "../../../lib/site/web/shared/share-link.ts";
import { accessibilityProblems } from "../../support/accessibility.ts";
import { openClient } from "../../support/client.ts";
import { linkToken } from "../../support/signed-in.ts";
import { sampled, slowTest } from "../../support/slow-run.ts";
import { webBrowser } from "../../support/web-browser.ts";

const { baseUrl, site } = inject("service");
const browser = webBrowser();

let key = "";
beforeAll(async () => {
  key = (await openClient()).key;
});

const open = async (fragment = "") => {
  const opened = await browser.open(`${baseUrl}/playground${fragment}`);
  opened.page.setDefaultTimeout(110_000); // the first captures start functions
  await opened.page.waitForSelector(".playground-grid");
  return opened;
};

const press = (page: Page, label: string) =>
  page.evaluate((text) => {
    const button = [...document.querySelectorAll("button")].find((each) => each.textContent?.trim() === text);
    if (!button) throw new Error(`There is no button '${text}'.`);
    button.click();
  }, label);

const fill = (page: Page, selector: string, text: string) =>
  page.$eval(
    selector,
    (field, value) => {
      (field as HTMLInputElement).value = value;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    },
    text,
  );

const capture = async (page: Page) => {
  await fill(page, "#api-key", key);
  await page.click(".capture-button");
};

/** Opens the playground with a request, as a link does. */
const openRequest = async (options: Readonly<Record<string, unknown>>) =>
  open(await shareFragment(options, () => false));

/** A page of the site that answers once it is opened. */
const shutPage = () => {
  const name = randomUUID();
  return { url: `${site}/counted?name=${name}&shut=0`, answer: () => fetch(`${site}/opens?name=${name}`) };
};

const resultText = (page: Page) => page.$eval(".result-body", (body) => body.textContent);

const waitForResult = (page: Page, text: string) =>
  page.waitForFunction((wanted) => document.querySelector(".result-body")?.textContent?.includes(wanted), {}, text);

const tabsOf = (page: Page) =>
  page.$$eval('[role="tab"]', (all) => all.map(({ ariaSelected, textContent }) => [textContent, ariaSelected]));

const isCapture = (request: HTTPRequest) => request.method() === "POST" && request.url().endsWith("/screenshot");

/** Holds the first request that matches. Resolves to a function that sends it, once the page makes it. */
async function holdRequest(page: Page, matches: (request: HTTPRequest) => boolean) {
  const { promise, resolve } = Promise.withResolvers<() => Promise<void>>();
  let isHeld = false;
  await page.setRequestInterception(true);
  page.on("request", (request) => {
    if (isHeld || !matches(request)) return void request.continue();
    isHeld = true;
    resolve(() => request.continue());
  });
  return { made: promise };
}

/** The requests of the page to the API from now on, with their methods. */
function recordCalls(page: Page): readonly string[] {
  const calls: string[] = [];
  page.on("request", (request) => {
    const [, path] = /\/api\/v1\/(screenshot.*)$/.exec(request.url()) ?? [];
    if (path !== undefined) calls.push(`${request.method()} ${path}`);
  });
  return calls;
}

describe.concurrent("playground", () => {
  test("shows a PNG with its size, the phases of Server-Timing, and what is left of the rate limit", async () => {
    await using opened = await open();
    const { page, problems } = opened;
    await press(page, "HTML");
    await fill(page, "#option-html", "<h1>Hello</h1>");
    await capture(page);
    await page.waitForSelector(".canvas img");
    await page.waitForFunction(() => document.querySelector(".picture-bar .figure"));
    expect(await page.$eval(".picture-bar .figure", (size) => size.textContent)).toBe("1280 × 1024");
    expect(await page.$eval(".canvas img", (image) => (image as HTMLImageElement).src)).toMatch(/^blob:/);
    await page.waitForSelector(".timing");
    expect(await page.$eval(".timing figcaption", (caption) => caption.textContent)).toContain("navigate");
    expect(await page.$eval(".limits", (limits) => limits.textContent)).toMatch(/\d+ of \d+ requests left/);
    await press(page, "Real size");
    expect(await page.$(".canvas-real")).not.toBeNull();
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  slowTest("plays a video", async () => {
    await using opened = await open();
    const { page, problems } = opened;
    await press(page, "HTML");
    await press(page, "Scroll video");
    await fill(page, ".option-search", "video_duration");
    await page.waitForSelector("#option-video_duration");
    await fill(page, "#option-video_duration", "1");
    for (const side of ["viewport_width", "viewport_height"]) {
      await fill(page, ".option-search", side);
      await page.waitForSelector(`#option-${side}`);
      await fill(page, `#option-${side}`, "200");
    }
    await capture(page);
    await page.waitForSelector("video", { timeout: 60_000 });
    expect(await page.$eval("video", (video) => (video as HTMLVideoElement).src)).toMatch(/^blob:/);
    expect(problems).toEqual([]);
  });

  slowTest("offers a PDF as a download, and draws its first page as a picture without a further capture", async () => {
    await using opened = await open();
    const { page, problems, requests } = opened;
    await press(page, "PDF invoice");
    await capture(page);
    await page.waitForSelector(".pdf");
    expect(await page.$eval(".pdf a[download]", (link) => (link as HTMLAnchorElement).download)).toBe("capture.pdf");
    await page.waitForFunction(() => document.querySelector(".pdf .figure")?.textContent === "Page 1 of 1");
    await page.waitForFunction(() => {
      const canvas = document.querySelector<HTMLCanvasElement>(".pdf canvas");
      const pixels = canvas?.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
      return pixels.some((value, index) => index % 4 === 0 && value < 100); // dark text on the page
    });
    expect(requests.filter((url) => url.endsWith("/api/v1/screenshot"))).toHaveLength(1);
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  sampled(test, 2).each([
    ["asynchronously", {}],
    ["synchronously", { response_type: "json" }],
  ])(
    "shows several results, captured %s, as tabs, which the arrow keys move between, and names the one that fails",
    async (mode, options) => {
      await using opened = await openRequest(options);
      const { page, problems, requests } = opened;
      await press(page, "HTML");
      await fill(page, "#option-html", "<h1>Hello</h1>");
      for (const count of [2, 3]) {
        await press(page, "Add another result");
        await page.waitForSelector(`.outputs li:nth-child(${count})`);
      }
      await fill(page, "#output-name-0", "shot");
      await fill(page, ".option-search", "selector");
      await page.waitForFunction(() => document.querySelector(".owner")?.textContent === "result-3");
      await page.click('[aria-label="Options of result 1"]');
      await page.waitForFunction(() => document.querySelector(".owner")?.textContent === "shot");
      await fill(page, "#option-selector", "#missing");
      expect(await page.$eval(".code code", (code) => code.textContent)).toContain(
        '"name":"shot","selector":"#missing"',
      );
      await capture(page);
      await page.waitForSelector('[role="tablist"]');
      expect(await tabsOf(page)).toEqual([
        ["shot failed", "true"],
        ["result-2", "false"],
        ["result-3", "false"],
      ]);
      expect(await page.$eval('[role="tabpanel"]', (panel) => panel.textContent)).toContain("SELECTOR_NOT_FOUND");
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.focus('[role="tab"][aria-selected="true"]');
      await page.keyboard.press("ArrowRight");
      await page.waitForFunction(() => document.querySelector(".pdf .figure")?.textContent === "Page 1 of 1");
      expect(await page.$eval(".pdf a[download]", (link) => (link as HTMLAnchorElement).download)).toBe("result-2.pdf");
      await page.keyboard.press("End");
      await page.waitForSelector(".text-view");
      expect(await page.$eval(".text-view", (view) => view.textContent)).toBe("# Hello\n");
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("result-3");
      expect(await accessibilityProblems(page)).toEqual([]);
      await page.keyboard.press("ArrowRight");
      expect((await tabsOf(page))[0]).toEqual(["shot failed", "true"]);
      expect(requests.filter((url) => url.endsWith("/api/v1/screenshot"))).toHaveLength(1);
      const polls = requests.filter((url) => /\/api\/v1\/screenshot\/\d+$/.test(url));
      expect(polls.length > 0).toBe(mode === "asynchronously");
      expect(await page.$eval(".details", ({ textContent }) => textContent)).toMatch(/Capture \d+ as JSON/);
      expect(problems).toEqual([]);
    },
  );

  slowTest(
    "several results that take long show the state of their capture, and are found again after a reload",
    async () => {
      const { url, answer } = shutPage();
      await using opened = await openRequest({ url, outputs: [{ name: "shot" }, { name: "text", format: "text" }] });
      const { page, requests } = opened;
      await page.click(".keep input");
      await capture(page);
      await waitForResult(page, "Capturing");
      await page.reload();
      await waitForResult(page, "Capturing");
      await answer();
      await page.waitForSelector('[role="tablist"]');
      expect(await tabsOf(page)).toEqual([
        ["shot", "true"],
        ["text", "false"],
      ]);
      await page.waitForSelector(".canvas img");
      expect(requests.filter((each) => each.endsWith("/api/v1/screenshot"))).toHaveLength(1);
    },
  );

  slowTest("several results that all fail show the error of each", async () => {
    const outputs = [{ name: "shot" }, { name: "text", format: "text" }];
    await using opened = await openRequest({ url: `${site}/status/404`, outputs });
    const { page } = opened;
    await capture(page);
    await page.waitForSelector('[role="tablist"]');
    expect((await tabsOf(page)).map(([label]) => label)).toEqual(["shot failed", "text failed"]);
    await page.focus('[role="tab"][aria-selected="true"]');
    await page.keyboard.press("ArrowRight");
    expect(await page.$eval(".tab-panel .error-code", (code) => code.textContent)).toBe("TARGET_HTTP_ERROR");
    expect(await page.$eval(".result-pane .status-bad", (status) => status.textContent)).toMatch(/^\d{3}$/);
  });

  test("follows a capture with 'async' to its result", async () => {
    await using opened = await openRequest({
      html: "<p>Later",
      viewport_width: 200,
      viewport_height: 100,
      async: true,
    });
    const { page } = opened;
    await capture(page);
    await page.waitForSelector(".canvas img");
    expect(await page.$eval(".picture-bar a[download]", (link) => (link as HTMLAnchorElement).download)).toBe(
      "capture.png",
    );
  });

  test("captures with the session of the dashboard, and shows its quota", async () => {
    const { accountId } = await openClient();
    await using opened = await browser.open(`${baseUrl}/app/sign-in#token=${await linkToken(accountId)}`);
    const { page, problems } = opened;
    page.setDefaultTimeout(110_000); // the first captures start functions
    await page.waitForSelector(".sign-in .button-primary");
    await press(page, "Continue");
    await page.waitForFunction(() => document.documentElement.hasAttribute("data-signed-in"));
    await page.goto(`${baseUrl}/playground`);
    await page.waitForFunction(() =>
      /^Signed in as .+ · .*of [\d,]+ \w+ left$/.test(document.querySelector(".signed-in")?.textContent ?? ""),
    );
    const hasKeyField = () => page.$eval("#api-key", (field) => field.checkVisibility());
    expect(await hasKeyField()).toBe(false);
    await page.click(".key-bar summary");
    expect(await hasKeyField()).toBe(true);
    await page.click(".key-bar summary");
    await press(page, "Markdown");
    await page.click(".capture-button");
    await page.waitForSelector(".canvas img");
    await page.goto(`${baseUrl}/docs`);
    await page.waitForFunction(() => document.querySelector(".key-note")?.textContent?.includes("cap_"));
    expect(problems).toEqual([]);
  });

  test("shows captured HTML as text: none of it becomes part of the page", async () => {
    await using opened = await open();
    const { page, problems } = opened;
    await press(page, "HTML");
    await fill(page, "#option-html", "<h1 id=captured>Hello</h1><img src=x onerror=alert(1)>");
    await fill(page, ".option-search", "format");
    await page.select("#option-format", "html");
    await capture(page);
    await page.waitForSelector(".text-view");
    expect(await page.$eval(".text-view", (view) => view.textContent)).toContain("<h1 id=");
    expect(await page.$("#captured")).toBeNull();
    expect(problems).toEqual([]);
  });

  test("marks the field of an invalid option with the words of the API, before anything is sent", async () => {
    await using opened = await open();
    const { page, requests } = opened;
    await fill(page, ".option-search", "image_quality");
    await fill(page, "#option-image_quality", "101");
    await page.waitForSelector("[data-option=image_quality].is-bad");
    expect(await page.$eval("[data-option=image_quality] .problem", (problem) => problem.textContent)).toContain("100");
    await capture(page);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("option-image_quality");
    expect(requests.filter((url) => url.includes("/api/v1/"))).toEqual([]);
    expect(await accessibilityProblems(page)).toEqual([]);
  });

  test("shows an error of the service with its code and a link to its fix", async () => {
    await using opened = await open();
    const { page } = opened;
    await fill(page, "#option-url", "http://127.0.0.1:9/");
    await capture(page);
    await page.waitForSelector(".error-code");
    const code = await page.$eval(".error-code", (element) => element.textContent);
    expect(code).toBe("URL_NOT_ALLOWED");
    expect(await page.$eval("#option-url", (field) => field.getAttribute("aria-invalid"))).toBe("true");
    expect(await page.$eval(".error a", (link) => (link as HTMLAnchorElement).href)).toBe(
      `${baseUrl}/docs/errors#URL_NOT_ALLOWED`,
    );
    await press(page, "Edit the address");
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("option-url");
  });

  test("an error's button changes the request and captures again, over the result before, which an error leaves within reach", async () => {
    await using opened = await openRequest({ url: `${site}/status/404`, viewport_width: 200, viewport_height: 100 });
    const { page } = opened;
    await capture(page);
    await page.waitForSelector(".error");
    expect(await accessibilityProblems(page)).toEqual([]);
    await press(page, "Capture the error page anyway");
    await page.waitForSelector(".canvas img");
    expect(await page.$eval(".code code", (code) => code.textContent)).toContain('"ignore_host_errors":true');
    const top = () => page.$eval(".canvas", (picture) => picture.getBoundingClientRect().top);
    const before = await top();
    const { made } = await holdRequest(page, isCapture);
    await press(page, "Undo"); // below the presets
    await page.click(".capture-button");
    const send = await made;
    await page.waitForSelector(".is-previous .canvas img");
    expect(await page.$eval(".previous-label", (label) => label.textContent)).toBe("Previous result");
    expect(await top()).toBe(before);
    expect(await accessibilityProblems(page)).toEqual([]);
    await send();
    await page.waitForSelector(".error");
    expect(await page.$(".canvas")).toBeNull();
    await press(page, "Show the previous result");
    await page.waitForSelector(".is-previous .canvas img");
    expect(await top()).toBeGreaterThan(0);
    await press(page, "Back to the error");
    await page.waitForSelector(".error");
  });

  test("on a phone, the result comes into view when the capture starts", async () => {
    await using opened = await open();
    const { page } = opened;
    await page.setViewport({ width: 360, height: 740 });
    await press(page, "Markdown");
    await fill(page, "#api-key", key);
    await press(page, "Capture");
    await page.waitForSelector(".canvas img");
    await page.waitForFunction(() => {
      const top = document.querySelector(".result-pane")?.getBoundingClientRect().top ?? -1;
      return top >= 0 && top < innerHeight / 2;
    });
  });

  slowTest(
    "a capture that takes long is found again after a reload, and Cancel ends it and says that it wasn't billed",
    async () => {
      await using opened = await open();
      const { page } = opened;
      const name = randomUUID();
      await fill(page, "#option-url", `${site}/counted?name=${name}&shut=0`); // a page that doesn't answer
      await page.click(".keep input");
      await capture(page);
      const isCapturing = () => document.querySelector(".result-body")?.textContent?.includes("Capturing");
      await page.waitForFunction(isCapturing);
      await page.reload();
      await page.waitForFunction(isCapturing);
      await press(page, "Cancel");
      await page.waitForFunction(
        () => document.querySelector(".result-body")?.textContent === "Cancelled. Nothing was billed.",
      );
      await page.reload();
      await page.waitForSelector(".playground-grid");
      expect(await page.$("progress")).toBeNull();
      await fetch(`${site}/opens?name=${name}`);
    },
  );

  slowTest("Cancel before anything was sent is shown at once, and sends nothing", async () => {
    await using opened = await openRequest({ html: "<p>Never" });
    const { page } = opened;
    const calls = recordCalls(page);
    const { made } = await holdRequest(page, (request) => request.url().includes("/capture-parts"));
    await capture(page);
    const load = await made;
    await press(page, "Cancel");
    await waitForResult(page, "Cancelling");
    await load();
    await waitForResult(page, "Cancelled");
    expect(await resultText(page)).toBe("Cancelled. Nothing was billed.");
    expect(calls).toEqual([]);
  });

  slowTest(
    "Cancel before the capture has its id cancels it as soon as it has, and leaves the focus at Capture",
    async () => {
      const { url, answer } = shutPage();
      await using opened = await openRequest({ url, outputs: [{ name: "shot" }, { name: "text", format: "text" }] });
      const { page } = opened;
      const calls = recordCalls(page);
      const { made } = await holdRequest(page, isCapture);
      await capture(page);
      const send = await made;
      await page.focus(".result-body button");
      await page.keyboard.press("Enter");
      await waitForResult(page, "Cancelling");
      expect(await page.$eval(".result-body button", (button) => button.ariaDisabled)).toBe("true");
      expect(await page.$eval(".result-body", (body) => body.ariaLive)).toBe("polite");
      expect(await accessibilityProblems(page)).toEqual([]);
      await send();
      await waitForResult(page, "Cancelled");
      expect(await resultText(page)).toBe("Cancelled. Nothing was billed.");
      expect(await page.evaluate(() => document.activeElement?.className)).toContain("capture-button");
      expect(calls.slice(0, 2)).toEqual(["POST screenshot", expect.stringMatching(/^DELETE screenshot\/\d+$/)]);
      await answer();
    },
  );

  slowTest("Cancel aborts a synchronous request before its response, and says that a success is billed", async () => {
    const { url, answer } = shutPage();
    await using opened = await openRequest({ url, response_type: "json" });
    const { page, problems } = opened;
    const sent = page.waitForRequest(isCapture);
    await capture(page);
    await sent;
    await press(page, "Cancel");
    await waitForResult(page, "You no longer wait for it, but the service finishes it, and a success is billed");
    await expect.poll(() => problems).toContain(`${baseUrl}/api/v1/screenshot: net::ERR_ABORTED`);
    await answer();
  });

  slowTest("Cancel keeps the results that the capture had by then", async () => {
    const { url, answer } = shutPage();
    await using opened = await openRequest({ url, outputs: [{ name: "shot" }, { name: "text", format: "text" }] });
    const { page } = opened;
    // The service, when the cancellation comes between the two results.
    const cancelled = { status: "failed", error: { code: "CANCELLED", error: "The capture was cancelled." } };
    const stateOf = async (request: HTTPRequest) => {
      const state = await (await fetch(request.url(), { headers: { Authorization: `Bearer ${key}` } })).json();
      if (!state.outputs) return state;
      const [shot, { name, request_id }] = state.outputs;
      return { ...state, ...cancelled, outputs: [shot, { name, request_id, ...cancelled }] };
    };
    const respond = async (request: HTTPRequest) => {
      if (!/\/screenshot\/\d+$/.test(request.url())) return request.continue();
      if (request.method() === "DELETE") await answer();
      return request.respond({ contentType: "application/json", body: JSON.stringify(await stateOf(request)) });
    };
    await page.setRequestInterception(true);
    page.on("request", (request) => void respond(request));
    await capture(page);
    await waitForResult(page, "Capturing");
    await press(page, "Cancel");
    await page.waitForSelector('[role="tablist"]');
    expect((await tabsOf(page)).map(([label]) => label)).toEqual(["shot", "text failed"]);
    await page.waitForSelector(".canvas img");
    await page.focus('[role="tab"][aria-selected="true"]');
    await page.keyboard.press("ArrowRight");
    expect(await page.$eval(".tab-panel .error-code", (code) => code.textContent)).toBe("CANCELLED");
  });

  slowTest("Cancel ends the download of a result, and says that it was billed", async () => {
    await using opened = await openRequest({ html: "<p>Late", viewport_width: 200, viewport_height: 100 });
    const { page } = opened;
    const { made } = await holdRequest(page, (request) => request.url().includes("/storage/"));
    await capture(page);
    await made;
    await waitForResult(page, "Loading the result");
    await press(page, "Cancel");
    await waitForResult(page, "It had finished already, so it was billed.");
  });

  slowTest("compares a picture with the one before by a slider that the keyboard moves", async () => {
    await using opened = await open();
    const { page, problems } = opened;
    await press(page, "HTML");
    const capturePicture = async (height: string) => {
      await fill(page, ".option-search", "viewport_height");
      await page.waitForSelector("#option-viewport_height");
      await fill(page, "#option-viewport_height", height);
      await capture(page);
      await page.waitForFunction(
        (text) => document.querySelector(".picture-bar .figure")?.textContent === text,
        {},
        `1280 × ${height}`,
      );
    };
    await capturePicture("300");
    expect(await page.$$eval(".picture-bar button", (all) => all.map(({ textContent }) => textContent))).not.toContain(
      "Compare",
    );
    await capturePicture("400");
    await press(page, "Compare");
    await page.waitForSelector(".compare svg image");
    expect(await page.$eval(".compare svg", (svg) => svg.getAttribute("viewBox"))).toBe("0 0 1280 400");
    await page.focus(".compare input");
    await page.keyboard.press("End");
    expect(await page.$eval(".divider", (line) => line.getAttribute("x1"))).toBe("1280");
    expect(await accessibilityProblems(page)).toEqual([]);
    expect(problems).toEqual([]);
  });

  test("asks for a key when there is none, and keeps one only if requested to", async () => {
    await using opened = await open();
    const { page } = opened;
    await page.click(".capture-button");
    expect(await page.$eval("#api-key", (field) => field.getAttribute("aria-invalid"))).toBe("true");
    await fill(page, "#api-key", "cap_test");
    const stored = () => page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
    expect(await stored()).not.toContain("cap_test");
    await page.click(".keep input");
    expect(await stored()).toContain("cap_test");
  });

  test("a share link restores the request without its secret options, and captures nothing by itself", async () => {
    await using opened = await open();
    const { page } = opened;
    await fill(page, "#option-url", "https://example.com/ä?b=1");
    await press(page, "Thumbnail");
    await fill(page, ".option-search", "authorization");
    await fill(page, "#option-authorization", "Bearer hidden");
    await press(page, "Share");
    await page.waitForFunction(() => location.hash.startsWith("#o="));
    const { hash } = new URL(page.url());
    await using other = await open(hash);
    await other.page.waitForFunction(() =>
      document.querySelector<HTMLInputElement>("#option-url")?.value.includes("ä"),
    );
    const body = await other.page.$eval(".code code", (code) => code.textContent ?? "");
    expect(body).toContain('"image_width":640');
    expect(body).not.toContain("hidden");
    expect(other.requests.filter((url) => url.includes("/api/v1/"))).toEqual([]);
  });

  slowTest("the history restores a request", async () => {
    await using opened = await open();
    const { page } = opened;
    await press(page, "Markdown");
    await fill(page, "#option-markdown", "# Kept");
    await capture(page);
    await page.waitForSelector(".canvas img");
    await press(page, "URL");
    await press(page, "History 1");
    await page.click("#history li button");
    expect(await page.$eval("#option-markdown", (field) => (field as HTMLTextAreaElement).value)).toBe("# Kept");
  });
});
