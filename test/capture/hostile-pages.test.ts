// Pages that replace what scripts rely on, hide it behind names, take themselves apart or never stay: no capture hangs.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { captureWith } from "../support/chromium.ts";
import { type Site, startSite } from "../support/site.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

/** Options that ask the page as much as any can. */
const everything = {
  styles: "p { color: red }",
  hide_selectors: "p",
  scripts: "1",
  wait_for_selector: "#a",
  wait_for_selector_hidden: "#nothing",
  wait_for_expression: "1",
  click: "#a",
  hover: "#a",
  full_page: true,
  fail_if_content_contains: "nothing of the kind",
};

const TIMEOUT_S = 6;

/** What becomes of the capture of a page with these contents: `captured`, or the code of its error. */
async function outcomeOf(contents: string, options: object = everything): Promise<string> {
  const html = `<!doctype html><body><p>Hostile</p><button type=button id=a>a</button>${contents}`;
  const input = { html, base_url: `${site.origin}/`, timeout: TIMEOUT_S };
  return captureWith({ ...input, ...options }, { allow: [site.hostPort] }).then(
    () => "captured",
    (error) => error.code,
  );
}

describe("a page that can be captured all the same", () => {
  test.each([
    [
      "replaces what scripts are made of",
      `<script>Promise = Reflect.get = JSON.stringify = Function.prototype.call = Symbol.iterator = null;
       for (const name of ["map", "filter", "push"]) Array.prototype[name] = () => { throw 1 };
       setTimeout = requestAnimationFrame = () => 0; performance.now = () => NaN</script>`,
    ],
    [
      "replaces what documents can do",
      `<script>for (const owner of [Document.prototype, Element.prototype])
         for (const name of ["querySelector", "querySelectorAll", "getBoundingClientRect", "scrollIntoView", "getAnimations"])
           owner[name] = () => { throw 1 }</script>`,
    ],
    [
      "sets traps",
      `<script>for (const name of ["body", "documentElement", "images", "fonts", "scrollingElement"])
         Object.defineProperty(document, name, { get() { throw 1 } });
       for (const name of ["innerWidth", "innerHeight", "scrollX", "scrollY"])
         Object.defineProperty(window, name, { get() { throw 1 } })</script>`,
    ],
    [
      "never stays as it is",
      "<script>setInterval(() => document.body.replaceChildren(...document.body.children), 1)</script>",
    ],
    [
      "scrolls by itself",
      "<p style=height:5000px><script>setInterval(() => scrollTo(0, Math.random() * 5000), 5)</script>",
    ],
  ])("%s", async (_, contents) => {
    expect(await outcomeOf(contents)).toBe("captured");
  });
});

describe("a page that may not be captured, and does not hang", () => {
  test.each([
    ["takes its document away", "<script>setTimeout(() => document.documentElement.remove(), 50)</script>"],
    [
      "is an image now",
      `<script>document.documentElement.replaceWith(document.createElementNS("http://www.w3.org/2000/svg", "svg"))</script>`,
    ],
    [
      "writes itself again and again",
      "<script>setInterval(() => { document.open(); document.write('<p>x'); document.close() }, 50)</script>",
    ],
    ["reloads itself at once", "<script>location.reload()</script>"],
    ["leaves every 30 ms", "<script>setTimeout(() => { location.href = '/navigates-for-ever' }, 30)</script>"],
    [
      "is busy nearly always",
      "<script>setInterval(() => { const end = Date.now() + 100; while (Date.now() < end); }, 101)</script>",
    ],
  ])("%s", async (_, contents) => {
    const begun = performance.now();
    expect(await outcomeOf(contents)).toBeOneOf([
      "captured",
      "CAPTURE_TIMEOUT",
      "SELECTOR_NOT_FOUND",
      "SCRIPT_FAILED",
      "TARGET_HTTP_ERROR",
    ]);
    expect(performance.now() - begun).toBeLessThan(TIMEOUT_S * 1000 + 500);
  });
});

describe("HTML", () => {
  test.each([
    [
      "that replaces what it is written with",
      "<script>document.write = document.close = Document.prototype.close = null</script>",
    ],
    ["that hides it behind a name", "<img name=close><img name=open><img name=write>"],
    ["that leads elsewhere at once", `<meta http-equiv=refresh content="0;url=data:,">`],
    ["without a document in the end", "<script>document.documentElement.remove()</script>"],
  ])("%s is captured", async (_, contents) => {
    expect(await outcomeOf(contents, { base_url: undefined })).toBe("captured");
  });
});
