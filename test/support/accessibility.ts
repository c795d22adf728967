// What axe-core finds on a page of the website.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "puppeteer-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The rules whose outcome depends on the colors of the page. */
export const COLOR_RULES = ["color-contrast", "link-in-text-block"];

/** What axe-core finds on the page by these rules, or by all, each with its first element. */
export async function accessibilityProblems(page: Page, rules?: readonly string[]): Promise<string[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  // Without the details of all that is right, and without fetching the style sheets once more.
  const options = { resultTypes: ["violations"], preload: false, ...(rules && { runOnly: rules }) };
  const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(options)})`)) as AxeResults;
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}
