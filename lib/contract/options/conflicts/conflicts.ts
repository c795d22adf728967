// Conflicts between options that are valid alone. Each message names both options.

import {
  describeKinds,
  type Format,
  type FormatKind,
  formatKind,
  isVideoFormat,
  lossyFormats,
  transparentFormats,
} from "../formats.ts";
import { type CaptureOptionName, captureOptionEntries, captureOptionNames } from "../groups/all.ts";
import { ERROR_STATUSES } from "../groups/waiting.ts";
import { type OptionFacts, optionFacts } from "../option.ts";
import type { SentNames } from "../parse-options.ts";
import type { ComparedOptions, Conflict, RequestedNames } from "./conflict.ts";
import { imageConflicts } from "./image-conflicts.ts";
import { videoConflicts } from "./video-conflicts.ts";

type Name = CaptureOptionName;

/** Yields each conflict under the option to change. */
export function* conflicts(options: ComparedOptions, names: SentNames): Generator<Conflict> {
  const { requested, declined } = names;
  yield* inputConflicts(options, requested);
  yield* formatConflicts(options, requested);
  yield* missingDependencies(requested);
  yield* exclusionConflicts(requested);
  yield* outputConflicts(options, requested);
  yield* elementsConflicts(options, requested);
  yield* imageConflicts(options, names);
  yield* sliceConflicts(options);
  yield* requestConflicts(options, requested);
  yield* durationConflicts(options);
  yield* javascriptConflicts(options, requested);
  yield* deterministicConflicts(options, requested);
  yield* repairConflicts(options, requested);
  yield* retryConflicts(options, requested);
  yield* videoConflicts(options, names);
  yield* webhookConflicts(requested, declined);
  yield* cacheConflicts(options, requested, declined);
  yield* storageConflicts(options, requested);
}

function* inputConflicts(options: ComparedOptions, requested: RequestedNames): Generator<Conflict> {
  const sentInputs = inputNames.filter((name) => requested.has(name));
  const [input, second] = sentInputs;
  if (input === undefined) {
    const { source } = options;
    yield source !== undefined
      ? [source, `is missing: 'source' is ${source}`]
      : ["url", "is missing: send exactly one of 'url', 'html', and 'markdown'"];
  } else if (second !== undefined) {
    const names = sentInputs.map((name) => `'${name}'`).join(" and ");
    yield [second, `conflicts with another input: you sent ${names}, send exactly one`];
  } else if (options.source !== undefined && options.source !== input) {
    yield ["source", `is '${options.source}', but you sent the input as '${input}'`];
  }
  if (requested.has("base_url") && requested.has("url")) {
    yield ["base_url", "applies only to 'html' and 'markdown': the page at 'url' has its own URL"];
  }
  if (options.markdown_theme === "dark" && options.dark_mode === false) {
    yield ["markdown_theme", "is 'dark', which conflicts with 'dark_mode' false: send only one of them"];
  }
}

const inputNames = ["url", "html", "markdown"] as const;

/** Options that have no effect for the format are rejected rather than ignored. */
function* formatConflicts({ format }: ComparedOptions, requested: RequestedNames): Generator<Conflict> {
  if (format === undefined) return;
  for (const [name, { only }] of sentFacts(requested)) {
    if (!only || only.includes(formatKind(format))) continue;
    const message = `applies only to ${describeKinds(only)}, but 'format' is ${format}`;
    yield [name, message + suggestion(name, only, format)];
  }
  if (requested.has("image_quality") && hasPixels(format) && !lossyFormats.includes(format)) {
    const reason = isVideoFormat(format) ? "uses a palette" : "is lossless";
    yield ["image_quality", `has no effect for 'format' ${format}, which ${reason}`];
  }
  if (requested.has("omit_background") && formatKind(format) === "image" && !transparentFormats.includes(format)) {
    yield ["omit_background", `requires transparency, which 'format' ${format} doesn't support`];
  }
}

/** The facts of the sent options only: reading those of all takes a millisecond. */
function sentFacts(requested: RequestedNames): [Name, OptionFacts][] {
  return captureOptionNames
    .filter((name) => requested.has(name))
    .map((name) => [name, optionFacts(captureOptionEntries[name])]);
}

/** What to send instead, unless the names make it obvious. */
function suggestion(name: Name, only: readonly FormatKind[], format: Format): string {
  if (only.every((kind) => kind === "video")) return ": set 'format' to mp4, webm, gif, or animated_webp";
  if (name === "full_page" && isVideoFormat(format))
    return ": to record the whole page, set 'video_scenario' to scroll";
  return "";
}

function hasPixels(format: Format): boolean {
  return formatKind(format) === "image" || formatKind(format) === "video";
}

