// The fixes of an error of the service, by its code: what a person would do who has read its page in the reference.
import type { ErrorCode } from "../../../contract/errors/error-kinds.ts";
import { type Format, isImageFormat, isVideoFormat } from "../../../contract/options/formats.ts";
import { describeOption, type Fix, removeOptions, setOptions } from "./fix.ts";
import type { RequestOptions } from "./request-options.ts";
import type { ServiceError } from "./send-capture.ts";
import { validationFixes } from "./validation-fixes.ts";

/** More buttons would be a choice to study. */
const MAX_FIXES = 3;
/** The maximum of `timeout`, in seconds. */
const MAX_TIMEOUT_S = 90;
/** Seconds to wait for where the service names none. */
const PAUSE_S = 5;

interface FailedRequest {
  readonly error: ServiceError;
  readonly sent: RequestOptions;
}

type Rule = (request: FailedRequest) => readonly Fix[];

/** The fixes of an error, the best first; `sent` are the options of the request, with those of one result if it is about that. */
export function errorFixes(error: ServiceError, sent: RequestOptions): readonly Fix[] {
  const rule = rules[error.code as ErrorCode] ?? (error.retryable === false ? none : tryAgain);
  return rule({ error, sent }).slice(0, MAX_FIXES);
}

const none: Rule = () => [];
const tryAgain: Rule = ({ error }) => [{ label: "Try again", retryAfterS: error.retryAfterS ?? 0 }];
const wait: Rule = ({ error: { retryAfterS, target } }) => [
  { label: "Try again", retryAfterS: retryAfterS ?? target?.retry_after ?? PAUSE_S },
];
const enterKey: Rule = () => [
  { label: "Enter an API key", focus: "api-key" },
  { label: "Sign in", path: "/app" },
];
const editSource: Rule = () => [{ label: "Edit the address", focus: "source" }];
const captureErrorPage = (label: string) => setOptions(label, { ignore_host_errors: true, fail_on_status: undefined });
const withoutScripts = ({ javascript }: RequestOptions) =>
  javascript === false ? [] : [setOptions("Capture without scripts", { javascript: false })];

/** Removes those of the options that were sent. */
function remove(label: string, sent: RequestOptions, names: readonly string[]): readonly Fix[] {
  const present = names.filter((name) => sent[name] !== undefined);
  return present.length === 0 ? [] : [removeOptions(label, present)];
}

/** For an element that is missing: wait for it, capture the page without it, or leave the option out. */
function selectorFixes({ error, sent }: FailedRequest): readonly Fix[] {
  const [name] = Object.keys(error.details ?? {}).filter((each) => sent[each] !== undefined);
  if (name === undefined) return [];
  if (isOfRectangle(name)) return [removeOptions("Remove the rectangle", Object.keys(sent).filter(isOfRectangle))];
  const value = sent[name];
  const later = ["selector", "selector_all"].includes(name) && typeof value === "string" && !sent["wait_for_selector"];
  const isOptional = ["selector", "click", "hover"].includes(name);
  const isTolerant = name === "selector" ? "error_on_selector_not_found" : `error_on_${name}_selector_not_found`;
  return [
    ...(later ? [setOptions("Wait up to 60 s for it", { wait_for_selector: [value], timeout: undefined })] : []),
    ...(isOptional ? [setOptions("Capture the page without it", { [isTolerant]: false })] : []),
    ...(name === "wait_for_selector" ? longerTimeout(sent) : []),
    removeOptions(`Remove ${name}`, [name]),
  ];
}

function longerTimeout({ timeout }: RequestOptions): readonly Fix[] {
  const isLongest = typeof timeout === "number" && timeout >= MAX_TIMEOUT_S;
  return isLongest ? [] : [setOptions(`Allow ${MAX_TIMEOUT_S} s`, { timeout: MAX_TIMEOUT_S })];
}

function timeoutFixes({ error, sent }: FailedRequest): readonly Fix[] {
  if (error.retryable) return tryAgain({ error, sent });
  const { format = "png", wait_until, on_timeout } = sent;
  const isImage = isImageFormat(format as Format);
  const waitsForLess = JSON.stringify(wait_until) === '["domcontentloaded"]';
  return [
    ...longerTimeout(sent),
    ...(waitsForLess ? [] : [setOptions("Wait for less of the page", { wait_until: ["domcontentloaded"] })]),
    ...(isImage && on_timeout === undefined
      ? [setOptions("Capture what is there in time", { on_timeout: "capture" })]
      : []),
  ];
}

