// The DevTools pipe between puppeteer and Chromium: fewer writes in one direction, a limit on events in the other.
import type { Readable, Writable } from "node:stream";
import type { Browser } from "puppeteer-core";
import type { CaptureLimits, PageLimit } from "../../contract/options/capture-limits.ts";

/** Chromium's file descriptors for `--remote-debugging-pipe`. */
const PIPE_TO_BROWSER = 3;
const PIPE_FROM_BROWSER = 4;

/** Prepares puppeteer's pipe to the browser. Throws when the browser was started without a pipe. */
export function prepareDevToolsPipe(browser: Browser): void {
  const pipe = browser.process()?.stdio[PIPE_TO_BROWSER];
  if (!pipe || !("write" in pipe)) throw new Error("Chromium started without a pipe.");
  corkWrites(pipe);
  ignoreLateWriteErrors(pipe);
}

/**
 * A write that is under way when Chromium exits fails with EPIPE. By then puppeteer has removed its own listener, because the
 * other pipe was closed first, and an error without a listener would end this process. The exit itself is reported elsewhere.
 */
export function ignoreLateWriteErrors(pipe: Writable): void {
  pipe.on("error", () => undefined);
}

/**
 * Writes of one turn of the event loop go out together at its end. Puppeteer makes two writes for every message, and
 * Chromium would wake for half of one.
 */
export function corkWrites(stream: Writable): void {
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  stream.write = (...args: unknown[]) => {
    if (stream.writableCorked === 0) {
      stream.cork();
      process.nextTick(() => stream.uncork());
    }
    return write(...args);
  };
}

/**
 * Ends the browser when the events of its page exceed `report_megabytes`, and reads nothing that it still sends: a killed
 * process may go on writing until it is scheduled. Call it before the navigation: a page controls the length of the URLs,
 * names, errors and messages in its events, and CDP does not shorten them.
 */
export function limitDevToolsTraffic({
  browser,
  limits,
  exceedLimit,
}: {
  readonly browser: Browser;
  readonly limits: CaptureLimits;
  exceedLimit(limit: PageLimit): void;
}): void {
  const pipe = browser.process()?.stdio[PIPE_FROM_BROWSER] as Readable | undefined;
  if (!pipe) return;
  limitEventBytes(pipe, limits.report_megabytes * 1e6, () => {
    exceedLimit("report_megabytes");
    pipe.destroy();
  });
}

/**
 * Calls `exceeded` once when more than `maxBytes` of a browser's messages may be held in memory: all its events, because
 * puppeteer keeps requests while they are open, and the message being received, which is held several times until it is
 * parsed. Earlier command responses do not count: they have been read and released.
 */
export function limitEventBytes(pipe: Readable, maxBytes: number, exceeded: () => void): void {
  let eventBytes = 0;
  let messageBytes = 0; // of the message being received
  let head = ""; // its first bytes
  const listen = (chunk: Buffer) => {
    for (let at = 0; at < chunk.length; ) {
      const end = chunk.indexOf(END_OF_MESSAGE, at);
      const stop = end === -1 ? chunk.length : end;
      if (head.length < HEAD_BYTES) head += chunk.toString("latin1", at, Math.min(stop, at + HEAD_BYTES - head.length));
      messageBytes += stop - at;
      if (eventBytes + messageBytes > maxBytes) {
        pipe.off("data", listen);
        return exceeded();
      }
      if (end !== -1) {
        if (isCountedEvent(head)) eventBytes += messageBytes;
        [messageBytes, head] = [0, ""];
      }
      at = stop + 1;
    }
  };
  pipe.on("data", listen);
}

const END_OF_MESSAGE = 0;
const HEAD_BYTES = 40;

/** An event rather than a response; screencast frames do not count, because they come no faster than they are read. */
function isCountedEvent(head: string): boolean {
  return head.startsWith('{"method":') && !head.startsWith('{"method":"Page.screencastFrame"');
}
