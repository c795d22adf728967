// A step of a capture is a value: a plan makes it with its parameters, and the pipeline runs it.
import type {
  CapturingPage,
  LaunchedPage,
  NavigatedPage,
  NavigationResult,
  Output,
  Preparation,
  PreparedPage,
  Readiness,
} from "./capture-state.ts";
import type { Phase } from "./phase-clock.ts";

/** A step that works on `Page` and returns what it changes in it. */
export interface Step<Page, Change> {
  readonly name: string;
  /** The phase of Server-Timing, errors and logs to which the step counts. */
  readonly phase: Phase;
  readonly params: object;
  /** The parameters that decide what becomes of the page; the others say what is recorded of it. */
  readonly effect: object;
  /** What the step waits for: completes "waiting for …" in timeout errors. Undefined for what its phase waits for. */
  readonly awaited: string | undefined;
  /** What the caller can change when the step takes too long: a sentence in the imperative. */
  readonly advice: string | undefined;
  /** Throws an ApiError that says why the step failed, or `TimeoutError` when its time ran out. */
  run(page: Page): Promise<Change | undefined> | Promise<void>;
}

/** Prepares the browser before the page is requested. */
export type PrepareStep = Step<LaunchedPage, Preparation>;

/** Brings the document into the browser. */
export type NavigateStep = Step<PreparedPage, NavigationResult>;

/** Waits for the page or interacts with it, until it is ready to be captured. */
export type ReadyStep = Step<NavigatedPage, Readiness> & ReadyTraits;

interface ReadyTraits {
  /** True for the caller's own clicks and scripts, which may navigate the page where a click on a banner must not. */
  readonly mayNavigate?: true;
  /** True for a step that is not repeated after the page navigated, because it may have caused that. */
  readonly runsOnce?: true;
  /** True for a step that has to be repeated in every document of the page. */
  readonly appliesToEveryDocument?: true;
  /** True for a step that takes pictures of the page, and is repeated when they have to be taken again. */
  readonly takesPictures?: true;
}

/** Confirms that the document is the page that was requested. */
export type ConfirmStep = Step<NavigatedPage, Pick<Readiness, "challengeCheckedIn">>;

/** Reads or captures the page. */
export type CaptureStep = Step<CapturingPage, Partial<Output>> & CaptureTraits;

interface CaptureTraits {
  /** True for a step whose result counts only if the page has not navigated since it was confirmed. */
  readonly needsSameDocument?: true;
}

/** Decides whether the screenshot has to be taken again. */
export type VerifyStep = Step<CapturingPage, { readonly mustRetake: boolean }>;

/** Works on the result, without the page. */
export type EncodeStep = Step<CapturingPage, Partial<Output>>;

/** A step of any phase. */
export type AnyStep = Step<never, unknown>;

/** Makes a step for parameters of the type `Params`. */
export type StepFactory<S, Params extends object = NoParams> = (
  ...params: NoParams extends Params ? [params?: Params] : [params: Params]
) => S;

/** No parameters. */
type NoParams = Record<never, never>;

/** What a step with parameters does. */
interface Definition<S, Params extends object> {
  readonly name: string;
  /** @default - that of its kind */
  readonly phase?: Phase;
  /** Completes "waiting for …" in timeout errors. @default - that of its phase */
  readonly awaits?: (params: Params) => string;
  /** What the caller can change when the step takes too long: a sentence in the imperative. */
  readonly advises?: (params: Params) => string | undefined;
  /** @default - all parameters */
  readonly effect?: (params: Params) => object;
  readonly run: S extends Step<infer Page, infer Change>
    ? (page: Page, params: Params) => Promise<Change | undefined> | Promise<void>
    : never;
}

type Define<S, Traits = unknown> = <Params extends object = NoParams>(
  definition: Definition<S, Params> & Traits,
) => StepFactory<S, Params>;

export const prepareStep: Define<PrepareStep> = (definition) => define("browser", definition);
export const navigateStep: Define<NavigateStep> = (definition) => define("navigate", definition);
export const readyStep: Define<ReadyStep, ReadyTraits> = (definition) => define("settle", definition);
export const confirmStep: Define<ConfirmStep> = (definition) => define("settle", definition);
export const captureStep: Define<CaptureStep, CaptureTraits> = (definition) => define("capture", definition);
export const verifyStep: Define<VerifyStep> = (definition) => define("capture", definition);
export const encodeStep: Define<EncodeStep> = (definition) => define("encode", definition);

function define<S, Params extends object>(phase: Phase, definition: Definition<S, Params>): StepFactory<S, Params> {
  const { awaits, advises, effect, run, ...rest } = definition;
  const make = (params: Params = {} as Params) => ({
    phase,
    ...rest,
    params,
    effect: effect?.(params) ?? params,
    awaited: awaits?.(params),
    advice: advises?.(params),
    run: (page: never) => run(page, params),
  });
  return make as unknown as StepFactory<S, Params>;
}
