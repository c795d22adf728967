import { LambdaClient } from "@aws-sdk/client-lambda";
import { MAX_RENDERING_MS } from "../../rendering/rendering-limits.ts";
import { once } from "./once.ts";
import { requestTimeouts } from "./request-timeouts.ts";

/** Longer than any rendering is waited for: its own deadline ends it. The renderer sends nothing before it has finished. */
export const RENDERER_REQUEST_TIMEOUT_MS = MAX_RENDERING_MS + 5_000;

/**
 * Lambda, for renderings. The SDK repeats none of them: after a time-out or a connection that was lost, the renderer may be at work still,
 * and would load the page twice. `invokeRenderer` repeats what Lambda has refused to start.
 */
export const rendererLambda = once(
  () =>
    new LambdaClient({
      maxAttempts: 1,
      requestHandler: requestTimeouts({ requestTimeout: RENDERER_REQUEST_TIMEOUT_MS }),
    }),
);
