// Uses the screens of the dashboard in a browser, as a person does: by the texts of buttons and links.
import type { Page } from "puppeteer-core";
import { inject } from "vitest";
import { storeExampleUsage } from "../fixtures/example-usage.ts";
import type { Client } from "./client.ts";
import { signIn } from "./signed-in.ts";
import type { OpenOptions, WebBrowser, WebPage } from "./web-browser.ts";

/** The screens, by their paths below `/app`. */
export const screenPaths = ["", "/keys", "/captures", "/jobs", "/webhooks", "/usage", "/billing", "/account"];

/** Stores captures of the last days, some of which failed, so that the screens have something to show. */
export async function storeExamples({ accountId, keyId, account }: Client): Promise<void> {
  const { usageTable: usage, activityTable: activity } = inject("service");
  const keys = [{ id: keyId, label: account.label, key_prefix: "cap_example" }];
  await storeExampleUsage({ usage, activity }, { accountId, keys, count: 60, days: 2, now: Date.now() });
}

/** Opens a screen of the dashboard in a browser that is signed in to the account. */
export async function openScreen(
  browser: WebBrowser,
  accountId: number,
  path = "",
  options?: OpenOptions,
): Promise<WebPage> {
  const { baseUrl } = inject("service");
  const cookies = (await signIn(accountId)).cookie.split("; ").map((cookie) => {
    const [name = "", value = ""] = cookie.split(/=(.*)/s);
    return { name, value, url: baseUrl };
  });
  const opened = await browser.open("about:blank", options);
  await opened.page.setCookie(...cookies);
  await opened.page.goto(`${baseUrl}/app${path}`);
  await opened.page.waitForSelector(".screen h1");
  return opened;
}

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
