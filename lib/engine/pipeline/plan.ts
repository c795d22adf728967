// What a capture does, in order: the product as a list of named steps, computed from the options alone.

import { basicAuthorization } from "../../egress/basic-authorization.ts";
import { upstreamProxy } from "../../egress/upstream-proxy.ts";
import type { CaptureOptions } from "../../options/capture-options.ts";
import { type Purpose, purposes } from "../../options/filter-purposes.ts";
import { formatKind, type ImageFormat, isImageFormat, isVideoFormat, type VideoFormat } from "../../options/formats.ts";
import type { Header } from "../../options/groups/environment.ts";
import type { FrameMode } from "../browser/chromium-flags.ts";
import { resolveEnvironment } from "../emulation/environment.ts";
import type { TargetHeaders } from "../emulation/request-headers.ts";
import type { WantedMetadata } from "../outputs/metadata/metadata.ts";
import { createPdfSettings } from "../outputs/pdf/pdf-settings.ts";
import type { Resizing } from "../outputs/screenshot/resizing.ts";
import type { Scrolling } from "../outputs/video/scroll-scenario.ts";
import type { BrowserUse } from "./capture-context.ts";
import type { ChallengePolicy, Picture, Recording, Step } from "./step.ts";

export interface Planning {
  /** True for a video of a page that can only be filmed while it passes. @default false */
  readonly isRealTime?: boolean;
  /** True where banners and dialogs are hidden and not clicked, since a click has led away from the page. @default false */
  readonly onlyHides?: boolean;
}

/** The steps of a capture. Adding an option means adding its step here and what the step does in `steps/`. */
export function plan(
  options: CaptureOptions,
  { isRealTime = false, onlyHides = false }: Planning = {},
): readonly Step[] {
  return [
    ...encoding(options),
    ...surroundings(options, onlyHides),
    ...painting(options, isRealTime),
    arrival(options),
    { name: "await-load", conditions: options.wait_until },
    ...walls(options),
    ...closings(options, onlyHides),
    ...changes(options),
    ...waits(options),
    ...lateClosings(options, onlyHides),
    ...scroll(options),
    ...hovers(options),
    confirmation(options),
    ...checks(options),
    ...metadata(options),
    ...result(options, isRealTime),
  ];
}

/**
 * How the browser of a capture paints, unless the page turns out not to go along: on demand no screen has to be waited
 * for. But of a page that is too busy to be painted, only a browser that paints by itself has a frame.
 */
export function frameModeFor({ on_timeout }: CaptureOptions): FrameMode {
  return on_timeout === "capture" ? "continuous" : "begin-frame-control";
}

/** What the first browser of a capture is launched for. */
export function browserUseFor(options: CaptureOptions): BrowserUse {
  return { painting: frameModeFor(options), isFilmed: isVideoFormat(options.format) };
}

/** As a weak screen does, until a film begins: more frames would only cost. And as any screen does, for all else. */
const FILM_PUMP_FPS = 30;
const PUMP_FPS = 60;

function* painting(options: CaptureOptions, isRealTime: boolean): Generator<Step> {
  if (isRealTime || frameModeFor(options) !== "begin-frame-control") return;
  yield { name: "begin-painting", framesPerSecond: isVideoFormat(options.format) ? FILM_PUMP_FPS : PUMP_FPS };
}

/** What encodes a video starts first: it has a browser of its own, apart from the page. */
function* encoding({ format }: CaptureOptions): Generator<Step> {
  if (format === "mp4" || format === "webm") yield { name: "start-encoder" };
}

/** What must be so before the page is asked for. */
function* surroundings(options: CaptureOptions, onlyHides: boolean): Generator<Step> {
  const { proxy, proxy_bypass_hosts, cookies, metadata_console: console, metadata_requests: requests } = options;
  if (proxy !== undefined) yield { name: "route", upstream: upstreamProxy(proxy, proxy_bypass_hosts) };
  if (console || requests) yield { name: "record", wanted: { console, requests } };
  const environment = resolveEnvironment(options);
  yield { name: "emulate", environment };
  if (options.stealth) yield { name: "disguise", environment };
  yield* blocking(options, onlyHides);
  if (options.bypass_csp) yield { name: "bypass-csp" };
  const headers = targetHeaders(options);
  if (headers) yield { name: "send-headers", headers };
  if (cookies) yield { name: "set-cookies", cookies, url: addressOf(options) ?? `https://${cookies[0]?.domain}/` };
}

