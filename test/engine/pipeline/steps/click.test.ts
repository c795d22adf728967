// Clicks of the caller.
import { describe, expect, test } from "vitest";
import { decode } from "../../../fixtures/png.ts";
import { CLICKS } from "../../../fixtures/site-pages/interactive.ts";
import { BOX, bandColour, GREEN, RED, WHITE } from "../../../fixtures/site-pages.ts";
import { failureOf } from "../../../support/chromium.ts";
import { openPage } from "../../../support/open-page.ts";
import { runStep } from "../../../support/run-step.ts";
import { sampled } from "../../../support/slow-run.ts";
import { middleOf, startSmallCaptures } from "../../../support/small-captures.ts";

const { captureOf, groundOf, imageOf, origin } = startSmallCaptures();

const plain = `<!doctype html><body style="margin:0"><p>A page`;
const turnGreen = `document.body.style.background = "green"`;

/** Clicks `#a` on a page that is not captured. Returns the warnings. */
async function warningsOfClick(body: string): Promise<readonly string[]> {
  await using page = await openPage(plain + body, { window: { width: 400, height: 300 } });
  return (await runStep(page.capturing, "click", { click: "#a" })).warnings;
}

describe("click", () => {
  test("clicks an element and waits for what it loads", async () => {
    const image = await imageOf("/clicks", { click: "#open", wait_for_selector: "#panel" });
    expect(image.colourAt(...middleOf(CLICKS.panel))).toEqual(CLICKS.panel.colour);
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

  const opened = (selector: string) =>
    `The click on '${selector}' opened another tab; its address was opened in the page instead.`;

  sampled(test, 12).each([
    ["a link with a target", `<a id=a target=_blank href="/box">go</a>`],
    ["a link with a name and without a referrer", `<a id=a target=other rel="noopener noreferrer" href="/box">go</a>`],
    ["a script", `<button id=a onclick="window.open('/box', 'w', 'width=300')">go</button>`],
    ["a script, a moment later", `<p id=a onclick="setTimeout(() => window.open('/box'), 60)">go</p>`],
    [
      "a click with a modifier",
      `<a href="/box">box</a><p id=a onclick="document.links[0].dispatchEvent(new MouseEvent('click', { ctrlKey: true }))">go</p>`,
    ],
    ["a form", `<form target=_blank action="/box"><button id=a>go</button></form>`],
    ["a form with data", `<form target=_blank method=post action="/box"><button id=a><b>go</b></button></form>`],
  ])("opens the address of another tab in the page, with a warning: %s", async (_, html) => {
    const { body, warnings, finalUrl } = await captureOf(`${plain}${html}`, { base_url: `${origin()}/`, click: "#a" });
    expect((await decode(body)).colourAt(BOX.x + 9, BOX.y + 9)).toEqual(RED);
    expect([warnings, finalUrl]).toEqual([[opened("#a")], null]);
  });

  test("stays on the page, with a warning, where a script fills the other tab", async () => {
    const html = `${plain}<a id=a href="javascript:void window.open('about:blank')">go</a><script>${turnGreen}</script>`;
    const { body, warnings } = await captureOf(html, { click: "#a" });
    expect((await decode(body)).colourAt(390, 290)).toEqual(GREEN);
    expect(warnings).toEqual([
      "The click on '#a' opened another tab, which is not captured: its content has no address.",
    ]);
  });

  test("leaves a page that asks whether to stay", async () => {
    const html = `${plain}<a id=a href="/box">go</a><script>onbeforeunload = (event) => { event.preventDefault(); return "Stay?" }</script>`;
    const { body, warnings } = await captureOf(html, { base_url: `${origin()}/`, click: "#a" });
    expect((await decode(body)).colourAt(BOX.x + 9, BOX.y + 9)).toEqual(RED);
    expect(warnings).toEqual([]);
  });

  sampled(test, 3).each([
    ["text", "<p id=a>no button</p>"],
    ["a button without a script", "<button id=a>go</button>"],
    ["a script that changes nothing", "<button id=a onclick='this.title'>go</button>"],
  ])("has a warning when it has no effect: %s", async (_, html) => {
    expect(await warningsOfClick(html)).toEqual(["The click on '#a' had no effect: nothing has changed on the page."]);
  });

  sampled(test, 3).each([
    ["a box is checked", "<input id=a type=checkbox>"],
    ["a field is focused", "<input id=a>"],
    ["details open", "<details><summary id=a>more</summary>text</details>"],
    ["a popover opens", "<button id=a popovertarget=p>go</button><p popover id=p>text"],
    ["an option is chosen", "<label id=a><input type=radio>one</label>"],
    ["text is added later", "<b id=a onclick='setTimeout(() => this.append(1), 400)'>go</b>"],
    ["a canvas is drawn", "<canvas id=a></canvas>"],
    ["a request is sent", "<b id=a onclick='fetch(location)'>go</b>"],
    [
      "a shadow root changes",
      "<x-a><template shadowrootmode=open><i></i></template></x-a><b id=a onclick='document.querySelector(`x-a`).shadowRoot.firstChild.append(1)'>go</b>",
    ],
  ])("has none when it has one: %s", async (_, html) => {
    expect(await warningsOfClick(html)).toEqual([]);
  });

  test("reaches a button behind another element", async () => {
    const image = await imageOf("/clicks", { click: "#covered" });
    expect(image.colourAt(...middleOf(CLICKS.panel))).toEqual(WHITE); // that of another button
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
    await using page = await openPage(plain);
    const click = (options: object) =>
      runStep(page.capturing, "click", { click: ["#nothing"], ...options }, { leftS: 1 });
    expect(await failureOf(click({}))).toMatchObject({
      code: "SELECTOR_NOT_FOUND",
      details: { click: [expect.stringMatching(/^no element matched '#nothing' within/)] },
    });
    expect((await click({ error_on_click_selector_not_found: false })).warnings).toEqual([
      "No visible element matched the selector '#nothing' of 'click'.",
    ]);
  });
});
