// Asynchronous captures with Chromium: the result shows the page, and a rule that the page breaks is the error of the job.
import { expect, inject, test, vi } from "vitest";
import { decode } from "../../fixtures/png.ts";
import { BOX } from "../../fixtures/site-pages.ts";
import { openClient } from "../../support/client.ts";
import { RED } from "../../support/images.ts";

const { site } = inject("service");
const small = { viewport_width: "200", viewport_height: "100" };

test("asynchronous capture: the result shows the page, and a rule that a page breaks fails its capture", async () => {
  const client = await openClient();
  const end = async (options: Record<string, string>) => {
    const { status_url } = await (await client.capture({ ...small, ...options, async: "true" })).json();
    return vi.waitFor(
      async () => {
        const state = await (await client.get(new URL(status_url).pathname)).json();
        expect(["success", "failed"]).toContain(state.status);
        return state;
      },
      { timeout: 25_000, interval: 200 },
    );
  };
  const { url } = await end({ url: `${site}/box` });
  const image = await decode(Buffer.from(await (await fetch(url)).arrayBuffer()));
  expect(image.colourAt(BOX.x + 1, BOX.y + 1)).toEqual(RED);
  const unfit = await end({ html: "<h1>Sold out</h1>", fail_if_content_contains: "sold" });
  expect(unfit).toMatchObject({ status: "failed", error: { code: "CONTENT_RULE_FAILED" } });
});