/** What the page must not get, decided before it asks for it. */
function* blocking(options: CaptureOptions, onlyHides: boolean): Generator<Step> {
  const { block_requests: requests = [], block_resources: resources = [], block_cookie_banners } = options;
  const wanted = purposes.filter((purpose) => options[blockOptions[purpose]]);
  if (wanted.length + requests.length + resources.length > 0) {
    yield { name: "block", purposes: wanted, requests, resources };
  }
  // Without scripts there is nothing that a click could answer.
  if (block_cookie_banners && options.javascript && !onlyHides) {
    yield { name: "watch-for-consent", accept: options.accept_cookie_banners };
  }
  if (!options.javascript) yield { name: "disable-scripts" };
}

/** The option that asks for the lists of a purpose. */
const blockOptions = {
  ads: "block_ads",
  trackers: "block_trackers",
  cookies: "block_cookie_banners",
  socials: "block_socials",
  chats: "block_chats",
  annoyances: "block_annoyances",
} as const satisfies Record<Purpose, keyof CaptureOptions>;

/** True where anything is to be kept out of the page, of which is then told what was. */
export function blocks(options: CaptureOptions): boolean {
  const steps = [...blocking(options, false), ...closings(options, false)];
  return steps.some(({ name }) => name !== "disable-scripts");
}

/** What lies over the page is closed once that has loaded, and what it did to the page is undone. */
function* closings(options: CaptureOptions, onlyHides: boolean): Generator<Step> {
  const { block_cookie_banners: consent, block_banners_by_heuristics: any } = options;
  if (consent) yield { name: "close-consent" };
  if (!consent && !any) return;
  yield { name: "close-dialogs", what: any ? "any" : "consent", ...(onlyHides && { onlyHides }) };
  yield { name: "unlock-page" };
}

function addressOf({ url, base_url }: CaptureOptions): string | undefined {
  return url ?? base_url;
}

function targetHeaders(options: CaptureOptions): TargetHeaders | undefined {
  const { http_auth_username: username, http_auth_password: password = "" } = options;
  const headers = combined(options.headers ?? []);
  const authorization = username === undefined ? options.authorization : basicAuthorization(username, password);
  const address = addressOf(options);
  if (address === undefined || (headers.length === 0 && authorization === undefined)) return undefined;
  return { origin: new URL(address).origin, headers, ...(authorization !== undefined && { authorization }) };
}

/**
 * The headers without a User-Agent, which the browser is told as a whole. Chromium sends the last one of a name only, so that
 * the values of a repeated one become a list (RFC 9110, section 5.3).
 */
function combined(headers: readonly Header[]): Header[] {
  const byName = Map.groupBy(headers, ({ name }) => name.toLowerCase());
  byName.delete("user-agent");
  return [...byName.values()].map((lines) => ({
    name: lines[0]?.name ?? "",
    value: lines.map(({ value }) => value).join(", "),
  }));
}

function arrival(options: CaptureOptions): Step {
  const { url = "", html, markdown, base_url, referer } = options;
  const at = base_url === undefined ? {} : { baseUrl: base_url };
  if (html !== undefined) return { name: "write-html", html, ...at };
  if (markdown !== undefined) {
    const { markdown_theme: theme, markdown_css: css = "" } = options;
    return { name: "write-markdown", markdown, theme, css, ...at };
  }
  const timeoutMs = options.navigation_timeout * 1000;
  const refused = options.fail_on_status;
  return {
    name: "open-url",
    url,
    timeoutMs,
    refused,
    wall: wallPolicy(options),
    ...(referer !== undefined && { referer }),
  };
}

/** Only pages that come from elsewhere stand behind walls. */
function* walls(options: CaptureOptions): Generator<Step> {
  const { url, wait_until: conditions } = options;
  if (url !== undefined) yield { name: "pass-wall", wall: wallPolicy(options), conditions };
}

function confirmation(options: CaptureOptions): Step {
  const refused = options.fail_on_status;
  return { name: "confirm-document", refused, ...(options.url !== undefined && { wall: wallPolicy(options) }) };
}

function wallPolicy({ ignore_host_errors: tolerated, stealth, proxy, cookies }: CaptureOptions): ChallengePolicy {
  const untried = [
    ...(stealth ? [] : ["stealth=true"]),
    ...(proxy === undefined ? ["a proxy"] : []),
    ...(cookies === undefined ? ["the cookies of a visitor who was let in"] : []),
  ];
  return { tolerated, untried };
}

