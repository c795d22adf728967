// Generated pages of what makes frames: none loses a frame, the page's clock, or its browser, in any kind of capture.
import { expect, test } from "vitest";
import { seededRandom } from "../../fixtures/seeded-random.ts";
import { pages } from "../../fixtures/site-pages/pages.ts";
import { captureWith } from "../../support/chromium.ts";
import { IS_SLOW_RUN } from "../../support/slow-run.ts";

/** The slow run captures a page in each mode, `npm run test:frames` many; `FRAME_SEED` begins at another one. */
const PAGES = Number(process.env["FRAME_PAGES"] ?? (IS_SLOW_RUN ? 8 : 1));
const FIRST_SEED = Number(process.env["FRAME_SEED"] ?? 1);
const AT_ONCE = 2;

/** On a busy machine, frames can hang in the real time in which a page loads, and are ended. */
const MAX_STALLED = 5;

const modes: readonly Readonly<Record<string, unknown>>[] = [
  { full_page: true },
  {},
  { full_page: true, full_page_algorithm: "by_sections" },
  { full_page: true, deterministic: true },
  { format: "pdf" },
  { javascript: false, delay: 0.5 },
  { viewport_device: "iphone_15_pro", full_page: true, full_page_max_height: 5000 },
  { delay: 1 },
];

/** The GIF of `/running-image`. */
const [gif = ""] =
  /data:image\/gif[^"]*/.exec(String(pages["/running-image"]?.(new URLSearchParams(), undefined as never))) ?? [];

/** A page of random parts: reveals, canvases, GIFs, scrollers, frames, and animations, with and without an end. */
function generatePage(seed: number): string {
  const random = seededRandom(seed);
  const below = (limit: number) => Math.floor(random() * limit);
  const pick = <T>(choices: readonly T[]): T => choices[below(choices.length)] as T;
  let ids = 0;
  const part = (depth: number): string => {
    const inside = () => Array.from({ length: 1 + below(3) }, () => part(depth + 1)).join("");
    const text = `<p style="min-height:${100 + below(500)}px;background:hsl(${below(360)} 60% 70%)">Words ${++ids} that fill a line.</p>`;
    if (depth > 2) return text;
    return pick<() => string>([
      () => text,
      () => `<div class="reveal ${pick(["once", "again"])}">${inside()}</div>`,
      () => `<div class="enter" style="animation-delay:${below(8) / 10}s">${inside()}</div>`,
      () => `<div style="height:${300 + below(400)}px;overflow:auto">${inside()}</div>`,
      () => `<div style="transform:translate(${random().toFixed(2)}px,${random().toFixed(2)}px)">${inside()}</div>`,
      () => `<div class="endless">${inside()}</div>`,
      () => `<div class="sticky">${text}</div>${inside()}`,
      () => `<canvas width="600" height="${100 + below(200)}"></canvas>${inside()}`,
      () => `<img src="${gif}" width="${50 + below(200)}" height="60">${inside()}`,
      () => `<div style="columns:2">${inside()}</div>`,
      () => `<iframe srcdoc="${"<p>A frame</p>".replaceAll("<", "&lt;")}"></iframe>`,
    ])();
  };
  const body = Array.from({ length: 4 + below(6) }, () => part(0)).join("");
  const shell = below(3) === 0 ? `<main style="height:100%;overflow:auto">${body}</main>` : body;
  return `<!doctype html><style>
    html,body{height:100%;margin:0}p{margin:0;font:20px/1.4 sans-serif}canvas{display:block}
    .reveal{opacity:0;transform:translateY(40px);transition:opacity .4s,transform .4s}.reveal.in{opacity:1;transform:none}
    @keyframes enter{from{opacity:0;translate:0 30px}}.enter{animation:enter .8s both}
    @keyframes endless{50%{transform:translateX(${below(30)}.5px)}}.endless{animation:endless 2s ${pick(["linear", "steps(4)"])} infinite}
    .sticky{position:sticky;top:0}</style>${shell}<script>
    const observer=new IntersectionObserver((entries)=>entries.forEach(({target,isIntersecting})=>{
      if(isIntersecting||target.matches(".again"))target.classList.toggle("in",isIntersecting)}),{threshold:.05});
    document.querySelectorAll(".reveal").forEach((element)=>observer.observe(element));
    document.querySelectorAll("canvas").forEach((canvas)=>{const context=canvas.getContext("2d");let n=0;
      (function paint(){context.fillRect(0,0,30*++n,canvas.height);if(n<${pick([20, 20, 200])})requestAnimationFrame(paint)})()});
    ${pick(["", "addEventListener('scroll',()=>{document.title=String(scrollY)},{capture:true})", "let n=0;setInterval(()=>{document.title=String(++n)},50)", "(function f(){requestAnimationFrame(f)})()"])}
    </script>`;
}

interface Failure {
  readonly seed: number;
  readonly mode: string;
  readonly what: string;
}

async function captureGenerated(seed: number): Promise<Failure | undefined> {
  const mode = modes[seed % modes.length] ?? {};
  let [browsers, stalled] = [0, 0];
  const fail = (what: string): Failure => ({ seed, mode: JSON.stringify(mode), what });
  try {
    await captureWith(
      { html: generatePage(seed), viewport_width: 1000, viewport_height: 700, ...mode },
      {
        launched: ({ cdp }) => {
          browsers++;
          const send = cdp.send.bind(cdp);
          cdp.send = ((method, parameters, ...rest) => {
            if (JSON.stringify(parameters ?? {}).includes('"minimized"')) stalled++;
            return send(method, parameters, ...rest);
          }) as typeof send;
        },
      },
    );
  } catch (error) {
    return fail(String(error));
  }
  if (browsers > 1) return fail(`took ${browsers} browsers`);
  return stalled > MAX_STALLED ? fail(`${stalled} frames hung, and were ended`) : undefined;
}

test("generated pages lose no frame, no clock, and no browser, in any kind of capture", {
  timeout: 60_000 + PAGES * 10_000,
}, async () => {
  const failures: Failure[] = [];
  let next = FIRST_SEED;
  const work = async () => {
    while (next < FIRST_SEED + PAGES) {
      const failure = await captureGenerated(next++);
      if (failure) failures.push(failure);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  expect(failures).toEqual([]);
});
