// STILL_LOADING: what stands in place of content that has not come.
import { describe, expect, test } from "vitest";
import { captureHtml, codesOf, judgedCodesOf, judgedProblemOf, prose } from "../../../support/problems.ts";
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
    expect(await judgedCodesOf(html)).toContain("STILL_LOADING");
  });

  sampled(test, 2).each([
    [
      "a root",
      "<header><nav><a href=#>Home</a></nav></header><div id=app></div><script>setTimeout(()=>app.append('Hello'),9000)</script>",
    ],
    [
      "a large part",
      "<h1>Painel</h1><div id=a style='height:300px'></div><script>setTimeout(()=>a.append('Olá'),2500)</script>",
    ],
  ])("without an error, and with %s that is empty, is found", async (_, html) => {
    const { problems } = await captureHtml(html);
    expect(problems).toMatchObject([{ code: "STILL_LOADING", fix: { delay: 10 } }]);
    expect(await codesOf(html, { delay: 10 })).toEqual([]);
  });

  test("says what it shows, and how long to wait", async () => {
    const { message, fix } = await judgedProblemOf(
      "STILL_LOADING",
      `${spin}<div style="height:300px"><div class=x></div><p>Loading orders…</p></div>`,
    );
    expect(message).toContain("Loading orders…");
    expect(fix).toEqual({ delay: 10 });
  });
});

/** A page of 3 skeletons, each with its text while it is in view, where `isFilled`. */
const cards = (isFilled: boolean) => `<style>@keyframes p{50%{opacity:.5}}
  article{height:400px;margin:0 0 20px} .skeleton{height:400px;background:#e5e7eb;animation:p 1s infinite}</style>
  <h1>Stories</h1>${"<article><div class=skeleton></div></article>".repeat(3)}<script>
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of ${isFilled ? "entries" : "[]"})
      target.innerHTML = isIntersecting ? "<p>The keeper counts birds at dawn.</p>" : "<div class=skeleton></div>";
  });
  document.querySelectorAll("article").forEach((article) => observer.observe(article));</script>`;

describe("a full page with placeholders below its window", () => {
  test("is not loading where they stand for content only while they are out of view", async () => {
    expect(await codesOf(cards(true), { full_page: true })).not.toContain("STILL_LOADING");
  });

  test("is loading where nothing takes their place", async () => {
    expect(await codesOf(cards(false), { full_page: true })).toContain("STILL_LOADING");
  });
});

const apex = `<div class="apexcharts-canvas" style="width:500px;height:300px"><svg class="apexcharts-svg" width=500 height=300><g class="apexcharts-gridlines-vertical"><line x1=0 y1=0 x2=0 y2=300 /></g><path d="M0 200L400 30" stroke="red"/></svg><div class="apexcharts-legend" style="width:300px;height:90px"></div></div><script></script>`;
const bar = (width: number) =>
  `<div style="background:#eee;margin:9px 0"><div class="progress-bar" role="progressbar" style="width:${width}%;height:14px;background:#36c"></div></div>`;

describe("not loading is", () => {
  sampled(test, 4).each([
    ["a finished chart with empty groups and an empty legend", `<h1>Sales</h1>${apex}`],
    [
      "an editor with empty layers above its text",
      `<div style="position:relative;height:300px;background:#222;color:#fff">Hello<div id=cursors style="position:absolute;inset:0"></div></div><script></script>`,
    ],
    ["bars that are figures", `<h1>Budget</h1>${[38, 75, 12, 60].map(bar).join("")}`],
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
    expect(await judgedCodesOf(html)).toEqual([]);
  });
});
