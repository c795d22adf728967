// What the browser reports of a page to this process: little is asked for, and the sum of it has a bound.
import type { Readable } from "node:stream";
import type { CDPSession, Page } from "puppeteer-core";
import type { BrowserSession } from "../browser/browser.ts";

/**
 * Comes before the page is asked for. A page decides how long the addresses, names, errors and messages are that it
 * makes the browser report, and nothing shortens them on their way: what nobody reads is not asked for, and a page that
 * makes it report more than `report_megabytes` of the rest is ended.
 */
export async function boundReports(session: BoundPage, isConsoleRead: boolean): Promise<void> {
  const { page, limits, exceed } = session;
  const pipe = page.browser().process()?.stdio[FROM_BROWSER] as Readable | undefined;
  if (pipe) watchReports(pipe, limits.report_megabytes * 1e6, () => exceed("report_megabytes"));
  page.on("workercreated", ({ client }) => void askLess(client, isConsoleRead));
  await askLess(clientOf(page), isConsoleRead);
}

export type BoundPage = Pick<BrowserSession, "page" | "limits" | "exceed">;

/** The file descriptor by which puppeteer hears a browser that it speaks to through pipes. */
const FROM_BROWSER = 4;

/**
 * Calls `exceeded` once more than `most` bytes of a browser's messages could be held in memory: everything that it has
 * reported, since puppeteer keeps requests for as long as they are open, and the message that is just coming, which is
 * held several times over until it has been read. Earlier answers to what it was asked have been read and let go.
 */
export function watchReports(pipe: Readable, most: number, exceeded: () => void): void {
  let reported = 0;
  let coming = 0; // bytes of the message that is just coming
  let head = ""; // with which it begins
  const listen = (chunk: Buffer) => {
    for (let at = 0; at < chunk.length; ) {
      const end = chunk.indexOf(END_OF_MESSAGE, at);
      const stop = end === -1 ? chunk.length : end;
      if (head.length < HEAD_BYTES) head += chunk.toString("latin1", at, Math.min(stop, at + HEAD_BYTES - head.length));
      coming += stop - at;
      if (reported + coming > most) {
        pipe.off("data", listen);
        return exceeded();
      }
      if (end !== -1) {
        if (isReport(head)) reported += coming;
        [coming, head] = [0, ""];
      }
      at = stop + 1;
    }
  };
  pipe.on("data", listen);
}

const END_OF_MESSAGE = 0;
const HEAD_BYTES = 40;

/** Of what happens, and no answer; but for pictures, which come no faster than they are taken. */
function isReport(head: string): boolean {
  return head.startsWith('{"method":') && !head.startsWith('{"method":"Page.screencastFrame"');
}

/**
 * puppeteer asks for everything. A page even notices that somebody listens to its console: what it writes there is then
 * read in depth, which takes time and calls functions of the page.
 */
async function askLess(cdp: CDPSession, isConsoleRead: boolean): Promise<void> {
  const commands = [
    // Of what a page posts no more is told than this, and 0 would be all of it; of what it is answered, nothing is kept.
    cdp.send("Network.enable", { maxPostDataSize: 1, maxTotalBufferSize: 0, maxResourceBufferSize: 0 }),
    cdp.send("Audits.disable"),
    cdp.send("Performance.disable"),
    ...(isConsoleRead ? [] : [cdp.send("Log.disable"), cdp.send("Runtime.disable")]),
  ];
  await Promise.allSettled(commands); // a worker may be gone again, and has not all of these
}

/** The session that puppeteer itself uses for a page; it keeps it out of its types. */
function clientOf(page: Page): CDPSession {
  return (page as unknown as { _client(): CDPSession })._client();
}