/** Options that have no effect without another one, or without one of several. */
function* missingDependencies(requested: RequestedNames): Generator<Conflict> {
  for (const [name, { needs }] of sentFacts(requested)) {
    if (!needs || needs.some((other) => requested.has(other))) continue;
    yield [name, `has no effect without ${needs.map((other) => `'${other}'`).join(" or ")}`];
  }
}

/** Pairs of options of which a request can send only one. */
export const mutuallyExclusive: readonly (readonly [name: Name, other: Name, why: string])[] = [
  ["selector", "full_page", "captures one element and conflicts with 'full_page': send only one of them"],
  ["selector_all", "full_page", "captures some elements and conflicts with 'full_page': send only one of them"],
  ["selector_all", "selector", "conflicts with 'selector': send only one of them"],
  ["clip_x", "full_page", "captures a rectangle and conflicts with 'full_page': send only one of them"],
  ["clip_x", "selector", "captures a rectangle and conflicts with 'selector': send only one of them"],
  ["clip_x", "selector_all", "captures a rectangle and conflicts with 'selector_all': send only one of them"],
  ["scroll_into_view", "full_page", "scrolls the viewport and conflicts with 'full_page': send only one of them"],
  ["scroll_into_view", "selector", "scrolls the viewport and conflicts with 'selector': send only one of them"],
  ["scroll_into_view", "selector_all", "scrolls the viewport and conflicts with 'selector_all': send only one of them"],
  ["scroll_into_view", "clip_x", "scrolls the viewport and conflicts with 'clip_x': send only one of them"],
  ["authorization", "http_auth_username", "conflicts with 'http_auth_username': both set the Authorization header"],
  ["fail_on_status", "ignore_host_errors", "conflicts with 'ignore_host_errors', which accepts any status"],
  [
    "video_aspect_ratio",
    "viewport_height",
    "sets the aspect ratio of the viewport and conflicts with 'viewport_height': send only one of them",
  ],
  [
    "video_aspect_ratio",
    "selector",
    "sets the aspect ratio of the viewport and conflicts with 'selector', which has its own aspect ratio",
  ],
  [
    "video_aspect_ratio",
    "selector_all",
    "sets the aspect ratio of the viewport and conflicts with 'selector_all', which has its own aspect ratio",
  ],
  [
    "video_aspect_ratio",
    "clip_x",
    "sets the aspect ratio of the viewport and conflicts with 'clip_x': give the rectangle this aspect ratio",
  ],
  [
    "video_width",
    "image_width",
    "is an exact size and conflicts with 'image_width', which is a maximum: send only one of them",
  ],
  [
    "video_width",
    "image_height",
    "is an exact size and conflicts with 'image_height', which is a maximum: send only one of them",
  ],
  [
    "video_height",
    "image_width",
    "is an exact size and conflicts with 'image_width', which is a maximum: send only one of them",
  ],
  [
    "video_height",
    "image_height",
    "is an exact size and conflicts with 'image_height', which is a maximum: send only one of them",
  ],
  ["webhook_receiver", "webhook_url", "conflicts with 'webhook_url': send either the id of a saved receiver or a URL"],
  ["pdf_paper_format", "pdf_paper_width", "conflicts with 'pdf_paper_width': send either a format or a size"],
  ["pdf_page_ranges", "pdf_fit_one_page", "selects pages and conflicts with 'pdf_fit_one_page', which prints only one"],
  ["pdf_prefer_css_page_size", "pdf_fit_one_page", "conflicts with 'pdf_fit_one_page', which sets the page size"],
  ["annotate", "full_page_slices", "marks one image and conflicts with 'full_page_slices': send only one of them"],
  ["full_page_slices", "store", "creates several files and conflicts with 'store', which uploads only one"],
  [
    "storage_role_arn",
    "storage_access_key_id",
    "conflicts with 'storage_access_key_id': send either a role or an access key",
  ],
  ["store", "cache", "uploads each new capture and conflicts with 'cache', which reuses captures"],
];

function* exclusionConflicts(requested: RequestedNames): Generator<Conflict> {
  for (const [name, other, why] of mutuallyExclusive)
    if (requested.has(name) && requested.has(other)) yield [name, why];
}

/** Metadata that a header returns with an image, video or PDF. All other metadata needs a JSON response. */
const inHeaders: readonly Name[] = ["metadata_page_title", "metadata_image_size", "metadata_http_response_status_code"];

/** Metadata that a response without JSON does not return, because it is stored and fetched by itself. */
const isFetched: readonly Name[] = ["metadata_report"];

