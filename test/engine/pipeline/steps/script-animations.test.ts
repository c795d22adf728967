// Counters, typed text and other animations by scripts: every format shows their end.
import { describe, expect, test } from "vitest";
import { GREEN } from "../../../fixtures/site-pages.ts";
import { captureOutputsWith } from "../../../support/chromium.ts";
import { sampled, slowTest } from "../../../support/slow-run.ts";
import { startSmallCaptures } from "../../../support/small-captures.ts";

const { captureOf, groundOf } = startSmallCaptures();

/** Counts to `end` in `ms`, ever slower: close to the end a number stands still for longer and longer. */
const counter = (end: number, ms: number) => `<p>Customers: <b>0</b></p><script>
  const [shown, start] = [document.querySelector("b"), performance.now()];
  const count = () => {
    const part = Math.min(1, (performance.now() - start) / ${ms});
    shown.textContent = Math.round((1 - 2 ** (-10 * part)) * ${end} * 1024 / 1023);
    if (part < 1) requestAnimationFrame(count);
    else document.body.style.background = "green";
  };
  count();
</script>`;

const pages: readonly (readonly [string, string, string])[] = [
  ["a counter that eases out", counter(2457, 2_000), "Customers: 2457"],
  ["a counter that stands still for a second before its end", counter(60, 3_000), "Customers: 60"],
  [
    "a counter by an interval",
    `<b>0</b><script>
      let n = 0;
      const counting = setInterval(() => {
        document.querySelector("b").textContent = Math.min(500, n += 7);
        if (n >= 500) clearInterval(counting);
      }, 30);
    </script>`,
    "500",
  ],
  [
    "text that is typed",
    `<b></b><script>
      const type = (left) => {
        document.querySelector("b").append(left[0]);
        if (left.length > 1) setTimeout(type, 120, left.slice(1));
      };
      type("Hello world");
    </script>`,
    "Hello world",
  ],
  [
    "a counter in a shadow root",
    `<x-a><template shadowrootmode="open"><i></i></template></x-a><script>
      const shown = document.querySelector("x-a").shadowRoot.querySelector("i");
      const start = performance.now();
      const count = () => {
        shown.textContent = Math.floor(Math.min(1500, performance.now() - start) / 500);
        if (performance.now() < start + 1500) requestAnimationFrame(count);
      };
      count();
    </script>`,
    "3",
  ],
];

describe("animations by scripts: text is that of their end", () => {
  sampled(test, 8).each(pages.slice(1))("%s", async (_, body, text) => {
    const result = await captureOf(`<!doctype html><body>${body}`, { format: "text", include_shadow_dom: true });
    expect([String(result.body).trim(), result.warnings]).toEqual([text, []]);
  });

  slowTest(
    "a counter that eases out, in each kind of document, in the metadata of an image, and in what a rule looks for",
    async () => {
      const html = `<!doctype html><body>${counter(2457, 2_000)}`;
      const outputs = [
        { name: "text", format: "text" },
        { name: "markdown", format: "markdown" },
        { name: "html", format: "html" },
        { name: "image", metadata_content: true, metadata_content_format: "text" },
      ];
      const window = { viewport_width: 400, viewport_height: 300 };
      const captured = await captureOutputsWith({ html, ...window, fail_if_content_missing: "2457", outputs });
      const shown = captured.outputs.map((output) => {
        if (!("capture" in output)) throw output.error;
        const { body, metadata } = output.capture;
        return output.name === "image" ? metadata["content"] : String(body).trim();
      });
      expect(shown).toEqual([
        "Customers: 2457",
        "Customers: **2457**",
        expect.stringContaining("Customers: <b>2457</b>"),
        "Customers: 2457",
      ]);
    },
  );

  slowTest("of a page that works with a worker, in real time", async () => {
    const worker = `<script>new Worker("data:text/javascript,setInterval(() => postMessage(0), 300)")</script>`;
    const { body } = await captureOf(`<!doctype html><body>${worker}${counter(2457, 1_000)}`, { format: "text" });
    expect(String(body).trim()).toBe("Customers: 2457");
  });
});

describe("animations by scripts: an image shows their end", () => {
  sampled(test, 8).each([
    ["in the window", ""],
    ["below the window", `<div style="height:2000px"></div>`],
  ])("%s", async (_, above) => {
    const page = `<!doctype html><body style="margin:0">${above}${counter(60, 3_000)}`;
    expect(await groundOf(page, { full_page: true })).toEqual(GREEN);
  });

  test("and of a page that never ends, some state", async () => {
    const page = `<!doctype html><body><p></p><script>
      let n = 0;
      const run = () => {
        document.querySelector("p").textContent = n++;
        requestAnimationFrame(run);
      };
      run();
    </script>`;
    const { body, warnings } = await captureOf(page, { format: "text" });
    expect(Number(String(body))).toBeGreaterThan(100);
    expect(warnings).toEqual([]);
  });
});
