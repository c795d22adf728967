// Options that are valid alone and cannot hold together: each sentence names both sides.

import {
  type Format,
  type FormatKind,
  formatKind,
  formats,
  isVideoFormat,
  lossyFormats,
  transparentFormats,
} from "../formats.ts";
import { type CaptureOptionName, captureOptionEntries } from "../groups/all.ts";
import { isImageFit } from "../groups/output.ts";
import { optionFacts } from "../option.ts";
import { enumeration } from "../values/enumeration.ts";
import { isNumber, type Options, type Problem, type RawOptions } from "./conflict.ts";
import { videoConflicts } from "./video-conflicts.ts";

type Name = CaptureOptionName;

/**
 * Yields each problem under the option it should be told with. Nothing but `is…` may look into an option: it may be wrong
 * in itself.
 */
export function* conflicts(options: Options, asked: RawOptions): Generator<Problem> {
  yield* inputs(options, asked);
  yield* formatProblems(options, asked);
  yield* companions(asked);
  yield* rivals(asked);
  yield* outputs(options, asked);
  yield* fits(options, asked);
  yield* areas(options);
  yield* requests(options, asked);
  yield* durations(options);
  yield* scriptless(options, asked);
  yield* videoConflicts(options, asked);
  yield* caching(options, asked);
  yield* storing(options, asked);
}

function* inputs(options: Options, asked: RawOptions): Generator<Problem> {
  const given = inputNames.filter((name) => asked.has(name));
  const [input, second] = given;
  if (input === undefined) {
    yield ["url", "is missing: send exactly one of 'url', 'html' and 'markdown'"];
  } else if (second !== undefined) {
    const names = given.map((name) => `'${name}'`).join(" and ");
    yield [second, `contradicts another input: ${names} were sent, send exactly one`];
  } else if (isInput(options.source) && options.source !== input) {
    yield ["source", `is '${options.source}', but the input was sent as '${input}'`];
  }
  if (asked.has("base_url") && asked.has("url")) {
    yield ["base_url", "is for 'html' and 'markdown'; the page at 'url' has an address of its own"];
  }
  if (options.markdown_theme === "dark" && options.dark_mode === false) {
    yield ["markdown_theme", "is always 'dark', and contradicts 'dark_mode' false: send one of them"];
  }
}

const inputNames = ["url", "html", "markdown"] as const;

function isInput(value: unknown): value is (typeof inputNames)[number] {
  return inputNames.some((name) => name === value);
}

const named: Readonly<Record<FormatKind, string>> = {
  image: "images",
  video: "videos",
  pdf: "'format' pdf",
  document: "documents",
};

/** Options that mean nothing for the format, rather than being ignored. */
function* formatProblems({ format }: Options, asked: RawOptions): Generator<Problem> {
  if (!isFormat(format)) return;
  for (const [name, entry] of Object.entries(captureOptionEntries) as [Name, (typeof captureOptionEntries)[Name]][]) {
    const { only } = optionFacts(entry);
    if (!only || only.includes(formatKind(format)) || !asked.has(name)) continue;
    const message = `is for ${enumeration(only.map((kind) => named[kind]))}, and contradicts 'format' ${format}`;
    yield [name, message + wayOut(name, only, format)];
  }
  if (asked.has("image_quality") && hasPixels(format) && !lossyFormats.includes(format)) {
    const reason = isVideoFormat(format) ? "has a palette instead" : "is lossless";
    yield ["image_quality", `has no meaning for 'format' ${format}, which ${reason}`];
  }
  if (asked.has("omit_background") && formatKind(format) === "image" && !transparentFormats.includes(format)) {
    yield ["omit_background", `needs transparency, which 'format' ${format} does not have`];
  }
}

/** What to send instead, where that is not plain from the names. */
function wayOut(name: Name, only: readonly FormatKind[], format: Format): string {
  if (only.every((kind) => kind === "video")) return ": send 'format' mp4, webm, gif or animated_webp";
  if (name === "full_page" && isVideoFormat(format)) return ": 'video_scenario' scroll films the whole page";
  return "";
}

function hasPixels(format: Format): boolean {
  return formatKind(format) === "image" || formatKind(format) === "video";
}

function isFormat(format: unknown): format is Format {
  return formats.some((name) => name === format);
}

