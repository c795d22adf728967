// The plan of a capture: the steps for each option, and that every option has one.
import * as v from "valibot";
import { describe, expect, test } from "vitest";
import { parseCaptureOptions } from "../../../../lib/contract/options/capture-options.ts";
import {
  type CaptureOptionName,
  captureOptionEntries,
  captureOptionNames,
} from "../../../../lib/contract/options/groups/all.ts";
import { optionFacts } from "../../../../lib/contract/options/option.ts";
import { findDevice } from "../../../../lib/contract/options/values/devices.ts";
import { frameModeFor } from "../../../../lib/engine/browser/browser-use.ts";
import { type CapturePlan, planCapture } from "../../../../lib/engine/pipeline/plan/plan.ts";
import type { AnyStep } from "../../../../lib/engine/pipeline/step.ts";
import { examples, url } from "../../../contract/options/example-options.ts";
import { sampled } from "../../../support/slow-run.ts";

type Sent = Readonly<Record<string, unknown>>;

/** All steps of a plan, in the order in which they run. */
const allSteps = ({ prepare, navigate, ready, confirm, capture, verify, encode }: CapturePlan): readonly AnyStep[] => [
  ...prepare,
  navigate,
  ...ready,
  confirm,
  ...capture,
  ...verify,
  ...encode,
];
const inOrder = (plan: CapturePlan) => allSteps(plan).map(nameAndParams);

const nameAndParams = ({ name, params }: AnyStep): { readonly name: string; readonly [param: string]: unknown } => ({
  name,
  ...params,
});

const stepsOf = (options: Sent) => inOrder(planCapture(parseCaptureOptions(options)));
const namesOf = (options: Sent) => stepsOf(options).map(({ name }) => name);
const stepOf = (name: string, options: Sent) => stepsOf(options).find((step) => step.name === name);

/** Options without a step, and where they are used. */
const usedElsewhere = {
  source: "it follows from the input that was sent",
  response_type: "the response delivers the result in this form",
  attachment_name: "the response names the result",
  timeout: "the steps run within its budget",
  fail_if_problem: "the finished capture is compared with it",
  min_quality: "the finished capture is compared with it",
  retry_on: "it decides whether a capture that failed is attempted again",
  self_repair: "it decides whether the finished capture is made once more",
  async: "it decides when the capture is taken",
  webhook_url: "it receives the outcome",
  webhook_receiver: "it receives the outcome",
  webhook_sign: "it decides how the webhook is signed",
  webhook_errors: "it decides which outcomes are sent",
  validate: "nothing is captured",
  fallback_image: "it stands for an error",
  external_identifier: "it is returned with the outcome",
  cache: "it decides whether the capture has to be taken",
  cache_ttl: "it decides whether the capture has to be taken",
  cache_stale_ttl: "it decides whether the capture has to be taken",
  cache_key: "it decides whether the capture has to be taken",
  cache_refresh: "it decides whether the capture has to be taken",
  store: "the result is stored after the capture",
  storage_path: "it names the object in the bucket",
  storage_bucket: "it selects and authorizes the bucket",
  storage_endpoint: "it selects and authorizes the bucket",
  storage_region: "it selects and authorizes the bucket",
  storage_access_key_id: "it selects and authorizes the bucket",
  storage_secret_access_key: "it selects and authorizes the bucket",
  storage_role_arn: "it selects and authorizes the bucket",
  storage_external_id: "it selects and authorizes the bucket",
  storage_acl: "it is sent to the bucket with the object",
  storage_class: "it is sent to the bucket with the object",
  store_thumbnail: "the thumbnail is made and stored after the response",
  storage_return_location: "the response returns the location of the object",
} satisfies Partial<Record<CaptureOptionName, string>>;

type Planned = Exclude<CaptureOptionName, keyof typeof usedElsewhere>;

const onEmulate = (environment: object) => ({ name: "emulate", environment });
const onPicture = (image: object) => ({ name: "screenshot", image });
const onResizing = (resizing: object) => onPicture({ resizing });
const onPaper = (settings: object) => ({ name: "print-pdf", settings });
const onRead = (wanted: object) => ({ name: "read-metadata", wanted });
const onElements = (elements: object) => ({ name: "write-document", elements });
const onFilm = (video: object) => ({ name: "record-video", video });
const onBlock = (what: object) => ({ name: "block-requests", ...what });
const onScroll = (scroll: object) => onFilm({ scroll });
const absent = (name: string) => ({ absent: name });

