// Uses the screens of the dashboard in a browser, as a person does: by the texts of buttons and links.
import type { Page } from "puppeteer-core";

/** Waits for a button with this text, and clicks it. */
export async function press(page: Page, label: string): Promise<void> {
  const find = (text: string) =>
    [...document.querySelectorAll("button")].find((each) => each.textContent?.trim() === text);
  await page.waitForFunction(find, {}, label);
  await page.evaluate(`(${find})(${JSON.stringify(label)}).click()`);
}

/** Opens the screen of this title by the navigation. */
export async function show(page: Page, title: string): Promise<void> {
  await page.evaluate((text) => {
    [...document.querySelectorAll<HTMLElement>(".app-navigation a")].find((each) => each.textContent === text)?.click();
  }, title);
  await page.waitForFunction((text) => document.querySelector("h1")?.textContent === text, {}, title);
}

/** Waits for a field, and writes into it. */
export async function fill(page: Page, selector: string, text: string): Promise<void> {
  await page.waitForSelector(selector);
  await page.$eval(
    selector,
    (field, value) => {
      (field as HTMLInputElement).value = value;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    },
    text,
  );
}

export function textOf(page: Page, selector: string): Promise<string> {
  return page.$eval(selector, (element) => (element as HTMLElement).innerText);
}
