// What the page that encodes has come to: its reports put into the file, and all the ways in which it can fail.
import type { Protocol } from "puppeteer-core";
import * as v from "valibot";
import type { BrowserSession } from "../../browser/browser.ts";
import { type EncodedChunk, REPORT, type Report } from "../../injected/video-encoder.ts";
import { assertBytes } from "../result-limits.ts";
import type { EncodedFrame, Muxer } from "./muxing.ts";

export interface Progress {
  /** Frames the encoder has taken; others may be on their way. */
  readonly taken: number;
  /** Everything is encoded and in the file. */
  readonly finished: boolean;
}

export interface EncodingProgress {
  /** Resolves once it has come so far. Rejects when the encoder fails, now or before. */
  until(reached: (progress: Progress) => boolean): Promise<void>;
  /** The outcome of something that is asked of the page. Rejects when the encoder fails, now or before. */
  during<T>(work: Promise<T>): Promise<T>;
  /** Listens no longer; who still waits is told. */
  stop(): void;
}

const reportSchema: v.GenericSchema<unknown, Report> = v.object({
  taken: v.number(),
  chunks: v.array(v.object({ data: v.string(), key: v.boolean(), description: v.exactOptional(v.string()) })),
  finished: v.exactOptional(v.literal(true)),
  error: v.exactOptional(v.string()),
});

/** Puts what is encoded into the file as it comes, until `stop`. */
export function followEncoding(session: BrowserSession, muxer: Muxer): EncodingProgress {
  const { browser } = session;
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => undefined); // it may come while nobody waits
  let progress: Progress = { taken: 0, finished: false };
  let changed = Promise.withResolvers<void>();
  let muxing = Promise.resolve();
  let bytes = 0;

  async function take({ taken, chunks, finished, error }: Report): Promise<void> {
    if (error !== undefined) throw new Error(`The video could not be encoded: ${error}.`);
    for (const chunk of chunks) {
      const frame = frameOf(chunk);
      bytes += frame.data.length;
      assertBytes(bytes, "video", session.limits);
      await muxer.add(frame);
    }
    progress = { taken, finished: finished ?? false };
    changed.resolve();
    changed = Promise.withResolvers();
  }

  const onReport = ({ name, payload }: Protocol.Runtime.BindingCalledEvent) => {
    if (name !== REPORT) return;
    muxing = muxing.then(() => take(v.parse(reportSchema, JSON.parse(payload))));
    muxing.catch(failure.reject);
  };
  const onDisconnected = () => failure.reject(new Error("The browser that encodes the video has gone."));
  session.cdp.on("Runtime.bindingCalled", onReport);
  browser.on("disconnected", onDisconnected);
  if (!browser.connected) onDisconnected();

  const during = <T>(work: Promise<T>) => Promise.race([failure.promise, work]);
  return {
    during,
    async until(reached) {
      while (!reached(progress)) await during(changed.promise);
      await during(Promise.resolve());
    },
    stop() {
      failure.reject(new Error("The encoder was disposed of."));
      session.cdp.off("Runtime.bindingCalled", onReport);
      browser.off("disconnected", onDisconnected);
    },
  };
}

function frameOf({ data, key, description }: EncodedChunk): EncodedFrame {
  return {
    data: Buffer.from(data, "base64"),
    key,
    ...(description !== undefined && { description: Buffer.from(description, "base64") }),
  };
}