/** What the caller does to the page. A click comes before the waits: they are for what it brings about. */
function* changes(options: CaptureOptions): Generator<Step> {
  if (options.styles) yield { name: "add-styles", styles: options.styles };
  if (options.hide_selectors) yield { name: "hide", selectors: options.hide_selectors };
  if (options.scripts) yield { name: "run-scripts", scripts: options.scripts };
  if (options.scripts_wait_until) yield { name: "await-load", conditions: options.scripts_wait_until };
  for (const selector of options.click ?? []) {
    yield { name: "click", selector, optional: options.error_on_click_selector_not_found === false };
  }
}

/** What the caller waits for, a banner can have waited for as well. */
function* lateClosings(options: CaptureOptions, onlyHides: boolean): Generator<Step> {
  if ([...waits(options)].length > 0) yield* closings(options, onlyHides);
}

function* waits(options: CaptureOptions): Generator<Step> {
  const { wait_for_selector: selectors, wait_for_selector_hidden: hidden, wait_for_expression: expression } = options;
  const enough = options.wait_for_selector_algorithm === "at_least_by_count" ? "all" : "any";
  if (selectors) yield { name: "await-selectors", selectors, enough };
  if (hidden !== undefined) yield { name: "await-hidden", selector: hidden };
  if (expression !== undefined) yield { name: "await-expression", expression };
  if (options.delay > 0) yield { name: "pause", seconds: options.delay };
}

/** Everything that is to be seen must have been in view once, on paper too. */
function* scroll(options: CaptureOptions): Generator<Step> {
  const isWhole = formatKind(options.format) === "pdf" || options.full_page;
  if (!isWhole || options.full_page_scroll === false) return;
  yield {
    name: "scroll-through",
    by: options.full_page_scroll_by,
    delayMs: options.full_page_scroll_delay,
    maxHeight: options.full_page_max_height,
    ...(options.full_page_algorithm !== "by_sections" && { virtualizedHelp: virtualizedHelp(options) }),
  };
}

function virtualizedHelp({ format }: CaptureOptions): string {
  if (isImageFormat(format)) return "Set full_page_algorithm=by_sections.";
  return "Capture an image with full_page=true and full_page_algorithm=by_sections instead.";
}

function* hovers({ hover, error_on_hover_selector_not_found }: CaptureOptions): Generator<Step> {
  if (hover !== undefined)
    yield { name: "hover", selector: hover, optional: error_on_hover_selector_not_found === false };
}

function* checks(options: CaptureOptions): Generator<Step> {
  const { fail_if_content_contains: contains = [], fail_if_content_missing: missing = [] } = options;
  if (contains.length + missing.length > 0) yield { name: "check-content", contains, missing };
  if (options.fail_if_request_failed) yield { name: "check-requests", patterns: options.fail_if_request_failed };
}

function* metadata(options: CaptureOptions): Generator<Step> {
  const wanted: WantedMetadata = {
    pageTitle: options.metadata_page_title,
    openGraph: options.metadata_open_graph,
    icon: options.metadata_icon,
    fonts: options.metadata_fonts,
    links: options.metadata_links,
    console: options.metadata_console,
    requests: options.metadata_requests,
    statusCode: options.metadata_http_response_status_code,
    responseHeaders: options.metadata_http_response_headers,
    shadowDom: options.include_shadow_dom,
    ...(options.metadata_content && { content: { format: options.metadata_content_format } }),
  };
  const { shadowDom, ...facts } = wanted;
  if (Object.values(facts).some(Boolean)) yield { name: "read-metadata", wanted };
  else if (options.format === "json") yield { name: "read-metadata", wanted: usualFacts(options) };
}

/** What a caller wants to know who has asked for the facts of a page and named none. */
function usualFacts({ url, include_shadow_dom: shadowDom }: CaptureOptions): WantedMetadata {
  const [usual, served] = [true, url !== undefined];
  return {
    pageTitle: usual,
    openGraph: usual,
    icon: usual,
    links: usual,
    statusCode: served,
    responseHeaders: served,
    fonts: false,
    console: false,
    requests: false,
    shadowDom,
  };
}

function* result(options: CaptureOptions, isRealTime: boolean): Generator<Step> {
  const { format } = options;
  const { disable_animations: still } = options;
  if (isVideoFormat(format)) {
    if (still) yield { name: "finish-animations" };
    yield* video(options, format, isRealTime);
  } else if (isImageFormat(format)) {
    if (options.full_page && options.full_page_expand_overflow !== false) yield { name: "expand-scroller" };
    const isWindow = framing(options).name === "frame-window";
    if (still) yield { name: "finish-animations", ...(!isWindow && { areScrollDrivenHeld: true }) };
    yield* image(options, format);
  } else if (format === "pdf") {
    const optional = options.error_on_selector_not_found === false;
    yield { name: "expand-scroller" };
    if (still) yield { name: "finish-animations", areScrollDrivenHeld: true };
    if (options.selector !== undefined) yield { name: "isolate", selector: options.selector, optional };
    yield { name: "check-glyphs", isWhole: true };
    yield { name: "print", settings: createPdfSettings(options) };
  } else {
    yield { name: "write-document", format, shadowDom: options.include_shadow_dom, tellsBlocked: blocks(options) };
  }
}

