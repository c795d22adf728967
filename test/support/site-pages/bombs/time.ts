// Bombs of time: scripts and navigations that never end.
import { script } from "../page.ts";
import { type Bombs, harmless, heavy, inBlob, never } from "./bomb.ts";

export const timeBombs: Bombs = {
  "a script for ever": { page: script("for (;;);"), ends: never },
  "a script for ever in an SVG": { page: "<svg><script>for (;;);</script></svg>", ends: never },
  "scripts for ever in 30 workers": {
    page: script(`for (let n = 0; n < 30; n++) new Worker(${inBlob("for (;;);")})`),
    ends: harmless,
  },
  "a painter for ever": {
    page: `<p style="height:99px;background:paint(x)">${script(
      `CSS.paintWorklet.addModule(${inBlob("registerPaint('x', class { paint() { for (;;); } })")})`,
    )}`,
    ends: harmless, // the picture may be taken before the painter is there
  },
  "a sound processor for ever": {
    page: script(`const audio = new OfflineAudioContext(1, 1e6, 44100);
      audio.audioWorklet.addModule(${inBlob(
        "registerProcessor('x', class extends AudioWorkletProcessor { process() { for (;;); } })",
      )}).then(() => { new AudioWorkletNode(audio, "x").connect(audio.destination); audio.startRendering() })`),
    ends: harmless,
  },
  "promises for ever": { page: script("(function again() { Promise.resolve().then(again) })()"), ends: never },
  "messages for ever": {
    page: script("(onmessage = () => { postMessage(1, '*'); postMessage(1, '*') })()"),
    ends: heavy,
  },
  "a request that nobody answers, waited for": {
    page: script("const xhr = new XMLHttpRequest(); xhr.open('GET', '/never-answers', false); xhr.send()"),
    ends: never,
  },
  "dialogs for ever": { page: script("for (;;) { alert(1); confirm(2); prompt(3) }"), ends: never },
  "dialogs as long as novels": {
    page: script("for (;;) alert('x'.repeat(2e7))"),
    ends: ["CAPTURE_TIMEOUT", "TARGET_TOO_LARGE"],
  },
  "printing for ever": { page: script("for (;;) print()"), ends: never },
  "a dialog when it is left, and leaving for ever": {
    page: script(
      "onbeforeunload = (event) => { event.preventDefault(); return 'x' }; setInterval(() => { location.href = '?' + Math.random() }, 9)",
    ),
    ends: harmless,
  },
  "windows opened for ever": {
    page: script("setInterval(() => { for (let n = 0; n < 99; n++) open('about:blank', n) }, 1)"),
    ends: harmless,
  },
  "downloads for ever": {
    page: script(
      "setInterval(() => { for (let n = 0; n < 9; n++) Object.assign(document.createElement('a'), { href: 'data:,x', download: n }).click() }, 1)",
    ),
    ends: harmless,
  },
  "writing for ever": {
    page: script("for (;;) document.write('<p>x')"),
    ends: ["CAPTURE_TIMEOUT", "TARGET_TOO_LARGE"],
  },
  "an entry of history for ever": {
    page: script("for (let n = 0; ; n++) history.pushState({}, '', '?' + n)"),
    ends: never,
  },
  "a refresh at once": { page: `<meta http-equiv=refresh content=0>`, ends: harmless },
  "another address at every redirect": {
    page: ({ size }, answer) => void answer.writeHead(302, { location: `${answer.req.url}&${size}=x` }).end(),
    ends: ["TARGET_UNREACHABLE", "TARGET_TOO_LARGE", "CAPTURE_TIMEOUT"],
  },
  "a regular expression that never ends": { page: script("/^(a+)+$/.test('a'.repeat(99) + '!')"), ends: never },
  "dates for ever": {
    page: script("for (;;) new Intl.DateTimeFormat('ar-SA-u-ca-islamic').format(new Date(Math.random() * 1e15))"),
    ends: ["CAPTURE_TIMEOUT", "TARGET_TOO_LARGE"],
  },
  "a console that never rests": {
    page: script("setInterval(() => { for (let n = 0; n < 500; n++) console.log('x'.repeat(1e4)) }, 1)"),
    options: { format: "json", metadata_console: true },
    ends: heavy,
  },
  "a console of novels": {
    page: script("for (;;) console.error('x'.repeat(1e7))"),
    options: { format: "json", metadata_console: true },
    ends: ["CAPTURE_TIMEOUT", "TARGET_TOO_LARGE"],
  },
  "a box that resizes whenever it was resized": {
    page: `<p id=p>${script("let n = 0; new ResizeObserver(() => { p.style.height = ++n + 'px' }).observe(p)")}`,
    ends: harmless,
  },
  "something to click that never returns": {
    page: `<button type=button id=a onclick="for (;;);">a</button>`,
    options: { click: "#a" },
    ends: never,
  },
  "something to point at that never returns": {
    page: `<button type=button id=a onmousemove="for (;;);">a</button>`,
    options: { hover: "#a" },
    ends: never,
  },
  "a script of the caller's for ever": { page: "", options: { scripts: "for (;;);" }, ends: never },
  "an expression of the caller's for ever": {
    page: "",
    options: { wait_for_expression: "(() => { for (;;); })()" },
    ends: [...never, "EXPRESSION_FAILED"],
  },
  "a length that takes for ever": {
    page: script("Object.defineProperty(document, 'title', { get() { for (;;); } })"),
    options: { metadata_page_title: true },
    ends: harmless,
  },
  "its document taken away": {
    page: script("setTimeout(() => document.documentElement.remove(), 50)"),
    options: { full_page: true, hover: "p", wait_for_selector_hidden: "#nothing" },
    ends: [...harmless, "SELECTOR_NOT_FOUND", "TARGET_UNREACHABLE"],
  },
  "an image in place of its document": {
    page: script(`document.documentElement.replaceWith(document.createElementNS("http://www.w3.org/2000/svg", "svg"))`),
    options: { full_page: true, styles: "p{color:red}" },
    ends: harmless,
  },
  "a document that it writes again and again": {
    page: script("setInterval(() => { document.open(); document.write('<p>x'); document.close() }, 50)"),
    options: { full_page: true, scripts: "1" },
    ends: [...harmless, "SCRIPT_FAILED"],
  },
  "an address that it leaves every 30 ms": {
    page: script("setTimeout(() => { location.href = '/navigates-for-ever' }, 30)"),
    options: { full_page: true, scripts: "1" },
    ends: [...harmless, "SCRIPT_FAILED"],
  },
  "a script that rests for a millisecond": {
    page: script("setInterval(() => { const end = Date.now() + 100; while (Date.now() < end); }, 101)"),
    options: { full_page: true },
    ends: harmless,
  },
};
