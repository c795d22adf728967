// Options for load conditions, timeouts, and conditions that fail the capture.
import * as v from "valibot";
import type { ErrorCode } from "../../errors/error-kinds.ts";
import { type ProblemCode, problemCodes } from "../../problems/problem-kinds.ts";
import { choice, coerced, decimal, flag, integer, list, shown, text } from "../coercion.ts";
import { inputForm, option, optionFacts } from "../option.ts";
import { selector } from "./area.ts";

/** Seconds a capture may take by default. */
const TIMEOUT_S = 60;
/** The same of a video. It is also the most that can be requested. */
export const VIDEO_TIMEOUT_S = 90;

/** Most seconds that the server of a page may take to respond. */
export const MAX_NAVIGATION_TIMEOUT_S = 30;

export const loadConditions = [
  "auto",
  "load",
  "domcontentloaded",
  "networkidle",
  "networkidle0",
  "networkidle2",
] as const;

export const conditions = () => list(choice(loadConditions), loadConditions.length);

/** A range of HTTP status codes, including both ends. */
export interface StatusRange {
  readonly from: number;
  readonly to: number;
}

/** Status codes on which a capture fails by default. */
export const ERROR_STATUSES: readonly StatusRange[] = [{ from: 400, to: 599 }];

const statusRanges = () =>
  coerced<readonly StatusRange[]>({ type: "string", examples: ["400,404,500-511"] }, (sent) => {
    const problem = `must be status codes and ranges such as 400,404,500-511, not ${shown(sent)}`;
    if ((typeof sent !== "string" && typeof sent !== "number") || String(sent).length > 500) return { problem };
    const ranges = String(sent)
      .split(",")
      .map((part) => /^\s*([1-5]\d\d)\s*(?:-\s*([1-5]\d\d)\s*)?$/.exec(part));
    const value = ranges.map((range) => ({ from: Number(range?.[1]), to: Number(range?.[2] ?? range?.[1]) }));
    return value.every(({ from, to }) => from <= to) ? { value } : { problem };
  });

/** Errors of which another attempt may be free: those of the page, its network, and the caller's conditions. */
const retryCodes = [
  "TARGET_HTTP_ERROR",
  "TARGET_BLOCKED",
  "TARGET_NAME_NOT_RESOLVED",
  "TARGET_UNREACHABLE",
  "TARGET_TLS_ERROR",
  "PROXY_FAILED",
  "SELECTOR_NOT_FOUND",
  "EXPRESSION_FAILED",
  "SCRIPT_FAILED",
  "STYLE_FAILED",
  "CONTENT_RULE_FAILED",
] as const satisfies readonly ErrorCode[];

/** What a capture is attempted again for: statuses of the page, or an error code. */
export type RetryCondition = StatusRange | (typeof retryCodes)[number];

/** Most attempts at a capture with `retry_on`. */
export const MAX_ATTEMPTS = 5;

const MAX_RETRY_CONDITIONS = 20;

const retryCondition = () =>
  coerced<RetryCondition>(
    { type: ["string", "integer"], examples: ["503", "500-504", "TARGET_UNREACHABLE"] },
    (sent) => {
      const text = typeof sent === "string" || typeof sent === "number" ? String(sent).trim() : "";
      const code = retryCodes.find((each) => each === text.toUpperCase());
      if (code) return { value: code };
      const [, from, to = from] = /^([45]\d\d)(?:\s*-\s*([45]\d\d))?$/.exec(text) ?? [];
      if (from !== undefined && Number(from) <= Number(to)) return { value: { from: Number(from), to: Number(to) } };
      const timeout =
        text.toUpperCase() === "CAPTURE_TIMEOUT"
          ? ": the time of all attempts is over then; raise 'timeout' instead"
          : "";
      return {
        problem: `must be statuses from 400 to 599 such as 503 or 500-504, or one of ${retryCodes.join(", ")}, not ${shown(sent)}${timeout}`,
      };
    },
  );

/** A list whose text may also separate its entries by commas, as that of `fail_on_status` does. */
const retryConditions = () => {
  const conditions = list(retryCondition(), MAX_RETRY_CONDITIONS);
  const parts = (sent: unknown) =>
    typeof sent === "string" && !sent.trimStart().startsWith("[") ? sent.split(",") : [sent];
  const split = (sent: unknown) => {
    const entries = [sent].flat().flatMap(parts);
    return entries.length === 1 ? entries[0] : entries;
  };
  return inputForm(v.pipe(v.unknown(), v.transform(split), conditions), optionFacts(conditions).jsonSchema);
};

const problemCode = () =>
  coerced<ProblemCode>({ type: "string", enum: problemCodes }, (sent) => {
    const name = typeof sent === "string" ? sent.toUpperCase() : "";
    const value = problemCodes.find((code) => code === name);
    return value ? { value } : { problem: `must be one of ${problemCodes.join(", ")}, not ${shown(sent)}` };
  });

const phrases = () => list(text(1_000), 20);

