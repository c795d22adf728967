// Waiting for elements to appear.
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

describe("wait_for_selector", () => {
  const late = (markup: string) => page(`setTimeout(() => { document.body.innerHTML += '${markup}'; done() }, 500)`);

  test("waits for an element of any of the selectors", async () => {
    expect(await groundOf(late("<p class=b>b</p>"), { wait_for_selector: ["#a", ".b"] })).toEqual(GREEN);
  });

  test("waits for an element of each of the selectors", async () => {
    const options = { wait_for_selector: ["#a", ".b"], wait_for_selector_algorithm: "at_least_by_count" };
    expect(
      await groundOf(page(`setTimeout(() => { b.className = "b"; done() }, 500)`, "<p id=a>a<p id=b>b"), options),
    ).toEqual(GREEN);
  });

  test("names the selectors without a match", async () => {
    const options = { wait_for_selector: ["#a", ".b"], wait_for_selector_algorithm: "at_least_by_count", timeout: 2 };
    expect(await failureOf(htmlOf("<p class=b>b", options))).toMatchObject({
      code: "SELECTOR_NOT_FOUND",
      details: { wait_for_selector: [expect.stringMatching(/^no element matched '#a' within 1\.\d s$/)] },
    });
  });

  test("waits until the timeout", async () => {
    const begun = performance.now();
    await failureOf(htmlOf("<p>", { wait_for_selector: "#a", timeout: 4 }));
    expect(performance.now() - begun).toBeGreaterThan(3_400);
  });
});
