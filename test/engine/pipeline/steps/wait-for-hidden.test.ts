// Waiting for an element to disappear.
import { describe, expect, test } from "vitest";
import { TimeoutError } from "../../../../lib/engine/timing/timeout-error.ts";
import { GREEN } from "../../../fixtures/site-pages.ts";
import { openPage } from "../../../support/open-page.ts";
import { runStep } from "../../../support/run-step.ts";
import { pageWithScript, startSmallCaptures } from "../../../support/small-captures.ts";

const { groundOf } = startSmallCaptures();

describe("wait_for_selector_hidden", () => {
  test("waits for an element to disappear", async () => {
    const html = pageWithScript(`setTimeout(() => { a.hidden = true; done() }, 500)`, "<p id=a>wait");
    expect(await groundOf(html, { wait_for_selector_hidden: "#a" })).toEqual(GREEN);
  });

  test("names the element that did not disappear", async () => {
    await using page = await openPage("<p id=a>a");
    const waiting = runStep(page.capturing, "wait-for-hidden", { wait_for_selector_hidden: "#a" }, { leftS: 0.5 });
    await expect(waiting).rejects.toEqual(new TimeoutError("'#a' to disappear"));
  });
});