/** Options that mean nothing without (one of) others. */
const companionsOf: readonly (readonly [name: Name, needs: readonly Name[]])[] = [
  ["markdown_theme", ["markdown"]],
  ["markdown_css", ["markdown"]],
  ["image_fit", ["image_width", "image_height"]],
  ["image_position", ["image_width", "image_height"]],
  ["image_background", ["image_width", "image_height"]],
  ["full_page_scroll", ["full_page"]],
  ["full_page_scroll_delay", ["full_page"]],
  ["full_page_scroll_by", ["full_page"]],
  ["full_page_max_height", ["full_page"]],
  ["full_page_algorithm", ["full_page"]],
  ["full_page_expand_overflow", ["full_page"]],
  ["full_page_freeze_fixed", ["full_page"]],
  ["full_page_slices", ["full_page"]],
  ["full_page_slice_height", ["full_page_slices"]],
  ["full_page_slice_overlap_height", ["full_page_slices"]],
  ["selector_padding", ["selector", "selector_all"]],
  ["selector_algorithm", ["selector", "selector_all"]],
  ["selector_scroll_into_view", ["selector", "selector_all"]],
  ["error_on_selector_not_found", ["selector", "selector_all"]],
  ["scroll_into_view_adjust_top", ["scroll_into_view"]],
  ["wait_for_selector_algorithm", ["wait_for_selector"]],
  ["http_auth_username", ["http_auth_password"]],
  ["http_auth_password", ["http_auth_username"]],
  ["geolocation_latitude", ["geolocation_longitude"]],
  ["geolocation_longitude", ["geolocation_latitude"]],
  ["geolocation_accuracy", ["geolocation_latitude"]],
  ["proxy_bypass_hosts", ["proxy"]],
  ["scripts_wait_until", ["scripts"]],
  ["accept_cookie_banners", ["block_cookie_banners"]],
  ["error_on_click_selector_not_found", ["click"]],
  ["error_on_hover_selector_not_found", ["hover"]],
  ["pdf_paper_width", ["pdf_paper_height"]],
  ["pdf_paper_height", ["pdf_paper_width"]],
  ["metadata_content_format", ["metadata_content"]],
  ["webhook_url", ["async"]],
  ["cache_stale_ttl", ["cache", "cache_ttl"]],
  ["cache_key", ["cache", "cache_ttl"]],
  ["cache_refresh", ["cache", "cache_ttl"]],
  ["storage_path", ["store"]],
  ["storage_bucket", ["store"]],
  ["storage_endpoint", ["store"]],
  ["storage_region", ["store"]],
  ["storage_access_key_id", ["store"]],
  ["storage_secret_access_key", ["store"]],
  ["storage_role_arn", ["store"]],
  ["storage_external_id", ["storage_role_arn"]],
  ["storage_acl", ["store"]],
  ["storage_class", ["store"]],
  ["storage_return_location", ["store"]],
  ["clip_x", ["clip_y"]],
  ["clip_y", ["clip_width"]],
  ["clip_width", ["clip_height"]],
  ["clip_height", ["clip_x"]],
];

function* companions(asked: RawOptions): Generator<Problem> {
  for (const [name, needs] of companionsOf) {
    if (!asked.has(name) || needs.some((other) => asked.has(other))) continue;
    yield [name, `means nothing without ${needs.map((other) => `'${other}'`).join(" or ")}`];
  }
}

