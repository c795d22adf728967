// npm run test:elements: compares the elements that captures list with Playwright's, on real front ends from npm packages, and sends
// selectors back. Packages are fetched once, into `.local`.
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { PageElements } from "../lib/engine/outputs/elements/page-elements.ts";
import {
  COMPARED_WINDOW,
  type Comparison,
  compareElements,
  playwrightSnapshot,
} from "../lib/tools/measure/elements/compare-playwright.ts";
import { comparedPages } from "../lib/tools/measure/elements/compared-pages.ts";
import { NpmPackages } from "../lib/tools/measure/visual-diff/npm-packages.ts";
import { chromiumFiles } from "../test/fixtures/chromium-files.ts";
import { captureWith } from "../test/support/chromium.ts";

const { values } = parseArgs({
  options: { only: { type: "string" }, missing: { type: "boolean" }, selectors: { type: "boolean" } },
});
const packages = new NpmPackages(join(import.meta.dirname, "../.local/npm-pages"));
const files = await chromiumFiles();
const sum = { known: { total: 0, found: 0 }, heldOut: { total: 0, found: 0 } };

for (const page of comparedPages) {
  const label = `${page.package}/${page.path}`;
  if (values.only !== undefined && !label.includes(values.only)) continue;
  const site = await packages.serve(`${page.package}@${page.version}`, page.root);
  try {
    const url = `${site.origin}/${page.path}`;
    const { elements } = await listElements(url, site.hostPort);
    const comparison = compareElements(await playwrightSnapshot(url, files), elements);
    const figures = page.isHeldOut ? sum.heldOut : sum.known;
    figures.total += comparison.total;
    figures.found += comparison.found;
    print(`${label}${page.isHeldOut ? " (held out)" : ""}`, comparison, elements.length);
    if (values.selectors) console.log(`  selectors: ${await sendBack(url, site.hostPort, elements)}`);
  } finally {
    await site.close();
  }
}
console.log(`\nknown pages ${share(sum.known)}, held out ${share(sum.heldOut)}`);

async function listElements(url: string, host: string): Promise<PageElements> {
  const { width, height } = COMPARED_WINDOW;
  const options = {
    format: "elements",
    elements_scope: "all",
    elements_max: 2_000,
    wait_until: "networkidle",
    delay: 1.5,
  };
  const captured = await captureWith(
    { url, viewport_width: width, viewport_height: height, timeout: 60, ...options },
    { allow: [host] },
  );
  return JSON.parse(captured.body.toString());
}

/** Loads the page again, and counts which of 20 selectors select an element with the same role, name and box. */
async function sendBack(url: string, host: string, first: PageElements["elements"]): Promise<string> {
  const own = first.filter(({ selector, frame }) => selector !== null && frame === null);
  const sample = Array.from({ length: Math.min(20, own.length) }, (_, at) => own[Math.floor((at * own.length) / 20)]);
  const without = first.filter(({ selector, frame }) => selector === null && frame === null).length;
  const again = await listElements(url, host);
  const isSame = (one: (typeof first)[number]) => {
    const other = again.elements.filter(({ selector }) => selector === one.selector);
    const [found] = other;
    return other.length === 1 && found?.role === one.role && found.name === one.name;
  };
  if (values.missing)
    for (const one of sample) if (one && !isSame(one)) console.log("  not the same:", JSON.stringify(one));
  return `${sample.filter((one) => one && isSame(one)).length} of ${sample.length} the same after a second load, ${without} without`;
}

function print(label: string, { total, found, named, sameName, missing, renamed }: Comparison, listed: number): void {
  const names = named === 0 ? "-" : `${((100 * sameName) / named).toFixed(1)} %`;
  console.log(`${label}: ${share({ total, found })} of ${total}, names ${names}, ${listed} listed`);
  if (!values.missing) return;
  for (const { role, name, box } of missing) console.log(`  missing ${role} "${name}" ${JSON.stringify(box)}`);
  for (const { expected, listed: own } of renamed)
    console.log(`  renamed ${expected.role} "${expected.name}" is "${own}" here`);
}

function share({ total, found }: { readonly total: number; readonly found: number }): string {
  return total === 0 ? "none" : `${((100 * found) / total).toFixed(2)} %`;
}
