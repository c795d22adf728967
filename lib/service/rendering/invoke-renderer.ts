// Invokes the renderer. What Lambda has refused to start for lack of capacity is repeated, and nothing else.
import { setTimeout } from "node:timers/promises";
import {
  InvokeWithResponseStreamCommand,
  type InvokeWithResponseStreamCommandInput,
  type InvokeWithResponseStreamResponseEvent,
  TooManyRequestsException,
} from "@aws-sdk/client-lambda";
import { rendererLambda } from "../aws/clients/renderer-lambda.ts";
import { emitMetrics } from "../platform/metrics.ts";

const MAX_ATTEMPTS = 8;
/** The longest wait before the second attempt, in milliseconds; it doubles with each further one. */
const BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 4_000;

/**
 * Resolves to the events of the response. Throws `TooManyRequestsException` where Lambda still has no capacity after about eight seconds,
 * or after `maxAttempts`, and the reason of `abortSignal`.
 */
export async function invokeRenderer(
  input: InvokeWithResponseStreamCommandInput,
  { abortSignal, maxAttempts = MAX_ATTEMPTS }: { readonly abortSignal: AbortSignal; readonly maxAttempts?: number },
): Promise<AsyncIterable<InvokeWithResponseStreamResponseEvent>> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { EventStream: events } = await rendererLambda().send(new InvokeWithResponseStreamCommand(input), {
        abortSignal,
      });
      if (!events) throw new Error("The renderer did not respond.");
      return events;
    } catch (error) {
      if (!(error instanceof TooManyRequestsException)) throw error;
      emitMetrics({ RendererThrottles: 1 }, { attempt });
      if (attempt === maxAttempts) throw error;
      const longest = Math.min(MAX_BACKOFF_MS, BACKOFF_MS * 2 ** attempt);
      await setTimeout(Math.random() * longest, undefined, { signal: abortSignal });
    }
  }
}
