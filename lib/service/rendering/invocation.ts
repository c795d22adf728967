// What a function responds to an invocation with a stream.
import type { InvokeWithResponseStreamResponseEvent } from "@aws-sdk/client-lambda";

/** The bytes of a response. Throws when the function fails. */
export async function* payloads(
  events: AsyncIterable<InvokeWithResponseStreamResponseEvent>,
): AsyncGenerator<Uint8Array> {
  for await (const { PayloadChunk: chunk, InvokeComplete: complete } of events) {
    if (complete?.ErrorCode !== undefined) throw new Error(`The renderer failed: ${complete.ErrorCode}`);
    if (chunk?.Payload) yield chunk.Payload;
  }
}
