// Scripts of the caller.
import { describe, expect, test } from "vitest";
import { GREEN, WHITE } from "../../../fixtures/site-pages.ts";
import { failureOf } from "../../../support/chromium.ts";
import { openPage } from "../../../support/open-page.ts";
import { runStep } from "../../../support/run-step.ts";
import { sampled } from "../../../support/slow-run.ts";
import { startSmallCaptures } from "../../../support/small-captures.ts";

const { captureOf, groundOf, imageOf, origin } = startSmallCaptures();

const plain = `<!doctype html><body style="margin:0"><p>A page`;
const turnGreen = `document.body.style.background = "green"`;

describe("scripts", () => {
  test("run in order in the main world of the page, and may await", async () => {
    const scripts = [
      "await new Promise((resolve) => setTimeout(resolve, 200)); said.push('one')",
      `said.push('two'); if (said.join() === "page,one,two") ${turnGreen} // the end`,
    ];
    expect(await groundOf(`${plain}<script>window.said = ["page"]</script>`, { scripts })).toEqual(GREEN);
  });

  test("run with a Content Security Policy that forbids scripts", async () => {
    const image = await imageOf("/csp", { scripts: `document.body.bgColor = "blue"` });
    expect(image.colourAt(390, 290)).toEqual([0, 0, 255]);
  });

  test.each([
    ["an error", "1;\n2;\nthrow new TypeError('boom')", "script 2: TypeError: boom (line 3)"],
    [
      "an error after a wait",
      "await null;\nnull.a",
      "script 2: TypeError: Cannot read properties of null (reading 'a') (line 2)",
    ],
    ["a rejection", "await Promise.reject(new Error('no'))", "script 2: Error: no (line 1)"],
    ["a text", "throw 'why'", "script 2: why"],
    ["what does not parse", "1;\nlet a = ;", "script 2: SyntaxError: Unexpected token ';' (line 2)"],
  ])("that throw fail with the script, the message and the line: %s", async (_, script, reported) => {
    await using page = await openPage(plain);
    expect(await failureOf(runStep(page.capturing, "run-scripts", { scripts: ["1", script] }))).toMatchObject({
      code: "SCRIPT_FAILED",
      details: { scripts: [reported] },
    });
  });

  sampled(test, 12).each([
    ["an address", `location.href = "/box"`],
    ["a reload", "location.reload()"],
    ["a form", `document.body.innerHTML = "<form action=/box>"; document.forms[0].submit()`],
    ["a link", `document.body.innerHTML = "<a href=/box>go"; document.links[0].click()`],
    ["a meta refresh", `document.head.innerHTML = '<meta http-equiv="refresh" content="0;url=/box">'`],
    ["this window opened again", `window.open("/box", "_self")`],
  ])("that navigate to another page fail: %s", async (_, scripts) => {
    expect(await failureOf(captureOf("/bands", { scripts }))).toMatchObject({
      code: "SCRIPT_FAILED",
      details: { scripts: ["script 1: it navigated to another page"] },
    });
  });

  sampled(test, 6).each([
    ["location.hash = 'a'"],
    ["history.pushState({}, '', '/elsewhere')"],
    ["window.open('/box')"],
  ])("that stay on the page succeed: %s", async (script) => {
    expect((await imageOf("/box", { scripts: `${script}; ${turnGreen}` })).colourAt(390, 290)).toEqual(GREEN);
  });

  sampled(test, 4).each([["await new Promise(() => {})"], ["for (;;);"]])(
    "that do not end time out: %s",
    async (scripts) => {
      expect(await failureOf(captureOf(plain, { scripts, timeout: 2 }))).toMatchObject({
        code: "CAPTURE_TIMEOUT",
        message: expect.stringContaining("waiting for a script to end"),
      });
    },
  );
});

describe("scripts_wait_until", () => {
  sampled(test, 2).each([
    ["networkidle0", GREEN],
    [undefined, WHITE],
  ])("%s", async (scripts_wait_until, colour) => {
    const scripts = `setTimeout(async () => { await fetch("${origin()}/solid-image?after=${scripts_wait_until ? 800 : 30_000}"); ${turnGreen} })`;
    const options = { scripts, ...(scripts_wait_until && { scripts_wait_until }) };
    expect(await groundOf(plain, options)).toEqual(colour);
  });
});
