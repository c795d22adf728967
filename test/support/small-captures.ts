// Captures of the fixture site and of HTML in a small window, for the tests of single steps.
import { afterAll, beforeAll } from "vitest";
import type { Capture } from "../../lib/engine/pipeline/capture-output.ts";
import { decode, type Pixels } from "../../lib/fixtures/png.ts";
import { type Site, startSite } from "../../lib/fixtures/site.ts";
import { captureWith } from "./chromium.ts";

type Options = Readonly<Record<string, unknown>>;

export interface SmallCaptures {
  /** Captures a path of the fixture site, or HTML, in a window of 400 × 300 pixels unless the options set another one. */
  captureOf(page: string, options?: Options): Promise<Capture>;
  imageOf(page: string, options?: Options): Promise<Pixels>;
}

/** Starts the fixture site for the tests of a file. */
export function startSmallCaptures(): SmallCaptures {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site.close());
  const captureOf = (page: string, options?: Options) =>
    captureWith(
      {
        ...(page.startsWith("/") ? { url: site.origin + page } : { html: page }),
        viewport_width: 400,
        viewport_height: 300,
        timeout: 20,
        ...options,
      },
      { allow: [site.hostPort], isTimedFromLaunch: true },
    );
  return { captureOf, imageOf: async (page, options) => decode((await captureOf(page, options)).body) };
}

export function sizeOf({ width, height }: Pixels): readonly [number, number] {
  return [width, height];
}
