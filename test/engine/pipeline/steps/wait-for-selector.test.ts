// Waiting for elements to appear.
import { describe, expect, test } from "vitest";
import { GREEN } from "../../../fixtures/site-pages.ts";
import { failureOf } from "../../../support/chromium.ts";
import { openPage } from "../../../support/open-page.ts";
import { runStep } from "../../../support/run-step.ts";
import { pageWithScript, startSmallCaptures } from "../../../support/small-captures.ts";

const { groundOf } = startSmallCaptures();

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
    await using page = await openPage("<p class=b>b");
    const options = { wait_for_selector: ["#a", ".b"], wait_for_selector_algorithm: "at_least_by_count" };
    const failure = failureOf(runStep(page.capturing, "wait-for-selector", options, { leftS: 1 }));
    expect(await failure).toMatchObject({
      code: "SELECTOR_NOT_FOUND",
      details: { wait_for_selector: [expect.stringMatching(/^no element matched '#a' within 0\.[89] s$/)] },
    });
  });

  test("waits until the timeout, not half of the time that is left", async () => {
    await using page = await openPage("<p>");
    const started = performance.now();
    await failureOf(runStep(page.capturing, "wait-for-selector", { wait_for_selector: "#a" }, { leftS: 1 }));
    expect(performance.now() - started).toBeGreaterThan(850);
  });
});
