// How a step of a capture is defined: its name, its Server-Timing phase, what it waits for, and what it does.

import type {
  CapturingPage,
  LaunchedPage,
  NavigatedPage,
  Navigation,
  Output,
  Preparation,
  PreparedPage,
  Readiness,
} from "./capture-state.ts";
import type { Phase } from "./phase-clock.ts";

/** A step with parameters of the type `Params`, which works on `Page` and returns what it changes in it. */
export interface StepDefinition<Name extends string, Params extends object, Page, Change> {
  readonly name: Name;
  /** The phase of Server-Timing, errors and logs to which the step counts. */
  readonly phase: Phase;
  /** What the step waits for: completes "waiting for …" in timeout errors. @default - that of its phase */
  readonly awaits?: (params: Params) => string;
  /** Throws an ApiError that says why the step failed, or `TimeoutError` when its time ran out. */
  readonly run: (page: Page, params: Params) => Promise<Change | undefined> | Promise<void>;
}

/** No parameters. */
export type NoParams = Record<never, never>;

/** Prepares the browser before the page is requested. */
export type PrepareStep<Name extends string, Params extends object = NoParams> = StepDefinition<
  Name,
  Params,
  LaunchedPage,
  Preparation
>;

/** Brings the document into the browser. */
export type NavigateStep<Name extends string, Params extends object> = StepDefinition<
  Name,
  Params,
  PreparedPage,
  Navigation
>;

/** Waits for the page or interacts with it, until it is ready to be captured. */
export interface ReadyStep<Name extends string, Params extends object = NoParams>
  extends StepDefinition<Name, Params, NavigatedPage, Readiness> {
  /** True for the caller's own clicks and scripts, which may navigate the page where a click on a banner must not. */
  readonly mayNavigate?: true;
  /** True for a step that is not repeated after the page navigated, because it may have caused that. */
  readonly runsOnce?: true;
  /** True for a step that has to be repeated in every document of the page. */
  readonly appliesToEveryDocument?: true;
}

/** Confirms that the document is the page that was asked for. */
export type ConfirmStep<Name extends string, Params extends object> = StepDefinition<
  Name,
  Params,
  NavigatedPage,
  Pick<Readiness, "challengeCheckedIn">
>;

/** Reads or captures the page. */
export interface CaptureStep<Name extends string, Params extends object = NoParams>
  extends StepDefinition<Name, Params, CapturingPage, Partial<Output>> {
  /** True for a step whose result counts only if the page has not navigated since it was confirmed. */
  readonly needsSameDocument?: true;
}

/** Decides whether the screenshot has to be taken again. */
export type VerifyStep<Name extends string, Params extends object> = StepDefinition<
  Name,
  Params,
  CapturingPage,
  { readonly mustRetake: boolean }
>;

/** Works on the result, without the page. */
export type EncodeStep<Name extends string, Params extends object = NoParams> = StepDefinition<
  Name,
  Params,
  CapturingPage,
  Partial<Output>
>;

/** Any step, for the code that runs them: `Page` and `Change` are those of its phase. */
export interface AnyStepDefinition<Page, Change>
  extends StepDefinition<string, object, Page, Change>,
    Pick<ReadyStep<string>, "mayNavigate" | "runsOnce" | "appliesToEveryDocument">,
    Pick<CaptureStep<string>, "needsSameDocument"> {}
