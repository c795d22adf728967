// What a step's action looks like.
import type { CaptureState } from "../capture-context.ts";
import type { StepName, StepOf } from "../step.ts";

/** Carries out one step. Throws an ApiError that says why it could not, or `StepTimeout` when its time was up. */
export type Action<N extends StepName> = (capturing: CaptureState, step: StepOf<N>) => Promise<void>;

/** Actions of some steps, by the steps' names. */
export type Actions = { readonly [N in StepName]?: Action<N> };