export const waitingOptions = {
  wait_until: v.optional(
    option(conditions(), {
      description:
        "When the page counts as loaded. `auto`: the load event, fonts, images in view, a first paint, and a " +
        "short time without network activity, each with a time limit. `load` and `domcontentloaded`: that event. " +
        "`networkidle`: at most two requests in progress for 0.5 s, with a time limit. `networkidle0` and " +
        "`networkidle2`: none and at most two requests in progress for 0.5 s, without a time limit. Several " +
        "conditions must all be met.",
      sample: "networkidle",
    }),
    ["auto"],
  ),
  wait_for_selector: v.optional(
    option(list(selector(), 20), {
      description: "CSS selectors of elements to wait for after the page has loaded and scripts and clicks have run.",
      sample: "#chart svg",
    }),
  ),
  wait_for_selector_algorithm: v.optional(
    option(choice(["at_least_one", "at_least_by_count"]), {
      description:
        "`at_least_one` waits for an element that matches any of the selectors. `at_least_by_count` waits for one " +
        "element for each selector.",
      needs: ["wait_for_selector"],
    }),
    "at_least_one",
  ),
  wait_for_selector_hidden: v.optional(
    option(selector(), {
      description: "CSS selector of an element, such as a spinner, to wait for until it disappears.",
      sample: ".spinner",
    }),
  ),
  wait_for_expression: v.optional(
    option(text(10_000), {
      description: "JavaScript expression to wait for until it is true, such as `window.status === 'ready'`.",
      sample: "window.ready === true",
    }),
  ),
  delay: v.optional(
    option(decimal(0, 30, " seconds"), {
      description:
        "Seconds of the page's time to wait after it has loaded, before the capture. They usually pass faster than real time.",
    }),
    0,
  ),
  timeout: v.optional(
    option(integer(1, VIDEO_TIMEOUT_S, " seconds"), {
      description:
        "Maximum duration of the capture in seconds. After it, the capture fails with 504; see `on_timeout`.",
      otherwise: `${TIMEOUT_S}; ${VIDEO_TIMEOUT_S} for a video`,
    }),
    TIMEOUT_S,
  ),
  navigation_timeout: v.optional(
    option(integer(1, MAX_NAVIGATION_TIMEOUT_S, " seconds"), {
      description: "Maximum seconds to wait for the first byte of the page's response.",
    }),
    MAX_NAVIGATION_TIMEOUT_S,
  ),
  on_timeout: v.optional(
    option(choice(["fail", "capture"]), {
      description:
        "`capture` stops waiting in time and returns the page as it looks then, with a warning, instead of " +
        "failing with 504.",
      only: ["image"],
    }),
    "fail",
  ),
  ignore_host_errors: v.optional(
    option(flag(), { description: "Capture the page even if its server responds with an error status (4xx or 5xx)." }),
    false,
  ),
  fail_on_status: v.optional(
    option(statusRanges(), {
      description: "Status codes of the page for which the capture fails, such as `400,404,500-511`.",
      otherwise: `${ERROR_STATUSES.map(({ from, to }) => `${from}-${to}`).join()}; none with \`ignore_host_errors\``,
    }),
  ),
  retry_on: v.optional(
    option(retryConditions(), {
      description:
        "Capture the page again if the capture fails with one of these statuses of the page or error codes, such as " +
        `\`429,500-504,TARGET_UNREACHABLE\`. There are at most ${MAX_ATTEMPTS} attempts, all within \`timeout\`, with pauses that grow ` +
        "or that the page asks for with `Retry-After`. If another attempt doesn't fit into the time, the capture fails with the last " +
        "error. One capture is billed.",
      sample: "503",
    }),
  ),
  fail_if_content_contains: v.optional(
    option(phrases(), {
      description: "Fail if the page shows any of these texts. Case-insensitive.",
      sample: "Page not found",
    }),
  ),
  fail_if_content_missing: v.optional(
    option(phrases(), {
      description: "Fail if the page doesn't show all of these texts. Case-insensitive.",
      sample: "Add to cart",
    }),
  ),
  fail_if_request_failed: v.optional(
    option(phrases(), {
      description:
        "Fail if a request to one of these URLs fails or gets an error status. `*` stands for any characters.",
      sample: "*/api/*",
    }),
  ),
  fail_if_selector_present: v.optional(
    option(list(selector(), 20), {
      description: "Fail if an element that matches one of these CSS selectors is visible.",
      sample: ".error-banner",
    }),
  ),
  fail_if_problem: v.optional(
    option(list(problemCode(), problemCodes.length), {
      description: "Fail if the capture has one of these problems. The error lists them, with what may help.",
      sample: "ERROR_PAGE",
    }),
  ),
  min_quality: v.optional(
    option(integer(1, 100), {
      description:
        "Fail if the quality of the capture is lower: 100 minus what its problems take from it. The error lists them, with " +
        "what may help.",
      sample: "60",
    }),
  ),
  self_repair: v.optional(
    option(flag(), {
      description:
        "If the capture has problems that options can fix, capture the page once more with them, within the same " +
        "`timeout`. The options that you send stay as they are. You get the better result, and one capture is billed. " +
        "Can't be combined with `deterministic` or `on_timeout=capture`.",
      otherwise: "true with `min_quality`, unless it can't be combined with the other options; else false",
    }),
  ),
};
