// Frames that would hang in Chromium's compositor: pages of the kind are captured in their first browser.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Site, startSite } from "../../fixtures/site.ts";
import { captureWith } from "../../support/chromium.ts";
import { slowTest } from "../../support/slow-run.ts";

let site: Site;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.close());

/** On a busy machine, frames can hang in the real time in which a page loads, and are ended; without the commits, more hang. */
const SEVERAL = 3;

const SMALL = { viewport_width: 640, viewport_height: 480 };

/** Captures a page. Returns how many browsers that took, and how often a frame was ended that hung. */
async function countFailures(options: Readonly<Record<string, unknown>>) {
  const counts = { browsers: 0, stalled: 0 };
  await captureWith(
    { ...SMALL, ...options },
    {
      allow: [site.hostPort],
      launched: ({ cdp }) => {
        counts.browsers++;
        const send = cdp.send.bind(cdp);
        cdp.send = ((method, parameters, ...rest) => {
          if (JSON.stringify(parameters ?? {}).includes('"minimized"')) counts.stalled++;
          return send(method, parameters, ...rest);
        }) as typeof send;
      },
    },
  );
  return { ...counts, stalled: counts.stalled < SEVERAL ? "hardly any" : counts.stalled };
}

describe.concurrent("frames do not hang", () => {
  slowTest.for([
    ["text that moves as it is revealed, and canvases", { path: "/moving-text", full_page: true }],
    ["a running GIF, and a script that changes the page now and then", { path: "/running-image", delay: 1 }],
  ] as const)("%s", async ([, { path, ...options }]) => {
    expect(await countFailures({ ...options, url: `${site.origin}${path}` })).toEqual({
      browsers: 1,
      stalled: "hardly any",
    });
  });

  slowTest("HTML that is written into the empty page", async () => {
    const html = await (await fetch(`${site.origin}/running-image`)).text();
    expect(await countFailures({ html, delay: 1 })).toEqual({ browsers: 1, stalled: "hardly any" });
  });

  slowTest("a page that opens its own document again", async () => {
    const html = await (await fetch(`${site.origin}/running-image`)).text();
    const again = `<script>addEventListener("load", () => {
      document.open(); document.write(decodeURIComponent("${encodeURIComponent(html)}")); document.close() })</script>`;
    expect(await countFailures({ html: again, delay: 1 })).toEqual({ browsers: 1, stalled: "hardly any" });
  });

  test("a page without scripts", async () => {
    const options = { url: `${site.origin}/running-image-and-steps`, javascript: false, delay: 1 };
    expect(await countFailures(options)).toEqual({ browsers: 1, stalled: "hardly any" });
  });
});
