// Waits for elements that the caller's options select; an element that does not appear is an error or a warning.
import * as v from "valibot";
import { ApiError } from "../../contract/errors/api-error.ts";
import { invalidSelector, selectorNotFound } from "../errors/option-errors.ts";
import type { Area } from "../geometry/area.ts";
import type * as elements from "../injected/elements.ts";
import type { FoundElements } from "../injected/elements.ts";
import { retryAtRealPace } from "../rendering/page-time.ts";
import { hardAllowance, softAllowance } from "../timing/budget.ts";
import type { CapturedPage } from "./captured-page.ts";
import { evaluateInIsolatedWorld } from "./isolated-world.ts";
import { type PageFunction, pageFunction } from "./page-function.ts";
import { areaSchema } from "./result-schemas.ts";

/** Longest wait for an element, unless the caller waits for it explicitly. */
const MAX_APPEARANCE_MS = 10_000;

export interface ElementSearch {
  /** The option with the selectors, for errors. */
  readonly option: string;
  readonly selectors: readonly string[];
  /** How many of the selectors must match something visible. @default all */
  readonly enough?: "any" | "all";
  /** All matches of a selector instead of the first. @default false */
  readonly every?: boolean;
  /** True for a wait until the end of the budget instead of 10 s at most. @default false */
  readonly patient?: boolean;
}

/** One element that an option selects; the capture goes on without an `optional` one. */
export interface ElementTarget {
  readonly selector: string;
  readonly optional: boolean;
}

/** Returns the boxes of the visible elements. Throws `SELECTOR_NOT_FOUND`, or `VALIDATION_ERROR` for an invalid selector. */
export async function waitForElements(
  page: CapturedPage,
  { option, selectors, enough = "all", every = false, patient = false }: ElementSearch,
): Promise<Area[]> {
  const { budget, now } = page;
  const allowance = () => (patient ? hardAllowance(budget, now()) : softAllowance(budget, now(), MAX_APPEARANCE_MS));
  const timeoutMs = allowance();
  const find = () => evaluateInIsolatedWorld(page, findElementsInPage, [...selectors], enough, every, allowance());
  const hasEnough = ({ areas }: FoundElements) =>
    every || enough === "any" ? areas.some((area) => area !== null) : !areas.includes(null);
  const found = await retryAtRealPace(page, find, (found) => found.invalid !== null || hasEnough(found));
  if (found.invalid !== null) throw invalidSelector(option, found.invalid);
  const missing = selectors.filter((_, index) => found.areas[index] === null);
  const areas = found.areas.filter((area) => area !== null);
  if (!hasEnough(found)) {
    // The allowance only shrinks: if it is whole now, no attempt at the wait was shorter.
    const isFullWait = !patient && allowance() === MAX_APPEARANCE_MS;
    throw selectorNotFound(option, missing, { waitedMs: timeoutMs, hidden: found.hidden, isFullWait });
  }
  return areas;
}

/** Waits for one element. Returns false, with a warning, when an optional one does not appear. */
export async function waitForElement(
  page: CapturedPage,
  option: string,
  { selector, optional }: ElementTarget,
): Promise<boolean> {
  try {
    await waitForElements(page, { option, selectors: [selector] });
    return true;
  } catch (error) {
    if (!optional || !isSelectorNotFound(error)) throw error;
    page.warnings.push(`No visible element matched the selector '${selector}' of '${option}'.`);
    return false;
  }
}

export function isSelectorNotFound(error: unknown): boolean {
  return error instanceof ApiError && error.code === "SELECTOR_NOT_FOUND";
}

/** Warns when the selected elements have boxes but an opacity of 0. */
export async function warnOfTransparentElements(
  page: CapturedPage,
  selector: string,
  { every }: { readonly every: boolean },
): Promise<void> {
  if (!(await evaluateInIsolatedWorld(page, areTransparentInPage, selector, every))) return;
  page.warnings.push(
    `The element that matches the selector '${selector}' is invisible: its opacity or that of an ancestor is 0. ` +
      "Set its opacity with 'styles'.",
  );
}

export const areTransparentInPage: PageFunction<typeof elements.areTransparent> = pageFunction(
  "layout",
  "areTransparent",
  {
    result: v.boolean(),
  },
);

export const findElementsInPage: PageFunction<typeof elements.findElements> = pageFunction("layout", "findElements", {
  waitsFor: "time",
  result: v.object({
    areas: v.array(v.nullable(areaSchema)),
    invalid: v.nullable(v.string()),
    hidden: v.boolean(),
  }),
});
