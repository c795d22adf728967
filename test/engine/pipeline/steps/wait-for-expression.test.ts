// Waiting for a JavaScript expression.
import { describe, expect, test } from "vitest";
import { GREEN } from "../../../fixtures/site-pages.ts";
import { failureOf } from "../../../support/chromium.ts";
import { openPage } from "../../../support/open-page.ts";
import { runStep } from "../../../support/run-step.ts";
import { sampled } from "../../../support/slow-run.ts";
import { pageWithScript, startSmallCaptures } from "../../../support/small-captures.ts";

const { groundOf } = startSmallCaptures();

describe("wait_for_expression", () => {
  const ready = pageWithScript(`setTimeout(() => { window.state = { ready: 1 }; window.json = "1"; done() }, 800)`);

  sampled(test, 8).each([
    ["throws at first", "window.state.ready"],
    ["is an object", "window.state"],
    ["is a promise", "new Promise((resolve) => setTimeout(() => resolve(window.state), 20))"],
    ["throws a SyntaxError at first", "JSON.parse(window.json ?? '')"],
    ["is a big integer", "window.state ? 1n : 0n"],
  ])("waits for an expression that %s", async (_, wait_for_expression) => {
    expect(await groundOf(ready, { wait_for_expression })).toEqual(GREEN);
  });

  sampled(test, 2).each([
    ["0", /^did not become true within \d(\.\d)? s$/],
    ["''", /^did not become true/],
    ["NaN", /^did not become true/],
    ["null", /^did not become true/],
    ["new Promise(() => {})", /^did not become true/],
    ["nothing.there", /^threw ReferenceError: nothing is not defined within \d(\.\d)? s$/],
  ])("%s never becomes true, and the error says why", async (wait_for_expression, why) => {
    await using page = await openPage("<p>a");
    const waiting = runStep(page.capturing, "wait-for-expression", { wait_for_expression }, { leftS: 0.3 });
    expect(await failureOf(waiting)).toMatchObject({
      code: "EXPRESSION_FAILED",
      details: { wait_for_expression: [expect.stringMatching(why)] },
    });
  });

  test("fails at once when it is not JavaScript", async () => {
    await using page = await openPage("<p>a");
    const started = performance.now();
    const waiting = runStep(page.capturing, "wait-for-expression", { wait_for_expression: "window.(" });
    expect(await failureOf(waiting)).toMatchObject({
      code: "EXPRESSION_FAILED",
      details: { wait_for_expression: [expect.stringMatching(/^is not valid JavaScript: SyntaxError/)] },
    });
    expect(performance.now() - started).toBeLessThan(20_000); // it would wait for 28 s
  });
});
