// Waiting for an element to disappear.
import { describe, expect, test } from "vitest";
import { GREEN } from "../../../fixtures/site-pages.ts";
import { failureOf } from "../../../support/chromium.ts";
import { pageWithScript, startSmallCaptures } from "../../../support/small-captures.ts";

const { captureOf, groundOf } = startSmallCaptures();

describe("wait_for_selector_hidden", () => {
  test("waits for an element to disappear", async () => {
    const html = pageWithScript(`setTimeout(() => { a.hidden = true; done() }, 500)`, "<p id=a>wait");
    expect(await groundOf(html, { wait_for_selector_hidden: "#a" })).toEqual(GREEN);
  });

  test("names the element that did not disappear", async () => {
    expect(await failureOf(captureOf("<p id=a>a", { wait_for_selector_hidden: "#a", timeout: 6 }))).toMatchObject({
      code: "CAPTURE_TIMEOUT",
      message: expect.stringContaining("waiting for '#a' to disappear."),
    });
  });
});
