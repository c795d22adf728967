// Elements that the caller names: waited for until they appear, or refused by their option's name.
import { ApiError } from "../../../errors/api-error.ts";
import type { Area } from "../../outputs/screenshot/area.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { hardAllowance, softAllowance } from "../budget.ts";
import type { CaptureState } from "../capture-context.ts";
import { invalidSelector, selectorNotFound } from "../capture-failure.ts";

const APPEARANCE_MS = 10_000;

export interface Search {
  /** The option that names them, for errors. */
  readonly option: string;
  readonly selectors: readonly string[];
  /** How many of the selectors must match something visible. @default all */
  readonly enough?: "any" | "all";
  /** All matches of a selector instead of the first. @default false */
  readonly every?: boolean;
  /** True for a wait that may take as long as there is time; else it ends after 10 s. @default false */
  readonly patient?: boolean;
}

/** Boxes of the elements on the page. Throws `SELECTOR_NOT_FOUND`, or `VALIDATION_ERROR` for what is no selector. */
export async function awaitElements(
  capturing: CaptureState,
  { option, selectors, enough = "all", every = false, patient = false }: Search,
): Promise<Area[]> {
  const { budget, now } = capturing;
  const allowance = patient ? hardAllowance(budget, now()) : softAllowance(budget, now(), APPEARANCE_MS);
  const found = await evaluateInIsolatedWorld(capturing, "findElements", [...selectors], enough, every, allowance);
  if (found.invalid !== null) throw invalidSelector(option, found.invalid);
  const missing = selectors.filter((_, index) => found.areas[index] === null);
  const areas = found.areas.filter((area) => area !== null);
  const isEnough = every || enough === "any" ? areas.length > 0 : missing.length === 0;
  if (!isEnough) throw selectorNotFound(option, missing, allowance, found.hidden);
  return areas;
}

/** Waits for one element; false, with a warning, when it does not come and the capture can go on without it. */
export async function isThere(
  capturing: CaptureState,
  { option, selector, optional }: { option: string; selector: string; optional: boolean },
): Promise<boolean> {
  try {
    await awaitElements(capturing, { option, selectors: [selector] });
    return true;
  } catch (error) {
    if (!optional || !(error instanceof ApiError) || error.code !== "SELECTOR_NOT_FOUND") throw error;
    capturing.warnings.push(`No visible element matched the selector '${selector}' of '${option}'.`);
    return false;
  }
}
