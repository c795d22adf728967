// Pages that change while they are scrolled, each with a still twin: what a visitor has seen of it once everything came to rest.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { IS_SLOW_RUN } from "../../support/slow-run.ts";

export interface Twins {
  readonly name: string;
  /** HTML; without scripts where `isStill`. */
  readonly page: (isStill: boolean) => string;
  /** The rows of the image with what never rests, which are not compared. */
  readonly endless?: { readonly top: number; readonly bottom: number };
}

interface Parts {
  readonly style?: string;
  readonly body: string;
  readonly script?: string;
}

const SECTIONS = IS_SLOW_RUN ? 5 : 3;

const repeat = (count: number, part: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => part(n)).join("");

/** A document of which the still twin has no scripts. */
const documentOf = ({ style = "", body, script = "" }: Parts, isStill: boolean) => `<!doctype html>
<style>
  body { margin: 0; font: 16px sans-serif; background: white; color: #222 }
  section { height: 220px; box-sizing: border-box; padding: 24px; border-bottom: 1px solid #bbb; overflow: hidden }
  b { font-size: 40px }
  ${style}
</style>
${body}${isStill ? "" : `<script>${script}</script>`}`;

const twins = (name: string, parts: (isStill: boolean) => Parts): Twins => ({
  name,
  page: (isStill) => documentOf(parts(isStill), isStill),
});

const sections = (part: (n: number) => string, count = SECTIONS) =>
  repeat(count, (n) => `<section><p>Part ${n + 1} of the page</p>${part(n)}</section>`);

/** Calls `enter(element, n)` when an element comes into view: for the first time, or each time where `again`, with `leave` between. */
const onView = (
  selector: string,
  enter: string,
  { options = "{}", leave = "", again = false }: { options?: string; leave?: string; again?: boolean } = {},
) => `
  const enter = (element, n) => { ${enter} };
  const leave = (element, n) => { ${leave} };
  const all = [...document.querySelectorAll(${JSON.stringify(selector)})];
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) enter(target, all.indexOf(target));
      else leave(target, all.indexOf(target));
      if (isIntersecting && !${again}) observer.unobserve(target);
    }
  }, ${options});
  all.forEach((element) => observer.observe(element));`;

/** Calls `draw(share)` in frames, with a share of time from 0 to 1. */
const RUN = `
  const run = (ms, draw, done) => {
    const start = performance.now();
    const frame = (now) => {
      const share = Math.min(1, Math.max(0, (now - start) / ms));
      draw(share);
      if (share < 1) requestAnimationFrame(frame);
      else done?.();
    };
    requestAnimationFrame(frame);
  };`;

const VALUES = [1250, 87, 342, 15800, 99];
const value = (n: number) => VALUES[n % VALUES.length] ?? 0;
const grouped = (number: number) => number.toLocaleString("en-US");
const dollars = (number: number) => `$${number.toLocaleString("en-US", { minimumFractionDigits: 2 })}`;
const counters = (isStill: boolean, text: (value: number) => string = String) =>
  sections((n) => `<b data-to="${value(n)}">${text(isStill ? value(n) : 0)}</b>`);

const SENTENCES = [
  "We build pages that people like to read.",
  "Each word of this line comes by itself.",
  "Nothing here is ever in a hurry at all.",
  "A fourth line is typed when it is seen.",
  "And this is how the whole story ends.",
];
const sentence = (n: number) => SENTENCES[n % SENTENCES.length] ?? "";
const words = (n: number) =>
  sentence(n)
    .split(" ")
    .map((word) => `<span>${word}</span>`)
    .join(" ");

