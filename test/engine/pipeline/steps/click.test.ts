// Clicks of the caller.
import { describe, expect, test } from "vitest";
import { decode } from "../../../../lib/fixtures/png.ts";
import { CLICKS } from "../../../../lib/fixtures/site-pages/interactive.ts";
import { BOX, bandColour, GREEN, RED, WHITE } from "../../../../lib/fixtures/site-pages.ts";
import { failureOf } from "../../../support/chromium.ts";
import { middleOf, startSmallCaptures } from "../../../support/small-captures.ts";

const { captureOf, groundOf, imageOf, origin } = startSmallCaptures();

const plain = `<!doctype html><body style="margin:0"><p>A page`;
const turnGreen = `document.body.style.background = "green"`;

describe("click", () => {
  test("clicks an element and waits for what it loads", async () => {
    const [image, untouched] = [
      await imageOf("/clicks", { click: "#open", wait_for_selector: "#panel" }),
      await imageOf("/clicks"),
    ];
    expect(image.colourAt(...middleOf(CLICKS.panel))).toEqual(CLICKS.panel.colour);
    expect(untouched.colourAt(...middleOf(CLICKS.panel))).toEqual(WHITE);
  });

  test("clicks several elements in order, each when it appears", async () => {
    const html = `${plain}<button id=a>a</button><script>
      const b = document.createElement("button"); b.id = "b"; b.textContent = "b"; b.onclick = () => { ${turnGreen} };
      a.onclick = () => setTimeout(() => document.body.append(b), 400)</script>`;
    expect(await groundOf(html, { click: ["#a", "#b"] })).toEqual(GREEN);
  });

  test("captures the page it navigates to", async () => {
    const { body, finalUrl } = await captureOf("/clicks", { click: "#leave" });
    expect((await decode(body)).colourAt(BOX.x + 9, BOX.y + 9)).toEqual(RED);
    expect(finalUrl).toBe(`${origin()}/box`);
  });

  test("captures the response to a submitted form", async () => {
    const html = `<form action="/slow-images" method="post"><button>go</button></form>`;
    const { body } = await captureOf(html, { base_url: `${origin()}/`, click: "button" });
    expect((await decode(body)).colourAt(200, 150)).toEqual(bandColour(1));
  });

  test("opens no other tab", async () => {
    const html = `${plain}<a id=a target=_blank href="${origin()}/box">go</a><script>a.onclick = () => { ${turnGreen} }</script>`;
    expect(await groundOf(html, { click: "#a" })).toEqual(GREEN);
  });

  test("reaches a button behind another element", async () => {
    const image = await imageOf("/clicks", { click: "#covered" });
    expect(image.colourAt(...middleOf(CLICKS.alarm))).toEqual(CLICKS.alarm.rung);
  });

  test("does not click a disabled button, with a warning", async () => {
    const { body, warnings } = await captureOf("/clicks", { click: "#disabled" });
    expect((await decode(body)).colourAt(...middleOf(CLICKS.alarm))).toEqual(CLICKS.alarm.quiet);
    expect(warnings).toEqual(["The element '#disabled' of 'click' is disabled; nothing was clicked."]);
  });

  const below = (button: string) =>
    `${plain}<div style="height:2000px"></div>${button}<div style="height:2000px"></div>`;

  test("below the window keeps the scroll position", async () => {
    const html = below(
      `<button id=a>a</button><script>a.onclick = () => { document.querySelector("div").style.background = "green" }</script>`,
    );
    expect(await groundOf(html, { click: "#a" })).toEqual(GREEN);
  });

  test("on a link within the page shows the target of the link", async () => {
    const html = `<a id=a href="#there">go</a>${below(`<div id=there style="height:600px;background:green">There`)}`;
    expect(await groundOf(html, { click: "#a" })).toEqual(GREEN);
  });

  test("without a match fails, or is skipped with a warning", async () => {
    const click = ["#nothing"];
    expect(await failureOf(captureOf("/clicks", { click, timeout: 2 }))).toMatchObject({
      code: "SELECTOR_NOT_FOUND",
      details: { click: [expect.stringMatching(/^no element matched '#nothing' within/)] },
    });
    const optional = { click, error_on_click_selector_not_found: false, timeout: 2 };
    expect((await captureOf("/clicks", optional)).warnings).toEqual([
      "No visible element matched the selector '#nothing' of 'click'.",
    ]);
  });
});
