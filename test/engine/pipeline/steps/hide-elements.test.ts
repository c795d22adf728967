// Elements that the caller hides.
import { describe, expect, test } from "vitest";
import { decode } from "../../../fixtures/png.ts";
import { WHITE } from "../../../fixtures/site-pages.ts";
import { failureOf } from "../../../support/chromium.ts";
import { openPage } from "../../../support/open-page.ts";
import { runStep } from "../../../support/run-step.ts";
import { sampled, slowTest } from "../../../support/slow-run.ts";
import { startSmallCaptures } from "../../../support/small-captures.ts";

const { captureOf, groundOf } = startSmallCaptures();

const plain = `<!doctype html><body style="margin:0"><p>A page`;

describe("hide_selectors", () => {
  const box = (id: string) => `<div id="${id}" style="width:400px;height:300px;background:red"></div>`;

  sampled(test, 4).each([
    ["elements that come later", `<script>setTimeout(() => { document.body.innerHTML = '${box("a")}' }, 300)</script>`],
    ["elements that are there", box("a")],
  ])("hides %s", async (_, content) => {
    const html = `<!doctype html><body style="margin:0">${content}`;
    expect(await groundOf(html, { hide_selectors: ["#nothing", "#a"], delay: 0.5 })).toEqual(WHITE);
  });

  /** Hides elements on a page that is not captured. Returns whether `#b` is shown. */
  async function isShownWith(hide_selectors: readonly string[]): Promise<boolean> {
    await using page = await openPage(plain + box("b"));
    await runStep(page.capturing, "hide-elements", { hide_selectors });
    const tab = await page.capturing.session.page();
    return await tab.evaluate(() => document.querySelector("#b")?.checkVisibility() ?? false);
  }

  test.each([["#nothing /*"], ['#nothing[a="']])(
    "is not affected by an earlier invalid selector: %s",
    async (other) => {
      expect(await isShownWith([other, "#b"])).toBe(false);
      expect(await isShownWith([other])).toBe(true);
    },
  );

  const attached = (when: string) => `<x-a></x-a><script>
    const attach = (host, html) => { host.attachShadow({ mode: "open" }).innerHTML = html; return host.shadowRoot };
    ${when}(() => attach(attach(document.querySelector("x-a"), "<x-b></x-b>").querySelector("x-b"), ${JSON.stringify(box("a"))}));
  </script>`;

  sampled(test, 12).each([
    ["of the markup", `<x-a><template shadowrootmode="open">${box("a")}</template></x-a>`],
    ["in one another", attached("(work => work())")],
    ["that are attached later", attached("(work => setTimeout(work, 400))")],
  ])("hides elements in open shadow roots %s", async (_, content) => {
    const { body, warnings } = await captureOf(plain + content, { hide_selectors: "#a", delay: 0.5 });
    expect([(await decode(body)).colourAt(390, 290), warnings]).toEqual([WHITE, []]);
  });

  test("warns of a selector that matches nothing, neither in the document nor in a shadow root", async () => {
    const html = `${plain}<x-a><template shadowrootmode="open"><i id=in>x</i></template></x-a>`;
    const { warnings } = await captureOf(html, { hide_selectors: ["#in", "p::before", "#nothing", ".none"] });
    expect(warnings).toEqual(
      ["#nothing", ".none"].map((each) => `No element matched the selector '${each}' of 'hide_selectors'.`),
    );
  });

  slowTest("works with a Content Security Policy that forbids styles", async () => {
    const options = { hide_selectors: "p", fail_if_content_contains: "Strict content security policy" };
    expect((await captureOf("/csp", options)).statusCode).toBe(200);
    const { hide_selectors: _, ...shown } = options;
    expect((await failureOf(captureOf("/csp", shown))).code).toBe("CONTENT_RULE_FAILED");
  });

  test("names an invalid selector", async () => {
    expect(await failureOf(isShownWith(["p", "<<"]))).toMatchObject({
      code: "VALIDATION_ERROR",
      status: 422,
      details: { hide_selectors: ["is not a valid CSS selector: '<<'"] },
    });
  });
});
