// Records errors that the page's scripts do not catch, where the page does not notice.
import { randomUUID } from "node:crypto";
import type { CDPSession } from "puppeteer-core";
import type { CapturedPage } from "./captured-page.ts";
import { injectedCall } from "./injected-scripts.ts";

export interface ErrorRecorder {
  /** The secret type of the event that the recorded errors answer. */
  readonly channel: string;
  /** An expression for the page's own world, which starts recording in a document. */
  readonly source: string;
}

export interface RecordedPage extends CapturedPage {
  /** Undefined where no errors are recorded. */
  readonly errorRecorder?: ErrorRecorder;
}

/** Records in each document from now on. */
export async function recordPageErrors(cdp: CDPSession): Promise<ErrorRecorder> {
  const channel = randomUUID();
  const source = await injectedCall("pageErrors", "recordPageErrors", channel);
  // Not awaited: Chromium handles commands in their order, and without this one a problem less is found.
  cdp.send("Page.addScriptToEvaluateOnNewDocument", { source, runImmediately: true }).catch(() => undefined);
  return { channel, source };
}