/** Of each option's first example: the step that carries it, or the one it takes away. */
const carriers: Readonly<Record<Planned, Readonly<Record<string, unknown>>>> = {
  url: { name: "navigate", url },
  html: { name: "write-html", html: "<p>A</p>" },
  markdown: { name: "write-markdown", markdown: "# A", theme: "github", css: "" },
  markdown_theme: { name: "write-markdown", theme: "plain" },
  markdown_css: { name: "write-markdown", css: "p { color: red }" },
  base_url: { name: "write-html", baseUrl: "https://example.com/docs/" },

  format: onPicture({ format: "jpeg" }),
  image_fallback_format: onPicture({ fallbackFormat: "png" }),
  image_quality: onPicture({ quality: 50 }),
  image_width: onResizing({ width: 500, height: undefined, fit: "inside", position: "center", background: "white" }),
  image_height: onResizing({ width: undefined, height: 500 }),
  image_fit: onResizing({ fit: "cover" }),
  image_position: onResizing({ position: "north" }),
  image_background: onResizing({ background: "#102030" }),
  omit_background: onPicture({ transparent: true }),
  annotate: { name: "locate-elements", isListed: false },
  optimize_for_speed: onPicture({ fast: true }),

  viewport_device: onEmulate({ width: 393, height: 659, scale: 3, mobile: true, touch: true }),
  viewport_width: onEmulate({ width: 800, height: 1024 }),
  viewport_height: onEmulate({ width: 1280, height: 600 }),
  device_scale_factor: onEmulate({ scale: 2 }),
  viewport_mobile: onEmulate({ mobile: true, touch: false }),
  viewport_has_touch: onEmulate({ mobile: false, touch: true }),
  viewport_landscape: onEmulate({ width: 800, height: 400 }),
  dark_mode: onEmulate({ dark: true }),
  reduced_motion: onEmulate({ reducedMotion: true }),
  media_type: onEmulate({ mediaType: "print" }),

  full_page: { name: "stitch-windows", maxHeight: 20_000 },
  full_page_scroll: absent("visit-page"),
  full_page_scroll_delay: { name: "visit-page", by: undefined, delayMs: 100 },
  full_page_scroll_by: { name: "visit-page", by: 100, delayMs: undefined },
  full_page_max_height: { name: "visit-page", maxHeight: 3_000 },
  full_page_expand_overflow: { name: "visit-page", findsPanes: false },
  full_page_freeze_fixed: { name: "visit-page", hidesPinned: false },
  full_page_algorithm: { name: "visit-page", isAlwaysVisited: true },
  full_page_pinned: { name: "visit-page", scenes: "once" },
  full_page_slices: { name: "slice-image", height: 4_000, overlap: 0 },
  full_page_slice_height: { name: "slice-image", height: 1_000 },
  full_page_slice_overlap_height: { name: "slice-image", overlap: 100 },
  capture_beyond_viewport: { name: "crop-to-viewport" },
  selector: { name: "select-elements", selector: "#a", every: false, padding: 0, visit: true, optional: false },
  selector_all: { name: "select-elements", selector: ".a", every: true },
  selector_padding: { name: "select-elements", padding: 10 },
  selector_algorithm: { name: "select-elements", visit: false },
  selector_scroll_into_view: { name: "select-elements", visit: false },
  error_on_selector_not_found: { name: "select-elements", optional: true },
  clip_x: { name: "select-clip", area: { x: 10, y: 2, width: 3, height: 4 } },
  clip_y: { name: "select-clip", area: { x: 1, y: 10, width: 3, height: 4 } },
  clip_width: { name: "select-clip", area: { x: 1, y: 2, width: 10, height: 4 } },
  clip_height: { name: "select-clip", area: { x: 1, y: 2, width: 3, height: 10 } },
  scroll_into_view: { name: "scroll-into-view", selector: "#a", adjust: 0 },
  scroll_into_view_adjust_top: { name: "scroll-into-view", adjust: -20 },

  wait_until: { name: "wait-for-load", conditions: ["load"] },
  wait_for_selector: { name: "wait-for-selector", selectors: ["#a"], enough: "any" },
  wait_for_selector_algorithm: { name: "wait-for-selector", selectors: ["#a", "#b"], enough: "all" },
  wait_for_selector_hidden: { name: "wait-for-hidden", selector: ".spinner" },
  wait_for_expression: { name: "wait-for-expression", expression: "window.ready" },
  delay: { name: "delay", seconds: 1 },
  on_timeout: absent("start-frames"), // what was painted last is to be had then
  navigation_timeout: { name: "navigate", timeoutMs: 10_000 },
  ignore_host_errors: { name: "confirm-document", refused: [] },
  fail_on_status: { name: "confirm-document", refused: [{ from: 404, to: 404 }] },
  fail_if_content_contains: { name: "check-content", contains: ["Error"], missing: [] },
  fail_if_content_missing: { name: "check-content", contains: [], missing: ["Welcome"] },
  fail_if_request_failed: { name: "check-requests", patterns: ["*.css"] },
  fail_if_selector_present: { name: "check-selectors", selectors: [".error"] },

  user_agent: onEmulate({ identity: { userAgent: "Probe/1.0" } }),
  headers: {
    name: "set-headers",
    headers: { origin: "https://example.com", headers: [{ name: "X-Tenant", value: "7" }] },
  },
  cookies: { name: "set-cookies", cookies: [{ name: "a", value: "1" }], url },
  authorization: { name: "set-headers", headers: { origin: "https://example.com", authorization: "Token a" } },
  http_auth_username: { name: "set-headers", headers: { authorization: `Basic ${btoa("ann:p")}` } },
  http_auth_password: { name: "set-headers", headers: { authorization: `Basic ${btoa("u:pass a")}` } },
  referer: { name: "navigate", referer: "https://example.org/a" },
  locale: onEmulate({ locale: "de-CH", identity: { acceptLanguage: "de-CH,de,en-US,en" } }),
  time_zone: onEmulate({ timeZone: "Europe/Zurich" }),
  geolocation_latitude: onEmulate({ geolocation: { latitude: 1, longitude: 8.5, accuracy: 10 } }),
  geolocation_longitude: onEmulate({ geolocation: { latitude: 47.4, longitude: 1, accuracy: 10 } }),
  geolocation_accuracy: onEmulate({ geolocation: { accuracy: 5 } }),
  proxy: { name: "use-proxy", upstream: { host: "proxy.example", port: 8080, authorization: `Basic ${btoa("u:p")}` } },
  proxy_bypass_hosts: { name: "use-proxy", upstream: { host: "proxy.example", port: 80, bypass: ["a.example"] } },
  bypass_csp: { name: "bypass-csp" },

  hide_selectors: { name: "hide-elements", selectors: [".banner"] },
  styles: { name: "add-styles", styles: ["p { color: red }"] },
  scripts: { name: "run-scripts", scripts: ["a()"] },
  scripts_wait_until: { name: "wait-for-load", conditions: ["load"] },
  click: { name: "click", selector: "#a", optional: false },
  error_on_click_selector_not_found: { name: "click", selector: "#a", optional: true },
  hover: { name: "hover", selector: "#a", optional: false },
  error_on_hover_selector_not_found: { name: "hover", selector: "#a", optional: true },
  disable_animations: absent("finish-animations"),
  deterministic: { name: "hold-still" },
  page_clock: { name: "start-page-clock", startsAt: Date.UTC(2024, 1, 29) },
  include_shadow_dom: { name: "write-document", format: "html", shadowDom: true },

  block_ads: onBlock({ purposes: ["ads"], requests: [], resources: [] }),
  block_trackers: onBlock({ purposes: ["trackers"] }),
  block_cookie_banners: { name: "close-dialogs", what: "consent" },
  accept_cookie_banners: { name: "start-autoconsent", accept: true },
  block_banners_by_heuristics: { name: "close-dialogs", what: "any" },
  block_chats: onBlock({ purposes: ["chats"] }),
  block_socials: onBlock({ purposes: ["socials"] }),
  block_annoyances: onBlock({ purposes: ["annoyances"] }),
  block_requests: onBlock({ purposes: [], requests: ["*.js"] }),
  block_resources: onBlock({ purposes: [], resources: ["image"] }),
  javascript: { name: "disable-javascript" },
  stealth: { name: "apply-stealth" },

  video_duration: onFilm({ format: "mp4", seconds: 2, fps: 25, quality: 80 }),
  video_fps: onFilm({ seconds: 5, fps: 24 }),
  video_width: { name: "fit-window-to-video", size: { video_width: 640 } },
  video_height: { name: "fit-window-to-video", size: { video_height: 360 } },
  video_aspect_ratio: onEmulate({ width: 1280, height: 960 }),
  video_scenario: onScroll({
    by: 1_000,
    durationMs: 1_500,
    delayMs: 500,
    startDelayMs: 0,
    easing: "ease_in_out_quint",
    complete: true,
    back: "once",
  }),
  scroll_by: onScroll({ by: 500 }),
  scroll_duration: onScroll({ durationMs: 1_000 }),
  scroll_delay: onScroll({ delayMs: 0, startDelayMs: 0 }),
  scroll_easing: onScroll({ easing: "linear" }),
  scroll_start_immediately: onScroll({ delayMs: 500, startDelayMs: 500 }),
  scroll_start_delay: onScroll({ delayMs: 500, startDelayMs: 300 }),
  scroll_complete: onScroll({ complete: false }),
  scroll_back: onScroll({ back: "none" }),
  scroll_back_algorithm: onScroll({ back: "repeat" }),

  pdf_paper_format: onPaper({ paper: { width: 148 / 25.4, height: 210 / 25.4 } }),
  pdf_paper_width: onPaper({ paper: { width: 5, height: 10 } }),
  pdf_paper_height: onPaper({ paper: { width: 10, height: 5 } }),
  pdf_margin: onPaper({ margin: { top: 1, right: 1, bottom: 1, left: 1 } }),
  pdf_margin_top: onPaper({ margin: { top: 1 } }),
  pdf_margin_right: onPaper({ margin: { right: 1 } }),
  pdf_margin_bottom: onPaper({ margin: { bottom: 1 } }),
  pdf_margin_left: onPaper({ margin: { left: 1 } }),
  pdf_landscape: onPaper({ landscape: true }),
  pdf_print_background: onPaper({ printBackground: false }),
  pdf_fit_one_page: onPaper({ fitOnePage: true }),
  pdf_scale: onPaper({ scale: 0.5 }),
  pdf_page_ranges: onPaper({ pageRanges: "1-5,8" }),
  pdf_header_template: onPaper({ headerTemplate: "<p>A</p>" }),
  pdf_footer_template: onPaper({ footerTemplate: "<p>A</p>" }),
  pdf_prefer_css_page_size: onPaper({ preferCssPageSize: true }),
  pdf_outline: onPaper({ outline: true }),
  pdf_tagged: onPaper({ tagged: true }),

  metadata_page_title: onRead({ pageTitle: true, openGraph: false }),
  metadata_open_graph: onRead({ openGraph: true, icon: false }),
  metadata_icon: onRead({ icon: true, fonts: false }),
  metadata_fonts: onRead({ fonts: true, links: false }),
  metadata_image_size: { name: "analyse-image", size: true, palette: false },
  metadata_http_response_status_code: onRead({ statusCode: true, responseHeaders: false }),
  metadata_http_response_headers: onRead({ statusCode: false, responseHeaders: true }),
  metadata_content: onRead({ content: { format: "html" } }),
  metadata_content_format: onRead({ content: { format: "markdown" } }),
  metadata_links: onRead({ links: true, pageTitle: false }),
  metadata_elements: { name: "read-elements", request: { scope: "interactive", max: 300 } },
  elements_scope: onElements({ scope: "all" }),
  elements_root: onElements({ root: "#a" }),
  elements_max: onElements({ max: 10 }),
  metadata_palette: { name: "analyse-image", size: false, palette: true },
  metadata_console: { name: "record-events", wanted: { console: true, requests: false } },
  metadata_report: { name: "read-fonts" },
  metadata_requests: { name: "record-events", wanted: { console: false, requests: true } },
};

