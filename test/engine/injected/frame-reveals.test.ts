// Reveals in frames and in shadow roots: what a visitor sees there while scrolling is in the full page.
import { expect, test } from "vitest";
import { bandedPage, bands, fullPageOf } from "../../support/banded-page.ts";
import { slowTest } from "../../support/slow-run.ts";

const RED = [255, 0, 0];

/** A box that is red while it is in view, because a class is toggled or an animation plays. */
const ways = {
  "a class that is toggled with a transition": {
    style: ".box { opacity: 0; transition: opacity .2s } .shown .box { opacity: 1 }",
    script: `new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) target.classList.toggle("shown", isIntersecting);
    })`,
  },
  "an animation that starts on entry and is removed on exit": {
    style:
      ".box { transform: scale(0) } .shown .box { animation: enter .2s both } @keyframes enter { to { transform: none } }",
    script: `new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) target.classList.toggle("shown", isIntersecting);
    })`,
  },
};

const STYLE = ".box { height: 100px; background: red }";
const CONTENT = `<div class="reveal"><div class="box"></div></div>`;
const observe = (script: string, root: string) => `<script>{
  const observer = ${script};
  for (const element of ${root}.querySelectorAll(".reveal")) observer.observe(element);
}</script>`;

const escaped = (html: string) => html.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
const frameWith = (html: string) =>
  `<iframe style="display:block;border:0;width:100%;height:120px" srcdoc="${escaped(html)}"></iframe>`;

test("what is revealed in frames, in any way, is in the full page", async () => {
  const frames = Object.values(ways).map(({ style, script }) =>
    frameWith(bandedPage(`${STYLE} ${style}`, `${CONTENT}${observe(script, "document")}`)),
  );
  const image = await fullPageOf({ html: bandedPage("", `${bands(4)}${frames.join("")}${bands(1, 4)}`) });
  expect(image.countInColumn(200, RED)).toBe(200);
  expect(image.warnings).toEqual([]);
});

const cases = Object.entries(ways).flatMap(([way, { style, script }]) => {
  const framed = bandedPage(`${STYLE} ${style}`, `${CONTENT}${observe(script, "document")}`);
  const rooted = (mode: string) =>
    `<x-box><template shadowrootmode="${mode}"><style>${STYLE} ${style}</style>${CONTENT}</template></x-box>`;
  const inRoot = rooted("open") + observe(script, `document.querySelector("x-box").shadowRoot`);
  const bodies = [
    ["in a frame", frameWith(framed)],
    ["in a frame of a frame", frameWith(bandedPage("", frameWith(framed)))],
    ["in a shadow root", inRoot],
    ["in a shadow root in a frame", frameWith(bandedPage("", inRoot))],
  ] as const;
  return bodies.map(([place, body]) => [way, place, style, body] as const);
});

slowTest.each(cases)("what is revealed by %s %s is in the full page", async (_way, _place, style, body) => {
  const image = await fullPageOf({ html: bandedPage(`${STYLE} ${style}`, `${bands(5)}${body}${bands(5, 5)}`) });
  expect(image.countInColumn(200, RED)).toBe(100);
  expect(image.warnings).toEqual([]);
});
