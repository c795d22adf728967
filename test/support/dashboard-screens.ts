// Uses the screens of the dashboard in a browser, as a person does: by the texts of buttons and links.
import type { Page } from "puppeteer-core";
import { inject } from "vitest";
import { createSigningSecret } from "../../lib/service/keys/issue-key.ts";
import { logDelivery } from "../../lib/service/receivers/delivery-log.ts";
import { createReceiverId } from "../../lib/service/receivers/receiver.ts";
import { createReceiver, pauseReceiver } from "../../lib/service/receivers/receiver-store.ts";
import { storeExampleUsage } from "../fixtures/example-usage.ts";
import type { Client } from "./client.ts";
import { signInOperator } from "./operator.ts";
import { signIn } from "./signed-in.ts";
import type { OpenOptions, WebBrowser, WebPage } from "./web-browser.ts";

/** The screens, by their paths below `/app`. */
export const screenPaths = ["", "/keys", "/captures", "/webhooks", "/usage", "/billing", "/account"];

/** Stores captures of the last days, some of which failed, so that the screens have something to show. */
export async function storeExamples({ accountId, keyId, account }: Client): Promise<void> {
  const { usageTable: usage, activityTable: activity } = inject("service");
  const keys = [{ id: keyId, label: account.label, key_prefix: "cap_example" }];
  await storeExampleUsage({ usage, activity }, { accountId, keys, count: 60, days: 2, now: Date.now() });
}

/** Stores a receiver of webhooks that has had 40 deliveries, of which four failed, and one that is paused. Resolves to their ids. */
export async function storeReceivers({ accountId }: Client): Promise<string[]> {
  const { accountsTable, activityTable } = inject("service");
  const now = Date.now();
  const receivers = ["Order service", "Invoices"].map((name, index) => ({
    id: createReceiverId(),
    account_id: accountId,
    name,
    url: `https://${index}.example.com/a-long-path-of-a-receiver/webhooks`,
    status: "active" as const,
    created_at: new Date(now + index).toISOString(),
  }));
  const [first, second] = receivers;
  for (const receiver of receivers) await createReceiver(accountsTable, receiver, createSigningSecret());
  if (!first || !second) throw new Error("No receivers were stored.");
  await pauseReceiver(accountsTable, second, now);
  for (let count = 0; count < 40; count++) {
    await logDelivery(activityTable, first, {
      at: new Date(now - count * 60_000).toISOString(),
      http_status_code: count % 10 === 3 ? 500 : 204,
      error: count % 10 === 3 ? "The receiver answered with 500 instead of 2xx." : null,
      duration_ms: 12 + count,
      ...(count % 10 === 3 && { response_excerpt: "Internal error" }),
      type: "capture.succeeded",
      event_id: `capture_${accountId}_${count}`,
      request_id: count + 1,
      attempt: 1,
    });
  }
  return receivers.map(({ id }) => id);
}

/** Opens a screen of the dashboard in a browser that is signed in to the account. */
export async function openScreen(
  browser: WebBrowser,
  accountId: number,
  path = "",
  options?: OpenOptions,
): Promise<WebPage> {
  return openWithCookie(browser, (await signIn(accountId)).cookie, `/app${path}`, options);
}

/** Opens a screen of the operator's page in a browser that is signed in. */
export async function openOperatorScreen(browser: WebBrowser, path = "", options?: OpenOptions): Promise<WebPage> {
  return openWithCookie(browser, (await signInOperator()).cookie, `/operator${path}`, options);
}

/** `header` is the `Cookie` header of the browser's requests. */
async function openWithCookie(
  browser: WebBrowser,
  header: string,
  path: string,
  options?: OpenOptions,
): Promise<WebPage> {
  const { baseUrl } = inject("service");
  const cookies = header.split("; ").map((cookie) => {
    const [name = "", value = ""] = cookie.split(/=(.*)/s);
    return { name, value, url: baseUrl };
  });
  const opened = await browser.open("about:blank", options);
  await opened.page.setCookie(...cookies);
  await opened.page.goto(`${baseUrl}${path}`);
  await opened.page.waitForSelector(".app-navigation nav + button");
  await opened.page.waitForSelector(".app-account strong"); // the session is known
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
