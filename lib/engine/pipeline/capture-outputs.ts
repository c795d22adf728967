// Captures several outputs of one page, in as few loads of it as give each output what it would be alone.

import { ApiError } from "../../contract/errors/api-error.ts";
import { type CaptureLimits, defaultLimits } from "../../contract/options/capture-limits.ts";
import type { EngineOptions } from "../../contract/options/engine-options.ts";
import { type BrowserUse, browserUseFor } from "../browser/browser-use.ts";
import { assertBytes } from "../outputs/result-limits.ts";
import { type CaptureContext, capture, captureOneLoad, type SharedLoad } from "./capture.ts";
import type { Capture } from "./capture-output.ts";
import { assertRules } from "./content-rules.ts";
import { planLoads } from "./plan/plan-loads.ts";
import { Attempts } from "./retry-on.ts";

export interface RequestedOutput {
  readonly name: string;
  readonly options: EngineOptions;
}

/** The capture of an output, or the error with which a capture of it alone fails. */
export type OutputOutcome = { readonly name: string } & ({ readonly capture: Capture } | { readonly error: ApiError });

export interface CapturedOutputs {
  /** How often the page was loaded, apart from attempts that a browser has failed. */
  readonly loads: number;
  /** In the order of the request. */
  readonly outputs: readonly OutputOutcome[];
}

/** What the first browser for these outputs is launched for. */
export function browserUseForOutputs(outputs: readonly Pick<RequestedOutput, "options">[]): BrowserUse {
  const [load] = planLoads(outputs);
  if (!load) throw new Error("There are no outputs.");
  return browserUseFor(load[0].options);
}

/**
 * Captures outputs of one page. Their timeouts count from the start of the request, for all loads together. An output that
 * fails has its error in its place; throws only what is no `ApiError`.
 */
export async function captureOutputs(
  requested: readonly RequestedOutput[],
  context: CaptureContext,
): Promise<CapturedOutputs> {
  const outcomes = new Map<RequestedOutput, OutputOutcome>();
  const waiting: (readonly RequestedOutput[])[] = [...planLoads(requested)];
  const attempts = new Attempts();
  let loads = 0;
  for (let group = waiting.shift(); group; group = waiting.shift()) {
    const [first, ...others] = group;
    if (!first) continue;
    const use = browserUseFor(first.options);
    const browser = loads === 0 ? context.browser : { ...context.browser, first: context.browser.launch(use) };
    loads++;
    const captured = await captureLoad([first, ...others], { ...context, browser, attempts });
    for (const [index, outcome] of captured.entries()) {
      const output = group[index];
      if (output) outcomes.set(output, { name: output.name, ...outcome });
    }
    waiting.unshift(group.slice(captured.length));
  }
  const outputs = requested.flatMap((output) => outcomes.get(output) ?? []);
  return { loads, outputs: limitTogether(outputs, await resultLimits(context)) };
}

/** The limits of the first browser, or those of any if it did not start. */
async function resultLimits({ browser }: CaptureContext): Promise<CaptureLimits> {
  const first = await browser.first.catch(() => undefined);
  return first?.limits ?? defaultLimits;
}

/** Results of one request are in memory together, so an output that exceeds the limit of a result together with those before it has an error. */
function limitTogether(outputs: readonly OutputOutcome[], limits: CaptureLimits): OutputOutcome[] {
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
      if (error instanceof ApiError) return { name: output.name, error };
      throw error;
    }
  });
}

type Outcome = { readonly capture: Capture } | { readonly error: ApiError };

/** The outcomes of the first outputs of a load, at least of one. The others need another load. */
async function captureLoad(
  outputs: readonly [RequestedOutput, ...RequestedOutput[]],
  context: CaptureContext,
): Promise<Outcome[]> {
  const [first, ...others] = outputs;
  try {
    if (others.length === 0) return [{ capture: await capture(first.options, context) }];
    const shared: SharedLoad = [first.options, ...others.map(({ options }) => options)];
    const captures = await captureOneLoad(shared, context);
    return captures.map((each, index) =>
      each instanceof ApiError ? { error: each } : judge(each, outputs[index]?.options ?? first.options),
    );
  } catch (error) {
    if (error instanceof ApiError) return [{ error }];
    throw error;
  }
}

/** Applies the caller's rules for what a capture may be. */
function judge(captured: Capture, options: EngineOptions): Outcome {
  try {
    assertRules(captured, options);
    return { capture: captured };
  } catch (error) {
    if (error instanceof ApiError) return { error };
    throw error;
  }
}
