// Records a page's console messages and uncaught exceptions.
import type { CDPSession, ConsoleMessage, Page } from "puppeteer-core";
import type { BrowserSession } from "../browser/browser.ts";
import { consoleText } from "./console-text.ts";
import { enableNetworkEvents } from "./network-events.ts";
import { cleanUrl, truncate } from "./record-text.ts";

export interface ConsoleEntry {
  /** The console method: `log`, `warn`, `error`, …; `exception` for an uncaught error. */
  readonly type: string;
  readonly text: string;
  /** Where it was written; null when unknown. */
  readonly url: string | null;
  readonly line: number | null;
}

export interface ConsoleRecord {
  /** The first messages, oldest first. */
  readonly entries: readonly ConsoleEntry[];
  /** All messages, including those that are not kept. */
  readonly count: number;
}

const MAX_MESSAGES = 500;
const MAX_TEXT_LENGTH = 2_000; // a stack trace fits

/** Starts recording; the returned object grows with the page's messages. */
export async function recordConsole(session: Pick<BrowserSession, "page" | "cdp">): Promise<ConsoleRecord> {
  const page = await openPageWithConsole(session);
  const record = { entries: [] as ConsoleEntry[], count: 0 };
  const add = (createEntry: () => ConsoleEntry) => {
    record.count++;
    if (record.entries.length < MAX_MESSAGES) record.entries.push(createEntry());
  };
  page.on("console", (message) => {
    add(() => ({
      type: message.type(),
      text: truncate(messageText(message), MAX_TEXT_LENGTH),
      ...messageLocation(message),
    }));
    for (const value of message.args()) void value.dispose().catch(() => undefined); // else they live as long as the page
  });
  page.on("pageerror", (error) => {
    const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    add(() => ({ type: "exception", text: truncate(text, MAX_TEXT_LENGTH), url: null, line: null }));
  });
  return record;
}

/**
 * Puppeteer's page, whose `console` events are read here. Puppeteer enables events of all CDP domains for the page and its
 * workers; those not needed are disabled again. A page can notice that its console is read: Chromium then inspects
 * logged values, which takes time and calls getters of the page.
 */
async function openPageWithConsole(session: Pick<BrowserSession, "page" | "cdp">): Promise<Page> {
  const page = await session.page();
  page.on("workercreated", ({ client }) => void disableUnusedEvents(client));
  await disableUnusedEvents(session.cdp);
  return page;
}

async function disableUnusedEvents(cdp: CDPSession): Promise<void> {
  const commands = [enableNetworkEvents(cdp), cdp.send("Audits.disable"), cdp.send("Performance.disable")];
  await Promise.allSettled(commands); // a worker may have ended, and does not have all domains
}

function messageText(message: ConsoleMessage): string {
  const values = message.args().map((value) => value.remoteObject());
  return values.length > 0 ? consoleText(values) : message.text(); // Chromium's own messages have no values
}

function messageLocation(message: ConsoleMessage): { url: string | null; line: number | null } {
  const { url, lineNumber } = message.location();
  return { url: url ? cleanUrl(url) : null, line: lineNumber === undefined ? null : lineNumber + 1 };
}
