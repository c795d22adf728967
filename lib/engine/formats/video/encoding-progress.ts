// Follows the encoder page: muxes the chunks it reports, and notices every way in which it can fail.
import type { Protocol } from "puppeteer-core";
import * as v from "valibot";
import type { BrowserSession } from "../../browser/browser.ts";
import { type EncodedChunk, type EncoderReport, REPORT } from "../../injected/video-encoder.ts";
import { assertBytes } from "../result-limits.ts";
import type { EncodedFrame, Muxer } from "./muxing.ts";

export interface EncodedFrames {
  /** Frames that the encoder has accepted. */
  readonly taken: number;
  /** True once everything is encoded and muxed. */
  readonly finished: boolean;
}

export interface EncodingProgress {
  /** Resolves once the condition holds. Rejects when the encoder fails or has failed. */
  until(isReached: (progress: EncodedFrames) => boolean): Promise<void>;
  /** Awaits a command to the page. Rejects when the encoder fails or has failed. */
  during<T>(work: Promise<T>): Promise<T>;
  /** Stops listening; pending waits reject. */
  stop(): void;
}

/** Validates reports, since other code may have taken over the process that sends them. */
const reportSchema: v.GenericSchema<unknown, EncoderReport> = v.object({
  taken: v.number(),
  chunks: v.array(v.object({ data: v.string(), key: v.boolean(), description: v.exactOptional(v.string()) })),
  finished: v.exactOptional(v.literal(true)),
  error: v.exactOptional(v.string()),
});

/** Muxes encoded chunks as they come, until `stop`. */
export function followEncoding(session: BrowserSession, muxer: Muxer): EncodingProgress {
  const { browser } = session;
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => undefined); // it may reject while nothing awaits it
  let progress: EncodedFrames = { taken: 0, finished: false };
  let changed = Promise.withResolvers<void>();
  let muxing = Promise.resolve();
  let bytes = 0;

  async function handleReport({ taken, chunks, finished, error }: EncoderReport): Promise<void> {
    if (error !== undefined) throw new Error(`The video could not be encoded: ${error}.`);
    for (const chunk of chunks) {
      const frame = decodeChunk(chunk);
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
    muxing = muxing.then(() => handleReport(v.parse(reportSchema, JSON.parse(payload))));
    muxing.catch(failure.reject);
  };
  const onDisconnected = () => failure.reject(new Error("The browser that encodes the video is gone."));
  session.cdp.on("Runtime.bindingCalled", onReport);
  browser.on("disconnected", onDisconnected);
  if (!browser.connected) onDisconnected();

  const during = <T>(work: Promise<T>) => Promise.race([failure.promise, work]);
  return {
    during,
    async until(isReached) {
      while (!isReached(progress)) await during(changed.promise);
      await during(Promise.resolve());
    },
    stop() {
      failure.reject(new Error("The encoder was disposed of."));
      session.cdp.off("Runtime.bindingCalled", onReport);
      browser.off("disconnected", onDisconnected);
    },
  };
}

function decodeChunk({ data, key, description }: EncodedChunk): EncodedFrame {
  return {
    data: Buffer.from(data, "base64"),
    key,
    ...(description !== undefined && { description: Buffer.from(description, "base64") }),
  };
}