/** Options of which only one can hold. */
const rivalPairs: readonly (readonly [name: Name, other: Name, why: string])[] = [
  ["selector", "full_page", "captures one element and contradicts 'full_page': send one of them"],
  ["selector_all", "full_page", "captures some elements and contradicts 'full_page': send one of them"],
  ["selector_all", "selector", "contradicts 'selector': send one of them"],
  ["clip_x", "full_page", "captures a rectangle and contradicts 'full_page': send one of them"],
  ["clip_x", "selector", "captures a rectangle and contradicts 'selector': send one of them"],
  ["clip_x", "selector_all", "captures a rectangle and contradicts 'selector_all': send one of them"],
  ["scroll_into_view", "full_page", "chooses what the window shows and contradicts 'full_page': send one of them"],
  ["scroll_into_view", "selector", "chooses what the window shows and contradicts 'selector': send one of them"],
  [
    "scroll_into_view",
    "selector_all",
    "chooses what the window shows and contradicts 'selector_all': send one of them",
  ],
  ["scroll_into_view", "clip_x", "chooses what the window shows and contradicts 'clip_x': send one of them"],
  ["authorization", "http_auth_username", "contradicts 'http_auth_username': both make the Authorization header"],
  ["fail_on_status", "ignore_host_errors", "contradicts 'ignore_host_errors', which captures whatever the status"],
  ["video_aspect_ratio", "viewport_height", "shapes the window and contradicts 'viewport_height': send one of them"],
  ["video_aspect_ratio", "selector", "shapes the window and contradicts 'selector', which has its own shape"],
  ["video_aspect_ratio", "selector_all", "shapes the window and contradicts 'selector_all', which has its own shape"],
  ["video_aspect_ratio", "clip_x", "shapes the window and contradicts 'clip_x': give the rectangle that shape"],
  ["video_width", "image_width", "is exact and contradicts 'image_width', which is the most: send one of them"],
  ["video_width", "image_height", "is exact and contradicts 'image_height', which is the most: send one of them"],
  ["video_height", "image_width", "is exact and contradicts 'image_width', which is the most: send one of them"],
  ["video_height", "image_height", "is exact and contradicts 'image_height', which is the most: send one of them"],
  ["pdf_paper_format", "pdf_paper_width", "contradicts 'pdf_paper_width': send a format or a size"],
  ["pdf_page_ranges", "pdf_fit_one_page", "chooses among sheets and contradicts 'pdf_fit_one_page', which makes one"],
  ["pdf_prefer_css_page_size", "pdf_fit_one_page", "contradicts 'pdf_fit_one_page', which chooses the size itself"],
  ["full_page_slices", "store", "makes several objects and contradicts 'store', which puts one into your bucket"],
  ["storage_role_arn", "storage_access_key_id", "contradicts 'storage_access_key_id': send a role or a pair of keys"],
  ["store", "cache", "puts each capture into your bucket and contradicts 'cache', which takes none anew"],
];

function* rivals(asked: RawOptions): Generator<Problem> {
  for (const [name, other, why] of rivalPairs) if (asked.has(name) && asked.has(other)) yield [name, why];
}

/** What is told in a header beside an image, a video or a pdf; the rest needs a JSON answer. */
const inHeaders: readonly Name[] = ["metadata_page_title", "metadata_image_size", "metadata_http_response_status_code"];

function* outputs(options: Options, asked: RawOptions): Generator<Problem> {
  const tellsState = asked.has("async");
  const answersJson = options.response_type === "json" || options.format === "json" || tellsState;
  if (asked.has("full_page_slices") && options.response_type !== "json" && !tellsState) {
    yield ["full_page_slices", "makes several images, which only 'response_type' json can list"];
  }
  if (!answersJson) {
    for (const name of metadataNames.filter((each) => asked.has(each) && !inHeaders.includes(each))) {
      yield [name, "is told in JSON only: add 'response_type' json"];
    }
  }
  if (asked.has("include_shadow_dom") && isFormat(options.format) && !tellsContent(options.format, asked)) {
    const message = `means nothing for 'format' ${options.format} without 'metadata_content' or 'metadata_links'`;
    yield ["include_shadow_dom", message];
  }
  if (!asked.has("url")) {
    for (const name of ["metadata_http_response_status_code", "metadata_http_response_headers"] as const) {
      if (asked.has(name)) yield [name, "needs a 'url': HTML and Markdown come from no server"];
    }
  }
}

/** An mhtml has its shadow roots anyway. */
function tellsContent(format: Format, asked: RawOptions): boolean {
  const isContent = formatKind(format) === "document" && format !== "mhtml";
  return isContent || asked.has("metadata_content") || asked.has("metadata_links");
}

const metadataNames = (Object.keys(captureOptionEntries) as Name[]).filter((name) => name.startsWith("metadata_"));

function* caching({ cache_ttl }: Options, asked: RawOptions): Generator<Problem> {
  if (asked.has("cache") && cache_ttl === 0)
    yield ["cache_ttl", "is 0, which turns off the 'cache' that was asked for"];
}