describe("every option has its step:", () => {
  test.each(Object.entries(carriers))("%s", (name, carrier) => {
    const { sentWith, values } = examples[name as Planned];
    const steps = stepsOf({ ...sentWith, [name]: values[0] });
    if ("absent" in carrier) {
      expect(steps.map((step) => step.name)).not.toContain(carrier["absent"]);
      expect(namesOf(sentWith)).toContain(carrier["absent"]);
    } else {
      const candidates = steps.filter((step) => step.name === carrier["name"]);
      const fitting = candidates.find((step) => matches(step, carrier)) ?? candidates;
      expect(fitting).toMatchObject(carrier);
    }
  });
});

/** True when `actual` has all that `expected` has. */
function matches(actual: unknown, expected: unknown): boolean {
  if (typeof expected !== "object" || expected === null) return Object.is(actual, expected);
  if (typeof actual !== "object" || actual === null) return false;
  if (Array.isArray(expected) && expected.length !== (actual as unknown[]).length) return false;
  return Object.entries(expected).every(([key, value]) => matches((actual as Record<string, unknown>)[key], value));
}

describe("two captures that differ in one option have different steps:", () => {
  sampled(test, 8).each(Object.keys(carriers))("%s", (name) => {
    const { sentWith, values } = examples[name as Planned];
    const plans = values.map((value) => JSON.stringify(stepsOf({ ...sentWith, [name]: value })));
    if (isComplete(sentWith)) plans.push(JSON.stringify(stepsOf(sentWith)));
    expect(new Set(plans).size).toBe(plans.length);
    expect(plans.length).toBeGreaterThan(1);
  });
});

