// The options of the methods: those of the API without the ones that follow from the method.
import type { CaptureOptions as ApiOptions, CaptureOutput } from "./generated/types.ts";

/** Options whose value follows from the method. */
interface SetByMethod {
  readonly async?: never;
  readonly response_type?: never;
}

/** The options of a capture. For several results of a page, see `OutputsOptions`. */
export type CaptureOptions = ApiOptions & SetByMethod & { readonly outputs?: never };

/** The options of several results of a page: those of each one in `outputs`, and all others once. */
export type OutputsOptions = ApiOptions & SetByMethod & { readonly outputs: readonly CaptureOutput[] };
