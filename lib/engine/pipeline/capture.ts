// Captures the outputs of a page, in as few loads of it as give each output what it would be alone.

import { ApiError } from "../../contract/errors/api-error.ts";
import { defaultLimits } from "../../contract/options/capture-limits.ts";
import type { EngineOptions } from "../../contract/options/engine-options.ts";
import { type BrowserUse, browserUseFor } from "../browser/browser-use.ts";
import { assertBytes } from "../formats/result-limits.ts";
import type { CaptureContext } from "./capture-context.ts";
import { type CaptureOutcome, captureLoad } from "./capture-load.ts";
import type { Capture } from "./capture-output.ts";
import { planLoads } from "./plan/plan-loads.ts";
import { LoadAttempts } from "./retry-on.ts";

/** An output of a request: the options of a capture that has this result alone. */
export interface RequestedOutput {
  readonly options: EngineOptions;
}

export interface Captured {
  /** How often the page was loaded, apart from attempts that a browser has failed. */
  readonly loads: number;
  /** In the order of the request. */
  readonly outputs: readonly CaptureOutcome[];
}

/** What the first browser for these outputs is launched for. */
export function browserUse(requested: readonly RequestedOutput[]): BrowserUse {
  const [load] = planLoads(requested);
  if (!load) throw new Error("There are no outputs.");
  return browserUseFor(load[0].options);
}

/**
 * Captures the outputs of a request, which are of one page. An output that fails has its error in its place. All browsers are killed when
 * this settles, but may take a while to exit; the code that launched the first one waits for that. Throws only what is no `ApiError`.
 */
export async function capture(requested: readonly RequestedOutput[], context: CaptureContext): Promise<Captured> {
  const outcomes = new Map<number, CaptureOutcome>();
  const waiting = planLoads(requested.map((output, index) => ({ ...output, index })));
  const loadAttempts = new LoadAttempts();
  let loads = 0;
  for (let load = waiting.shift(); load; load = waiting.shift()) {
    const [first, ...others] = load;
    const { browser } = context;
    const ready = loads === 0 ? browser : { ...browser, first: browser.launch(browserUseFor(first.options)) };
    loads++;
    const options = [first.options, ...others.map((output) => output.options)] as const;
    const captured = await captureLoad(options, { ...context, browser: ready, loadAttempts });
    for (const [place, outcome] of captured.entries()) outcomes.set(load[place]?.index ?? 0, outcome);
    const [next, ...rest] = load.slice(captured.length);
    if (next) waiting.unshift([next, ...rest]);
  }
  const outputs = requested.flatMap((_, index) => outcomes.get(index) ?? []);
  return { loads, outputs: outputs.length > 1 ? await limitTogether(outputs, context) : outputs };
}

/** Captures one result. Throws the `ApiError` with which it fails. */
export async function captureOne(options: EngineOptions, context: CaptureContext): Promise<Capture> {
  const [outcome] = (await capture([{ options }], context)).outputs;
  if (!outcome) throw new Error("The output has no outcome.");
  if ("error" in outcome) throw outcome.error;
  return outcome.capture;
}

/** Results of one request are in memory together, so an output that exceeds the limit of a result together with those before it has an error. */
async function limitTogether(
  outputs: readonly CaptureOutcome[],
  { browser }: CaptureContext,
): Promise<CaptureOutcome[]> {
  const first = await browser.first.catch(() => undefined);
  const limits = first?.limits ?? defaultLimits; // of any browser, if the first did not start
  let bytes = 0;
  return outputs.map((output) => {
    if ("error" in output) return output;
    const { body, slices } = output.capture;
    const together = slices.reduce((sum, slice) => sum + slice.body.length, bytes + body.length);
    try {
      assertBytes(together, "outputs", limits);
      bytes = together;
      return output;
    } catch (error) {
      if (error instanceof ApiError) return { error };
      throw error;
    }
  });
}
