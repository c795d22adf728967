// What the browser reports of a page to this process: little is asked for, and the sum of it has a bound.
import type { Readable } from "node:stream";
import type { CDPSession, Page } from "puppeteer-core";
import type { BrowserSession } from "../browser/browser.ts";
import { reportNetwork } from "./network-reports.ts";

/**
 * Comes before the page is asked for. A page decides how long the addresses, names, errors and messages are that it
 * makes the browser report, and nothing shortens them on their way: what nobody reads is not asked for, and a page that
 * makes it report more than `report_megabytes` of the rest is ended.
 */
export function limitReports({ browser, limits, exceed }: BrowserSession): void {
  const pipe = browser.process()?.stdio[FROM_BROWSER] as Readable | undefined;
  if (pipe) watchReports(pipe, limits.report_megabytes * 1e6, () => exceed("report_megabytes"));
}

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
 * The page of a session as puppeteer sees it, for whoever reads its console. puppeteer asks for everything, of the page
 * and of its workers; what is of no use here is called off. A page notices that somebody listens to its console: what it
 * writes there is then read in depth, which takes time and calls functions of the page.
 */
export async function pageWithConsole(session: Pick<BrowserSession, "page" | "cdp">): Promise<Page> {
  const page = await session.page();
  page.on("workercreated", ({ client }) => void askLess(client));
  await askLess(session.cdp);
  return page;
}

async function askLess(cdp: CDPSession): Promise<void> {
  const commands = [reportNetwork(cdp), cdp.send("Audits.disable"), cdp.send("Performance.disable")];
  await Promise.allSettled(commands); // a worker may be gone again, and has not all of these
}
