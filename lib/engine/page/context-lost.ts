// Recognizes errors of calls into a page that navigated meanwhile.

/** True for the messages with which Chromium and puppeteer report that the page navigated during a call. */
export function isContextLost(error: unknown): boolean {
  const message = error instanceof Error ? error.message : String(error);
  return /context was destroyed|Cannot find context|detached|Inspected target navigated|uniqueContextId not found|Argument should belong|No frame for given id/i.test(
    message,
  );
}
