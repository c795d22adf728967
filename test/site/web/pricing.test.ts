// The pricing page in a real browser: the calculator computes what the invoices would.
import { expect, inject, test } from "vitest";
import { webBrowser } from "../../support/web-browser.ts";

const { baseUrl } = inject("service");
const browser = webBrowser();

test("pricing: the calculator shows each plan's cost and marks the cheapest plan that doesn't end", async () => {
  await using opened = await browser.open(`${baseUrl}/pricing`);
  const { page, problems } = opened;
  await page.waitForSelector(".cheapest");
  const type = async (name: string, value: string) => {
    await page.locator(`input[name=${name}]`).fill(value);
  };
  await type("screenshots", "5001");
  await type("videos", "150");
  const costs = () => page.$$eval("tr[data-plan]", (rows) => rows.map((row) => row.innerText.replace("\t", ": ")));
  expect(await costs()).toEqual(["Free Trial: stops at its quota", "Starter: $12.01", "Pro: $49.00", "Max: $129.00"]);
  expect(await page.$eval(".cheapest", (row) => (row as HTMLElement).dataset["plan"])).toBe("starter");
  await type("screenshots", "1000000");
  expect(await page.$eval(".cheapest td", (cell) => cell.textContent)).toBe("$2,479.38");
  await type("screenshots", "");
  expect(await costs()).toContain("Free Trial: stops at its quota");
  expect(problems).toEqual([]);
});

test("header: all links are reachable at 320 px, and with a session it leads to the keys", async () => {
  await using opened = await browser.open(`${baseUrl}/pricing`, { viewport: { width: 320, height: 640 } });
  const { page } = opened;
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  await page.locator("text/Menu").click();
  const links = () =>
    page.$$eval("header a", (all) =>
      all.filter((link) => link.checkVisibility({ visibilityProperty: true })).map((link) => link.textContent),
    );
  expect(await links()).toEqual(expect.arrayContaining(["Docs", "Playground", "Pricing", "Sign in", "Get a key"]));
  await page.evaluate(() => localStorage.setItem("signed-in", "true"));
  await page.reload();
  await page.locator("text/Menu").click();
  expect(await links()).toEqual(expect.arrayContaining(["Dashboard", "Your keys"]));
  expect(await links()).not.toContain("Sign in");
});