const COLOURS = ["#a33", "#3a3", "#33a", "#a83", "#388", "#838"];
const colour = (n: number) => COLOURS[n % COLOURS.length] ?? "";
const swatch = (n: number) =>
  `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" width="160" height="120"><rect width="160" height="120" fill="${colour(n)}"/><circle cx="80" cy="60" r="40" fill="white"/></svg>`)}`;

const classIn = (isStill: boolean) => (isStill ? " in" : "");
const addClass = 'element.classList.add("in")';
const removeClass = 'element.classList.remove("in")';
const box = (isStill: boolean, n: number) =>
  `<div class="box${classIn(isStill)}" style="background:${colour(n)}">Box ${n + 1}</div>`;
const BOX = ".box { height: 110px; padding: 12px; color: white; font-size: 24px }";

const cards = (isStill: boolean, count = 4) =>
  sections(
    (n) =>
      `<div class="cards${classIn(isStill)}">${repeat(count, (k) => `<i style="background:${colour(n + k)}">${k + 1}</i>`)}</div>`,
  );
const CARDS = `.cards { display: flex; gap: 8px } .cards i { flex: 1; height: 100px; color: white; font-size: 30px; text-align: center }`;

const installed = (path: string) => readFileSync(createRequire(import.meta.url).resolve(path), "utf8");

const countersAndTexts: readonly Twins[] = [
  twins("counters that slow down for two seconds, half in view", (isStill) => ({
    body: counters(isStill),
    script:
      RUN +
      onView(
        "b",
        "run(2000, (share) => { element.textContent = Math.round(element.dataset.to * (1 - (1 - share) ** 4)) })",
        {
          options: "{ threshold: .5 }",
        },
      ),
  })),
  twins("counters by an interval of four seconds", (isStill) => ({
    body: counters(isStill),
    script: onView(
      "b",
      `let step = 0;
      const timer = setInterval(() => {
        element.textContent = Math.round((element.dataset.to * ++step) / 100);
        if (step === 100) clearInterval(timer);
      }, 40);`,
    ),
  })),
  twins("counters by a chain of timers that pauses ever longer", (isStill) => ({
    body: counters(isStill),
    script: onView(
      "b",
      `const steps = [0, .3, .55, .75, .88, .95, .98, 1];
      let at = 0;
      setTimeout(function next() {
        element.textContent = Math.round(element.dataset.to * steps[at++]);
        if (at < steps.length) setTimeout(next, 60 + 90 * at);
      }, 60);`,
    ),
  })),
  twins("counters that start again each time they are whole in view", (isStill) => ({
    body: counters(isStill),
    script:
      RUN +
      onView("b", "run(1200, (share) => { element.textContent = Math.round(element.dataset.to * share) })", {
        options: "{ threshold: 1 }",
        leave: "element.textContent = 0",
        again: true,
      }),
  })),
  twins("counters in the centre that wait for a second and take less than one", (isStill) => ({
    body: counters(isStill),
    script:
      RUN +
      onView(
        "b",
        "setTimeout(() => run(400, (share) => { element.textContent = Math.round(element.dataset.to * share) }), 1000)",
        { options: '{ rootMargin: "-30% 0px" }' },
      ),
  })),
  twins("counters by the progress of an animation", (isStill) => ({
    body: counters(isStill),
    script: onView(
      "b",
      `const animation = element.animate([], { duration: 1800, delay: 300, easing: "ease-in-out", fill: "both" });
      const show = () => {
        element.textContent = Math.round(element.dataset.to * (animation.effect.getComputedTiming().progress ?? 0));
        if (animation.playState !== "finished") requestAnimationFrame(show);
      };
      show();`,
    ),
  })),
  twins("an odometer of digits that roll", (isStill) => ({
    style: `.odometer { display: flex; height: 50px; line-height: 50px; font-size: 40px; overflow: hidden }
      .odometer u { text-decoration: none; display: block; transition: transform 1.6s cubic-bezier(.2, .8, .2, 1) } .odometer s { text-decoration: none; display: block }`,
    body: sections(
      (n) =>
        `<div class="odometer">${[...String(value(n))]
          .map(
            (digit, k) =>
              `<u data-to="${digit}" style="transition-delay:${k * 0.2}s${isStill ? `;transform:translateY(-${Number(digit) * 50}px)` : ""}">${repeat(10, (d) => `<s>${d}</s>`)}</u>`,
          )
          .join("")}</div>`,
    ),
    script: onView(
      ".odometer",
      'for (const digit of element.children) digit.style.transform = "translateY(-" + 50 * digit.dataset.to + "px)"',
    ),
  })),
  twins("prices that count", (isStill) => ({
    body: counters(isStill, dollars),
    script: onView(
      "b",
      `let price = 0;
      const timer = setInterval(() => {
        price = Math.min(element.dataset.to, price + element.dataset.to / 30);
        element.textContent = price.toLocaleString("en-US", { style: "currency", currency: "USD" });
        if (price >= element.dataset.to) clearInterval(timer);
      }, 50);`,
    ),
  })),
  twins("numbers with separators that spring beyond their end", (isStill) => ({
    body: counters(isStill, grouped),
    script:
      RUN +
      onView(
        "b",
        `run(2500, (share) => {
          const spring = share === 1 ? 1 : 1 - Math.exp(-5 * share) * Math.cos(12 * share);
          element.textContent = Math.round(element.dataset.to * spring).toLocaleString("en-US");
        })`,
      ),
  })),
  twins("typed headlines", (isStill) => ({
    body: sections((n) => `<h2 data-text="${sentence(n)}">${isStill ? sentence(n) : "&nbsp;"}</h2>`),
    script: onView(
      "h2",
      `let length = 0;
      const timer = setInterval(() => {
        element.textContent = element.dataset.text.slice(0, ++length);
        if (length === element.dataset.text.length) clearInterval(timer);
      }, 55);`,
      { options: "{ threshold: .5 }" },
    ),
  })),
  twins("headlines that are typed with a pause after some words", (isStill) => ({
    body: sections((n) => `<h2 data-text="${sentence(n)}">${isStill ? sentence(n) : "&nbsp;"}</h2>`),
    script: onView(
      "h2",
      `let length = 0;
      (function type() {
        element.textContent = element.dataset.text.slice(0, ++length);
        if (length < element.dataset.text.length) setTimeout(type, /^(\\S+ ){2}\\S+$|^(\\S+ ){5}\\S+$/.test(element.textContent) && element.dataset.text[length] === " " ? 650 : 30);
      })();`,
    ),
  })),
  twins("words that are revealed one by one", (isStill) => ({
    style: `h2 span { opacity: ${isStill ? 1 : 0} }`,
    body: sections((n) => `<h2>${words(n)}</h2>`),
    script: onView(
      "h2",
      "[...element.children].forEach((word, k) => setTimeout(() => { word.style.opacity = 1 }, 200 + 180 * k))",
    ),
  })),
];

const barsAndCharts: readonly Twins[] = [
  twins("bars that grow in width, with a label", (isStill) => ({
    style:
      ".bar { background: #ddd } .bar i { display: block; height: 30px; width: 0; background: #36c; transition: width 1.5s .3s }",
    body: sections(
      (n) =>
        `<b>${isStill ? 20 + 15 * n : 0}%</b><div class="bar" data-to="${20 + 15 * n}"><i style="width:${isStill ? 20 + 15 * n : 0}%"></i></div>`,
    ),
    script:
      RUN +
      onView(
        ".bar",
        `element.firstChild.style.width = element.dataset.to + "%";
        run(1800, (share) => { element.previousSibling.textContent = Math.round(element.dataset.to * share) + "%" })`,
      ),
  })),
  twins("bars that are scaled, and scaled back out of view", (isStill) => ({
    style: `.bar { height: 40px; background: #c63; transform-origin: left; transform: scaleX(0); transition: transform 1.1s cubic-bezier(.7, 0, .3, 1) .4s }
      .frame.in .bar { transform: scaleX(var(--to)) }`,
    body: sections(
      (n) => `<div class="frame${classIn(isStill)}"><div class="bar" style="--to:${0.3 + 0.15 * n}"></div></div>`,
    ),
    script: onView(".frame", addClass, { leave: removeClass, again: true }),
  })),
  twins("rings of SVG that are drawn", (isStill) => ({
    style: `circle { fill: none; stroke: #393; stroke-width: 14; stroke-dasharray: 314; stroke-dashoffset: 314; transition: stroke-dashoffset 2s ease-out }
      .in circle { stroke-dashoffset: var(--to) } text { font-size: 26px; text-anchor: middle }`,
    body: sections(
      (n) =>
        `<svg class="${classIn(isStill)}" width="130" height="130" style="--to:${60 * n}"><circle cx="65" cy="65" r="50"/><text x="65" y="74">${isStill ? value(n) : 0}</text></svg>`,
    ),
    script:
      RUN +
      onView(
        "svg",
        `${addClass}; const to = [${VALUES}][n]; run(1500, (share) => { element.lastChild.textContent = Math.round(to * share) })`,
        { options: "{ threshold: .6 }" },
      ),
  })),
  twins("rings of a conic gradient", (isStill) => ({
    style: `@property --share { syntax: "<percentage>"; inherits: false; initial-value: 0% }
      .ring { width: 120px; height: 120px; border-radius: 50%; background: conic-gradient(#639 var(--share), #ddd 0); transition: --share 1.8s }
      .ring.in { --share: var(--to) }`,
    body: sections((n) => `<div class="ring${classIn(isStill)}" style="--to:${15 + 17 * n}%"></div>`),
    script: onView(".ring", addClass),
  })),
];

const revealed: readonly Twins[] = [
  twins("cards one after the other", (isStill) => ({
    style: `${CARDS} .cards i { opacity: ${isStill ? 1 : 0}; transform: ${isStill ? "none" : "translateY(40px)"}; transition: all .5s }`,
    body: cards(isStill),
    script: onView(
      ".cards",
      `[...element.children].forEach((card, k) => setTimeout(() => {
        card.style.opacity = 1;
        card.style.transform = "none";
      }, 500 * k))`,
    ),
  })),
  twins("cards with a transition delay each", (isStill) => ({
    style: `${CARDS} .cards i { opacity: 0; transition: opacity .6s } .cards.in i { opacity: 1 }
      ${repeat(4, (k) => `.cards i:nth-child(${k + 1}) { transition-delay: ${0.5 * k}s }`)}`,
    body: cards(isStill),
    script: onView(".cards", addClass, { options: "{ threshold: .5 }" }),
  })),
  twins("cards with an animation delay each, filled in both directions", (isStill) => ({
    style: `${CARDS} @keyframes rise { from { opacity: 0; transform: translateY(60px) scale(.8) } }
      ${isStill ? "" : ".cards i { opacity: 0 } .cards.in i { opacity: 1; animation: rise .7s both }"}
      ${repeat(4, (k) => `.cards i:nth-child(${k + 1}) { animation-delay: ${0.45 * k}s }`)}`,
    body: cards(isStill),
    script: onView(".cards", addClass),
  })),
  twins("boxes by Web Animations with delays at both ends", (isStill) => ({
    style: `${BOX} .box { opacity: ${isStill ? 1 : 0} }`,
    body: sections((n) => box(isStill, n)),
    script: onView(
      ".box",
      `element.animate({ opacity: [0, 1], transform: ["translateX(-80px)", "none"] },
        { duration: 600, delay: 400, endDelay: 500, fill: "both" }).finished.then(() => { element.style.opacity = 1 })`,
    ),
  })),
  twins("images that fade in once they are loaded", (isStill) => ({
    style: `img { display: block; width: 160px; height: 120px; opacity: 0; transition: opacity .8s } img.in { opacity: 1 }`,
    body: sections((n) => (isStill ? `<img class="in" src="${swatch(n)}">` : `<img data-src="${swatch(n)}">`)),
    script: onView(
      "img",
      `element.onload = () => ${addClass}; setTimeout(() => { element.src = element.dataset.src }, 250)`,
    ),
  })),
  twins("boxes by class in the centre of the window", (isStill) => ({
    style: `${BOX} .box { opacity: .15; transform: scale(.9); transition: all .5s } .box.in { opacity: 1; transform: none }`,
    body: `<div style="height:80px"></div>${sections((n) => box(isStill, n))}<div style="height:80px"></div>`,
    script: onView(".box", addClass, {
      options: '{ rootMargin: "-25% 0px", threshold: .5 }',
      leave: removeClass,
      again: true,
    }),
  })),
  twins("texts that appear when another section is passed", (isStill) => ({
    style: `.late { opacity: 0; transition: opacity .4s } .late.in { opacity: 1 }`,
    body: sections((n) => `<h2 class="late${classIn(isStill)}">Shown after part ${n}</h2>`),
    script: `
      const all = [...document.querySelectorAll("section")];
      const show = () => all.forEach((section, n) => {
        if ((all[n - 1]?.getBoundingClientRect().bottom ?? 0) < innerHeight * .6) section.lastChild.classList.add("in");
      });
      addEventListener("scroll", show);
      show();`,
  })),
  twins("boxes that leave again when they are out of view", (isStill) => ({
    style: `${BOX} .box { opacity: 0; transform: translateY(var(--from)); transition: all .6s } .box.in { opacity: 1; transform: none }`,
    body: sections(
      (n) => `<div class="frame">${box(isStill, n).replace('style="', `style="--from:${n % 2 ? -40 : 40}px;`)}</div>`,
    ),
    script: onView(".frame", 'element.firstChild.classList.add("in")', {
      options: "{ threshold: .2 }",
      leave: 'element.firstChild.classList.remove("in")',
      again: true,
    }),
  })),
  twins("accordions that open when they are seen", (isStill) => ({
    style: `section { height: auto; min-height: 100px } .more { height: 0; overflow: hidden; transition: height .7s; background: #eee } .more.in { height: 130px }`,
    body: sections((n) => `<div class="more${classIn(isStill)}"><h2>${sentence(n)}</h2></div>`, 7),
    script: onView("section", "setTimeout(() => element.lastChild.classList.add('in'), 200)", {
      options: "{ threshold: .9 }",
    }),
  })),
  twins("placeholders whose content comes a second later", (isStill) => ({
    style: `${BOX} .box { background: #ddd }`,
    body: sections((n) => (isStill ? box(true, n) : `<div class="box">&nbsp;</div>`)),
    script: onView(
      ".box",
      `setTimeout(() => {
        element.textContent = "Box " + (n + 1);
        element.style.background = ${JSON.stringify(COLOURS)}[n];
      }, 900)`,
    ),
  })),
  twins("libraries: aos with delays", (isStill) => ({
    style: `${BOX} ${isStill ? "" : installed("aos/dist/aos.css")}`,
    body: sections((n) =>
      box(true, n).replace(
        "<div",
        `<div ${isStill ? "" : `data-aos="${["fade-up", "zoom-in", "flip-left", "slide-right", "fade-left"][n]}" data-aos-delay="${150 * n + 200}" data-aos-duration="800"`}`,
      ),
    ),
    script: `${isStill ? "" : installed("aos/dist/aos.js")};AOS.init({ once: ${false} })`,
  })),
];

const lists: readonly Twins[] = [
  twins("a list that renders its rows near the window alone", (isStill) => ({
    style: ".row { height: 60px; box-sizing: border-box; padding: 12px; border-bottom: 1px solid #ccc }",
    body: `<h1>List</h1>${repeat(24, (n) => `<div class="row">${isStill ? `Row number ${n + 1}` : ""}</div>`)}`,
    script: onView(".row", 'setTimeout(() => { element.textContent = "Row number " + (n + 1) }, 120)', {
      options: '{ rootMargin: "60px" }',
      leave: 'element.textContent = ""',
      again: true,
    }),
  })),
  twins("an infinite list that ends after four pages", (isStill) => ({
    style: ".row { height: 60px; box-sizing: border-box; padding: 12px; border-bottom: 1px solid #ccc }",
    body: `<h1>List</h1><div id="rows">${repeat(isStill ? 28 : 7, (n) => `<div class="row">Row number ${n + 1}</div>`)}</div><p id="end">${isStill ? "That is all." : "Loading…"}</p>`,
    script: `
      let [pages, isLoading] = [1, false];
      new IntersectionObserver(([{ isIntersecting }]) => {
        if (!isIntersecting || isLoading || pages === 4) return;
        isLoading = true;
        setTimeout(() => {
          for (let n = 7 * pages; n < 7 * pages + 7; n++)
            rows.insertAdjacentHTML("beforeend", '<div class="row">Row number ' + (n + 1) + "</div>");
          isLoading = false;
          if (++pages === 4) end.textContent = "That is all.";
        }, 400);
      }).observe(end);`,
  })),
  {
    endless: { top: 220, bottom: 440 },
    ...twins("counters next to a stopwatch that never rests", (isStill) => ({
      body: sections((n) =>
        n === 1 ? `<b id="watch">0.00 s</b>` : `<b data-to="${value(n)}">${isStill ? value(n) : 0}</b>`,
      ),
      script: `setInterval(() => { watch.textContent = (performance.now() / 1000).toFixed(2) + " s" }, 50);${RUN}${onView("[data-to]", "run(1500, (share) => { element.textContent = Math.round(element.dataset.to * share) })", { options: "{ threshold: .5 }" })}`,
    })),
  },
];

const others: readonly Twins[] = [
  twins("counters by a debounced scroll listener", (isStill) => ({
    body: counters(isStill, grouped),
    script: `
      ${RUN}
      let timer;
      const check = () => document.querySelectorAll("b:not(.counted)").forEach((element) => {
        if (element.getBoundingClientRect().bottom > innerHeight) return;
        element.classList.add("counted");
        run(3000, (share) => {
          element.textContent = Math.round(element.dataset.to * (.5 - Math.cos(share * Math.PI) / 2)).toLocaleString("en-US");
        });
      });
      addEventListener("scroll", () => { clearTimeout(timer); timer = setTimeout(check, 250) });
      check();`,
  })),
  twins("letters that rise out of their line", () => ({
    style: "h2 { overflow: hidden; white-space: pre } h2 span { display: inline-block }",
    body: sections(
      (n) => `<h2>${[...sentence(n).slice(0, 24)].map((letter) => `<span>${letter}</span>`).join("")}</h2>`,
    ),
    script: onView(
      "h2",
      `[...element.children].forEach((letter, k) => letter.animate(
        { transform: ["translateY(110%)", "none"], opacity: [0, 1] },
        { duration: 500, delay: 60 * k, easing: "ease-out", fill: "both" }))`,
      { again: true },
    ),
  })),
  twins("progress elements that are filled by a timer", (isStill) => ({
    style: "progress, meter { width: 300px; height: 30px; display: block }",
    body: sections(
      (n) =>
        `<progress max="100" value="${isStill ? 30 + 12 * n : 0}"></progress><p>${isStill ? "Done" : "At work"}</p>`,
    ),
    script: onView(
      "progress",
      `const timer = setInterval(() => {
        element.value += 1;
        if (element.value < 30 + 12 * n) return;
        clearInterval(timer);
        element.nextSibling.textContent = "Done";
      }, 30)`,
    ),
  })),
  twins("counters in shadow roots", (isStill) => ({
    body: sections((n) =>
      isStill
        ? `<div><b style="color:#06c">${value(n)}</b></div>`
        : `<live-count to="${value(n)}" style="display:block"></live-count>`,
    ),
    script: `customElements.define("live-count", class extends HTMLElement {
      connectedCallback() {
        const root = this.attachShadow({ mode: "open" });
        root.innerHTML = '<b style="color:#06c;font-size:40px">0</b>';
        new IntersectionObserver(([{ isIntersecting }], observer) => {
          if (!isIntersecting) return;
          observer.disconnect();
          let [at, to] = [0, Number(this.getAttribute("to"))];
          const timer = setInterval(() => {
            at = Math.min(to, at + Math.ceil(to / 40));
            root.firstChild.textContent = at;
            if (at === to) clearInterval(timer);
          }, 45);
        }, { threshold: 1 }).observe(this);
      }
    })`,
  })),
  twins("charts on canvases that are drawn in view", (isStill) => ({
    body:
      sections((n) => `<canvas width="340" height="110" data-n="${n}"></canvas>`) +
      (isStill
        ? `<script>${DRAW}; document.querySelectorAll("canvas").forEach((element) => draw(element, 1))</script>`
        : ""),
    script: `${RUN}${DRAW};${onView("canvas", "run(1600, (share) => draw(element, 1 - (1 - share) ** 3))")}`,
  })),
  twins("entries that a timer appends one by one", (isStill) => ({
    style: "ul { height: 120px; margin: 0; padding: 0; list-style: none; columns: 2 } li { height: 30px }",
    body: sections((n) => `<ul>${isStill ? repeat(8, (k) => `<li>Entry ${n + 1}.${k + 1}</li>`) : ""}</ul>`),
    script: onView(
      "ul",
      `let k = 0;
      const timer = setInterval(() => {
        element.insertAdjacentHTML("beforeend", "<li>Entry " + (n + 1) + "." + ++k + "</li>");
        if (k === 8) clearInterval(timer);
      }, 400)`,
    ),
  })),
];

const lateOthers: readonly Twins[] = [
  twins("counters in an element that scrolls in place of the page", (isStill) => ({
    style: "html, body { height: 100%; overflow: hidden } main { height: 100%; overflow: auto }",
    body: `<main>${counters(isStill)}</main>`,
    script:
      RUN +
      onView(
        "b",
        "setTimeout(() => run(900, (share) => { element.textContent = Math.round(element.dataset.to * share) }), 700)",
        { options: "{ threshold: .5 }" },
      ),
  })),
  twins("images that are replaced by sharp ones after a second", (isStill) => ({
    style: "img { display: block; width: 160px; height: 120px }",
    body: sections((n) => `<img src="${swatch(isStill ? n : 5)}">`),
    script: onView(
      "img",
      `setTimeout(() => { element.src = ${JSON.stringify(COLOURS.map((_, n) => swatch(n)))}[n] }, 1000)`,
    ),
  })),
  twins("lines of a poem that come every 700 milliseconds", (isStill) => ({
    style: `.poem p { margin: 4px 0; visibility: ${isStill ? "visible" : "hidden"} } .poem p.in { visibility: visible }`,
    body: sections((n) => `<div class="poem">${repeat(4, (k) => `<p>${sentence(n + k)}</p>`)}</div>`),
    script: onView(
      ".poem",
      '[...element.children].forEach((line, k) => setTimeout(() => line.classList.add("in"), 700 * k))',
    ),
  })),
  twins("tables whose cells are filled in turn", (isStill) => ({
    style: "td { border: 1px solid #999; width: 60px; height: 30px; text-align: center }",
    body: sections(
      (n) =>
        `<table>${repeat(3, (row) => `<tr>${repeat(4, (k) => `<td>${isStill ? 100 * (n + 1) + 10 * row + k : ""}</td>`)}</tr>`)}</table>`,
    ),
    script: onView(
      "table",
      `[...element.querySelectorAll("td")].forEach((cell, k) => setTimeout(() => {
        cell.textContent = 100 * (n + 1) + 10 * Math.floor(k / 4) + (k % 4);
      }, 600 + 220 * k))`,
    ),
  })),
];

const DRAW = `const draw = (canvas, share) => {
  const pen = canvas.getContext("2d");
  pen.clearRect(0, 0, 340, 110);
  for (let k = 0; k < 8; k++) {
    pen.fillStyle = "#" + (3 + k) + "6" + (9 - k);
    const height = share * (30 + (k * 37 + canvas.dataset.n * 23) % 75);
    pen.fillRect(8 + 42 * k, 110 - height, 30, height);
  }
}`;

export const TWINS: readonly Twins[] = [
  ...countersAndTexts,
  ...barsAndCharts,
  ...revealed,
  ...lists,
  ...others,
  ...lateOthers,
];
