// Every page of the website in a real browser.
import { expect, inject, test } from "vitest";
import { webBrowser } from "../support/web-browser.ts";

const { baseUrl } = inject("service");
const browser = webBrowser();

test.each(["/", "/playground"])("%s: loads without an error in at most 5 requests", async (path) => {
  await using opened = await browser.open(`${baseUrl}${path}`);
  expect(await opened.page.$eval("h1", (heading) => heading.textContent)).not.toBe("");
  expect(opened.problems).toEqual([]);
  expect(opened.requests.length).toBeLessThanOrEqual(5);
});
