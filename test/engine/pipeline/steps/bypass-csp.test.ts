// Pages with a Content Security Policy.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decode } from "../../../../lib/fixtures/png.ts";
import { type Site, startSite } from "../../../../lib/fixtures/site.ts";
import { GREEN, RED } from "../../../../lib/fixtures/site-pages.ts";
import { captureWith, failureOf } from "../../../support/chromium.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

type Options = Readonly<Record<string, unknown>>;
const window = { viewport_width: 400, viewport_height: 300, timeout: 10 };

const captureOf = (path: string, options: Options = {}) =>
  captureWith({ url: site.origin + path, ...window, ...options }, { allow: [site.hostPort], isTimedFromLaunch: true });

async function imageOf(path: string, options: Options = {}) {
  return decode((await captureOf(path, options)).body);
}

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
    const styles = `${site.origin}/red.css`;
    expect((await imageOf("/csp", { styles, bypass_csp: true })).colourAt(390, 290)).toEqual(RED);
    expect((await failureOf(captureOf("/csp", { styles }))).code).toBe("STYLE_FAILED");
  });
});
