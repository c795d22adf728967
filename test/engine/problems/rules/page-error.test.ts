// PAGE_ERROR: a script that failed, and left the page without its content.
import { describe, expect, test } from "vitest";
import { codesOf, problemOf, prose } from "../../../support/problems.ts";
import { sampled, slowTest } from "../../../support/slow-run.ts";

const shell = (script: string) =>
  `<header><nav><a href=#>Home</a> <a href=#>Shop</a></nav></header><main><div id=view style="min-height:300px"></div></main><footer>Imprint</footer><script>${script}</script>`;

describe("a page whose script failed", () => {
  slowTest.each([
    ["by a promise that nothing handles", "Promise.reject(new Error('Request failed with status code 500'))"],
    ["by a request", "fetch('https://failing.invalid/data.json')"],
  ])("%s is found", async (_, script) => {
    expect(await codesOf(shell(script))).toContain("PAGE_ERROR");
  });

  test("by an exception is found, with the element that is empty, and the advice to wait", async () => {
    const { message, evidence, fix } = await problemOf("PAGE_ERROR", shell("undefinedFunction()"));
    expect(message).toContain("undefinedFunction is not defined");
    expect(evidence.selector).toBe("div#view");
    expect(fix).toEqual({ delay: 10 }); // what failed may not be what fills the page
  });
});

sampled(test, 2).each([
  ["an element that a timer fills", shell("setTimeout(() => document.getElementById('view').append('Hello'), 9000)")],
  [
    "an observer of sizes that Chromium interrupts",
    shell(
      "new ResizeObserver(([e])=>{e.target.style.height=e.contentRect.height+1+'px'}).observe(document.getElementById('view'))",
    ),
  ],
])("%s is no page error, because no script has failed", async (_, html) => {
  expect(await codesOf(html)).toEqual(["STILL_LOADING"]);
});

test.each([
  ["a page with its content, although a script failed", `<h1>A lighthouse</h1>${prose}<script>null.mount()</script>`],
  [
    "a page of a canvas",
    "<div id=root><canvas width=600 height=400></canvas></div><script>document.querySelector('canvas').getContext('2d').fillRect(9,9,99,99)</script>",
  ],
])("%s is no page error", async (_, html) => {
  expect(await codesOf(html)).toEqual([]);
});

test("a page can neither see that its errors are recorded, nor forge them", async () => {
  const html = shell(`
    const seen = Object.getOwnPropertyNames(window).filter((name) => /error/i.test(name) && name !== "onerror" && name !== "reportError");
    window.dispatchEvent(new ErrorEvent("error", { message: "forged" }));
    document.title = JSON.stringify(seen.filter((name) => !/^[A-Z]/.test(name)));
    null.mount()`);
  const { message } = await problemOf("PAGE_ERROR", html);
  expect(message).not.toContain("forged");
  expect(message).toContain("Cannot read properties of null");
});
