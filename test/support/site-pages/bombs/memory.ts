// Bombs of memory: in scripts, documents and storage.
import { list, script } from "../page.ts";
import { type Bombs, harmless, heavy, inBlob, stopped, tooLarge } from "./bomb.ts";

/** Does something again and again, without letting anything else run, and keeps what came of it. */
const hoarding = (what: string) => script(`const hoard = []; for (;;) hoard.push(${what})`);
/** The same, a thousand times, and again every few milliseconds. */
const storing = (what: string) => script(`let n = 0; const store = async () => { for (;;) { n++; ${what} } }; store()`);

export const memoryBombs: Bombs = {
  "arrays without an end": { page: hoarding("Array(1e6).fill({})"), ends: stopped },
  "buffers without an end": {
    page: hoarding("new Uint8Array(1e7).fill(1)"),
    options: { timeout: 20 },
    ends: ["captured", ...tooLarge],
  },
  "buffers without an end in a worker": {
    page: script(`new Worker(${inBlob("const hoard = []; for (;;) hoard.push(new Uint8Array(1e7).fill(1))")})`),
    ends: heavy,
  },
  "memory of WebAssembly": {
    page: script(
      "const hoard = []; for (;;) { const memory = new WebAssembly.Memory({ initial: 1000 }); new Uint8Array(memory.buffer).fill(1); hoard.push(memory) }",
    ),
    options: { timeout: 20 },
    ends: tooLarge,
  },
  "shared memory": {
    page: (_, answer) => {
      answer.writeHead(200, {
        "content-type": "text/html",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-embedder-policy": "require-corp",
      });
      return void answer.end(hoarding("new Uint8Array(new SharedArrayBuffer(1e7)).fill(1)"));
    },
    options: { timeout: 20 },
    ends: heavy, // its picture may be taken before it is too much
  },
  "canvases without an end": {
    page: hoarding(
      "(() => { const canvas = new OffscreenCanvas(4000, 4000); canvas.getContext('2d').fillRect(0, 0, 4000, 4000); return canvas })()",
    ),
    options: { timeout: 20 },
    ends: tooLarge,
  },
  "a canvas of 65,535 pixels": {
    page: script(
      "const canvas = new OffscreenCanvas(65535, 65535); canvas.getContext('2d').fillRect(0, 0, 65535, 65535)",
    ),
    ends: harmless,
  },
  "the pixels of canvases": {
    page: hoarding("new ImageData(4000, 4000).data.fill(1)"),
    options: { timeout: 20 },
    ends: tooLarge,
  },
  "blobs without an end": {
    page: storing(
      "window['b' + n] = new Blob([new Uint8Array(1e7).fill(n)]); await window['b' + n].slice(0, 1).text()",
    ),
    ends: heavy,
  },
  "elements without an end": {
    page: script("for (;;) document.body.append(document.createElement('p'))"),
    ends: stopped,
  },
  "a document that is copied into itself": {
    page: script("for (;;) document.body.append(document.body.cloneNode(true))"),
    ends: stopped,
  },
  "100,000 elements in each other": { page: "<div>".repeat(100_000), ends: heavy },
  "a text of 200 MB": { page: script("document.body.append('x '.repeat(1e8))"), ends: heavy },
  "an attribute of 200 MB": {
    page: script("document.body.setAttribute('x', 'x'.repeat(2e8))"),
    options: { format: "html" },
    ends: [...heavy, "RESULT_TOO_LARGE"],
  },
  "a million links": {
    page: script("document.body.innerHTML = '<a href=/x>x</a>'.repeat(1e6)"),
    options: { format: "json", metadata_links: true },
    ends: heavy,
  },
  "itself in a frame, for ever": {
    page: ({ size }, answer) => `<iframe src="${answer.req.url}&${size}=x"></iframe>`.repeat(2),
    ends: heavy,
  },
  "10,000 frames": { page: list(10_000, (n) => `<iframe srcdoc="${n}"></iframe>`).join(""), ends: heavy },
  "workers that start workers": {
    page: script(
      `new Worker(${inBlob("const again = () => new Worker(URL.createObjectURL(new Blob(['(' + again + ')();again=' + again + ';setInterval(again,1)'])));setInterval(again, 1)")})`,
    ),
    ends: heavy,
  },
  "10,000 sound contexts": {
    page: script(
      "const all = []; for (let n = 0; n < 1e4; n++) try { all.push(new OfflineAudioContext(32, 1e7, 44100)); all[n].startRendering() } catch {}",
    ),
    ends: heavy,
  },
  "databases without an end": {
    page: `${script(`const opening = indexedDB.open("x"); opening.onupgradeneeded = () => opening.result.createObjectStore("x", { autoIncrement: true });
      opening.onsuccess = () => { const more = () => { const writing = opening.result.transaction("x", "readwrite"); for (let n = 0; n < 5; n++) writing.objectStore("x").add(crypto.getRandomValues(new Uint8Array(65536)).toString().repeat(40)); writing.oncomplete = more }; more() }`)}`,
    options: { delay: 1 },
    ends: heavy,
  },
  "a cache without an end": {
    page: storing("await (await caches.open('x')).put('/' + n, new Response(new Uint8Array(5e6).fill(n)))"),
    options: { delay: 1 },
    ends: heavy,
  },
  "files without an end": {
    page: storing(
      "const file = await (await navigator.storage.getDirectory()).getFileHandle('f' + n, { create: true }); const writing = await file.createWritable(); await writing.write(new Uint8Array(2e7)); await writing.close()",
    ),
    options: { delay: 1 },
    ends: heavy,
  },
  "storage and cookies without an end": {
    page: script(
      "for (let n = 0; n < 1e5; n++) { try { localStorage['x' + n] = sessionStorage['x' + n] = 'x'.repeat(1e5) } catch {} document.cookie = 'x' + n + '=' + 'x'.repeat(4000) }",
    ),
    ends: harmless,
  },
};
