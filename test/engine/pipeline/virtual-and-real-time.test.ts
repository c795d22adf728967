// Virtual time and real time make the same picture of a page: of all pages of the fixture site, and of templates from npm.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ApiError } from "../../../lib/contract/errors/api-error.ts";
import { type Site, startSite } from "../../fixtures/site.ts";
import { pages } from "../../fixtures/site-pages/pages.ts";
import { captureWith } from "../../support/chromium.ts";
import { compareImages } from "../../support/image-similarity.ts";
import { type PackagedSiteName, packagedFolders, startPackagedSite } from "../../support/packaged-sites.ts";
import { IS_SLOW_RUN, slowDescribe } from "../../support/slow-run.ts";

/** Share of the pixels that may differ, and the difference of colour from which one counts. */
const MAX_SHARE = 0.001;
const THRESHOLD = 0.02;

/** Enough for the slowest answer of the site; pages that never answer take as long. */
const TIMEOUT_S = 15;

/** Pages that keep changing, whose pictures therefore differ. */
const changing: Readonly<Record<string, string>> = {
  "/consent/announced":
    "its banner comes more than a second after it has loaded; in virtual time the capture waits for that",
  "/running-image": "its box moves for more than a second after it has loaded",
  "/fingerprint": "it shows what it finds out about the browser and how long it waited for that",
};

/** Pages that are too large on purpose: which of their limits ends them first depends on the machine. */
const isBomb = (path: string) => path.startsWith("/bomb");

/**
 * The slow run compares every eighth page that has an end, and two pages of each template, the ordinary run one page of the site;
 * `npm run test:virtual-time` compares all, which takes minutes.
 */
const IS_EXHAUSTIVE = process.env["ALL_PAGES"] !== undefined;
const EVERY = IS_EXHAUSTIVE ? 1 : IS_SLOW_RUN ? 8 : Number.POSITIVE_INFINITY;
const TEMPLATE_PAGES = ["index.html", "charts.html"];

/** Pages for which both captures take until their time is up. */
const endless: readonly string[] = ["/font", "/never-answers", "/script-for-ever"];

/** Pages that need a query. */
const queries = (origin: string): Readonly<Record<string, string>> => ({
  "/loads-from": `?origin=${encodeURIComponent(origin)}`,
});

type Outcome = Buffer | string;

/** The image, or the code of the error. */
async function outcome(url: string, { hostPort }: Site, settlesInRealTime: boolean): Promise<Outcome> {
  const options = { url, viewport_width: 600, viewport_height: 800, timeout: TIMEOUT_S };
  try {
    return (await captureWith(options, { allow: [hostPort], settlesInRealTime })).body;
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}

/** Undefined for the same outcome, or what differs. */
async function difference(url: string, site: Site): Promise<string | undefined> {
  const [inVirtualTime, inRealTime] = [await outcome(url, site, false), await outcome(url, site, true)];
  if (typeof inVirtualTime === "string" || typeof inRealTime === "string") {
    const names = [inVirtualTime, inRealTime].map((each) => (typeof each === "string" ? each : "an image"));
    return names[0] === names[1] ? undefined : `${names[0]} in virtual time, ${names[1]} in real time`;
  }
  const { share, summary } = await compareImages(inVirtualTime, inRealTime, THRESHOLD);
  return share <= MAX_SHARE ? undefined : summary;
}

describe.concurrent("virtual time and real time make the same picture of the page", () => {
  let site: Site;
  beforeAll(async () => {
    site = await startSite();
  });
  afterAll(() => site.close());

  const compared = Object.keys(pages).filter(
    (path) => !(path in changing) && !isBomb(path) && (IS_EXHAUSTIVE || !endless.includes(path)),
  );
  test.for(compared.filter((_, index) => index % EVERY === 0))("%s", async (path) => {
    const query = queries(site.origin)[path] ?? "";
    expect(await difference(`${site.origin}${path}${query}`, site)).toBeUndefined();
  });
});

slowDescribe.concurrent.each<PackagedSiteName>(["startbootstrap-sb-admin-2", "startbootstrap-agency"])(
  "virtual time and real time make the same picture of the template %s",
  (name) => {
    let site: Site;
    beforeAll(async () => {
      site = await startPackagedSite(name);
    });
    afterAll(() => site.close());

    test.for(pagesOf(name))("%s", async (path) => {
      expect(await difference(`${site.origin}/${path}`, site)).toBeUndefined();
    });
  },
);

/** The pages in the folder of a template. */
function pagesOf(name: PackagedSiteName): string[] {
  const folder = join(import.meta.dirname, "../../node_modules", packagedFolders[name]);
  const files = readdirSync(folder).filter((file) => file.endsWith(".html"));
  return IS_EXHAUSTIVE ? files : files.filter((file) => TEMPLATE_PAGES.includes(file));
}
