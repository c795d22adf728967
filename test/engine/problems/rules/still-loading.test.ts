// STILL_LOADING: what stands in place of content that has not come.
import { describe, expect, test } from "vitest";
import { codesOf, problemOf, prose } from "../../../support/problems.ts";
import { sampled } from "../../../support/slow-run.ts";

const spin =
  "<style>@keyframes turn{to{transform:rotate(1turn)}}.x{width:48px;height:48px;border:4px solid #ccc;border-top-color:#333;border-radius:50%;animation:turn 1s linear infinite}</style>";
const bars = (style: string) =>
  `<style>@keyframes p{50%{opacity:.5}}.b{background:#e5e7eb;height:18px;margin:12px 0;${style}}</style>${"<div class=b></div>".repeat(9)}`;

describe("a page that is loading", () => {
  sampled(test, 4).each([
    ["with a spinner without a name", `${spin}<h1>Orders</h1><div style="height:300px"><div class=x></div></div>`],
    ["with pulsing blocks", `<h1>Orders</h1>${bars("animation:p 1s infinite")}`],
    ["with grey blocks that stand still", `<h1>Orders</h1>${bars("")}`],
    ["with a busy region", `<h1>Orders</h1><div aria-busy=true style="height:300px"></div>`],
    ["with a text", "<div style='padding:200px'>Wird geladen …</div>"],
    ["with a progress bar", "<h1>Orders</h1><div style='height:300px'><progress></progress></div>"],
    [
      "with charts without marks",
      "<h1>Report</h1><div class=chart style='height:200px;border:1px solid'></div><div class=chart style='height:200px;border:1px solid'></div><script></script>",
    ],
  ])("%s is found", async (_, html) => {
    expect(await codesOf(html)).toContain("STILL_LOADING");
  });

  test("says what it shows, and how long to wait", async () => {
    const { message, fix } = await problemOf(
      "STILL_LOADING",
      `${spin}<div style="height:300px"><div class=x></div><p>Loading orders…</p></div>`,
    );
    expect(message).toContain("Loading orders…");
    expect(fix).toEqual({ delay: 10 });
  });
});

describe("not loading is", () => {
  sampled(test, 4).each([
    [
      "an article with a small spinner in it",
      `${spin}<h1>Spinners</h1>${prose}<p>An example:</p><div class=x></div>${prose}`,
    ],
    ["a page with a progress of something else", `<h1>Poll</h1>${prose}<progress value=40 max=100></progress>`],
    [
      "a chart with bars of one grey, and labels",
      `<h1>Report</h1>${[9, 30, 60].map((height) => `<div style="background:#999;width:60px;height:${height}px"></div><p>Tuesday, with ${height} orders in the north</p>`).join("")}${prose}`,
    ],
  ])("%s", async (_, html) => {
    expect(await codesOf(html)).toEqual([]);
  });
});
