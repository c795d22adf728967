// Pages that flood the function's own process through the browser: with texts, addresses, names, errors, headers. What the
// browser shows this process is counted in bytes on the pipe, and this process's memory is looked at all the while.
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { PassThrough } from "node:stream";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CaptureLimits } from "../../lib/contract/options/capture-limits.ts";
import { limitEventBytes } from "../../lib/engine/browser/devtools-pipe.ts";
import { type Site, startSite } from "../fixtures/site.ts";
import { captureWith, failureOf } from "../support/chromium.ts";
import { sampled } from "../support/slow-run.ts";

const MB = 1e6;

/** What this process holds at most, over what it began with, while it takes several of these captures at once. */
const MOST_HELD = 400 * MB;

/** More than Chromium takes for a capture of a page that floods nothing; the picture is a part of it. */
const USUAL = 0.5 * MB;

let site: Site;
let held = 0;
let looking: NodeJS.Timeout;
const server = createServer((request, answer) => {
  const serve = answers[request.url?.split("?", 1)[0] ?? ""];
  if (serve) serve(request, answer);
  else answer.writeHead(404).end();
});
beforeAll(async () => {
  site = await startSite();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const before = process.memoryUsage.rss();
  looking = setInterval(() => {
    held = Math.max(held, process.memoryUsage.rss() - before);
  }, 10);
});
afterAll(async () => {
  clearInterval(looking);
  server.close();
  server.closeAllConnections();
  await Promise.all([site.close(), once(server, "close")]);
});

