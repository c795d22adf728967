// Waiting for elements to appear.
import { describe, expect, test } from "vitest";
import { GREEN } from "../../../fixtures/site-pages.ts";
import { failureOf } from "../../../support/chromium.ts";
import { pageWithScript, startSmallCaptures } from "../../../support/small-captures.ts";

const { captureOf, groundOf } = startSmallCaptures();

describe("wait_for_selector", () => {
  const late = (markup: string) =>
    pageWithScript(`setTimeout(() => { document.body.innerHTML += '${markup}'; done() }, 500)`);

  test("waits for an element of any of the selectors", async () => {
    expect(await groundOf(late("<p class=b>b</p>"), { wait_for_selector: ["#a", ".b"] })).toEqual(GREEN);
  });

  test("waits for an element of each of the selectors", async () => {
    const options = { wait_for_selector: ["#a", ".b"], wait_for_selector_algorithm: "at_least_by_count" };
    expect(
      await groundOf(
        pageWithScript(`setTimeout(() => { b.className = "b"; done() }, 500)`, "<p id=a>a<p id=b>b"),
        options,
      ),
    ).toEqual(GREEN);
  });

  test("names the selectors without a match", async () => {
    const options = { wait_for_selector: ["#a", ".b"], wait_for_selector_algorithm: "at_least_by_count", timeout: 6 };
    expect(await failureOf(captureOf("<p class=b>b", options))).toMatchObject({
      code: "SELECTOR_NOT_FOUND",
      details: { wait_for_selector: [expect.stringMatching(/^no element matched '#a' within [345](\.\d)? s$/)] },
    });
  });

  test("waits until the timeout", async () => {
    const started = performance.now();
    await failureOf(captureOf("<p>", { wait_for_selector: "#a", timeout: 4 }));
    expect(performance.now() - started).toBeGreaterThan(3_400);
  });
});
