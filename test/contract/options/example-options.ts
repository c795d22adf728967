// For every option a request in which it is valid: what has to be sent with it, and two values it can have.
import type { CaptureOptionName } from "../../../lib/contract/options/groups/all.ts";

export interface Example {
  /** What has to be sent with it. */
  readonly sentWith: Readonly<Record<string, unknown>>;
  /** Two values of different meaning, neither of them the default. A flag has only one. */
  readonly values: readonly [unknown, unknown?];
}

export const url = "https://example.com/";

const given = { url };
const written = { html: "<p>A</p>" };
const markdown = { markdown: "# A" };
const pdf = { url, format: "pdf" };
const lossy = { url, format: "jpeg" };
const resized = { url, image_width: 500 };
const whole = { url, full_page: true };
const sliced = { ...whole, response_type: "json", full_page_slices: true };
const element = { url, selector: "#a" };
const reported = { url, response_type: "json" };
const place = { url, geolocation_latitude: 47.4, geolocation_longitude: 8.5 };
const destination = {
  store: true,
  storage_path: "shots/home",
  storage_bucket: "my-bucket",
  storage_access_key_id: "AKIAEXAMPLE",
  storage_secret_access_key: "wJalrXUtnFEMI/K7MDENG",
};
const stored = { url, ...destination };
const byRole = {
  url,
  store: true,
  storage_path: "shots/home",
  storage_bucket: "my-bucket",
  storage_role_arn: "arn:aws:iam::123456789012:role/captures",
};
const video = { url, format: "mp4" };
const scrolling = { ...video, video_scenario: "scroll" };
const rectangle = { url, clip_x: 1, clip_y: 2, clip_width: 3, clip_height: 4 };

function without<T extends object>(name: keyof T, options: T): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(options).filter(([each]) => each !== name));
}

