// The screen of webhooks in a browser: a receiver from its creation to its deletion, its deliveries, and a test of any address.
import { beforeAll, expect, inject, test } from "vitest";
import { createReceiverId } from "../../../lib/service/receivers/receiver.ts";
import { pauseAs, storeAutomaticFailure } from "../../../lib/service/receivers/receiver-store.ts";
import { putStoredEvent } from "../../../lib/service/receivers/stored-events.ts";
import { accessibilityProblems } from "../../support/accessibility.ts";
import { type Client, openClient } from "../../support/client.ts";
import { fill, openScreen, press, storeReceivers, textOf } from "../../support/dashboard-screens.ts";
import { slowTest } from "../../support/slow-run.ts";
import { webBrowser } from "../../support/web-browser.ts";

const { baseUrl, receiver: address, site, accountsTable, activityTable } = inject("service");
const browser = webBrowser();
let client: Client;
beforeAll(async () => {
  client = await openClient();
});

test("webhooks: a receiver is created, tested, paused, resumed, and deleted, and its secret shown again", async () => {
  const owner = await openClient();
  await using opened = await openScreen(browser, owner.accountId, "/webhooks");
  const { page } = opened;
  const said = (text: string) => page.waitForFunction((part) => document.body.innerText.includes(part), {}, text);
  await fill(page, "#receiver-name", "<i>Orders</i>");
  await fill(page, "#receiver-url", `${address}/to/${createReceiverId()}?answers=500,204`);
  await press(page, "Create receiver");
  await page.waitForSelector(".issued");
  expect(await page.evaluate(() => document.activeElement?.className)).toBe("issued");
  const secret = /whsec_\S+/.exec(await textOf(page, ".issued"))?.[0];
  await press(page, "I have copied it");
  await page.waitForSelector(".issued", { hidden: true });
  await page.waitForSelector(".receiver-name");
  expect(await textOf(page, ".receiver-name")).toBe("<i>Orders</i>"); // text, and no markup
  expect(await page.content()).not.toContain("whsec_");

  await page.click(".receiver-name");
  await page.waitForSelector(".receiver h2");
  await press(page, "Send a test event");
  await page.waitForSelector(".test-answer .badge-failed");
  await page.waitForSelector(".receiver-deliveries .badge-failed");
  await page.click(".receiver-deliveries summary");
  expect(await textOf(page, ".receiver-deliveries")).toContain("The receiver answered with 500 instead of 2xx.");
  expect(await accessibilityProblems(page)).toEqual([]);
  await press(page, "Show secret");
  await page.waitForSelector(".receiver .copy-text");
  expect(await textOf(page, ".receiver .copy-text")).toContain(secret ?? "none");

  await press(page, "Pause");
  await said("The receiver is paused");
  await page.waitForSelector('[data-question="replay"]:disabled');
  await press(page, "Resume");
  await said("The receiver is resumed");
  await page.waitForSelector('[data-question="replay"]:not(:disabled)');
  await press(page, "Send again since…");
  await page.waitForSelector("#replay-since");
  await press(page, "Send again");
  await said("No webhook was sent in this time.");

  await press(page, "Delete");
  await page.waitForSelector(".key-question");
  await page.keyboard.press("Escape");
  await page.waitForSelector(".key-question", { hidden: true });
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Delete");
  await press(page, "Delete");
  await press(page, "Delete “<i>Orders</i>”");
  await said("is deleted");
  expect(new URL(page.url()).search).toBe("");
  expect(opened.problems).toEqual([]);
});

slowTest("webhooks: the deliveries of a receiver can be narrowed to the failed ones, and older ones read", async () => {
  const [id] = await storeReceivers(client);
  await using opened = await openScreen(browser, client.accountId, `/webhooks?receiver=${id}`);
  const { page } = opened;
  await page.waitForSelector(".receiver-deliveries > li");
  const rows = () => page.$$eval(".receiver-deliveries > li", (all) => all.length);
  expect(await rows()).toBe(25);
  await press(page, "Older");
  await page.waitForFunction(() => document.querySelectorAll(".receiver-deliveries > li").length === 40);
  await page.click(".filters input");
  await page.waitForFunction(() => document.querySelectorAll(".receiver-deliveries > li").length === 4);
  expect(await page.$$(".receiver-deliveries .badge-success")).toEqual([]);
  expect(await accessibilityProblems(page)).toEqual([]);
});

slowTest("webhooks: a test of any address shows what came back and what was signed", async () => {
  await using opened = await openScreen(browser, client.accountId, "/webhooks");
  const { page } = opened;
  await fill(page, "#webhook-url", `${site}/nothing-here`);
  await press(page, "Send a test event");
  await page.waitForSelector(".test-answer .badge-failed");
  expect(await textOf(page, ".test-answer")).toContain("404");
  await page.click(".test-answer summary");
  expect(await textOf(page, ".test-answer")).toContain("webhook-signature: v1,");
  expect(await accessibilityProblems(page)).toEqual([]);
});

test("webhooks: a receiver that the account doesn't have is said to be none", async () => {
  const other = await openClient();
  const [id] = await storeReceivers(other);
  await using opened = await openScreen(browser, client.accountId, `/webhooks?receiver=${id}`);
  await opened.page.waitForSelector(".notice");
  expect(await textOf(opened.page, ".notice")).toContain("The account has no webhook receiver with this id.");
  expect(new URL(opened.page.url()).origin).toBe(new URL(baseUrl).origin);
});

slowTest("webhooks: an address that was paused because it failed for a day says so, and is resumed", async () => {
  const owner = await openClient();
  await storeReceivers(owner);
  const failed = { account_id: owner.accountId, url: "https://failing.example.com/hook?token=1" };
  await storeAutomaticFailure(accountsTable, { ...failed, url: "https://later.example.com" }, Date.now());
  const receiver = await storeAutomaticFailure(accountsTable, failed, Date.now() - 25 * 60 * 60 * 1000);
  if (!receiver) throw new Error("The receiver is not stored.");
  await pauseAs(accountsTable, receiver, "automatic", Date.now());
  await putStoredEvent(activityTable, receiver, { id: 1, finished_at: new Date().toISOString() }, Date.now());

  await using opened = await openScreen(browser, owner.accountId, "/webhooks");
  const { page } = opened;
  const said = (text: string) => page.waitForFunction((part) => document.body.innerText.includes(part), {}, text);
  await said("Failing addresses");
  const row = await page.waitForSelector(`a[href*="${receiver.id}"]`);
  expect(await page.$$eval("li .receiver-health", (all) => all.map((each) => (each as HTMLElement).innerText))).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/paused\s+since .*\s+because it failed for a day\s+1 webhook is kept/s),
      expect.stringMatching(/failing\s+since/),
    ]),
  );
  expect(await page.content()).not.toContain("token=1");
  expect(await accessibilityProblems(page)).toEqual([]);
  await row?.click();
  await page.waitForSelector(".receiver h2");
  expect(await page.$$eval(".receiver button", (all) => all.map(({ textContent }) => textContent))).not.toContain(
    "Delete",
  );
  expect(await accessibilityProblems(page)).toEqual([]);
  await press(page, "Resume");
  await said("The receiver is resumed");
  expect(opened.problems).toEqual([]);
});
