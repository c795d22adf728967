// Response streaming without Lambda's runtime.
import type { Writable } from "node:stream";
import { vi } from "vitest";

/** A handler whose answer is streamed, as Lambda's runtime calls it. */
export type StreamingHandler = (event: object, stream: Writable, context: object) => Promise<void>;

/** Provides what Lambda's runtime does, until `vi.unstubAllGlobals`: answers go to the stream as they are, without their head. */
export function provideStreams(): void {
  vi.stubGlobal("awslambda", {
    streamifyResponse: (handler: unknown) => handler,
    HttpResponseStream: { from: (stream: Writable) => stream },
  });
}