const answers: Readonly<Record<string, RequestListener>> = {
  "/headers": (_, answer) => {
    answer.writeHead(200, { "x-long": "h".repeat(14_000) }).end();
  },
  "/pages": ({ url }, answer) => {
    answer.setHeader("content-type", "text/html").end(pages[Number(url?.split("?")[1])]);
  },
  "/never-answers": () => undefined,
  "/events": (_, answer) => {
    answer.writeHead(200, { "content-type": "text/event-stream" });
    for (let n = 0; n < 20; n++) answer.write(`data: ${"x".repeat(MB)}\n\n`);
  },
  "/drawing": (_, answer) => {
    const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><!-- ${"x".repeat(4 * MB)} --></svg>`;
    answer.writeHead(200, { "content-type": "image/svg+xml" }).end(drawing);
  },
};

interface Flood {
  readonly options?: object;
  readonly limits?: Partial<CaptureLimits>;
}

const tools = `
  var started = 0;
  const big = (megabytes) => "x".repeat(megabytes * 1e6);
  const times = (count, work) => { for (let n = 0; n < count; n++) work(n) };
`;
const pages: string[] = [];

/** Captures a page with this script; `reported` counts the bytes that its browser shows this process. */
async function flood(source: string, { options, limits }: Flood, reported: { bytes: number }) {
  const { port } = server.address() as AddressInfo;
  const sockets = `const sockets = "${site.origin.replace("http", "ws")}/";`;
  const script = `<script>${tools}${sockets}${source}</script>`;
  const number = pages.push(`<!doctype html><title>Flood</title><body><p>Flood</p>${script}`) - 1;
  const url = `http://127.0.0.1:${port}/pages?${number}`;
  return captureWith(
    { url, wait_until: "load", delay: 0.5, timeout: 60, ...options },
    {
      allow: [site.hostPort, `127.0.0.1:${port}`],
      ...(limits && { limits }),
      launched({ browser }) {
        const pipe = browser.process()?.stdio[4] as Socket;
        pipe.on("data", (chunk: Buffer) => {
          reported.bytes += chunk.length;
        });
      },
    },
  );
}

/** Does so in a worker, and says when it has. */
const inWorker = (source: string) =>
  `new Worker(URL.createObjectURL(new Blob([${JSON.stringify(`${tools}${source}; postMessage(1)`)}]))).onmessage = () => { started++ }`;
const hasBegun = { wait_for_expression: "window.started" };

const head = { format: "json", metadata_page_title: true, metadata_open_graph: true, metadata_icon: true };

/** Each is as much as no page could send that the capture listens to; pages with the same options do several of them. */
describe.concurrent("flooding: no event is sent for", () => {
  sampled(test, 6).each<[string, object, Readonly<Record<string, string>>]>([
    [
      "what a page says",
      {},
      {
        "the end of what dialogs say": "times(2, () => { alert(big(2)); confirm(big(2)); prompt(big(2)) })",
        "long messages to the console":
          "times(2, () => { console.log(big(2)); console.table([big(2)]); console.trace(big(2)) })",
        "many messages to the console": "times(5000, (n) => console.error(n, {}, 'x'.repeat(200)))",
        "names of the console's clocks":
          "times(2, () => { console.timeStamp(big(2)); console.time(big(2)); console.timeEnd(big(2)) })",
        "what is posted": "times(2, (n) => fetch('/?' + n, { method: 'POST', body: big(2) }).catch(() => 0))",
      },
    ],
    [
      "what a page throws",
      {},
      {
        "errors that are not caught": "times(5, () => setTimeout(() => { throw new Error(big(2)) }))",
        "promises that are broken": "times(5, () => Promise.reject(new Error(big(2))))",
        "texts that are thrown": "times(5, () => setTimeout(() => { throw big(2) }))",
        "stacks of errors":
          "Error.stackTraceLimit = 1e6; const deep = (n) => { if (n) deep(n - 1); else throw new Error('x') }; setTimeout(() => deep(5000))",
      },
    ],
    [
      "what workers say, throw, and post",
      { wait_for_expression: "window.started === 3" },
      {
        messages: inWorker("times(5, () => console.log(big(2)))"),
        errors: inWorker("times(5, () => setTimeout(() => { throw new Error(big(2)) }))"),
        "what is posted": inWorker(
          "times(3, (n) => fetch(self.origin + '/?' + n, { method: 'POST', body: big(3) }).catch(() => 0))",
        ),
      },
    ],
    [
      "what is long in a document",
      { ...head, metadata_links: true },
      {
        "titles, beyond their beginning": "times(20, (n) => { document.title = n + big(2) })",
        attributes:
          "times(20, () => document.body.append(Object.assign(document.createElement('a'), { title: big(1), href: '/' })))",
        "100,000 properties of Open Graph":
          "document.head.insertAdjacentHTML('beforeend', ('<meta property=og:x content=' + 'x'.repeat(100) + '>').repeat(1e5))",
        "icons, beyond those that are looked at":
          "document.head.insertAdjacentHTML('beforeend', ('<link rel=icon href=x' + 'x'.repeat(100) + '>').repeat(1e4))",
      },
    ],
    [
      "icons and links of a long base",
      { ...head, metadata_links: true },
      {
        icons:
          "document.head.insertAdjacentHTML('beforeend', '<base href=/' + big(1) + '/>' + '<link rel=icon href=x>'.repeat(100))",
        links: "times(50, (n) => document.body.append(Object.assign(document.createElement('a'), { href: n })))",
      },
    ],
  ])("%s", async (_, options, sources) => {
    const reported = { bytes: 0 };
    const source = Object.values(sources)
      .map((each) => `{ ${each} }`)
      .join("\n");
    await flood(source, { options }, reported);
    expect(reported.bytes).toBeLessThan(USUAL);
  });
});

/** What the capture needs to know, or what Chromium reports everything: so much of it, and the capture ends. */
describe.concurrent("flooding: the capture ends with an error after more than 8 MB of", () => {
  sampled(test, 10).each<[string, string, object?]>([
    ["images in addresses", "times(3, (n) => { new Image().src = 'data:image/png;base64,' + big(4) + n })"],
    [
      "style sheets in addresses",
      "document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href: 'data:text/css,' + big(10) }))",
    ],
    ["what prompts suggest", "times(5, () => prompt('', big(2)))"],
    [
      "attributes around texts whose fonts are asked for",
      "times(1000, (n) => document.body.insertAdjacentHTML('beforeend', '<p title=' + big(0.01) + '>x'))",
      { format: "json", metadata_fonts: true },
    ],
    ["long addresses", "times(6, (n) => fetch('/?' + n + big(1.9)).catch(() => 0))"],
    [
      "long addresses that workers ask for",
      inWorker("times(6, (n) => fetch(self.origin + '/?' + n + big(1.9)).catch(() => 0))"),
      hasBegun,
    ],
    ["states of long addresses", "setInterval(() => history.pushState(0, '', '/?' + big(1.9) + Math.random()), 5)"],
    ["fragments", "setInterval(() => { location.hash = big(1.9) + Math.random() }, 5)"],
    [
      "names of frames",
      "times(5, () => document.body.append(Object.assign(document.createElement('iframe'), { name: big(2) })))",
    ],
    [
      "addresses of frames",
      "times(5, () => document.body.append(Object.assign(document.createElement('iframe'), { src: 'data:text/html,' + big(1.9) })))",
    ],
    [
      "messages of web sockets",
      "const socket = new WebSocket(sockets); socket.onopen = () => times(5, () => socket.send(big(2)))",
    ],
    ["messages of event sources", "new EventSource('/events')"],
    [
      "headers",
      "Promise.all(Array.from({ length: 400 }, (_, n) => fetch('/headers?' + n))).then(() => { started++ })",
      hasBegun,
    ],
    [
      "cookies",
      "times(100, (n) => { document.cookie = n + '=' + big(0.004) }); times(60, (n) => fetch('/?' + n).catch(() => 0))",
    ],
    [
      "the console, where it is asked for",
      "times(5, () => console.log(big(2)))",
      { format: "json", metadata_console: true },
    ],
    [
      "errors, where the console is asked for",
      "times(5, () => setTimeout(() => { throw new Error(big(2)) }))",
      { format: "json", metadata_console: true },
    ],
    [
      "the console of workers, where it is asked for",
      inWorker("times(5, () => console.log(big(2)))"),
      { ...hasBegun, format: "json", metadata_console: true },
    ],
    ["the value of an expression", "window.value = big(10)", { wait_for_expression: "value" }],
    [
      "an error in an expression",
      "window.raise = () => { throw new Error(big(10)) }",
      { wait_for_expression: "raise()" },
    ],
    ["an error in a script", "window.raise = () => { throw new Error(big(10)) }", { scripts: "raise()" }],
  ])("%s", async (_, source, options = {}) => {
    const reported = { bytes: 0 };
    const failure = await failureOf(
      flood(source, { options: { delay: 8, ...options }, limits: { report_megabytes: 8 } }, reported),
    );
    expect(failure).toMatchObject({
      code: "TARGET_TOO_LARGE",
      details: { limit: ["report_megabytes"] },
      figures: { allows: 8 },
    });
    expect(reported.bytes).toBeLessThan(8 * MB + USUAL); // nothing is read after the limit
  });
});

describe.concurrent("flooding: the browser is requested nothing that grows with", () => {
  sampled(test, 4).each<[string, string, object, number]>([
    // The two that follow the page receive each of the names, and no other session does, however often the page is evaluated.
    [
      "the names of frames",
      "times(4, () => document.body.append(Object.assign(document.createElement('iframe'), { name: big(1) })))",
      { full_page: true, hide_selectors: "i", block_cookie_banners: true },
      10 * MB,
    ],
    [
      "the parts of an archive that is too large",
      "document.body.append(Object.assign(new Image(), { src: '/drawing' }))",
      { format: "mhtml" },
      USUAL,
    ],
  ])("%s", async (_, source, options, most) => {
    const reported = { bytes: 0 };
    await flood(source, { options, limits: { result_megabytes: 3 } }, reported).catch((error) => {
      if (error.code !== "RESULT_TOO_LARGE") throw error;
    });
    expect(reported.bytes).toBeLessThan(most);
  });
});

describe.concurrent("flooding: an error quotes no more than a line or two of", () => {
  sampled(test, 6).each<[string, string, object, string]>([
    [
      "what a script throws",
      "window.raise = () => { throw new Error(big(1)) }",
      { scripts: "raise()" },
      "SCRIPT_FAILED",
    ],
    [
      "what an expression throws",
      "window.raise = () => { throw new Error(big(1)) }",
      { wait_for_expression: "raise()", timeout: 3 },
      "EXPRESSION_FAILED",
    ],
    ["a text that a script throws", "window.raise = () => { throw big(1) }", { scripts: "raise()" }, "SCRIPT_FAILED"],
    [
      "what throws when it is read",
      "",
      { scripts: "throw { toString() { throw 1 }, get message() { throw 1 } }" },
      "SCRIPT_FAILED",
    ],
    [
      "what is nothing but traps",
      "",
      { scripts: "throw new Proxy(function () {}, { get() { throw 1 }, ownKeys() { throw 1 } })" },
      "SCRIPT_FAILED",
    ],
    [
      "the host that a page leads to",
      "location.href = 'http://' + big(0.01) + '.invalid/'",
      { delay: 2 },
      "TARGET_NAME_NOT_RESOLVED",
    ],
    ["the address that a page leads to", "location.href = '/' + big(0.01)", { delay: 2 }, "TARGET_HTTP_ERROR"],
    [
      "requests that are pending",
      "times(9, (n) => fetch('/never-answers?' + n + big(0.01)))",
      { wait_until: "networkidle0", timeout: 3 },
      "CAPTURE_TIMEOUT",
    ],
  ])("%s", async (_, source, options, code) => {
    const failure = await failureOf(flood(source, { options }, { bytes: 0 }));
    expect(failure.code).toBe(code);
    expect(JSON.stringify([failure.message, failure.details, failure.target]).length).toBeLessThan(8_000);
  });
});

describe("flooding: messages of the browser", () => {
  const report = (bytes: number) => `{"method":"Page.frameNavigated","params":"${"x".repeat(bytes - 44)}"}`;
  const answer = (bytes: number) => `{"id":1,"result":"${"x".repeat(bytes - 20)}"}`;
  const picture = (bytes: number) => `{"method":"Page.screencastFrame","params":"${"x".repeat(bytes - 44)}"}`;

  /** How many messages came, in pieces of `size` bytes, until it was too much; undefined where it never was. */
  async function messagesUntil(messages: readonly string[], most: number, size: number): Promise<number | undefined> {
    const pipe = new PassThrough();
    let exceeded: number | undefined;
    let came = 0;
    limitEventBytes(pipe, most, () => {
      exceeded = came;
    });
    for (const message of messages) {
      const bytes = Buffer.from(`${message}\0`);
      for (let at = 0; at < bytes.length; at += size) pipe.write(bytes.subarray(at, at + size));
      await new Promise(setImmediate);
      came++;
    }
    return exceeded;
  }

  test.each<[string, string[], number | undefined]>([
    ["is added up, of what happens", [report(400), report(400), report(400)], 2],
    ["may be as much as the bound", [report(500), report(500)], undefined],
    ["is let go, of what was requested", [answer(900), answer(900), answer(900)], undefined],
    ["is held while it arrives, regardless of its kind", [report(400), answer(700)], 1],
    ["is let go, of pictures", [picture(900), picture(900), picture(900)], undefined],
    ["is not what it says it is", [report(400), `{"id":1,"result":"${report(300)}"}`, report(500)], undefined],
  ])("%s", async (_, messages, expected) => {
    for (const size of [1, 7, 5_000]) expect(await messagesUntil(messages, 1_000, size)).toBe(expected);
  });
});

test("flooding: this process never held more memory than it can spare", () => {
  expect(held).toBeLessThan(MOST_HELD);
});
