// Pages that do harm or never finish.
import { box, document, numberIn, type Pages, paintGreen, script } from "./page.ts";

export const hostilePages: Pages = {
  "/navigates-for-ever": () =>
    document(`<script>setTimeout(() => { location.href = "/navigates-for-ever?" + Math.random() }, 5)</script>`),

  /** A red box, and a file to download that it begins by itself. */
  "/begins-download": () => document(`${box}<script>location.href = "/download"</script>`),

  "/script-for-ever": () => document(`${box}<script>for (;;);</script>`),
  "/alert": () => document(`<script>alert(1); confirm(2); prompt(3)</script>${box}`),

  /** Takes 10 MB more every 10 ms. */
  "/memory-bomb": () =>
    document(`<script>const hoard = []; setInterval(() => hoard.push(new Uint8Array(1e7).fill(1)), 10)</script>`),

  /** Uses something up by each `way`, which names one of `uses`, to the `amount`. Its box turns green when that is done. */
  "/uses": (query) => {
    const does = query
      .getAll("way")
      .map((way) => `await (async () => { ${uses[way]?.(numberIn(query, "amount", 0))} })()`);
    return document(`${box}${script(`(async () => { ${does.join(";")} })().then(() => { ${paintGreen} })`)}`);
  },
  "/bytes": (query, answer) => void answer.end(Buffer.alloc(numberIn(query, "megabytes", 0) * 2 ** 20, 7)),

  "/takes": (_, answer) => void answer.req.resume().on("end", () => answer.end()),

  /** Redirects so many times (`left`) before it is the red box. */
  "/redirects": (query, answer) => {
    const left = numberIn(query, "left", 0);
    if (left === 0) return document(box);
    return void answer.writeHead(302, { location: `/redirects?left=${left - 1}` }).end();
  },
};

const inWorker = (code: string) =>
  `await new Promise((done) => { const source = \`(async () => { ${code} })().then(() => postMessage(1))\`;
    new Worker(URL.createObjectURL(new Blob([source]))).onmessage = done; })`;

/** What a page can use up, and how: megabytes, requests or nodes. */
export const uses: Readonly<Record<string, (amount: number) => string>> = {
  "loading it": (amount) => `await (await fetch("/bytes?megabytes=${amount}")).arrayBuffer()`,
  "loading it in pieces": (amount) =>
    `for (let i = 0; i < ${amount}; i++) await (await fetch("/bytes?megabytes=1&" + i)).arrayBuffer()`,
  "loading it in a worker": (amount) =>
    inWorker(`await (await fetch("\${location.origin}/bytes?megabytes=${amount}")).arrayBuffer()`),
  "sending it": (amount) => `await fetch("/takes", { method: "POST", body: new Uint8Array(${amount} * 2 ** 20) })`,
  "sending it through a web socket": (amount) =>
    `const socket = new WebSocket(location.href); await new Promise((open) => { socket.onopen = open });
    socket.send(new Uint8Array(${amount} * 2 ** 20));
    while (socket.bufferedAmount > 0) await new Promise((later) => setTimeout(later, 10))`,

  fetch: (amount) => `for (let i = 0; i < ${amount}; i++) await fetch("/empty-204?" + i)`,
  "fetch in a worker": (amount) =>
    inWorker(`for (let i = 0; i < ${amount}; i++) await fetch("\${location.origin}/empty-204?" + i)`),
  images: (amount) =>
    `for (let i = 0; i < ${amount}; i++) await new Promise((done) => { const image = new Image(); image.onerror = done; image.src = "/empty-204?" + i })`,
  frames: (amount) =>
    `for (let i = 0; i < ${amount}; i++) await new Promise((done) => { const frame = document.createElement("iframe");
      frame.onload = done; frame.src = "/not-found?" + i; document.body.append(frame) })`,
  "web sockets": (amount) =>
    `for (let i = 0; i < ${amount}; i++) await new Promise((done) => { const socket = new WebSocket(location.href);
      socket.onopen = socket.onerror = () => { socket.close(); done() } })`,
  redirects: (amount) => `for (let i = 0; i < ${amount} / 5; i++) await fetch("/redirects?left=4&" + i)`,

  elements: (amount) => `for (let i = 0; i < ${amount}; i++) document.body.append(document.createElement("i"))`,
  texts: (amount) => `for (let i = 0; i < ${amount}; i++) document.body.append("")`,
  "elements of no document": (amount) =>
    `window.kept = []; for (let i = 0; i < ${amount}; i++) kept.push(document.createElement("i"))`,
  "elements of frames": (amount) =>
    `for (let i = 0; i < 4; i++) await new Promise((done) => { const frame = document.createElement("iframe");
      frame.onload = done; frame.srcdoc = "<i></i>".repeat(${amount} / 4); document.body.append(frame) })`,
  "elements of shadow trees": (amount) =>
    `for (let i = 0; i < ${amount} / 100; i++) { const host = document.createElement("div"); document.body.append(host);
      host.attachShadow({ mode: "closed" }).innerHTML = "<i></i>".repeat(100) }`,

  "typed arrays": (amount) =>
    `window.kept = []; for (let i = 0; i < ${amount} / 10; i++) kept.push(new Uint8Array(10 * 2 ** 20).fill(1))`,
  arrays: (amount) => `window.kept = []; for (let i = 0; i < ${amount}; i++) kept.push(new Array(131_000).fill(1.5))`,
  WebAssembly: (amount) =>
    `window.kept = new WebAssembly.Memory({ initial: 0 });
    for (let i = 0; i < ${amount} / 10; i++) { kept.grow(160); new Uint8Array(kept.buffer, i * 10 * 2 ** 20).fill(1) }`,
  "arrays of workers": (amount) =>
    `for (let i = 0; i < 4; i++) { ${inWorker(`self.kept = new Uint8Array(${amount} / 4 * 2 ** 20).fill(1)`)} }`,
  canvases: (amount) =>
    `for (let i = 0; i < ${amount} / 16; i++) { const canvas = document.createElement("canvas");
      canvas.width = canvas.height = 2048; canvas.getContext("2d").fillRect(0, 0, 2048, 2048); document.body.append(canvas) }`,

  "the cache": (amount) =>
    `const cache = await caches.open("kept");
    for (let i = 0; i < ${amount} / 10; i++) await cache.put("/" + i, new Response(new Uint8Array(10 * 2 ** 20).fill(i)))`,
  "a database": (amount) =>
    `const database = await new Promise((done) => { const opening = indexedDB.open("kept");
      opening.onupgradeneeded = () => opening.result.createObjectStore("all");
      opening.onsuccess = () => done(opening.result) });
    const kept = new Uint8Array(2 ** 20);
    for (let at = 0; at < kept.length; at += 65536) kept.set(crypto.getRandomValues(new Uint8Array(65536)), at);
    for (let i = 0; i < ${amount}; i++) await new Promise((done) => {
      const change = database.transaction("all", "readwrite"); change.oncomplete = done;
      change.objectStore("all").put(kept, i) })`,
  files: (amount) =>
    `const folder = await navigator.storage.getDirectory();
    for (let i = 0; i < ${amount} / 10; i++) {
      const file = await (await folder.getFileHandle("kept-" + i, { create: true })).createWritable();
      await file.write(new Uint8Array(10 * 2 ** 20).fill(i)); await file.close() }`,
};