function* outputConflicts(options: ComparedOptions, requested: RequestedNames): Generator<Conflict> {
  const isAsync = requested.has("async");
  if (options.response_type === "zip") {
    yield ["response_type", "is zip, which holds several results: send 'outputs', or another 'response_type'"];
  }
  const returnsJson = options.response_type === "json" || options.format === "json" || isAsync;
  if (requested.has("full_page_slices") && options.response_type !== "json" && !isAsync) {
    yield ["full_page_slices", "requires 'response_type' json, which lists the slices"];
  }
  if (!returnsJson) {
    const elsewhere = [...inHeaders, ...isFetched];
    for (const name of metadataNames.filter((each) => requested.has(each) && !elsewhere.includes(each))) {
      yield [name, "is returned only in JSON: set 'response_type' to json"];
    }
  }
  const { format } = options;
  if (requested.has("include_shadow_dom") && format !== undefined && !includesContent(format, requested)) {
    const message = `has no effect for 'format' ${format} without 'metadata_content' or 'metadata_links'`;
    yield ["include_shadow_dom", message];
  }
  if (!requested.has("url")) {
    for (const name of ["metadata_http_response_status_code", "metadata_http_response_headers"] as const) {
      if (requested.has(name)) yield [name, "requires 'url': HTML and Markdown don't come from a server"];
    }
  }
}

/** Options that say which elements are listed need a list. */
function* elementsConflicts(options: ComparedOptions, requested: RequestedNames): Generator<Conflict> {
  const { format, image_fit, image_position } = options;
  if (requested.has("annotate")) {
    if (image_fit === "cover" && (image_position === "entropy" || image_position === "attention"))
      yield ["annotate", `conflicts with 'image_position' ${image_position}: choose a compass point`];
    return;
  }
  if (format === "elements" || requested.has("metadata_elements")) return;
  // Defaults do no harm: some clients send them always.
  const harmless: ComparedOptions = { elements_scope: "interactive", elements_max: 300 };
  for (const name of ["elements_scope", "elements_root", "elements_max"] as const) {
    if (requested.has(name) && options[name] !== harmless[name])
      yield [name, "is for lists of elements: set 'format' to elements, or send 'metadata_elements' or 'annotate'"];
  }
}

/** True for a result with page content. MHTML and lists of elements include shadow roots in any case. */
function includesContent(format: Format, requested: RequestedNames): boolean {
  const isContent = formatKind(format) === "document" && format !== "mhtml" && format !== "elements";
  return isContent || requested.has("metadata_content") || requested.has("metadata_links");
}

const metadataNames = captureOptionNames.filter((name) => name.startsWith("metadata_"));

/** Settings of a webhook without one. Their defaults do no harm: some clients send them always. */
function* webhookConflicts(requested: RequestedNames, declined: SentNames["declined"]): Generator<Conflict> {
  const [hasReceiver, hasUrl] = [requested.has("webhook_receiver"), requested.has("webhook_url")];
  if (hasReceiver && declined.has("webhook_sign"))
    yield ["webhook_sign", "conflicts with 'webhook_receiver': webhooks to a saved receiver are always signed"];
  if (hasReceiver || hasUrl) return;
  for (const name of ["webhook_sign", "webhook_errors"] as const)
    if (declined.has(name)) yield [name, "has no effect without 'webhook_url' or 'webhook_receiver'"];
}

function* cacheConflicts(
  { cache_ttl }: ComparedOptions,
  requested: RequestedNames,
  declined: SentNames["declined"],
): Generator<Conflict> {
  if (requested.has("cache") && cache_ttl === 0) yield ["cache_ttl", "is 0, which turns off the 'cache' that you set"];
  if (declined.has("cache") && cache_ttl !== undefined && cache_ttl > 0)
    yield ["cache_ttl", "turns on the cache, which conflicts with 'cache' false: send only one of them"];
  if (cache_ttl !== 0 || requested.has("cache")) return;
  for (const name of ["cache_stale_ttl", "cache_key", "cache_refresh"] as const)
    if (requested.has(name)) yield [name, "has no effect with 'cache_ttl' 0, which turns off the cache"];
}

/** Options that `store` requires. */
function* storageConflicts({ cache_ttl }: ComparedOptions, requested: RequestedNames): Generator<Conflict> {
  if (!requested.has("store")) return;
  for (const name of ["storage_path", "storage_bucket"] as const) {
    if (!requested.has(name)) yield [name, "is missing: 'store' requires it"];
  }
  const [id, secret] = ["storage_access_key_id", "storage_secret_access_key"] as const;
  if (requested.has(id) !== requested.has(secret)) {
    const [sentKey, missing] = requested.has(id) ? [id, secret] : [secret, id];
    yield [missing, `is missing: '${sentKey}' requires it`];
  } else if (!requested.has(id) && !requested.has("storage_role_arn")) {
    yield ["store", `requires 'storage_role_arn', or '${id}' and '${secret}'`];
  }
  // With `cache`, the mutually exclusive options report it.
  if (cache_ttl !== undefined && cache_ttl > 0 && !requested.has("cache")) {
    yield ["store", "uploads each new capture and conflicts with 'cache_ttl', which reuses captures"];
  }
}