export const examples: Readonly<Record<CaptureOptionName, Example>> = {
  url: { sentWith: {}, values: [url, "https://example.com/b"] },
  source: { sentWith: given, values: ["url"] },
  html: { sentWith: {}, values: ["<p>A</p>", "<p>B</p>"] },
  markdown: { sentWith: {}, values: ["# A", "# B"] },
  markdown_theme: { sentWith: markdown, values: ["plain", "dark"] },
  markdown_css: { sentWith: markdown, values: ["p { color: red }", "p { color: blue }"] },
  base_url: { sentWith: written, values: ["https://example.com/docs/", "https://example.org/"] },

  format: { sentWith: given, values: ["jpeg", "pdf"] },
  response_type: { sentWith: given, values: ["json", "empty"] },
  attachment_name: { sentWith: given, values: ["a.png", "b.png"] },
  image_fallback_format: { sentWith: lossy, values: ["png"] },
  image_quality: { sentWith: lossy, values: [50, 60] },
  image_width: { sentWith: given, values: [500, 600] },
  image_height: { sentWith: given, values: [500, 600] },
  image_fit: { sentWith: resized, values: ["cover", "fill"] },
  image_position: { sentWith: { ...resized, image_height: 400, image_fit: "cover" }, values: ["north", "attention"] },
  image_background: {
    sentWith: { ...resized, image_height: 400, image_fit: "contain" },
    values: ["#102030", "oklch(70% 0.1 200)"],
  },
  omit_background: { sentWith: given, values: [true] },
  annotate: { sentWith: given, values: [true] },
  optimize_for_speed: { sentWith: given, values: [true] },

  viewport_device: { sentWith: given, values: ["iphone_15_pro", "tablet"] },
  viewport_width: { sentWith: given, values: [800, 900] },
  viewport_height: { sentWith: given, values: [600, 700] },
  device_scale_factor: { sentWith: given, values: [2, 3] },
  viewport_mobile: { sentWith: given, values: [true] },
  viewport_has_touch: { sentWith: given, values: [true] },
  viewport_landscape: { sentWith: { url, viewport_width: 400, viewport_height: 800 }, values: [true] },
  dark_mode: { sentWith: given, values: [true, false] },
  reduced_motion: { sentWith: given, values: [true, false] },
  media_type: { sentWith: given, values: ["print", "screen"] },

  full_page: { sentWith: given, values: [true] },
  full_page_scroll: { sentWith: whole, values: [false] },
  full_page_scroll_delay: { sentWith: whole, values: [100, 200] },
  full_page_scroll_by: { sentWith: whole, values: [100, 200] },
  full_page_max_height: { sentWith: whole, values: [3_000, 4_000] },
  full_page_algorithm: { sentWith: whole, values: ["by_sections"] },
  full_page_expand_overflow: { sentWith: whole, values: [false] },
  full_page_freeze_fixed: { sentWith: whole, values: [false] },
  full_page_pinned: { sentWith: whole, values: ["once", "as_is"] },
  full_page_slices: { sentWith: { ...whole, response_type: "json" }, values: [true] },
  full_page_slice_height: { sentWith: sliced, values: [1_000, 2_000] },
  full_page_slice_overlap_height: { sentWith: sliced, values: [100, 200] },
  capture_beyond_viewport: { sentWith: given, values: [false] },
  selector: { sentWith: given, values: ["#a", "#b"] },
  selector_all: { sentWith: given, values: [".a", ".b"] },
  selector_padding: { sentWith: element, values: [10, 20] },
  selector_algorithm: { sentWith: element, values: ["clip"] },
  selector_scroll_into_view: { sentWith: element, values: [false] },
  error_on_selector_not_found: { sentWith: element, values: [false] },
  clip_x: { sentWith: without("clip_x", rectangle), values: [10, 0] },
  clip_y: { sentWith: without("clip_y", rectangle), values: [10, 0] },
  clip_width: { sentWith: without("clip_width", rectangle), values: [10, 20] },
  clip_height: { sentWith: without("clip_height", rectangle), values: [10, 20] },
  scroll_into_view: { sentWith: given, values: ["#a", "#b"] },
  scroll_into_view_adjust_top: { sentWith: { url, scroll_into_view: "#a" }, values: [-20, 20] },

  wait_until: { sentWith: given, values: [["load"], ["networkidle"]] },
  wait_for_selector: { sentWith: given, values: [["#a"], ["#a", "#b"]] },
  wait_for_selector_algorithm: { sentWith: { url, wait_for_selector: ["#a", "#b"] }, values: ["at_least_by_count"] },
  wait_for_selector_hidden: { sentWith: given, values: [".spinner", ".loader"] },
  wait_for_expression: { sentWith: given, values: ["window.ready", "window.done"] },
  delay: { sentWith: given, values: [1, 2.5] },
  timeout: { sentWith: given, values: [30, 90] },
  navigation_timeout: { sentWith: given, values: [10, 20] },
  on_timeout: { sentWith: given, values: ["capture"] },
  ignore_host_errors: { sentWith: given, values: [true] },
  fail_on_status: { sentWith: given, values: ["404", "500-599"] },
  retry_on: { sentWith: given, values: [["503"], ["TARGET_UNREACHABLE"]] },
  fail_if_content_contains: { sentWith: given, values: [["Error"], ["Fehler"]] },
  fail_if_content_missing: { sentWith: given, values: [["Welcome"], ["Willkommen"]] },
  fail_if_request_failed: { sentWith: given, values: [["*.css"], ["*.js"]] },
  fail_if_selector_present: { sentWith: given, values: [[".error"], ["#login"]] },
  fail_if_problem: { sentWith: given, values: [["ERROR_PAGE"], ["LOGIN_WALL"]] },
  min_quality: { sentWith: given, values: [60, 80] },
  self_repair: { sentWith: given, values: [true] },

  user_agent: { sentWith: given, values: ["Probe/1.0", "mobile"] },
  headers: { sentWith: given, values: [["X-Tenant: 7"], ["X-Tenant: 8"]] },
  cookies: { sentWith: given, values: [["a=1"], ["a=2"]] },
  authorization: { sentWith: given, values: ["Token a", "Token b"] },
  http_auth_username: { sentWith: { url, http_auth_password: "p" }, values: ["ann", "bob"] },
  http_auth_password: { sentWith: { url, http_auth_username: "u" }, values: ["pass a", "pass b"] },
  referer: { sentWith: given, values: ["https://example.org/a", "https://example.org/b"] },
  locale: { sentWith: given, values: ["de-CH", "fr"] },
  time_zone: { sentWith: given, values: ["Europe/Zurich", "Asia/Tokyo"] },
  geolocation_latitude: { sentWith: without("geolocation_latitude", place), values: [1, 0] },
  geolocation_longitude: { sentWith: without("geolocation_longitude", place), values: [1, 0] },
  geolocation_accuracy: { sentWith: place, values: [5, 100] },
  proxy: { sentWith: given, values: ["http://u:p@proxy.example:8080", "http://proxy.example:3128"] },
  proxy_bypass_hosts: { sentWith: { url, proxy: "http://proxy.example:80" }, values: [["a.example"], ["*.b.example"]] },
  bypass_csp: { sentWith: given, values: [true] },

  hide_selectors: { sentWith: given, values: [[".banner"], [".ad", ".chat"]] },
  styles: { sentWith: given, values: [["p { color: red }"], ["https://example.com/a.css"]] },
  scripts: { sentWith: given, values: [["a()"], ["b()"]] },
  scripts_wait_until: { sentWith: { url, scripts: ["a()"] }, values: [["load"], ["networkidle0"]] },
  click: { sentWith: given, values: [["#a"], ["#a", "#b"]] },
  error_on_click_selector_not_found: { sentWith: { url, click: ["#a"] }, values: [false] },
  hover: { sentWith: given, values: ["#a", "#b"] },
  error_on_hover_selector_not_found: { sentWith: { url, hover: "#a" }, values: [false] },
  disable_animations: { sentWith: given, values: [false] },
  deterministic: { sentWith: given, values: [true] },
  page_clock: {
    sentWith: { url, deterministic: true },
    values: ["2024-02-29", "2030-06-01T08:00:00+02:00"],
  },
  include_shadow_dom: { sentWith: { url, format: "html" }, values: [true] },

  block_ads: { sentWith: given, values: [true] },
  block_trackers: { sentWith: given, values: [true] },
  block_cookie_banners: { sentWith: given, values: [true] },
  accept_cookie_banners: { sentWith: { url, block_cookie_banners: true }, values: [true] },
  block_banners_by_heuristics: { sentWith: given, values: [true] },
  block_chats: { sentWith: given, values: [true] },
  block_socials: { sentWith: given, values: [true] },
  block_annoyances: { sentWith: given, values: [true] },
  block_requests: { sentWith: given, values: [["*.js"], ["ads.example"]] },
  block_resources: { sentWith: given, values: [["image"], ["image", "font"]] },
  javascript: { sentWith: given, values: [false] },
  stealth: { sentWith: given, values: [true] },

  video_duration: { sentWith: video, values: [2, 7.5] },
  video_fps: { sentWith: video, values: [24, 60] },
  video_width: { sentWith: video, values: [640, 854] },
  video_height: { sentWith: video, values: [360, 480] },
  video_aspect_ratio: { sentWith: video, values: ["4:3", "1:1"] },
  video_scenario: { sentWith: video, values: ["scroll"] },
  scroll_by: { sentWith: scrolling, values: [500, 700] },
  scroll_duration: { sentWith: scrolling, values: [1_000, 2_000] },
  scroll_delay: { sentWith: scrolling, values: [0, 250] },
  scroll_easing: { sentWith: scrolling, values: ["linear", "ease_out_cubic"] },
  scroll_start_immediately: { sentWith: scrolling, values: [false] },
  scroll_start_delay: { sentWith: scrolling, values: [300, 600] },
  scroll_complete: { sentWith: scrolling, values: [false] },
  scroll_back: { sentWith: scrolling, values: [false] },
  scroll_back_algorithm: { sentWith: scrolling, values: ["repeat"] },

  pdf_paper_format: { sentWith: pdf, values: ["a5", "letter"] },
  pdf_paper_width: { sentWith: { ...pdf, pdf_paper_height: "10in" }, values: ["5in", "6in"] },
  pdf_paper_height: { sentWith: { ...pdf, pdf_paper_width: "10in" }, values: ["5in", "6in"] },
  pdf_margin: { sentWith: pdf, values: ["1in", "1in 2in"] },
  pdf_margin_top: { sentWith: pdf, values: ["1in", "2in"] },
  pdf_margin_right: { sentWith: pdf, values: ["1in", "2in"] },
  pdf_margin_bottom: { sentWith: pdf, values: ["1in", "2in"] },
  pdf_margin_left: { sentWith: pdf, values: ["1in", "2in"] },
  pdf_landscape: { sentWith: pdf, values: [true] },
  pdf_print_background: { sentWith: pdf, values: [false] },
  pdf_fit_one_page: { sentWith: pdf, values: [true] },
  pdf_scale: { sentWith: pdf, values: [0.5, 2] },
  pdf_page_ranges: { sentWith: pdf, values: ["1-5,8", "2"] },
  pdf_header_template: { sentWith: pdf, values: ["<p>A</p>", "<p>B</p>"] },
  pdf_footer_template: { sentWith: pdf, values: ["<p>A</p>", "<p>B</p>"] },
  pdf_prefer_css_page_size: { sentWith: pdf, values: [true] },
  pdf_outline: { sentWith: pdf, values: [true] },
  pdf_tagged: { sentWith: pdf, values: [true] },

  metadata_page_title: { sentWith: given, values: [true] },
  metadata_open_graph: { sentWith: reported, values: [true] },
  metadata_icon: { sentWith: reported, values: [true] },
  metadata_fonts: { sentWith: reported, values: [true] },
  metadata_image_size: { sentWith: given, values: [true] },
  metadata_http_response_status_code: { sentWith: given, values: [true] },
  metadata_http_response_headers: { sentWith: reported, values: [true] },
  metadata_content: { sentWith: reported, values: [true] },
  metadata_content_format: { sentWith: { ...reported, metadata_content: true }, values: ["markdown", "text"] },
  metadata_links: { sentWith: reported, values: [true] },
  metadata_elements: { sentWith: reported, values: [true] },
  elements_scope: { sentWith: { url, format: "elements" }, values: ["all"] },
  elements_root: { sentWith: { url, format: "elements" }, values: ["#a", "#b"] },
  elements_max: { sentWith: { url, format: "elements" }, values: [10, 20] },
  metadata_palette: { sentWith: reported, values: [true] },
  metadata_console: { sentWith: reported, values: [true] },
  metadata_requests: { sentWith: reported, values: [true] },
  metadata_report: { sentWith: reported, values: [true] },

  async: { sentWith: given, values: [true] },
  webhook_url: { sentWith: { url, async: true }, values: ["https://example.com/a", "https://example.com/b"] },
  webhook_receiver: { sentWith: { url, async: true }, values: ["rcv_8BDDiltGx3kQv0Zt", "rcv_0000000000000000"] },
  webhook_sign: { sentWith: { url, async: true, webhook_url: "https://example.com/a" }, values: [false] },
  webhook_errors: { sentWith: { url, async: true, webhook_url: "https://example.com/a" }, values: [false] },
  validate: { sentWith: given, values: [true, false] },
  store_thumbnail: { sentWith: given, values: [false, true] },
  fallback_image: { sentWith: given, values: ["transparent", "placeholder"] },
  external_identifier: { sentWith: given, values: ["order-1", "order-2"] },
  cache: { sentWith: given, values: [true] },
  cache_ttl: { sentWith: given, values: [60, 3_600] },
  cache_stale_ttl: { sentWith: { url, cache: true }, values: [60, 3_600] },
  cache_key: { sentWith: { url, cache: true }, values: ["a", "b"] },
  cache_refresh: { sentWith: { url, cache: true }, values: [true] },

  store: { sentWith: without("store", stored), values: [true] },
  storage_path: { sentWith: without("storage_path", stored), values: ["shots/home", "a"] },
  storage_bucket: { sentWith: without("storage_bucket", stored), values: ["my-bucket", "their.bucket"] },
  storage_endpoint: { sentWith: stored, values: ["https://storage.example.com", "https://s3.example.org:9000/s3"] },
  storage_region: { sentWith: stored, values: ["eu-central-1", "auto"] },
  storage_access_key_id: { sentWith: without("storage_access_key_id", stored), values: ["AKIAEXAMPLE", "other"] },
  storage_secret_access_key: { sentWith: without("storage_secret_access_key", stored), values: ["a/b+c=", "other"] },
  storage_role_arn: {
    sentWith: without("storage_role_arn", byRole),
    values: ["arn:aws:iam::123456789012:role/captures", "arn:aws-cn:iam::123456789012:role/teams/captures"],
  },
  storage_external_id: { sentWith: byRole, values: ["website", "shop"] },
  storage_acl: { sentWith: stored, values: ["public-read", ""] },
  storage_class: { sentWith: stored, values: ["standard_ia", "glacier_ir"] },
  storage_return_location: { sentWith: stored, values: [true] },
};
