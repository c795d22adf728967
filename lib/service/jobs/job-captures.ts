// The captures of a job that have not ended: its only one, or one for each output that is left of a request with `outputs`.

import type { CaptureGroup } from "../captures/capture-request.ts";
import type { LoggedRequest } from "../usage/loggable-options.ts";
import type { Job } from "./job.ts";
import type { OutputJobRequest } from "./job-request.ts";

/** A capture of a job, as its log describes it. */
export interface JobCapture extends LoggedRequest, Pick<OutputJobRequest, "allowance"> {
  readonly requestId: number;
  /** The output; undefined for the capture of a job without `outputs`. */
  readonly output?: JobOutput;
}

/** An output of a job. */
export interface JobOutput {
  /** Its index among the outputs of the request. */
  readonly index: number;
  readonly group: CaptureGroup;
}

/** The captures of a job that have not ended, in the order of its request. */
export function pendingCaptures({ id, request: { outputs, ...request }, ...job }: Job): readonly JobCapture[] {
  if (!outputs) return [{ ...request, requestId: id }];
  return outputs.flatMap(({ name, allowance, format, options }, index) => {
    if (job.outputs[index]) return [];
    const output = { index, group: { id, output: name, size: outputs.length } };
    return [
      { ...request, allowance, format, options: { ...request.options, ...options }, requestId: id + index, output },
    ];
  });
}
