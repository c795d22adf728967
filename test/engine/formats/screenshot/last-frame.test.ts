// on_timeout=capture: the last painted frame is returned in time when a page does not become ready.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Capture } from "../../../../lib/engine/pipeline/capture-output.ts";
import { decode } from "../../../fixtures/png.ts";
import { GREEN } from "../../../fixtures/site-pages.ts";
import { captureWith, failureOf } from "../../../support/chromium.ts";
import { sample, sampled, slowTest } from "../../../support/slow-run.ts";

const painted = `<!doctype html><body style="margin:0;background:green">Painted`;
/** A page with an endless script that starts some time after the page has been painted, however slowly that comes. */
const busyAfter = (ms: number) =>
  `${painted}<script>
    new PerformanceObserver(() => setTimeout(() => { for (;;); }, ${ms})).observe({ type: "paint", buffered: true });
  </script>`;
const busyAfterPaint = busyAfter(300);
/** Responds as little as an endless script, because it waits for the network, and leaves the processor to the capture. */
const block = `const request = new XMLHttpRequest(); request.open("GET", "/never-answers", false); request.send()`;
const blockedAfterPaint = busyAfterPaint.replace("for (;;);", block);

const server = createServer(({ url }, answer) => {
  if (url === "/never-answers") return;
  answer.setHeader("content-type", "text/html");
  if (url === "/never-loads") return void answer.end(`${painted}<img src="/never-answers">`);
  if (url === "/painted") return void answer.end(painted);
  if (url === "/blocks-unpainted") return void answer.end(`<script>${block}</script>${painted}`);
  if (url === "/blocks") return void answer.end(blockedAfterPaint);
  if (url === "/error") return void answer.writeHead(500).end(blockedAfterPaint);
  answer.write(painted.padEnd(2_000)); // and never ends
});
let origin: string;
beforeAll(async () => {
  await once(server.listen(0, "127.0.0.1"), "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  server.closeAllConnections();
  await once(server, "close");
});

interface TimedCapture {
  readonly outcome: Promise<Capture>;
  /** How long the outcome took, from when the browser was up. */
  readonly seconds: () => number;
}

/** Captures with little time. */
function timedCapture(options: Readonly<Record<string, unknown>>, timeout = 2): TimedCapture {
  let launchedAt = Number.NaN;
  let answeredAt = Number.NaN;
  const launched = () => {
    launchedAt = performance.now();
  };
  const answered = () => {
    answeredAt = performance.now();
  };
  const input = "url" in options ? { url: origin + options["url"] } : { html: painted };
  const window = { viewport_width: 400, viewport_height: 300 };
  const outcome = captureWith(
    { ...window, timeout, on_timeout: "capture", ...options, ...("html" in options ? {} : input) },
    { allow: [new URL(origin).host], launched, isTimedFromLaunch: true, answered },
  );
  return { outcome, seconds: () => (answeredAt - launchedAt) / 1000 };
}

const capture = (options: Readonly<Record<string, unknown>>, timeout?: number) =>
  timedCapture(options, timeout).outcome;

const TOLERANCE_S = 0.2;

/** Expects the painted frame within `timeout` seconds, and a warning that the time ran out while waiting for `awaited`. */
async function expectFrame(timeout: number, options: Readonly<Record<string, unknown>>, awaited: string) {
  const { outcome, seconds } = timedCapture(options, timeout);
  const { body, warnings } = await outcome;
  expect((await decode(body)).colourAt(390, 290)).toEqual(GREEN);
  expect(warnings.join("\n")).toContain(`before it was ready: the time ran out while waiting for ${awaited}`);
  expect(seconds()).toBeLessThan(timeout + TOLERANCE_S);
}

// Below 4 s, the delivery of the frame has a shorter reserve, which a busy machine may exceed.
describe.each(sample([[6], [2]], 2))("on_timeout=capture: within %i s", (timeout) => {
  sampled(test.concurrent, 12).each([
    ["a page that does not load", { url: "/never-loads", wait_until: "load" }, "the page to load"],
    ["a document that does not end", { url: "/trickles", wait_until: "load" }, "the page to load"],
    ["an element that does not come", { wait_for_selector: "#never" }, "'#never' to appear"],
    ["an element that does not go", { wait_for_selector_hidden: "body" }, "'body' to disappear"],
    [
      "an expression that is never true",
      { wait_for_expression: "window.never" },
      "'wait_for_expression' to become true",
    ],
    ["a script that never ends its wait", { scripts: "await new Promise(() => {})" }, "a script to end"],
  ])("returns what is painted in spite of %s, with a warning", (_, options, awaited) =>
    expectFrame(timeout, options, awaited),
  );
});

// Each of these but the first keeps a processor busy, so that they run one after the other, and have the time that the first picture takes then.
slowTest.each([
  ["a script of the caller that does not return", { url: "/painted", scripts: block }, "a script to end"],
  ["an endless script of the caller", { scripts: "for (;;);" }, "a script to end"],
  ["an endless script of the page", { html: busyAfterPaint, delay: 1 }, "the page"],
  [
    "an expression of a page that is too busy for a picture",
    { html: busyAfter(1000), wait_for_expression: "window.never" },
    "'wait_for_expression' to become true",
  ],
])("on_timeout=capture: within 6 s, returns what is painted in spite of %s, with a warning", (_, options, awaited) =>
  expectFrame(6, options, awaited),
);

slowTest("on_timeout=capture: reports what was blocked", async () => {
  const { metadata } = await capture({ url: "/blocks", delay: 1, block_requests: "a.example" });
  expect(metadata).toEqual({ blocked: { requests: 0, dialogs: 0, unlocked: false } });
});

slowTest.concurrent("on_timeout=capture: names the pending requests", async () => {
  const { warnings } = await capture({ url: "/never-loads", wait_until: "load" }, 6);
  const late = `The page was captured before it was ready: the time ran out while waiting for the page to load (load). Still pending: ${origin}/never-answers.`;
  // A machine that is too slow for another frame has one more sentence.
  expect(warnings).toBeOneOf([[late], [`${late} The result is the last frame of the window.`]]);
});

slowTest.each([
  ["jpeg", { format: "jpeg" }, 400, "image/jpeg"],
  ["avif", { format: "avif" }, 400, "image/avif"],
  ["a thumbnail", { image_width: 100 }, 100, "image/png"],
  ["of two pixels each", { device_scale_factor: 2 }, 800, "image/png"],
])("on_timeout=capture: the last frame has the requested size: %s", async (_, options, width, mimeType) => {
  const captured = await capture({ url: "/blocks", delay: 1, ...options }, 4); // with less, encoding may have too little
  expect(captured.warnings).toEqual([expect.stringMatching(/The result is the last frame of the window\.$/)]);
  expect([captured.mimeType, (await decode(captured.body)).width]).toEqual([mimeType, width]);
});

describe("on_timeout=capture: still fails", () => {
  const expectError = async (options: Readonly<Record<string, unknown>>, code: string) => {
    const { outcome, seconds } = timedCapture(options);
    expect((await failureOf(outcome)).code).toBe(code);
    expect(seconds()).toBeLessThan(2 + TOLERANCE_S);
  };

  sampled(test.concurrent, 8).each([
    ["a page that never answers", { url: "/never-answers" }, "CAPTURE_TIMEOUT"],
    ["a page of an error", { url: "/error", delay: 1 }, "TARGET_HTTP_ERROR"],
    ["an expression that is none", { wait_for_expression: "(" }, "EXPRESSION_FAILED"],
    ["a script that throws", { scripts: "throw 1" }, "SCRIPT_FAILED"],
    ["a click on nothing", { click: "#nothing" }, "SELECTOR_NOT_FOUND"],
  ])("%s", (_, options, code) => expectError(options, code));

  slowTest("a page of an endless script that never painted", () =>
    expectError({ html: "<script>for (;;);</script>" }, "CAPTURE_TIMEOUT"),
  );

  slowTest.each([
    ["a page that never painted", { url: "/blocks-unpainted" }, "CAPTURE_TIMEOUT"],
    [
      "a page that cannot be asked what it says",
      { url: "/blocks", delay: 1, fail_if_content_contains: "error" },
      "CAPTURE_TIMEOUT",
    ],
  ])("%s", (_, options, code) => expectError(options, code));
});

slowTest.concurrent("on_timeout=capture: without it, all of these fail", async () => {
  expect((await failureOf(capture({ wait_for_selector: "#never", on_timeout: "fail" }))).code).toBe(
    "SELECTOR_NOT_FOUND",
  );
});
