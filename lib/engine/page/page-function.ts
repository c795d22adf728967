// Declares the functions that run in a page's isolated world, each as one value: its script, its name in it, what it waits for
// and what it returns.
import * as v from "valibot";
import type { InjectedFunction, InjectedFunctionName } from "./injected-scripts.ts";

/** The scripts of the isolated world. Each is installed with the first call of one of its functions. */
export type IsolatedScript =
  | "accessibility"
  | "core"
  | "diagrams"
  | "documents"
  | "fullPage"
  | "layout"
  | "movement"
  | "observation"
  | "overlays"
  | "printing"
  | "visit";

/** A function in `lib/engine/injected`. */
export type Injected = (...args: never) => unknown;

/**
 * What a function waits for: frames, which are issued as fast as possible meanwhile; time, which passes meanwhile where it is
 * virtual; or resources, which take real time.
 */
export type Awaited = "frames" | "time" | "resources";

/** A page function, as `evaluateInIsolatedWorld` calls it. `F` is the type of the function in `lib/engine/injected`. */
export interface PageFunction<F extends Injected> {
  readonly script: IsolatedScript;
  readonly name: string;
  readonly waitsFor: Awaited | undefined;
  /** The schema of the result; undefined for a function without one, or whose result stays in the page. */
  readonly result: v.GenericSchema | undefined;
  /** Only a type: no value has it. */
  readonly signature?: F;
}

/** Any page function. */
export type AnyPageFunction = PageFunction<Injected>;

/** What a page function returns. */
export type PageResult<F extends Injected> = ReturnType<F> extends PromiseLike<infer R> ? R : ReturnType<F>;

/**
 * Declares a page function. A page may have taken over the process that sends the results, so that each function with a result
 * has a schema for it; elements stay in the page.
 */
export function pageFunction<S extends IsolatedScript, N extends InjectedFunctionName<S>>(
  script: S,
  name: N,
  ...[definition]: Definition<PageResult<InjectedFunction<S, N>>>
): PageFunction<InjectedFunction<S, N>> {
  const { waitsFor, result }: { readonly waitsFor?: Awaited; readonly result?: unknown } = definition ?? {};
  const schema = result === "elements" ? undefined : (result as v.GenericSchema | undefined);
  return { script, name, waitsFor, result: schema };
}

type Definition<Result> = [undefined] extends [Result]
  ? [definition?: { readonly waitsFor: Awaited }]
  : [
      definition: {
        readonly waitsFor?: Awaited;
        readonly result: [Result] extends [readonly ({ readonly nodeType: number } | null)[]]
          ? "elements"
          : v.GenericSchema<unknown, Result>;
      },
    ];

/** Throws for a result that the function does not return. Functions without a result have none: a value that was sent is ignored. */
export function parseResult<F extends Injected>({ name, result }: PageFunction<F>, value: unknown): PageResult<F> {
  if (!result) return undefined as PageResult<F>;
  const parsed = v.safeParse(result, value, { abortEarly: true });
  if (!parsed.success) throw new Error(`The page's process sent an invalid result of '${name}'.`);
  return parsed.output as PageResult<F>;
}