/** Smaller results, by what the format allows. */
function smallerFixes({ sent }: FailedRequest): readonly Fix[] {
  const { format = "png", device_scale_factor: scale, full_page: isFullPage, response_type } = sent;
  if (response_type === "base64") return [removeOptions("Return the file itself", ["response_type"])];
  if (format === "pdf") return [setOptions("Keep the first 20 pages", { pdf_page_ranges: "1-20" })];
  if (isVideoFormat(String(format))) {
    return [
      ...(format === "mp4" ? [] : [setOptions("Record an MP4", { format: "mp4" })]),
      setOptions("Record 3 seconds", { video_duration: 3 }),
    ];
  }
  if (!isImageFormat(format as Format)) return [];
  return [
    ...(["png", "tiff"].includes(String(format)) ? [setOptions("Capture a JPEG", asJpeg)] : []),
    ...(typeof scale === "number" && scale > 1
      ? [setOptions("Capture at single density", { device_scale_factor: undefined })]
      : []),
    ...(isFullPage === true ? [setOptions("Capture the first 10,000 pixels", { full_page_max_height: 10_000 })] : []),
    setOptions("Make it 1,280 pixels wide", { image_width: 1280 }),
  ];
}

/** JPEG holds the highest images, and has no transparency. */
const asJpeg: RequestOptions = { format: "jpeg", omit_background: undefined };

/** What to leave out of a page that is too large, by the limit that it exceeds. */
function smallerPageFixes({ error, sent }: FailedRequest): readonly Fix[] {
  const limit = String(error.details?.["limit"]);
  return [
    ...(limit === "page_megabytes" ? [setOptions("Block videos and sound", { block_resources: ["media"] })] : []),
    ...(limit === "requests" && !sent["block_ads"] ? [setOptions("Block ads", { block_ads: true })] : []),
    ...withoutScripts(sent),
  ];
}

/** The options that the problems of a capture name. */
export function problemFixes(problems: ServiceError["problems"] = []): readonly Fix[] {
  return problems.flatMap(({ fix }) =>
    fix ? [setOptions(`Try ${Object.entries(fix).map(describeOption).join(", ")}`, fix)] : [],
  );
}

const isOfStorage = (name: string) => name === "store" || name.startsWith("storage_");
const isOfRectangle = (name: string) => name.startsWith("clip_");

const rules: Partial<Readonly<Record<ErrorCode, Rule>>> = {
  VALIDATION_ERROR: ({ error, sent }) =>
    Object.entries(error.details ?? {}).flatMap(([name, messages]) =>
      Array.isArray(messages) ? validationFixes(name, messages, sent) : [],
    ),
  UNAUTHORIZED: enterKey,
  FORBIDDEN: enterKey,
  ACCOUNT_SUSPENDED: none,
  QUOTA_EXCEEDED: () => [
    { label: "See the plans", path: "/pricing" },
    { label: "Open billing", path: "/app/billing" },
  ],
  URL_NOT_ALLOWED: editSource,
  TARGET_NAME_NOT_RESOLVED: editSource,
  TARGET_UNREACHABLE: (request) => [...tryAgain(request), ...editSource(request)],
  TARGET_TLS_ERROR: ({ sent: { url } }) =>
    typeof url === "string" && url.startsWith("https:")
      ? [setOptions("Capture it over http", { url: url.replace("https:", "http:") })]
      : [],
  TARGET_HTTP_ERROR: ({ error }) => [
    ...(error.retryable ? wait({ error, sent: {} }) : []),
    captureErrorPage("Capture the error page anyway"),
  ],
  TARGET_BLOCKED: ({ sent }) => [
    ...(sent["stealth"] === true ? [] : [setOptions("Try with stealth", { stealth: true })]),
    captureErrorPage("Capture the challenge page"),
  ],
  SELECTOR_NOT_FOUND: selectorFixes,
  SCRIPT_FAILED: ({ sent }) => remove("Capture without scripts", sent, ["scripts", "scripts_wait_until"]),
  STYLE_FAILED: ({ sent }) => remove("Capture without styles", sent, ["styles"]),
  EXPRESSION_FAILED: ({ sent }) => [
    ...longerTimeout(sent),
    ...remove("Remove wait_for_expression", sent, ["wait_for_expression"]),
  ],
  NOT_DETERMINISTIC: ({ sent }) => remove("Capture without deterministic", sent, ["deterministic", "page_clock"]),
  CONTENT_RULE_FAILED: ({ error, sent }) => [
    ...problemFixes(error.problems),
    ...Object.keys(error.details ?? {}).flatMap((name) => remove(`Remove ${name}`, sent, [name])),
  ],
  PROXY_FAILED: ({ sent }) => remove("Capture without the proxy", sent, ["proxy", "proxy_bypass_hosts"]),
  STORAGE_FAILED: ({ sent }) => [removeOptions("Capture without storing it", Object.keys(sent).filter(isOfStorage))],
  TARGET_TOO_LARGE: smallerPageFixes,
  PAGE_CRASHED: ({ sent }) => withoutScripts(sent),
  RESULT_TOO_LARGE: smallerFixes,
  CAPTURE_TIMEOUT: timeoutFixes,
  RATE_LIMITED: wait,
  CAPACITY: wait,
  CANCELLED: tryAgain,
  CONFLICT: tryAgain,
};
