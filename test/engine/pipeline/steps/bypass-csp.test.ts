// Pages with a Content Security Policy.
import { describe, expect, test } from "vitest";
import { GREEN, RED } from "../../../fixtures/site-pages.ts";
import { failureOf } from "../../../support/chromium.ts";
import { startSmallCaptures } from "../../../support/small-captures.ts";

const { captureOf, imageOf, origin } = startSmallCaptures();

describe("bypass_csp", () => {
  const scripts = `const style = document.createElement("style"); style.textContent = "html:root { background: blue !important }"; document.head.append(style)`;

  test.each([
    [true, [0, 0, 255]],
    [false, GREEN],
  ])("%s: what a script adds to a page with a strict policy", async (bypass_csp, colour) => {
    const image = await imageOf("/csp", { scripts, bypass_csp });
    expect(image.colourAt(390, 290)).toEqual(colour);
  });

  test("lets a style sheet in", async () => {
    const styles = `${origin()}/red.css`;
    expect((await imageOf("/csp", { styles, bypass_csp: true })).colourAt(390, 290)).toEqual(RED);
    expect((await failureOf(captureOf("/csp", { styles }))).code).toBe("STYLE_FAILED");
  });
});
