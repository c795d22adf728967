// Response streaming without Lambda's runtime.
import { PassThrough, type Writable } from "node:stream";
import type { APIGatewayProxyEvent, Context } from "aws-lambda";
import { vi } from "vitest";
import { apiHandler, type Handle, type HandlerOptions } from "../../lib/service/http/api-handler.ts";

/** A handler whose answer is streamed, as Lambda's runtime calls it. */
export type StreamingHandler = (event: object, stream: Writable, context: object) => Promise<void>;

/** The status and the headers of a response, as a handler passes them to the runtime. */
interface Metadata {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[]>>;
}

/** A response with its body as text. */
export interface ReceivedResponse extends Metadata {
  readonly body: string;
  readonly bytes: Buffer;
}

const metadata = new WeakMap<Writable, Metadata>();

/** Provides what Lambda's runtime does, until `vi.unstubAllGlobals`: bodies go to the stream as they are. */
export function provideStreams(): void {
  vi.stubGlobal("awslambda", {
    streamifyResponse: (handler: unknown) => handler,
    HttpResponseStream: {
      from(stream: Writable, facts: Metadata) {
        metadata.set(stream, facts);
        return stream;
      },
    },
  });
}

/** A handler as a function from the event to the whole response. */
export function receiving(
  handler: unknown,
): (event: APIGatewayProxyEvent, context: Context) => Promise<ReceivedResponse> {
  return async (event, context) => {
    const stream = new PassThrough();
    const [chunks] = await Promise.all([stream.toArray(), (handler as StreamingHandler)(event, stream, context)]);
    const bytes = Buffer.concat(chunks);
    return { ...(metadata.get(stream) as Metadata), body: bytes.toString(), bytes };
  };
}

/** An API handler as a function from the event to the whole response. */
export function receivingApiHandler(handle: Handle, options?: HandlerOptions): ReturnType<typeof receiving> {
  provideStreams();
  return receiving(apiHandler(handle, options));
}
