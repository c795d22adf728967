// Deterministic captures: the same page has the same bytes, whenever and wherever it is captured, or the capture fails.
import { execFile } from "node:child_process";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { decode } from "../../fixtures/png.ts";
import { WHITE } from "../../fixtures/site-pages.ts";
import { captureWith, failureOf } from "../../support/chromium.ts";
import { sampled, slowTest } from "../../support/slow-run.ts";

type Options = Readonly<Record<string, unknown>>;

const BLUE = [0, 0, 255];

let server: Server;
let hostPort: string;

beforeAll(async () => {
  server = createServer(async ({ url = "" }, response) => {
    if (url === "/video.webm") response.setHeader("content-type", "video/webm").end(await recordVideo());
    else if (url === "/never") response.flushHeaders();
    else response.setHeader("content-type", "text/html").end(pages[url]);
  });
  server.on("upgrade", (_, socket) => socket.destroy());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  hostPort = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

let recorded: Promise<Buffer> | undefined;
/** A video whose frames differ, for the tests that show one. */
const recordVideo = () => {
  const html = `<p id="time"></p><script>setInterval(() => { time.textContent = Date.now() }, 50)</script>`;
  const options = { html, format: "webm", video_duration: 2, viewport_width: 200, viewport_height: 100 };
  recorded ??= captureWith(options).then(({ body }) => body);
  return recorded;
};

const pages: Readonly<Record<string, string>> = {
  "/plays": `<video src="/video.webm" autoplay muted loop width="200" height="100"></video>`,
  "/stands": `<video src="/video.webm" preload="auto" muted width="200" height="100"></video>`,
  "/socket": `<script>new WebSocket("/chat")</script>`,
  "/stream": `<script>new EventSource("/never")</script>`,
  "/polls": `<script>setTimeout(() => fetch("/never").then((response) => response.text()), 100)</script>`,
  "/spins": `<script>setTimeout(() => { const end = Date.now() + 300; while (Date.now() < end); }, 100)</script>`,
  // For the capture, it responds as little as one that computes, but leaves the processor to other tests.
  "/computes": `<script>
    const wait = "Atomics.wait(new Int32Array(new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true }).buffer), 0, 0)";
    new Worker(URL.createObjectURL(new Blob([wait])));
  </script>`,
};

/** A window for what does not depend on its size. */
const small: Options = { viewport_width: 300, viewport_height: 200 };

const allowed = () => ({ allow: [hostPort] });
const deterministic = (options: Options) => captureWith({ deterministic: true, ...small, ...options }, allowed());
const textOf = async (options: Options) => (await deterministic({ format: "text", ...options })).body.toString();

/** What a page shows that writes the value of an expression. */
const shownValue = (expression: string, options: Options = {}) =>
  textOf({ html: `<p id="value"></p><script>value.textContent = ${expression}</script>`, ...options });

/** Captures of each of two processes; `npm run test:deterministic` makes more. */
const REPEATS = Number(process.env["DETERMINISTIC_REPEATS"] ?? 1);
const IS_EXHAUSTIVE = REPEATS > 1;

/** Changes with each capture, and is soon still. */
const brieflyAnimated = `<style>@keyframes appear { from { opacity: 0 } } p { animation: appear .2s }</style>
  <p id="chance"></p><p id="time"></p><canvas id="drawn" width="100" height="100"></canvas>
  <script>
    chance.textContent = Math.random() + " " + crypto.getRandomValues(new Uint32Array(2));
    const draw = (now) => {
      time.textContent = new Date().toISOString() + " " + now;
      drawn.getContext("2d").fillRect(100 * Math.random(), 100 * Math.random(), 5, 5);
      if (now < 200) requestAnimationFrame(draw);
    };
    requestAnimationFrame(draw);
  </script>`;

describe("deterministic captures have the same bytes", () => {
  slowTest(
    "in two processes, of a page with animations, charts, random numbers and clocks",
    async () => {
      const options = { deterministic: true, viewport_width: 600, viewport_height: 900 };
      const program = join(import.meta.dirname, "../../support/print-hashes.ts");
      const print = () => promisify(execFile)(process.execPath, [program, String(REPEATS), JSON.stringify(options)]);
      const outputs = await Promise.all([print(), print()]);
      const hashes = outputs.flatMap(({ stdout }) => stdout.trim().split("\n"));
      expect(hashes).toHaveLength(2 * REPEATS);
      expect(new Set(hashes).size).toBe(1);
    },
    240_000,
  );

  sampled(test, 10).each<Options>([
    { format: "webp", delay: 0.3 },
    { full_page: true },
    { format: "pdf" },
    { format: "html" },
    { javascript: false },
  ])("with %j", async (options) => {
    const capture = async () => (await deterministic({ html: brieflyAnimated, ...options })).body;
    const [first, second] = [await capture(), await capture()];
    expect(second.equals(first)).toBe(true);
  });

  test("only with the option: without it, the page differs", async () => {
    const capture = async () => (await captureWith({ html: brieflyAnimated, format: "html", ...small })).body;
    const [first, second] = [await capture(), await capture()];
    expect(second.equals(first)).toBe(false);
  });
});

describe("the clock of a deterministic capture", () => {
  /** Each with what a page shows of it: how it starts, or all of it. */
  const clocks = [
    ["new Date", "new Date().toISOString()", "2024-02-29T08:00:00."],
    ["Date as a function", "Date()", "Thu Feb 29 2024 08:00:00 GMT+0000"],
    ["Date.now", "new Date(Date.now()).toISOString()", "2024-02-29T08:00:00."],
    ["a constructor of another date", "new (new Date(0).constructor)().toISOString()", "2024-02-29T08:00:00."],
    ["Intl", "new Intl.DateTimeFormat('en', { dateStyle: 'long' }).format()", "February 29, 2024"],
    ["Temporal", "String(Temporal.Now.plainDateISO())", "2024-02-29"],
    ["the time origin", "new Date(performance.timeOrigin + performance.now()).toISOString()", "2024-02-29T08:00:00."],
    ["the last change of the document", "document.lastModified", "02/29/2024 08:00:00"],
    [
      "a date that the page names",
      "new Date(2020, 1, 2, 3).toISOString() + (new Date() instanceof Date)",
      "2020-02-02T03:00:00.000Ztrue",
    ],
  ] as const;
  let shown: Promise<string> | undefined;
  /** What a page shows that writes all of them. */
  const allClocks = () => {
    const lines = clocks.map(([name, expression]) => `${JSON.stringify(`${name}: `)} + ${expression}`);
    shown ??= shownValue(`[${lines}].join("\\n")`, { page_clock: "2024-02-29T09:00+01:00" });
    return shown;
  };

  test.each(clocks)("%s starts at 'page_clock', or is what the page names", async (name, _, time) => {
    expect(await allClocks()).toContain(`${name}: ${time}`);
  });

  slowTest("passes as long as the capture waits", async () => {
    const html = `<p id="clock"></p><script>
      setInterval(() => { clock.textContent = new Date().toISOString() }, 1_000)</script>`;
    expect(await textOf({ html, delay: 5.5 })).toMatch(/2026-01-01T12:00:0[5-9]/);
  });
});

slowTest(
  "the clock of a deterministic capture and its random numbers, those of a seeded generator, are in frames and workers, too",
  async () => {
    const draw = "[Math.random(), crypto.getRandomValues(new Uint8Array(4)).join('.'), Date()].join(' ')";
    const html = `<iframe srcdoc="<script>parent.postMessage(${draw}, '*')</script>"></iframe><p id="own"></p><p id="frame"></p><p id="worker"></p>
    <script>
      own.textContent = ${draw};
      onmessage = ({ data }) => { frame.textContent = data };
      const work = URL.createObjectURL(new Blob(["postMessage(${draw})"]));
      new Worker(work).onmessage = ({ data }) => { worker.textContent = data };
    </script>`;
    const first = await textOf({ html });
    expect(new Set(first.match(/0\.\d+ [\d.]+/g)).size).toBe(3); // each has numbers of its own
    expect(first.match(/Jan 01 2026 12:00:00/g)).toHaveLength(3);
    expect(await textOf({ html })).toBe(first);
  },
);

slowTest("random UUIDs of a deterministic capture are valid, and wrong arguments throw as ever", async () => {
  const errors =
    "(() => { try { crypto.getRandomValues(new Uint8Array(70_000)) } catch ({ name }) { return name } })()";
  const base = { base_url: "https://example.com/" }; // a secure context
  expect(await shownValue(`crypto.randomUUID() + ${errors}`, base)).toMatch(
    /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}QuotaExceededError/,
  );
});

slowTest("a video of a deterministic capture shows its first frame", async () => {
  await recordVideo();
  const shown = async (path: string) => (await deterministic({ url: `http://${hostPort}${path}`, delay: 1.5 })).body;
  expect((await shown("/plays")).equals(await shown("/stands"))).toBe(true);
});

slowTest("a caret of a deterministic capture does not blink", async () => {
  const html = `<body style="margin: 0"><input autofocus style="border: 0; outline: 0; padding: 0; width: 100px; height: 40px; caret-color: blue">`;
  const colours = async (delay: number) => (await decode((await deterministic({ html, delay })).body)).colourAt(0, 20);
  expect([await colours(0.2), await colours(0.7)]).toEqual([BLUE, BLUE]);
  expect(BLUE).not.toEqual(WHITE);
});

describe.concurrent("a deterministic capture fails, and says why, of a page that", () => {
  sampled(test, 10).each([
    ["opens a WebSocket", "/socket", "it opens a WebSocket"],
    ["receives server-sent events", "/stream", "it receives server-sent events"],
    ["waits for a long poll", "/polls", "a request stays open for more than 15 s"],
    // Keeps a processor busy for 15 s. The ordinary run tests the same error of the same page that settles in virtual time.
    ...(IS_EXHAUSTIVE
      ? [
          [
            "waits for its clock in a loop",
            "/spins",
            "it computes for more than 15 s, or waits for its clock in a loop",
          ],
        ]
      : []),
    ["has a worker that never ends", "/computes", "a worker of it computes without a pause"],
  ])("%s", async (_, path, why) => {
    const failure = await failureOf(deterministic({ url: `http://${hostPort}${path}` }));
    expect([failure.code, failure.status]).toEqual(["NOT_DETERMINISTIC", 422]);
    expect(failure.message).toContain(`because ${why}`);
  });
});
