// Captures of the fixture site and of HTML in a small window, for the tests of single steps.
import { afterAll, beforeAll } from "vitest";
import type { Area } from "../../lib/engine/geometry/area.ts";
import type { Capture } from "../../lib/engine/pipeline/capture-output.ts";
import { decode, type Pixels } from "../fixtures/png.ts";
import { type Site, startSite } from "../fixtures/site.ts";
import { captureWith } from "./chromium.ts";

export type Options = Readonly<Record<string, unknown>>;

export interface SmallCaptures {
  /** Captures a path of the fixture site, or HTML, in a window of 400 × 300 pixels unless the options set another one. */
  captureOf(page: string, options?: Options): Promise<Capture>;
  imageOf(page: string, options?: Options): Promise<Pixels>;
  /** The colour near the lower right corner, which most pages leave to their background. */
  groundOf(page: string, options?: Options): Promise<readonly number[]>;
  /** The origin of the fixture site, once the tests run. */
  origin(): string;
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
  const imageOf = async (page: string, options?: Options) => decode((await captureOf(page, options)).body);
  const groundOf = async (page: string, options?: Options) => (await imageOf(page, options)).colourAt(390, 290);
  return { captureOf, imageOf, groundOf, origin: () => site.origin };
}

/** A page that says "Ready?" and then does what `script` says, in which `done()` makes it green. */
export function pageWithScript(script: string, body = "Ready?"): string {
  const done = 'const done = () => { document.body.style.background = "green" };';
  return `<!doctype html><body style="margin:0">${body}<script>${done} ${script}</script>`;
}

export function middleOf({ x, y, width, height }: Area): readonly [number, number] {
  return [x + width / 2, y + height / 2];
}

export function sizeOf({ width, height }: Pixels): readonly [number, number] {
  return [width, height];
}