function* sliceConflicts(options: ComparedOptions): Generator<Conflict> {
  const { full_page_slice_overlap_height: overlap, full_page_slice_height: height } = options;
  if (overlap !== undefined && height !== undefined && overlap > height - 100) {
    yield [
      "full_page_slice_overlap_height",
      `must be at least 100 pixels less than the 'full_page_slice_height' of ${height}`,
    ];
  }
}

/** Credentials and headers need a server to send them to. */
function* requestConflicts(options: ComparedOptions, requested: RequestedNames): Generator<Conflict> {
  if (!requested.has("url") && !requested.has("base_url")) {
    for (const name of ["headers", "authorization", "http_auth_username"] as const) {
      if (requested.has(name)) yield [name, "is sent only to the origin of 'url' or 'base_url': send one of them"];
    }
    if (options.cookies?.some((cookie) => !("domain" in cookie))) {
      yield ["cookies", "must each name a domain unless you send 'url' or 'base_url'"];
    }
  }
  if (requested.has("user_agent") && options.headers?.some(({ name }) => /^user-agent$/i.test(name))) {
    yield ["headers", "contain a User-Agent, which conflicts with 'user_agent': send only one of them"];
  }
  if (requested.has("referer") && !requested.has("url"))
    yield ["referer", "applies only to 'url', which you didn't send"];
}

function* durationConflicts({ delay, timeout }: ComparedOptions): Generator<Conflict> {
  if (delay !== undefined && timeout !== undefined && delay > 0 && delay >= timeout) {
    yield ["delay", `must be shorter than the 'timeout' of ${timeout} s: lower it or raise 'timeout'`];
  }
}

/** A status for which no capture fails is never a reason for another attempt. */
function* retryConflicts(
  { retry_on: conditions = [], ignore_host_errors: ignoresErrors, fail_on_status: failing }: ComparedOptions,
  requested: RequestedNames,
): Generator<Conflict> {
  if (!requested.has("retry_on")) return;
  const fails = failing ?? (ignoresErrors ? [] : ERROR_STATUSES);
  for (const condition of conditions) {
    if (typeof condition === "string") {
      if (condition === "TARGET_HTTP_ERROR" && fails.length === 0)
        yield [
          "retry_on",
          "has TARGET_HTTP_ERROR, but with 'ignore_host_errors' no status fails the capture: send only one",
        ];
      continue;
    }
    const { from, to } = condition;
    if (fails.some((range) => range.from <= to && from <= range.to)) continue;
    const statuses = from === to ? String(from) : `${from}-${to}`;
    const reason = failing ? "'fail_on_status' doesn't include it" : "'ignore_host_errors' captures error pages";
    yield ["retry_on", `has ${statuses}, but no capture fails for that: ${reason}. Set 'fail_on_status' to include it`];
  }
}

/** What waits in real time, or has bytes of its own in every result. */
function* repairConflicts(
  { deterministic, on_timeout }: ComparedOptions,
  requested: RequestedNames,
): Generator<Conflict> {
  if (!requested.has("self_repair")) return;
  if (deterministic === true) {
    yield ["self_repair", "conflicts with 'deterministic': a second attempt with other options isn't the same capture"];
  }
  if (on_timeout === "capture") {
    yield ["self_repair", "conflicts with 'on_timeout' capture, which leaves no time for a second attempt"];
  }
}

function* deterministicConflicts(
  { deterministic, on_timeout, format }: ComparedOptions,
  requested: RequestedNames,
): Generator<Conflict> {
  if (deterministic !== true) return;
  if (on_timeout === "capture") {
    yield ["deterministic", "conflicts with 'on_timeout' capture, whose result depends on the speed of the page"];
  }
  if (format === "mhtml") yield ["deterministic", "conflicts with 'format' mhtml, which contains random identifiers"];
  for (const name of ["block_cookie_banners", "block_banners_by_heuristics"] as const) {
    if (requested.has(name)) yield ["deterministic", `conflicts with '${name}', which waits in real time`];
  }
}

/** Options that run scripts in the page need JavaScript. */
function* javascriptConflicts({ javascript }: ComparedOptions, requested: RequestedNames): Generator<Conflict> {
  if (javascript !== false) return;
  for (const name of ["scripts", "wait_for_expression"] as const) {
    if (requested.has(name))
      yield [name, "runs in the page, which conflicts with 'javascript' false: send only one of them"];
  }
}
