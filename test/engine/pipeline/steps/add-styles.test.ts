// Style sheets of the caller.
import { describe, expect, test } from "vitest";
import { BOX, GREEN, RED } from "../../../fixtures/site-pages.ts";
import { failureOf } from "../../../support/chromium.ts";
import { sampled } from "../../../support/slow-run.ts";
import { startSmallCaptures } from "../../../support/small-captures.ts";

const { captureOf, groundOf, imageOf, origin } = startSmallCaptures();

const plain = `<!doctype html><body style="margin:0"><p>A page`;

describe("styles", () => {
  const green = "html, body { background: green !important }";

  test.each([
    ["rules", green, GREEN],
    ["several", ["p { color: red }", green], GREEN],
  ])("are applied: %s", async (_, styles, colour) => {
    expect(await groundOf(plain, { styles })).toEqual(colour);
  });

  const shadow = `<x-a><template shadowrootmode="open"><x-b><template shadowrootmode="open">
    <main style="position:fixed;inset:0"></main></template></x-b></template></x-a>`;

  sampled(test, 12).each<[string, () => string, readonly number[]]>([
    ["rules", () => "main { background: green }", GREEN],
    ["an import", () => `@import url("${origin()}/red.css"); main { background: green }`, GREEN],
    ["the URL of a style sheet", () => `${origin()}/main-green.css`, GREEN],
  ])("are applied in open shadow roots: %s", async (_, styles, colour) => {
    expect(await groundOf(plain + shadow, { styles: styles() })).toEqual(colour);
  });

  test("wait for their images", async () => {
    const picture = `${origin()}/solid-image?colour=${GREEN.join(",")}&after=400`;
    expect(await groundOf(plain, { styles: `body { background: url("${picture}") }` })).toEqual(GREEN);
  });

  test("may be the URL of a style sheet", async () => {
    expect(await groundOf(plain, { styles: `${origin()}/red.css` })).toEqual(RED);
  });

  test("wait for an imported style sheet", async () => {
    expect(await groundOf(plain, { styles: `@import url("${origin()}/red.css");` })).toEqual(RED);
  });

  test.each([
    ["its address", (address: string) => address],
    ["an import of it", (address: string) => `@import "${address}";`],
  ])("that do not load fail with their URL: %s", async (_, styles) => {
    const address = `${origin()}/no-such.css`;
    expect(await failureOf(captureOf(plain, { styles: styles(address) }))).toMatchObject({
      code: "STYLE_FAILED",
      details: { styles: [`could not load ${address}`] },
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
