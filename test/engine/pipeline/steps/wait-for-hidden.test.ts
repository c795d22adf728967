// Waiting for an element to disappear.
import { describe, expect, test } from "vitest";
import { decode } from "../../../../lib/fixtures/png.ts";
import { GREEN } from "../../../../lib/fixtures/site-pages.ts";
import { captureWith, failureOf } from "../../../support/chromium.ts";

type Options = Readonly<Record<string, unknown>>;
const window = { viewport_width: 400, viewport_height: 300, timeout: 20 };

/** A page that says "Ready?" and then does what `script` says, in which `done()` makes it green. */
const page = (script: string, body = "Ready?") =>
  `<!doctype html><body style="margin:0">${body}<script>const done = () => { document.body.style.background = "green" }; ${script}</script>`;

const htmlOf = (html: string, options: Options = {}) =>
  captureWith({ html, ...window, ...options }, { isTimedFromLaunch: true });
const groundOf = async (html: string, options: Options = {}) =>
  (await decode((await htmlOf(html, options)).body)).colourAt(390, 290);

describe("wait_for_selector_hidden", () => {
  test("waits for an element to disappear", async () => {
    const html = page(`setTimeout(() => { a.hidden = true; done() }, 500)`, "<p id=a>wait");
    expect(await groundOf(html, { wait_for_selector_hidden: "#a" })).toEqual(GREEN);
  });

  test("names the element that did not disappear", async () => {
    expect(await failureOf(htmlOf("<p id=a>a", { wait_for_selector_hidden: "#a", timeout: 2 }))).toMatchObject({
      code: "CAPTURE_TIMEOUT",
      message: expect.stringContaining("waiting for '#a' to disappear."),
    });
  });
});
