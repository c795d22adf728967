// When the page is ready, how long that may take, and what makes a capture fail.
import * as v from "valibot";
import { choice, coerced, decimal, flag, integer, list, shown, text } from "../coercion.ts";
import { option } from "../option.ts";
import { selector } from "./area.ts";

/** Seconds a capture may take, unless told otherwise. */
const TIMEOUT_S = 60;
/** The same of a video. It is also the most that can be asked for. */
export const VIDEO_TIMEOUT_S = 90;

export const loadConditions = [
  "auto",
  "load",
  "domcontentloaded",
  "networkidle",
  "networkidle0",
  "networkidle2",
] as const;

export const conditions = () => list(choice(loadConditions), loadConditions.length);

/** A range of status codes, both ends included. */
export interface StatusRange {
  readonly from: number;
  readonly to: number;
}

/** Status codes on which a capture fails by default. */
export const ERROR_STATUSES: readonly StatusRange[] = [{ from: 400, to: 599 }];

const statusRanges = () =>
  coerced<readonly StatusRange[]>({ type: "string", examples: ["400,404,500-511"] }, (sent) => {
    const refusal = `must be status codes and ranges such as 400,404,500-511, not ${shown(sent)}`;
    if ((typeof sent !== "string" && typeof sent !== "number") || String(sent).length > 500) return { refusal };
    const ranges = String(sent)
      .split(",")
      .map((part) => /^\s*([1-5]\d\d)\s*(?:-\s*([1-5]\d\d)\s*)?$/.exec(part));
    const value = ranges.map((range) => ({ from: Number(range?.[1]), to: Number(range?.[2] ?? range?.[1]) }));
    return value.every(({ from, to }) => from <= to) ? { value } : { refusal };
  });

const phrases = () => list(text(1_000), 20);

export const waitingOptions = {
  wait_until: v.optional(
    option(conditions(), {
      description:
        "When the page counts as loaded. `auto`: load event, fonts, images in view, something painted and a short " +
        "quiet, all capped. `load` and `domcontentloaded`: that event. `networkidle`: at most two requests open for " +
        "0.5 s, capped; `networkidle0` and `networkidle2` insist on none and on two. Several conditions must all hold.",
    }),
    ["auto"],
  ),
  wait_for_selector: v.optional(
    option(list(selector(), 20), {
      description: "CSS selectors of elements to wait for once the page has loaded and scripts and clicks are done.",
    }),
  ),
  wait_for_selector_algorithm: v.optional(
    option(choice(["at_least_one", "at_least_by_count"]), {
      description:
        "`at_least_one`: an element that matches any of the selectors will do. `at_least_by_count`: each of the " +
        "selectors needs one.",
      needsOthers: true,
    }),
    "at_least_one",
  ),
  wait_for_selector_hidden: v.optional(
    option(selector(), { description: "CSS selector of an element, such as a spinner, to wait for to go away." }),
  ),
  wait_for_expression: v.optional(
    option(text(10_000), {
      description: "JavaScript expression to wait for to become true, such as `window.status === 'ready'`.",
    }),
  ),
  delay: v.optional(
    option(decimal(0, 30, " seconds"), {
      description: "Seconds to wait after the page has loaded and before it is captured.",
    }),
    0,
  ),
  timeout: v.optional(
    option(integer(1, VIDEO_TIMEOUT_S, " seconds"), {
      description: "Seconds the whole capture may take. After them it fails with 504, or see `on_timeout`.",
      otherwise: `${TIMEOUT_S}; ${VIDEO_TIMEOUT_S} for a video`,
    }),
    TIMEOUT_S,
  ),
  navigation_timeout: v.optional(
    option(integer(1, 30, " seconds"), { description: "Seconds the page's server may take to begin its answer." }),
    30,
  ),
  on_timeout: v.optional(
    option(choice(["fail", "capture"]), {
      description:
        "`capture` gives up waiting in time and returns what is painted, with a warning, instead of failing with 504.",
      only: ["image"],
    }),
    "fail",
  ),
  ignore_host_errors: v.optional(
    option(flag(), { description: "Capture the page even when its server answers with an error status (4xx or 5xx)." }),
    false,
  ),
  fail_on_status: v.optional(
    option(statusRanges(), {
      description: "Status codes of the page on which the capture fails, such as `400,404,500-511`.",
      otherwise: `${ERROR_STATUSES.map(({ from, to }) => `${from}-${to}`).join()}; none with \`ignore_host_errors\``,
    }),
  ),
  fail_if_content_contains: v.optional(
    option(phrases(), { description: "Fail when the page shows any of these texts; case does not matter." }),
  ),
  fail_if_content_missing: v.optional(
    option(phrases(), { description: "Fail unless the page shows all of these texts; case does not matter." }),
  ),
  fail_if_request_failed: v.optional(
    option(phrases(), {
      description:
        "Fail when a request to one of these addresses failed or was answered with an error status; `*` stands for " +
        "any characters.",
    }),
  ),
};
