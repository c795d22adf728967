// Records the console messages and requests of a page, from before its navigation.
import type { BrowserSession } from "../browser/browser.ts";
import { type ConsoleEntry, type ConsoleRecord, recordConsole } from "./console-record.ts";
import { type RequestSummary, recordRequests } from "./request-record.ts";

export interface PageRecord {
  /** The first console messages, oldest first. */
  readonly console: readonly ConsoleEntry[];
  /** All console messages, including those that are not kept. */
  readonly consoleCount: number;
  readonly requests: RequestSummary;
}

/** Starts recording a page. The record grows with what the page does, up to a bound. */
export async function recordPage(
  session: Pick<BrowserSession, "page" | "cdp" | "proxy">,
  wanted: { console: boolean; requests: boolean },
): Promise<PageRecord> {
  const messages: ConsoleRecord = wanted.console ? await recordConsole(session) : { entries: [], count: 0 };
  const requests = wanted.requests ? recordRequests(session) : undefined;
  return {
    console: messages.entries,
    get consoleCount() {
      return messages.count;
    },
    get requests() {
      return requests?.() ?? { count: 0, failed: 0, bytes: 0, by_type: {}, list: [] };
    },
  };
}
