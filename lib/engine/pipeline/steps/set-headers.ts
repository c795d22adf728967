// Adds the caller's request headers to requests to the origin of the page.
import { sendTargetHeaders, type TargetHeaders } from "../../emulation/request-headers.ts";
import { type PrepareStep, prepareStep, type StepFactory } from "../step.ts";

interface SetHeaders {
  readonly headers: TargetHeaders;
}

export const setHeaders: StepFactory<PrepareStep, SetHeaders> = prepareStep({
  name: "set-headers",
  phase: "browser",
  run: async ({ session }, { headers }) => {
    await sendTargetHeaders(session.cdp, headers);
  },
});
