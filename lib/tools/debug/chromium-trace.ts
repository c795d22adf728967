// Records a trace of Chromium by its DevTools domain `Tracing`, for chrome://tracing, Perfetto, and DevTools' performance panel.
import { createWriteStream } from "node:fs";
import { pipeline } from "node:stream/promises";
import type { BrowserSession } from "../../engine/browser/browser.ts";

/** What DevTools' performance panel records. */
const CATEGORIES = [
  "blink.user_timing",
  "devtools.timeline",
  "disabled-by-default-devtools.timeline",
  "disabled-by-default-devtools.timeline.frame",
  "latencyInfo",
  "loading",
  "toplevel",
  "v8.execute",
];

/** Writing a trace may take this long, in milliseconds; a browser that hangs does not answer at all. */
const WRITE_TIMEOUT_MS = 30_000;

/** Starts a trace. The result ends it and writes it to a file; it rejects when the browser has crashed or hangs. */
export async function startTrace(session: BrowserSession): Promise<(path: string) => Promise<void>> {
  const cdp = await session.browser.target().createCDPSession();
  const traceConfig = { includedCategories: CATEGORIES, recordMode: "recordUntilFull" as const };
  await cdp.send("Tracing.start", { transferMode: "ReturnAsStream", traceConfig });
  const write = async (path: string) => {
    const complete = new Promise<string>((resolve) =>
      cdp.once("Tracing.tracingComplete", ({ stream = "" }) => resolve(stream)),
    );
    await cdp.send("Tracing.end");
    const handle = await complete;
    await pipeline(async function* () {
      for (;;) {
        const { data, eof, base64Encoded } = await cdp.send("IO.read", { handle });
        yield Buffer.from(data, base64Encoded ? "base64" : "utf8");
        if (eof) return;
      }
    }, createWriteStream(path));
  };
  return async (path) => {
    const timeout = AbortSignal.timeout(WRITE_TIMEOUT_MS);
    const late = new Promise<never>((_, reject) => {
      timeout.addEventListener("abort", () => reject(new Error("The browser did not return its trace in time.")));
    });
    const gone = session.disconnected.then(() => Promise.reject(new Error("The browser exited with its trace.")));
    await Promise.race([write(path), late, gone]);
  };
}
