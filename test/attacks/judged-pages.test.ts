// Pages that do not want to be judged: too large, full of decoys, with replaced built-ins, or on the watch for the look.
import { describe, expect, test } from "vitest";
import { MAX_PROBLEMS } from "../../lib/contract/problems/problem.ts";
import { captureHtml, judgedCodesOf, prose } from "../support/problems.ts";
import { IS_SLOW_RUN } from "../support/slow-run.ts";

const notFound = "<h1>Page not found</h1><p>Sorry, it is not here.</p>";

describe("a page is judged", () => {
  test("that has replaced what a look would use", async () => {
    const html = `${notFound}<script>
      for (const [prototype, names] of [
        [Element.prototype, ["matches", "closest", "getAttribute", "getBoundingClientRect", "querySelectorAll"]],
        [Document.prototype, ["querySelector", "elementsFromPoint", "getElementsByTagName", "createRange"]],
        [EventTarget.prototype, ["dispatchEvent", "addEventListener"]],
        [Array.prototype, ["filter", "map", "some", "flatMap"]],
      ]) for (const name of names) prototype[name] = () => { throw new Error("replaced") };
      window.getComputedStyle = () => null;
      Object.defineProperty(Document.prototype, "title", { get: () => "A lighthouse" });
    </script>`;
    expect(await judgedCodesOf(html)).toContain("ERROR_PAGE");
  });

  test("whose forms hide their properties behind fields", async () => {
    const fields = [
      "matches",
      "getAttribute",
      "children",
      "closest",
      "localName",
      "tagName",
      "parentNode",
      "ownerDocument",
      "id",
    ];
    const html = `<form>${notFound}${fields.map((name) => `<input type=hidden name=${name}>`).join("")}</form>`;
    expect(await judgedCodesOf(html)).toContain("ERROR_PAGE");
  });

  test("whose body and document are hidden by names of images", async () => {
    const names = ["body", "documentElement", "fonts", "title", "scrollingElement", "defaultView"];
    const html = `${notFound}${names.map((name) => `<img name=${name} hidden>`).join("")}`;
    expect(await judgedCodesOf(html)).toContain("ERROR_PAGE");
  });

  test("without noticing it", async () => {
    const html = `${notFound}<script>
      let calls = 0;
      for (const name of ["getComputedStyle", "matchMedia"]) {
        const original = window[name];
        window[name] = (...args) => { calls++; return original.apply(window, args) };
      }
      new MutationObserver(() => calls++).observe(document, { subtree: true, childList: true, attributes: true });
      for (const type of ["scroll", "resize", "focusin", "blur"]) addEventListener(type, () => calls++, true);
      const value = { toString: () => { calls++; return "" } };
      document.body.dataset.calls = "";
      setInterval(() => { if (calls > 1) document.querySelector("h1").textContent = "A lighthouse" }, 1);
    </script>`;
    expect(await judgedCodesOf(html)).toContain("ERROR_PAGE");
  });
});

describe("a look at a page is bounded", () => {
  // A page that does not answer within a second is not looked at. On a busy machine the largest ones don't.
  const [dialogs, paragraphs] = IS_SLOW_RUN ? [100_000, 66_000] : [8_000, 6_000];

  test("with many dialogs", async () => {
    const html = `<h1>A lighthouse</h1>${prose}<script>
      const many = document.createElement("div");
      many.innerHTML = "<div role=dialog>Subscribe</div>".repeat(${dialogs});
      document.body.append(many);
    </script><div style="position:fixed;inset:40px;background:#fff">Subscribe to our newsletter<button>×</button></div>`;
    const { problems, report } = await captureHtml(html, { metadata_report: true });
    expect(problems.map(({ code }) => code)).toContain("OVERLAY_LEFT");
    expect(problems.length).toBeLessThanOrEqual(MAX_PROBLEMS);
    expect(report?.page.judged_elements).toBeLessThanOrEqual(3_500);
    expect(report?.page.elements).toBeGreaterThan(dialogs);
    expect(JSON.stringify(report).length).toBeLessThan(256_000);
  });

  test("with many elements, of which it looks at some, as its report says", async () => {
    const html = `${notFound}<script>
      const many = document.createElement("div");
      many.innerHTML = "<p>A <b>bold</b> <i>word</i></p>".repeat(${paragraphs});
      document.body.append(many);
    </script>`;
    const { report } = await captureHtml(html, { metadata_report: true });
    expect(report?.page.elements).toBeGreaterThan(3 * paragraphs);
    expect(report?.page.judged_elements).toBeLessThanOrEqual(3_500);
  });

  test("with endless texts, names and addresses: what is quoted is short", async () => {
    const long = "x".repeat(200_000);
    const html = `<h1 id="${long}">Page not found ${long.slice(0, 60)}</h1><img src="https://missing.invalid/${long}" width=400 height=300><script>throw new Error("${long}")</script>`;
    const { problems } = await captureHtml(html);
    expect(problems.map(({ code }) => code)).toContain("IMAGES_MISSING");
    for (const { message, evidence } of problems) {
      expect(message.length).toBeLessThanOrEqual(300);
      expect(JSON.stringify(evidence).length).toBeLessThan(2_500);
    }
  });
});

test("no secret of a request is in a problem, or in a report", async () => {
  const html = `<h1>A lighthouse</h1><img src="https://user:hunter2@missing.invalid/a.png?token=hunter3" width=400 height=300>`;
  const { problems, report } = await captureHtml(html, { metadata_report: true });
  expect(problems.map(({ code }) => code)).toContain("IMAGES_MISSING");
  expect(JSON.stringify([problems, report])).not.toMatch(/hunter/);
});
