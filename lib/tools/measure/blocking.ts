// The cost of blocking ads and trackers: a page whose 50 requests are none, and one whose 50 requests are, in turns with
// the same captures without blocking.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buildBlockingLayer } from "../../../layers/blocking/build.ts";
import { buildChromiumLayer } from "../../../layers/chromium/build.ts";
import { buildFontsLayer } from "../../../layers/fonts/build.ts";
import { defaultLimits } from "../../contract/options/capture-limits.ts";
import { parseCaptureOptions } from "../../contract/options/capture-options.ts";
import { createFilterLists } from "../../engine/adblock/filter-lists.ts";
import { launchBrowser } from "../../engine/browser/browser.ts";
import { type BrowserUse, browserUseFor } from "../../engine/browser/browser-use.ts";
import { unpackChromium } from "../../engine/browser/chromium-files.ts";
import { parseAllowedOrigins } from "../../engine/egress/egress-policy.ts";
import { capture } from "../../engine/pipeline/capture.ts";
import { PhaseClock } from "../../engine/pipeline/phase-clock.ts";
import { figureTable, median, milliseconds, pairwiseRatios } from "./figures.ts";
import type { Measurement, Report } from "./measurement.ts";
import type { BenchGroup, Workbench } from "./workbench.ts";

export const blocking: BenchGroup = {
  name: "blocking",
  parts: ["blocking"],
  measure: (_, bench) => measureBlocking(bench),
};

const WARM_UPS = 2;

/** As far away as a server on the same continent is. */
const AD_LATENCY_MS = 30;

const adHosts = [
  "securepubads.g.doubleclick.net",
  "pagead2.googlesyndication.com",
  "cdn.taboola.com",
  "ads.pubmatic.com",
  "c.amazon-adsystem.com",
  "static.criteo.net",
  "www.google-analytics.com",
  "sb.scorecardresearch.com",
  "static.hotjar.com",
  "ib.adnxs.com",
];

async function measureBlocking({ runs, site: startedSite, folder }: Workbench): Promise<Report> {
  const [site, ads] = [await startedSite(), await startAdSite()];
  const take = await capturing([new URL(site.origin).port, ads.port], folder());
  const pages = [
    ["50 requests, none of them ads", `http://shop.example:${new URL(site.origin).port}/heavy`],
    ["50 requests, all of them ads", `http://news.example:${ads.port}/`],
  ] as const;
  const rows = [["page", "runs", "as it is", "blocking", "ratio", "blocked"]];
  const measurements: Measurement[] = [];
  for (const [name, url] of pages) {
    const [plain, blocking]: [number[], number[]] = [[], []];
    let blocked = 0;
    for (let run = -WARM_UPS; run < runs; run++) {
      const [without, having] = [await take(url, {}), await take(url, { block_ads: true, block_trackers: true })];
      blocked = having.blocked;
      if (run < 0) continue;
      plain.push(without.milliseconds);
      blocking.push(having.milliseconds);
    }
    const [a, b] = [median(plain), median(blocking)];
    rows.push([name, `${runs}`, milliseconds(a), milliseconds(b), (b / a).toFixed(2), `${blocked}`]);
    measurements.push(
      { name: `blocking: ${name}`, unit: "ms", samples: blocking },
      { name: `blocking: ${name}, beside without`, unit: "ratio", samples: pairwiseRatios(blocking, plain) },
    );
  }
  ads.close();
  return { text: `Captures that block ads and trackers, medians:\n\n${figureTable(rows)}`, measurements, failures: [] };
}

async function capturing(ports: readonly (string | number)[], folder: string) {
  const allowed = parseAllowedOrigins(ports.map((port) => `127.0.0.1:${port}`).join(","));
  const files = await unpackChromium(join(buildChromiumLayer(), "chromium"), join(buildFontsLayer(), "fonts"), folder);
  const limits = { ...defaultLimits, memory_megabytes: 1_500 };
  const lists = createFilterLists(join(buildBlockingLayer(), "blocking"));
  const resolve = async () => ["127.0.0.1"];
  const launch = ({ frameMode }: BrowserUse) => launchBrowser({ files, allowed, resolve, limits, frameMode });
  return async (url: string, options: Readonly<Record<string, unknown>>) => {
    const parsed = parseCaptureOptions({ url, ...options });
    const startedAt = performance.now();
    const browser = { first: launch(browserUseFor(parsed)), launch, lists };
    const { metadata } = await capture(parsed, { browser, startedAt, clock: new PhaseClock() });
    const milliseconds = performance.now() - startedAt;
    await (await browser.first).close();
    return { milliseconds, blocked: metadata.blocked?.requests ?? 0 };
  };
}

/** A page of words with scripts and pictures of advertisers, each of which takes its time. */
async function startAdSite(): Promise<{ port: number; close(): void }> {
  const server = createServer(({ url = "", headers }, response) => {
    const { port } = server.address() as AddressInfo;
    if (headers.host === `news.example:${port}`) {
      response.setHeader("Content-Type", "text/html");
      return void response.end(url === "/" ? news(port) : "");
    }
    const type = url.includes(".js") ? "text/javascript" : "image/svg+xml";
    const body = url.includes(".js") ? "window.asked = (window.asked ?? 0) + 1;".repeat(1_000) : ONE_PIXEL;
    setTimeout(() => response.setHeader("Content-Type", type).end(body), AD_LATENCY_MS);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

const ONE_PIXEL = `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>`;

function news(port: number): string {
  const asked = adHosts.flatMap((host) => [
    ...[1, 2].map((n) => `<script async src="http://${host}:${port}/tag-${n}.js"></script>`),
    ...[1, 2, 3].map((n) => `<img width="1" height="1" src="http://${host}:${port}/pixel-${n}.svg">`),
  ]);
  return `<!doctype html><title>News</title><h1>News</h1><p>${"Words of an article. ".repeat(300)}</p>${asked.join("")}`;
}
