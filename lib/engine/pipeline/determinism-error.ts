// The error of a page that a deterministic capture cannot wait for, of what its clock or its frames failed with.
import type { ApiError } from "../../contract/errors/api-error.ts";
import { notDeterministic } from "../errors/target-errors.ts";
import { BeginFrameUnavailable, FrameLost } from "../rendering/begin-frame.ts";
import { RequestStalled } from "../rendering/virtual-clock.ts";
import { VirtualTimeUnavailable } from "../rendering/virtual-time.ts";

/** Returns undefined for other errors, such as that of a browser that hangs. `pending` are the URLs of the page's open requests. */
export function determinismError(error: unknown, pending: readonly string[]): ApiError | undefined {
  if (error instanceof RequestStalled && pending.length > 0) {
    return notDeterministic("a request stays open for more than 15 s", pending);
  }
  if (error instanceof RequestStalled || error instanceof VirtualTimeUnavailable) {
    return notDeterministic("it computes for more than 15 s, or waits for its clock in a loop");
  }
  if (error instanceof BeginFrameUnavailable && !(error instanceof FrameLost)) return notDeterministic(error.message);
  return undefined;
}
