// npm run test:elements: compares the elements that captures list with Playwright's, on real front ends from npm packages, and with
// --selectors sends 20 selectors of each page back. Packages are fetched once, into `.local`.
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { PageElements } from "../lib/engine/formats/elements/page-elements.ts";
import { comparedPages } from "../lib/tools/measure/elements/compared-pages.ts";
import { sendSelectorsBack } from "../lib/tools/measure/elements/send-back.ts";
import type { PageOptions } from "../lib/tools/measure/engine-capture.ts";
import { NpmPackages } from "../lib/tools/measure/visual-diff/npm-packages.ts";
import { chromiumFiles } from "../test/fixtures/chromium-files.ts";
import { captureWith } from "../test/support/chromium.ts";
import {
  COMPARED_WINDOW,
  type Comparison,
  compareElements,
  playwrightSnapshot,
} from "../test/support/playwright-snapshot.ts";

const { values } = parseArgs({
  options: { only: { type: "string" }, missing: { type: "boolean" }, selectors: { type: "boolean" } },
});
const packages = new NpmPackages(join(import.meta.dirname, "../.local/npm-pages"));
const files = await chromiumFiles();
const back = { sent: 0, selected: 0, clicked: 0 };
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
    if (values.selectors) await sendBack(url, site.hostPort, elements);
  } finally {
    await site.close();
  }
}
if (values.selectors)
  console.log(`\nselectors sent back: ${back.sent}, found as selector ${back.selected}, as click ${back.clicked}`);
console.log(`\nknown pages ${share(sum.known)}, held out ${share(sum.heldOut)}`);

function pageOptions(url: string): PageOptions {
  const { width, height } = COMPARED_WINDOW;
  const size = { viewport_width: width, viewport_height: height };
  return { url, ...size, timeout: 60, wait_until: "networkidle", delay: 1.5 };
}

async function listElements(url: string, host: string): Promise<PageElements> {
  const options = { format: "elements", elements_scope: "all", elements_max: 2_000 };
  const captured = await captureWith({ ...pageOptions(url), ...options }, { allow: [host] });
  return JSON.parse(captured.body.toString());
}

async function sendBack(url: string, host: string, elements: PageElements["elements"]): Promise<void> {
  const capture = (options: PageOptions) => captureWith(options, { allow: [host] });
  const { sent, selected, clicked, missed } = await sendSelectorsBack(capture, pageOptions(url), { elements });
  console.log(`  selectors sent back: ${selected} of ${sent} as selector, ${clicked} as click`);
  back.sent += sent;
  back.selected += selected;
  back.clicked += clicked;
  if (!values.missing) return;
  for (const { element, as } of missed) console.log(`  missed as ${as}: ${JSON.stringify(element)}`);
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
