// Style sheets of the caller.
import { describe, expect, test } from "vitest";
import { BOX, GREEN, RED } from "../../../fixtures/site-pages.ts";
import { failureOf } from "../../../support/chromium.ts";
import { openPage } from "../../../support/open-page.ts";
import { runStep } from "../../../support/run-step.ts";
import { slowTest } from "../../../support/slow-run.ts";
import { startSmallCaptures } from "../../../support/small-captures.ts";

const { groundOf, imageOf, origin } = startSmallCaptures();

const plain = `<!doctype html><body style="margin:0"><p>A page`;

/** The style sheets of `styledPage`'s server. */
const sheets: Readonly<Record<string, string>> = {
  "/red.css": "html, body { background: red !important }",
  "/main-green.css": "main { background: green }",
};

/** Adds styles to a page that is not captured. Returns the background of the first element that matches, also in shadow roots. */
async function backgroundWith(styles: (origin: string) => string, body: string, selector: string): Promise<string> {
  await using page = await openPage(({ url = "" }, answer) => {
    const sheet = sheets[url];
    answer.statusCode = sheet === undefined && url !== "/" ? 404 : 200;
    answer.setHeader("content-type", sheet === undefined ? "text/html" : "text/css").end(sheet ?? plain + body);
  });
  await runStep(page.capturing, "add-styles", { styles: styles(page.origin) });
  const tab = await page.capturing.session.page();
  return await tab.evaluate((wanted) => {
    const find = (root: ParentNode): Element | undefined =>
      root.querySelector(wanted) ??
      [...root.querySelectorAll("*")].map(({ shadowRoot }) => shadowRoot && find(shadowRoot)).find((each) => each) ??
      undefined;
    const found = find(document);
    return found ? getComputedStyle(found).backgroundColor : "nothing";
  }, selector);
}

const GREEN_VALUE = `rgb(${GREEN.join(", ")})`;
const RED_VALUE = `rgb(${RED.join(", ")})`;

describe("styles", () => {
  const green = "html, body { background: green !important }";

  test("are applied, one after the other", async () => {
    const styles = ["html, body { background: red !important }", green];
    expect(await groundOf(plain, { styles })).toEqual(GREEN);
  });

  const shadow = `<x-a><template shadowrootmode="open"><x-b><template shadowrootmode="open">
    <main style="position:fixed;inset:0"></main></template></x-b></template></x-a>`;

  test.each<[string, (origin: string) => string]>([
    ["rules", () => "main { background: green }"],
    ["an import", (from) => `@import url("${from}/red.css"); main { background: green }`],
    ["the URL of a style sheet", (from) => `${from}/main-green.css`],
  ])("are applied in open shadow roots: %s", async (_, styles) => {
    expect(await backgroundWith(styles, shadow, "main")).toBe(GREEN_VALUE);
  });

  test.each<[string, (origin: string) => string]>([
    ["may be the URL of a style sheet", (from) => `${from}/red.css`],
    ["wait for an imported style sheet", (from) => `@import url("${from}/red.css");`],
  ])("%s", async (_, styles) => {
    expect(await backgroundWith(styles, "", "body")).toBe(RED_VALUE);
  });

  test("wait for their images", async () => {
    const picture = `${origin()}/solid-image?colour=${GREEN.join(",")}&after=400`;
    expect(await groundOf(plain, { styles: `body { background: url("${picture}") }` })).toEqual(GREEN);
  });

  slowTest("are captured as the URL of a style sheet", async () => {
    expect(await groundOf(plain, { styles: `${origin()}/red.css` })).toEqual(RED);
  });

  test.each([
    ["its address", (address: string) => address],
    ["an import of it", (address: string) => `@import "${address}";`],
  ])("that do not load fail with their URL: %s", async (_, styles) => {
    const addresses: string[] = [];
    const missing = (from: string) => {
      addresses.push(`${from}/no-such.css`);
      return styles(addresses.join());
    };
    expect(await failureOf(backgroundWith(missing, "", "body"))).toMatchObject({
      code: "STYLE_FAILED",
      details: { styles: [`could not load ${addresses}`] },
    });
  });

  test("apply with a Content Security Policy that forbids styles", async () => {
    const image = await imageOf("/csp", { styles: "body { background: blue }" });
    expect(image.colourAt(390, 290)).toEqual([0, 0, 255]);
  });

  test("apply to the page that a click navigates to", async () => {
    const image = await imageOf("/clicks", { click: "#leave", styles: "#box { background: green !important }" });
    expect(image.colourAt(BOX.x + 9, BOX.y + 9)).toEqual(GREEN);
  });
});