/** What `store` cannot do without. */
function* storing({ cache_ttl }: Options, asked: RawOptions): Generator<Problem> {
  if (!asked.has("store")) return;
  for (const name of ["storage_path", "storage_bucket"] as const) {
    if (!asked.has(name)) yield [name, "is missing, and 'store' needs it"];
  }
  const [id, secret] = ["storage_access_key_id", "storage_secret_access_key"] as const;
  if (asked.has(id) !== asked.has(secret)) {
    const [sent, missing] = asked.has(id) ? [id, secret] : [secret, id];
    yield [missing, `is missing, and '${sent}' is of no use without it`];
  } else if (!asked.has(id) && !asked.has("storage_role_arn")) {
    yield ["store", `needs 'storage_role_arn', or '${id}' and '${secret}'`];
  }
  // Told under `cache` where that was sent as well.
  if (isNumber(cache_ttl) && cache_ttl > 0 && !asked.has("cache")) {
    yield ["store", "puts each capture into your bucket and contradicts 'cache_ttl', with which some are not taken"];
  }
}

/** Which values of `image_fit` cut or pad the image, so that a place in it or a background means something. */
const fittedOptions = [
  ["image_position", ["cover", "contain"]],
  ["image_background", ["contain"]],
] as const;

function* fits({ image_fit, image_position }: Options, asked: RawOptions): Generator<Problem> {
  if (!isImageFit(image_fit)) return;
  for (const [name, values] of fittedOptions) {
    if (!asked.has(name)) continue;
    if (!values.some((value) => value === image_fit)) {
      yield [name, `is for 'image_fit' ${enumeration(values)}, and contradicts 'image_fit' ${image_fit}`];
    } else if (asked.has("image_width") !== asked.has("image_height")) {
      yield [name, "needs both 'image_width' and 'image_height': with one of them nothing is cut or padded"];
    }
  }
  if (image_fit === "contain" && (image_position === "entropy" || image_position === "attention")) {
    yield [
      "image_position",
      `is ${image_position}, which is for 'image_fit' cover and contradicts 'image_fit' contain`,
    ];
  }
}

function* areas(options: Options): Generator<Problem> {
  const { full_page_slice_overlap_height: overlap, full_page_slice_height: height } = options;
  if (isNumber(overlap) && isNumber(height) && overlap > height - 100) {
    yield [
      "full_page_slice_overlap_height",
      `leaves less than 100 pixels of the 'full_page_slice_height' of ${height}`,
    ];
  }
}

/** What goes along with requests needs a server they go to. */
function* requests(options: Options, asked: RawOptions): Generator<Problem> {
  if (!asked.has("url") && !asked.has("base_url")) {
    for (const name of ["headers", "authorization", "http_auth_username"] as const) {
      if (asked.has(name)) yield [name, "is sent to the origin of 'url' or 'base_url', and neither was sent"];
    }
    if (asked.has("cookies") && Array.isArray(options.cookies) && options.cookies.some(isOfNoDomain)) {
      yield ["cookies", "must each name a domain where neither 'url' nor 'base_url' is sent"];
    }
  }
  if (asked.has("user_agent") && namesUserAgent(options.headers)) {
    yield ["headers", "have a User-Agent and contradict 'user_agent': send one of them"];
  }
  if (asked.has("referer") && !asked.has("url")) yield ["referer", "is sent with 'url', which was not sent"];
}

/** Headers that are wrong in themselves are as they were sent. */
function namesUserAgent(headers: unknown): boolean {
  return (
    Array.isArray(headers) && headers.some((each) => typeof each?.name === "string" && /^user-agent$/i.test(each.name))
  );
}

function isOfNoDomain(cookie: unknown): boolean {
  return typeof cookie === "object" && cookie !== null && !("domain" in cookie);
}

function* durations({ delay, timeout }: Options): Generator<Problem> {
  if (isNumber(delay) && isNumber(timeout) && delay > 0 && delay >= timeout) {
    yield ["delay", `lasts as long as the 'timeout' of ${timeout} s: lower it or raise 'timeout'`];
  }
}

/** What is to run among the page's own scripts, where none do. */
function* scriptless({ javascript }: Options, asked: RawOptions): Generator<Problem> {
  if (javascript !== false) return;
  for (const name of ["scripts", "wait_for_expression"] as const) {
    if (asked.has(name))
      yield [name, "runs as a script of the page and contradicts 'javascript' false: send one of them"];
  }
}