/** False for the company of an option without which it is not a request. */
function isComplete(sentWith: Sent): boolean {
  try {
    parseCaptureOptions(sentWith);
    return true;
  } catch {
    return false;
  }
}

test.each(Object.entries(usedElsewhere))("%s does not change the steps: %s", (name) => {
  const { sentWith, values } = examples[name as CaptureOptionName];
  const without = isComplete(sentWith) ? sentWith : { url }; // of storage, most is needed or nothing
  for (const value of values) expect(stepsOf({ ...sentWith, [name]: value })).toEqual(stepsOf(without));
});

describe("the documented default is the one that is planned:", () => {
  /** Their defaults are reported in words, since they are no value. */
  const inWords = /^(that of|as long as|0\.95|the page's own|all|0; room|white;|screen;|true with `full_page`, else)/;
  const defaults = captureOptionNames.flatMap((name) => {
    const fixed: unknown = v.getDefault(captureOptionEntries[name]);
    const { otherwise = fixed === undefined ? undefined : String(fixed) } = optionFacts(captureOptionEntries[name]);
    return otherwise === undefined || inWords.test(otherwise) ? [] : [{ name, value: otherwise.split(/[ ;,]/)[0] }];
  });

  test.each(defaults)("$name is $value", ({ name, value }) => {
    const { sentWith: company } = examples[name];
    const paper = name.startsWith("pdf_") ? { format: "pdf" } : {};
    const sentWith = isComplete(company) ? company : { url, ...paper };
    expect(stepsOf({ ...sentWith, [name]: value })).toEqual(stepsOf(sentWith));
  });

  test("most options are covered", () => {
    expect(defaults.length).toBeGreaterThan(80);
  });
});

test("every option has a step, or is used elsewhere", () => {
  expect([...Object.keys(carriers), ...Object.keys(usedElsewhere)].toSorted()).toEqual(captureOptionNames.toSorted());
});

describe("with default options", () => {
  const servers = [{ from: 400, to: 599 }];
  const untried = ["stealth=true", "a proxy", "the cookies of a visitor who passed the challenge"];
  const challenge = { tolerated: false, untried, isOwnRule: false };
  const image = { format: "png", quality: 80, transparent: false, fast: false, keepsPixels: false };

  test("a URL is captured as an image in these steps", () => {
    expect(stepsOf({ url })).toEqual([
      { name: "record-page-errors" },
      {
        name: "emulate",
        environment: {
          width: 1280,
          height: 1024,
          scale: 1,
          mobile: false,
          touch: false,
          identity: expect.objectContaining({ userAgent: expect.stringMatching(/^Mozilla.* Chrome\/\d+/) }),
          locale: "en-US",
          timeZone: "UTC",
          reducedMotion: true,
        },
      },
      { name: "start-frames", framesPerSecond: 60, settlesInVirtualTime: true },
      { name: "navigate", url, timeoutMs: 30_000, refused: servers, challenge },
      { name: "wait-for-load", option: "wait_until", conditions: ["auto"] },
      { name: "wait-for-challenge", challenge, conditions: ["auto"] },
      { name: "confirm-document", refused: servers, challenge },
      { name: "check-embedded-pdfs" },
      { name: "finish-animations" },
      { name: "select-viewport" },
      { name: "judge-page", isWhole: false },
      { name: "screenshot", image },
      { name: "check-blank", image },
      { name: "encode-image", image },
    ]);
  });

  test.each(["mp4", "webm"])("a URL is captured as a video in these steps: %s", (format) => {
    expect(namesOf({ url, format })).toEqual([
      "start-encoder",
      ...filming,
      "select-viewport",
      "fit-window-to-video",
      "judge-page",
      "record-video",
      "judge-page",
    ]);
    expect(stepOf("record-video", { url, format })).toEqual({
      name: "record-video",
      video: { format, seconds: 5, fps: 25, quality: 80 },
    });
  });

  test.each(["gif", "animated_webp"] as const)("a URL is captured as an animation in these steps: %s", (format) => {
    expect(namesOf({ url, format })).toEqual([
      ...filming,
      "select-viewport",
      "fit-window-to-video",
      "judge-page",
      "record-video",
      "judge-page",
    ]);
    expect(stepOf("record-video", { url, format })).toEqual({
      name: "record-video",
      video: { format, seconds: 5, fps: 10, quality: 80 },
    });
  });

  const filming = [
    "record-page-errors",
    "emulate",
    "start-frames",
    "navigate",
    "wait-for-load",
    "wait-for-challenge",
    "confirm-document",
    "check-embedded-pdfs",
  ];

  test("a video is recorded in real time when frames cannot be controlled", () => {
    const steps = inOrder(planCapture(parseCaptureOptions({ url, format: "gif" }), { isRealTime: true }));
    expect(steps.map(({ name }) => name)).toEqual(
      [...filming, "select-viewport", "fit-window-to-video", "judge-page", "record-screencast", "judge-page"].filter(
        (name) => name !== "start-frames",
      ),
    );
  });

  test.each([
    [
      "a whole page",
      { full_page: true },
      [
        "visit-page",
        "confirm-document",
        "check-embedded-pdfs",
        "finish-animations",
        "judge-page",
        "stitch-windows",
        "check-blank",
        "encode-image",
      ],
    ],
    [
      "a whole page that is not scrolled",
      { full_page: true, full_page_scroll: false },
      [
        "confirm-document",
        "check-embedded-pdfs",
        "expand-scroller",
        "finish-animations",
        "judge-page",
        "neutralise-fixed",
        "select-full-page",
        "screenshot",
        "check-blank",
        "encode-image",
      ],
    ],
    [
      "a pdf",
      { format: "pdf" },
      [
        "scroll-page",
        "confirm-document",
        "check-embedded-pdfs",
        "emulate-print-media",
        "place-clipped-fixed",
        "expand-scroller",
        "finish-animations",
        "show-discarded",
        "restore-in-view",
        "judge-page",
        "print-pdf",
      ],
    ],
    [
      "a part of it as pdf",
      { format: "pdf", selector: "#a" },
      [
        "scroll-page",
        "confirm-document",
        "check-embedded-pdfs",
        "emulate-print-media",
        "place-clipped-fixed",
        "expand-scroller",
        "finish-animations",
        "show-discarded",
        "restore-in-view",
        "isolate-element",
        "judge-page",
        "print-pdf",
      ],
    ],
    [
      "html",
      { format: "html" },
      ["confirm-document", "finish-animations", "check-embedded-pdfs", "judge-page", "write-document"],
    ],
    [
      "facts",
      { format: "json" },
      ["confirm-document", "finish-animations", "check-embedded-pdfs", "read-metadata", "judge-page", "write-document"],
    ],
  ])("%s has these steps", (_, options, names) => {
    const arriving = [
      "record-page-errors",
      "emulate",
      "start-frames",
      "navigate",
      "wait-for-load",
      "wait-for-challenge",
    ];
    expect(namesOf({ url, ...options })).toEqual([...arriving, ...names]);
  });
});

describe("the browser paints", () => {
  test.each([
    ["the window", {}],
    ["a whole page", { full_page: true }],
    ["an element", { selector: "#a" }],
    ["sharp eyes", { device_scale_factor: 2 }],
    ["a film", { format: "gif" }],
    ["sheets", { format: "pdf" }],
    ["words", { format: "markdown" }],
  ])("on demand for %s", (_, options) => {
    expect(frameModeFor(parseCaptureOptions({ url, ...options }))).toBe("begin-frame-control");
  });

  test("continuously for on_timeout=capture, which needs a last frame", () => {
    expect(frameModeFor(parseCaptureOptions({ url, on_timeout: "capture" }))).toBe("continuous");
  });
});

test("all interactions and waits are in this order", () => {
  const everything = {
    url,
    proxy: "http://proxy.example",
    metadata_console: true,
    stealth: true,
    block_ads: true,
    block_cookie_banners: true,
    bypass_csp: true,
    headers: ["X-Tenant: 7"],
    cookies: ["a=1"],
    styles: ["p {}"],
    hide_selectors: [".banner"],
    scripts: ["a()"],
    scripts_wait_until: "load",
    click: ["#a", "#b"],
    wait_for_selector: ["#c"],
    wait_for_selector_hidden: ".spinner",
    wait_for_expression: "window.ready",
    delay: 1,
    full_page: true,
    hover: "#d",
    fail_if_content_contains: ["Error"],
    fail_if_request_failed: ["*.css"],
    fail_if_selector_present: [".error"],
    full_page_slices: true,
    metadata_palette: true,
    response_type: "json",
  };
  expect(namesOf(everything)).toEqual([
    "use-proxy",
    "record-events",
    "record-page-errors",
    "emulate",
    "apply-stealth",
    "block-requests",
    "start-autoconsent",
    "bypass-csp",
    "set-headers",
    "set-cookies",
    "start-frames",
    "navigate",
    "wait-for-load",
    "wait-for-challenge",
    "close-consent-banner",
    "close-dialogs",
    "restore-scroll",
    "add-styles",
    "hide-elements",
    "run-scripts",
    "wait-for-load",
    "click",
    "click",
    "wait-for-selector",
    "wait-for-hidden",
    "wait-for-expression",
    "delay",
    "close-consent-banner",
    "close-dialogs",
    "restore-scroll",
    "hover",
    "visit-page",
    "confirm-document",
    "complete-styles",
    "finish-animations",
    "check-embedded-pdfs",
    "check-content",
    "check-selectors",
    "check-requests",
    "read-metadata",
    "finish-animations",
    "judge-page",
    "stitch-windows",
    "check-blank",
    "encode-image",
    "slice-image",
    "analyse-image",
  ]);
});

describe("a video", () => {
  const framing = (options: Sent) => {
    const names = namesOf({ url, format: "gif", ...options });
    return names.slice(names.indexOf("check-embedded-pdfs") + 1);
  };

  test("has the quality of image_quality", () => {
    expect(stepOf("record-video", { url, format: "mp4", image_quality: 30 })).toHaveProperty("video.quality", 30);
  });

  test.each([{ video_width: 640 }, { video_height: 480 }, { image_width: 321 }, { image_height: 100 }])(
    "has the size that is asked for: %j",
    (size) => {
      expect(stepOf("fit-window-to-video", { url, format: "mp4", ...size })).toMatchObject({ size });
    },
  );

  test("shows a part of the page, for which the window grows", () => {
    const steps = [
      "select-elements",
      "grow-window",
      "select-elements",
      "fit-area-to-video",
      "judge-page",
      "record-video",
      "judge-page",
    ];
    expect(framing({ selector: "#a" })).toEqual(steps);
    expect(framing({ selector_all: "p", selector_padding: 5 })).toEqual(steps);
    expect(framing({ clip_x: 0, clip_y: 0, clip_width: 9, clip_height: 9 })).toContain("fit-area-to-video");
  });

  test("starts where the page was scrolled to", () => {
    expect(framing({ scroll_into_view: "#a" })).toEqual([
      "scroll-into-view",
      "select-viewport",
      "fit-window-to-video",
      "judge-page",
      "record-video",
      "judge-page",
    ]);
  });

  test("that scrolls loads lazy images first", () => {
    expect(framing({ video_scenario: "scroll" })).toEqual([
      "load-lazy-images",
      "select-viewport",
      "fit-window-to-video",
      "judge-page",
      "record-video",
      "judge-page",
    ]);
  });

  test("shows animations, unless disable_animations is set", () => {
    expect(framing({ disable_animations: true })).toEqual([
      "finish-animations",
      "select-viewport",
      "fit-window-to-video",
      "judge-page",
      "record-video",
      "judge-page",
    ]);
    expect(framing({ disable_animations: false })).toEqual(framing({}));
  });

  test("reports its size in the metadata", () => {
    expect(framing({ metadata_image_size: true }).at(-1)).toBe("report-video-size");
  });
});

describe("blocking", () => {
  test("of all kinds is one step", () => {
    const steps = stepsOf({ url, block_ads: true, block_chats: true, block_requests: "a", block_resources: "font" });
    expect(steps.filter(({ name }) => name === "block-requests")).toEqual([
      { name: "block-requests", purposes: ["ads", "chats"], requests: ["a"], resources: ["font"] },
    ]);
  });

  test("cookie banners combines filter lists, autoconsent and dialogs", () => {
    expect(namesOf({ html: "<p>", block_cookie_banners: true }).slice(0, -8)).toEqual([
      "record-page-errors",
      "emulate",
      "block-requests",
      "start-autoconsent",
      "start-frames",
      "write-html",
      "wait-for-load",
      "close-consent-banner",
      "close-dialogs",
      "restore-scroll",
    ]);
    expect(stepOf("block-requests", { url, block_cookie_banners: true })).toMatchObject({ purposes: ["cookies"] });
  });

  test("closes overlays again after the caller's waits", () => {
    const names = namesOf({ url, block_cookie_banners: true, delay: 2 });
    expect(names.slice(names.indexOf("delay"), names.indexOf("confirm-document"))).toEqual([
      "delay",
      "close-consent-banner",
      "close-dialogs",
      "restore-scroll",
    ]);
  });

  test("hides overlays without a click after a click navigated the page", () => {
    const steps = inOrder(planCapture(parseCaptureOptions({ url, block_cookie_banners: true }), { onlyHides: true }));
    expect(steps.map(({ name }) => name)).not.toContain("start-autoconsent");
    expect(steps.find(({ name }) => name === "close-dialogs")).toMatchObject({ what: "consent", onlyHides: true });
  });

  test.each<[Sent, boolean]>([
    [{ block_ads: true }, true],
    [{ block_requests: "a" }, true],
    [{ block_banners_by_heuristics: true }, true],
    [{ javascript: false, stealth: true }, false],
    [{}, false],
  ])("%j is reported in the metadata: %j", (options, reported) => {
    expect(stepOf("write-document", { url, format: "json", ...options })).toMatchObject({ includesBlocked: reported });
  });
});

describe("a bot challenge", () => {
  const policyFor = (options: Sent) => stepOf("wait-for-challenge", { url, ...options })?.["challenge"];

  test("is tolerated with ignore_host_errors", () => {
    expect(policyFor({ ignore_host_errors: true })).toMatchObject({ tolerated: true });
    expect(policyFor({ fail_on_status: "404" })).toMatchObject({ tolerated: false });
  });

  test("suggests only options that are not set", () => {
    expect(policyFor({ stealth: true, proxy: "http://proxy.example", cookies: ["a=1"] })).toMatchObject({
      untried: [],
    });
  });

  test.each([{ html: "<p>" }, { markdown: "a" }])("is not expected for %j", (input) => {
    expect(namesOf(input)).not.toContain("wait-for-challenge");
    expect(stepOf("confirm-document", input)).not.toHaveProperty("challenge");
  });
});

describe("a blank screenshot", () => {
  test.each<[Sent, boolean]>([
    [{}, true],
    [{ full_page: true }, true],
    [{ scroll_into_view: "p" }, true],
    [{ selector: "p" }, false],
    [{ selector_all: "p" }, false],
    [{ clip_x: 0, clip_y: 0, clip_width: 9, clip_height: 9 }, false],
    [{ format: "pdf" }, false],
    [{ format: "gif" }, false],
  ])("of %j is checked: %j", (options, doubted) => {
    expect(namesOf({ url, ...options }).includes("check-blank")).toBe(doubted);
  });
});

describe("dark_mode", () => {
  test.each([
    [{ dark_mode: true }, true],
    [{ dark_mode: false }, false],
  ])("%j emulates prefers-color-scheme: %j", (options, dark) => {
    expect(stepOf("emulate", { url, ...options })).toHaveProperty("environment.dark", dark);
  });

  test("emulates nothing when it is not set", () => {
    expect(stepOf("emulate", { url })).not.toHaveProperty("environment.dark");
  });

  test("is true for Markdown in the dark theme", () => {
    expect(stepOf("emulate", { markdown: "# A", markdown_theme: "dark" })).toHaveProperty("environment.dark", true);
  });
});

describe("the captured area", () => {
  test.each([
    ["the window", "select-viewport", {}],
    ["the page, as one look shows it", "select-full-page", { full_page: true, full_page_scroll: false }],
    ["an element", "select-elements", { selector: "#a" }],
    ["several elements", "select-elements", { selector_all: ".a" }],
    ["a rectangle", "select-clip", { clip_x: 0, clip_y: 0, clip_width: 1, clip_height: 1 }],
    ["the window at an element", "select-viewport", { scroll_into_view: "#a" }],
  ])("is %s: %s", (_, name, options) => {
    expect(namesOf({ url, ...options }).filter((step) => step.startsWith("select-"))).toEqual([name]);
  });
});

describe("headers and cookies", () => {
  test("are sent to the origin of base_url when there is no url", () => {
    const sentWith = { html: "<p>", base_url: "https://docs.example:8443/a/b", headers: ["X-A: 1"], cookies: ["a=1"] };
    expect(stepOf("set-headers", sentWith)).toHaveProperty("headers.origin", "https://docs.example:8443");
    expect(stepOf("set-cookies", sentWith)).toHaveProperty("url", "https://docs.example:8443/a/b");
  });

  test("are set for the domain of a cookie when there is neither url nor base_url", () => {
    expect(stepOf("set-cookies", { html: "<p>", cookies: ["a=1; Domain=docs.example"] })).toHaveProperty(
      "url",
      "https://docs.example/",
    );
  });
});

test("a viewport option overrides the value of the device", () => {
  const { scale, userAgent } = findDevice("iphone_15_pro") ?? {};
  const step = stepOf("emulate", {
    url,
    viewport_device: "iPhone 15 Pro",
    viewport_width: 500,
    viewport_mobile: false,
  });
  expect(step).toMatchObject({
    environment: { width: 500, height: 659, scale, mobile: false, touch: true, identity: { userAgent } },
  });
});

describe("the metadata of format=json", () => {
  test("has the usual fields when none is named", () => {
    expect(stepOf("read-metadata", { url, format: "json" })).toMatchObject({
      wanted: { pageTitle: true, openGraph: true, icon: true, links: true, statusCode: true, fonts: false },
    });
  });

  test("has no HTTP response for HTML", () => {
    expect(stepOf("read-metadata", { html: "<p>", format: "json" })).toMatchObject({
      wanted: { pageTitle: true, statusCode: false, responseHeaders: false },
    });
  });

  test("has only the named fields when one is named", () => {
    expect(stepOf("read-metadata", { url, format: "json", metadata_fonts: true })).toMatchObject({
      wanted: { fonts: true, pageTitle: false, links: false },
    });
  });
});

test("the document is confirmed after all waits and before the area is selected", () => {
  const names = namesOf({ url, delay: 1 });
  expect(names.slice(names.indexOf("delay"))).toEqual([
    "delay",
    "confirm-document",
    "check-embedded-pdfs",
    "finish-animations",
    "select-viewport",
    "judge-page",
    "screenshot",
    "check-blank",
    "encode-image",
  ]);
});

test("every step belongs to a phase of Server-Timing that is spent on the page", () => {
  const sent = Object.keys(carriers).flatMap((name) => {
    const { sentWith, values } = examples[name as Planned];
    return values.map((value) => ({ ...sentWith, [name]: value }));
  });
  const phases = sent.flatMap((options) =>
    allSteps(planCapture(parseCaptureOptions(options))).map(({ phase }) => phase),
  );
  expect(new Set(phases)).toEqual(new Set(["browser", "navigate", "settle", "capture", "encode"]));
});