function* image(options: CaptureOptions, format: ImageFormat): Generator<Step> {
  const picture = pictureOf(options, format);
  const bySections = options.full_page_algorithm === "by_sections";
  const freeze = options.full_page_freeze_fixed !== false;
  yield* scrollTo(options);
  if (options.full_page && freeze) yield { name: "unpin" };
  yield framing(options);
  if (options.capture_beyond_viewport === false) yield { name: "crop-to-window" };
  yield { name: "check-glyphs", isWhole: false };
  if (bySections) yield { name: "shoot-sections", freeze, picture };
  else yield { name: "shoot", picture };
  // An element or a rectangle can well be of one colour.
  if (!options.selector && !options.selector_all && options.clip_x === undefined) {
    yield { name: "check-blank", picture };
  }
  yield { name: "compose", picture };
  if (options.full_page_slices) {
    const { full_page_slice_height: height, full_page_slice_overlap_height: overlap } = options;
    yield { name: "slice", height, overlap, picture };
  }
  const { metadata_image_size: size, metadata_palette: palette } = options;
  if (size || palette) yield { name: "study-image", size, palette };
}

function* video(options: CaptureOptions, format: VideoFormat, isRealTime: boolean): Generator<Step> {
  const { video_width, video_height, image_width, image_height } = options;
  const film = filmOf(options, format);
  const size = { video_width, video_height, image_width, image_height };
  if (film.scroll) yield { name: "load-eagerly" };
  yield* scrollTo(options);
  const frame = framing(options);
  yield frame;
  // In a window that had to grow, what is to be filmed can lie elsewhere.
  if (frame.name === "frame-window") yield { name: "fit-window", size };
  else yield* [{ name: "grow-window" }, frame, { name: "fit-area", size }] as const;
  yield { name: "check-glyphs", isWhole: film.scroll !== undefined };
  yield { name: isRealTime ? "film-in-real-time" : "film", film };
  if (options.metadata_image_size) yield { name: "study-video" };
}

function filmOf(options: CaptureOptions, format: VideoFormat): Recording {
  const { video_duration: seconds, video_fps: fps, image_quality: quality } = options;
  return { format, seconds, fps, quality, ...(options.video_scenario === "scroll" && { scroll: scrolling(options) }) };
}

function scrolling(options: CaptureOptions): Scrolling {
  return {
    by: options.scroll_by,
    durationMs: options.scroll_duration,
    delayMs: options.scroll_delay,
    startDelayMs: options.scroll_start_delay,
    easing: options.scroll_easing,
    complete: options.scroll_complete,
    back: options.scroll_back ? options.scroll_back_algorithm : "none",
  };
}

function* scrollTo({
  scroll_into_view: selector,
  scroll_into_view_adjust_top: adjust,
}: CaptureOptions): Generator<Step> {
  if (selector !== undefined) yield { name: "scroll-to", selector, adjust };
}

function pictureOf(options: CaptureOptions, format: ImageFormat): Picture {
  const { image_width: width, image_height: height } = options;
  const resizing: Resizing | undefined =
    width === undefined && height === undefined
      ? undefined
      : {
          width,
          height,
          fit: options.image_fit,
          position: options.image_position,
          background: options.image_background,
        };
  return {
    format,
    quality: options.image_quality,
    transparent: options.omit_background,
    fast: options.optimize_for_speed,
    study: options.full_page_slices,
    ...(resizing && { resizing }),
  };
}

function framing(options: CaptureOptions): Step {
  const { selector, selector_all, clip_x: x, clip_y: y, clip_width: width, clip_height: height } = options;
  const elements = selector ?? selector_all;
  if (elements !== undefined) {
    return {
      name: "frame-elements",
      selector: elements,
      every: selector_all !== undefined,
      padding: options.selector_padding,
      visit: options.selector_scroll_into_view,
      optional: options.error_on_selector_not_found === false,
    };
  }
  if (x !== undefined && y !== undefined && width !== undefined && height !== undefined) {
    return { name: "frame-rectangle", area: { x, y, width, height } };
  }
  if (!options.full_page) return { name: "frame-window" };
  return { name: "frame-page", maxHeight: options.full_page_max_height };
}
