// Resource limits of pages: below a limit they are captured, above it they are stopped with an error.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CaptureLimits, defaultLimits } from "../../lib/contract/options/capture-limits.ts";
import { decode } from "../fixtures/png.ts";
import { type Site, startSite } from "../fixtures/site.ts";
import { BOX, GREEN } from "../fixtures/site-pages.ts";
import { captureWith, failureOf } from "../support/chromium.ts";
import { sampled, slowTest } from "../support/slow-run.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

const captureOf = (path: string, limits: Partial<CaptureLimits>, options: object = {}) =>
  captureWith(
    { url: `${site.origin}${path}`, timeout: 25, ...options },
    { allow: [site.hostPort], limits, assertsCleanup: true, isTimedFromLaunch: true },
  );

/** A page that does so, and then rests for a while. */
const using = (ways: readonly string[], amount: number) =>
  `/uses?${new URLSearchParams([...ways.map((way) => ["way", way]), ["amount", String(amount)]])}`;

/** The page has done what it set out to do, and every watch has looked at it since. */
const finished = { wait_for_expression: `document.getElementById("box").style.background === "green"`, delay: 1.2 };

/** A limit, what each way uses of it that is below, and above. */
const vectors = {
  page_megabytes: {
    limit: 8,
    below: 1,
    above: 12,
    ways: [
      "loading it",
      "loading it in pieces",
      "loading it in a worker",
      "sending it",
      "sending it through a web socket",
    ],
  },
  requests: {
    limit: 70,
    below: 10,
    above: 100,
    ways: ["fetch", "fetch in a worker", "images", "frames", "web sockets", "redirects"],
  },
  dom_nodes: {
    limit: 20_000,
    below: 3_000,
    above: 40_000,
    ways: ["elements", "texts", "elements of no document", "elements of frames", "elements of shadow trees"],
  },
  memory_megabytes: {
    limit: 450, // of which an empty browser takes 130
    below: 15,
    above: 380,
    ways: [
      "typed arrays",
      "arrays",
      "WebAssembly",
      "arrays of workers",
      "canvases",
      "the cache",
      "a database",
      "files",
    ],
  },
} as const;

type Limit = keyof typeof vectors;
const limits = Object.keys(vectors) as Limit[];
const each = limits.flatMap((limit) => vectors[limit].ways.map((way) => [limit, way] as const));

function excessOf(limit: Limit, allows: number) {
  return {
    code: "TARGET_TOO_LARGE",
    message: expect.stringContaining(allows.toLocaleString("en")),
    details: { limit: [limit] },
    figures: { allows },
    target: { http_status_code: 200, final_url: expect.stringContaining(site.origin) },
  };
}

describe.concurrent("page limits: a page", () => {
  slowTest.each(limits)("that uses less than its %s in all ways is captured", async (name) => {
    const { ways, below, limit } = vectors[name];
    const { body } = await captureOf(using(ways, below), { [name]: limit }, finished);
    expect((await decode(body)).colourAt(BOX.x + 5, BOX.y + 5)).toEqual(GREEN);
  });

  sampled(test, 12).each(each)("that uses more than its %s is stopped: %s", async (name, way) => {
    const { above, limit } = vectors[name];
    const failure = await failureOf(captureOf(using([way], above), { [name]: limit }, finished));
    expect(failure).toMatchObject(excessOf(name, limit));
  });

  sampled(test, 4).each([
    ["page_megabytes", "loading it", 12, 8],
    ["requests", "fetch", 100, 70],
    ["dom_nodes", "elements", 40_000, 20_000],
    ["memory_megabytes", "typed arrays", 380, 450],
  ] as const)("that is recorded is stopped too: %s", async (name, way, above, limit) => {
    const video = { ...finished, format: "webm", video_duration: 1, viewport_width: 320, viewport_height: 240 };
    expect(await failureOf(captureOf(using([way], above), { [name]: limit }, video))).toMatchObject(
      excessOf(name, limit),
    );
  });

  test("with as many redirects as allowed is captured", async () => {
    expect(await captureOf("/redirects?left=3", { redirects: 3 })).toMatchObject({ statusCode: 200 });
  });

  slowTest("with as many redirects as the default allows is captured, and not with more", async () => {
    const { redirects } = defaultLimits;
    expect(await captureOf(`/redirects?left=${redirects}`, {})).toMatchObject({ statusCode: 200 });
    expect(await failureOf(captureOf(`/redirects?left=${redirects + 1}`, {}))).toMatchObject({
      code: "TARGET_UNREACHABLE",
    });
  });

  sampled(test, 2).each(["png", "webm"])("with more redirects is stopped, as %s", async (format) => {
    expect(await failureOf(captureOf("/redirects?left=4", { redirects: 3 }, { format }))).toMatchObject({
      code: "TARGET_UNREACHABLE",
      target: { net_error: "net::ERR_TOO_MANY_REDIRECTS" },
    });
  });

  test("with a thousand workers fails with that reason, and is not retried", async () => {
    const script = `const url = URL.createObjectURL(new Blob(["setInterval(() => 1, 1000)"]));
      for (let index = 0; index < 1000; index++) new Worker(url);`;
    const launches: number[] = [];
    const options = { html: `<script>${script}</script>`, timeout: 25, delay: 5 };
    const launched = (_: unknown, attempt: number) => void launches.push(attempt);
    const { workers } = defaultLimits;

    const failure = await failureOf(captureWith(options, { launched, assertsCleanup: true }));

    expect(failure).toMatchObject({
      code: "TARGET_TOO_LARGE",
      message: expect.stringContaining(`more than ${workers} workers`),
      details: { limit: ["workers"] },
      figures: { allows: workers },
    });
    expect(launches).toEqual([1]);
  });

  slowTest("with as many workers as allowed is captured, also when they start each other", async () => {
    const leaf = `URL.createObjectURL(new Blob(["postMessage(1)"]))`;
    const nested = `\`for (let i = 0; i < 4; i++) new Worker("\${${leaf}}")\``;
    const script = `const url = URL.createObjectURL(new Blob([${nested}])); for (let i = 0; i < 4; i++) new Worker(url);`;
    expect(
      await captureWith(
        { html: `<script>${script}</script>`, delay: 1 },
        { limits: { workers: 20 }, assertsCleanup: true },
      ),
    ).toMatchObject({
      mimeType: "image/png",
    });
  });

  // Neither fills what it takes, so that the browser ends by what the kernel refuses it.
  sampled(test, 2).each([
    ["address space", "const kept = []; for (;;) kept.push(new WebAssembly.Memory({ initial: 160, maximum: 65536 }))"],
    [
      "images",
      `setInterval(() => { const canvas = document.createElement("canvas"); canvas.width = canvas.height = 7000;
        canvas.getContext("2d").fillRect(0, 0, 1, 1); document.documentElement.append(canvas) }, 300)`,
    ],
  ])("that crashes the browser fails with the reason, and is not retried: %s", async (_, script) => {
    const launches: number[] = [];
    const capturing = captureWith(
      { html: `<script>${script}</script>`, timeout: 25, delay: 5 },
      {
        limits: { memory_megabytes: 300 },
        assertsCleanup: true,
        launched: (_, attempt) => void launches.push(attempt),
      },
    );
    expect(await failureOf(capturing)).toMatchObject({
      code: "TARGET_TOO_LARGE",
      details: { limit: ["memory_megabytes"] },
    });
    expect(launches).toEqual([1]);
  });
});
