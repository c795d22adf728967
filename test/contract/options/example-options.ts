// For every option a request in which it is valid: what has to be sent beside it, and two values it can have.
import type { CaptureOptionName } from "../../../lib/contract/options/groups/all.ts";

export interface Example {
  /** What has to be sent beside it. */
  readonly beside: Readonly<Record<string, unknown>>;
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
  url: { beside: {}, values: [url, "https://example.com/b"] },
  source: { beside: given, values: ["url"] },
  html: { beside: {}, values: ["<p>A</p>", "<p>B</p>"] },
  markdown: { beside: {}, values: ["# A", "# B"] },
  markdown_theme: { beside: markdown, values: ["plain", "dark"] },
  markdown_css: { beside: markdown, values: ["p { color: red }", "p { color: blue }"] },
  base_url: { beside: written, values: ["https://example.com/docs/", "https://example.org/"] },

  format: { beside: given, values: ["jpeg", "pdf"] },
  response_type: { beside: given, values: ["json", "empty"] },
  attachment_name: { beside: given, values: ["a.png", "b.png"] },
  image_fallback_format: { beside: lossy, values: ["png"] },
  image_quality: { beside: lossy, values: [50, 60] },
  image_width: { beside: given, values: [500, 600] },
  image_height: { beside: given, values: [500, 600] },
  image_fit: { beside: resized, values: ["cover", "fill"] },
  image_position: { beside: { ...resized, image_height: 400, image_fit: "cover" }, values: ["north", "attention"] },
  image_background: {
    beside: { ...resized, image_height: 400, image_fit: "contain" },
    values: ["#102030", "oklch(70% 0.1 200)"],
  },
  omit_background: { beside: given, values: [true] },
  annotate: { beside: given, values: [true] },
  optimize_for_speed: { beside: given, values: [true] },

  viewport_device: { beside: given, values: ["iphone_15_pro", "tablet"] },
  viewport_width: { beside: given, values: [800, 900] },
  viewport_height: { beside: given, values: [600, 700] },
  device_scale_factor: { beside: given, values: [2, 3] },
  viewport_mobile: { beside: given, values: [true] },
  viewport_has_touch: { beside: given, values: [true] },
  viewport_landscape: { beside: { url, viewport_width: 400, viewport_height: 800 }, values: [true] },
  dark_mode: { beside: given, values: [true, false] },
  reduced_motion: { beside: given, values: [true, false] },
  media_type: { beside: given, values: ["print", "screen"] },

  full_page: { beside: given, values: [true] },
  full_page_scroll: { beside: whole, values: [false] },
  full_page_scroll_delay: { beside: whole, values: [100, 200] },
  full_page_scroll_by: { beside: whole, values: [100, 200] },
  full_page_max_height: { beside: whole, values: [3_000, 4_000] },
  full_page_algorithm: { beside: whole, values: ["by_sections"] },
  full_page_expand_overflow: { beside: whole, values: [false] },
  full_page_freeze_fixed: { beside: whole, values: [false] },
  full_page_pinned: { beside: whole, values: ["once", "as_is"] },
  full_page_slices: { beside: { ...whole, response_type: "json" }, values: [true] },
  full_page_slice_height: { beside: sliced, values: [1_000, 2_000] },
  full_page_slice_overlap_height: { beside: sliced, values: [100, 200] },
  capture_beyond_viewport: { beside: given, values: [false] },
  selector: { beside: given, values: ["#a", "#b"] },
  selector_all: { beside: given, values: [".a", ".b"] },
  selector_padding: { beside: element, values: [10, 20] },
  selector_algorithm: { beside: element, values: ["clip"] },
  selector_scroll_into_view: { beside: element, values: [false] },
  error_on_selector_not_found: { beside: element, values: [false] },
  clip_x: { beside: without("clip_x", rectangle), values: [10, 0] },
  clip_y: { beside: without("clip_y", rectangle), values: [10, 0] },
  clip_width: { beside: without("clip_width", rectangle), values: [10, 20] },
  clip_height: { beside: without("clip_height", rectangle), values: [10, 20] },
  scroll_into_view: { beside: given, values: ["#a", "#b"] },
  scroll_into_view_adjust_top: { beside: { url, scroll_into_view: "#a" }, values: [-20, 20] },

  wait_until: { beside: given, values: [["load"], ["networkidle"]] },
  wait_for_selector: { beside: given, values: [["#a"], ["#a", "#b"]] },
  wait_for_selector_algorithm: { beside: { url, wait_for_selector: ["#a", "#b"] }, values: ["at_least_by_count"] },
  wait_for_selector_hidden: { beside: given, values: [".spinner", ".loader"] },
  wait_for_expression: { beside: given, values: ["window.ready", "window.done"] },
  delay: { beside: given, values: [1, 2.5] },
  timeout: { beside: given, values: [30, 90] },
  navigation_timeout: { beside: given, values: [10, 20] },
  on_timeout: { beside: given, values: ["capture"] },
  ignore_host_errors: { beside: given, values: [true] },
  fail_on_status: { beside: given, values: ["404", "500-599"] },
  retry_on: { beside: given, values: [["503"], ["TARGET_UNREACHABLE"]] },
  fail_if_content_contains: { beside: given, values: [["Error"], ["Fehler"]] },
  fail_if_content_missing: { beside: given, values: [["Welcome"], ["Willkommen"]] },
  fail_if_request_failed: { beside: given, values: [["*.css"], ["*.js"]] },
  fail_if_selector_present: { beside: given, values: [[".error"], ["#login"]] },
  fail_if_problem: { beside: given, values: [["ERROR_PAGE"], ["LOGIN_WALL"]] },
  min_quality: { beside: given, values: [60, 80] },
  self_repair: { beside: given, values: [true] },

  user_agent: { beside: given, values: ["Probe/1.0", "mobile"] },
  headers: { beside: given, values: [["X-Tenant: 7"], ["X-Tenant: 8"]] },
  cookies: { beside: given, values: [["a=1"], ["a=2"]] },
  authorization: { beside: given, values: ["Token a", "Token b"] },
  http_auth_username: { beside: { url, http_auth_password: "p" }, values: ["ann", "bob"] },
  http_auth_password: { beside: { url, http_auth_username: "u" }, values: ["pass a", "pass b"] },
  referer: { beside: given, values: ["https://example.org/a", "https://example.org/b"] },
  locale: { beside: given, values: ["de-CH", "fr"] },
  time_zone: { beside: given, values: ["Europe/Zurich", "Asia/Tokyo"] },
  geolocation_latitude: { beside: without("geolocation_latitude", place), values: [1, 0] },
  geolocation_longitude: { beside: without("geolocation_longitude", place), values: [1, 0] },
  geolocation_accuracy: { beside: place, values: [5, 100] },
  proxy: { beside: given, values: ["http://u:p@proxy.example:8080", "http://proxy.example:3128"] },
  proxy_bypass_hosts: { beside: { url, proxy: "http://proxy.example:80" }, values: [["a.example"], ["*.b.example"]] },
  bypass_csp: { beside: given, values: [true] },

  hide_selectors: { beside: given, values: [[".banner"], [".ad", ".chat"]] },
  styles: { beside: given, values: [["p { color: red }"], ["https://example.com/a.css"]] },
  scripts: { beside: given, values: [["a()"], ["b()"]] },
  scripts_wait_until: { beside: { url, scripts: ["a()"] }, values: [["load"], ["networkidle0"]] },
  click: { beside: given, values: [["#a"], ["#a", "#b"]] },
  error_on_click_selector_not_found: { beside: { url, click: ["#a"] }, values: [false] },
  hover: { beside: given, values: ["#a", "#b"] },
  error_on_hover_selector_not_found: { beside: { url, hover: "#a" }, values: [false] },
  disable_animations: { beside: given, values: [false] },
  deterministic: { beside: given, values: [true] },
  page_clock: {
    beside: { url, deterministic: true },
    values: ["2024-02-29", "2030-06-01T08:00:00+02:00"],
  },
  include_shadow_dom: { beside: { url, format: "html" }, values: [true] },

  block_ads: { beside: given, values: [true] },
  block_trackers: { beside: given, values: [true] },
  block_cookie_banners: { beside: given, values: [true] },
  accept_cookie_banners: { beside: { url, block_cookie_banners: true }, values: [true] },
  block_banners_by_heuristics: { beside: given, values: [true] },
  block_chats: { beside: given, values: [true] },
  block_socials: { beside: given, values: [true] },
  block_annoyances: { beside: given, values: [true] },
  block_requests: { beside: given, values: [["*.js"], ["ads.example"]] },
  block_resources: { beside: given, values: [["image"], ["image", "font"]] },
  javascript: { beside: given, values: [false] },
  stealth: { beside: given, values: [true] },

  video_duration: { beside: video, values: [2, 7.5] },
  video_fps: { beside: video, values: [24, 60] },
  video_width: { beside: video, values: [640, 854] },
  video_height: { beside: video, values: [360, 480] },
  video_aspect_ratio: { beside: video, values: ["4:3", "1:1"] },
  video_scenario: { beside: video, values: ["scroll"] },
  scroll_by: { beside: scrolling, values: [500, 700] },
  scroll_duration: { beside: scrolling, values: [1_000, 2_000] },
  scroll_delay: { beside: scrolling, values: [0, 250] },
  scroll_easing: { beside: scrolling, values: ["linear", "ease_out_cubic"] },
  scroll_start_immediately: { beside: scrolling, values: [false] },
  scroll_start_delay: { beside: scrolling, values: [300, 600] },
  scroll_complete: { beside: scrolling, values: [false] },
  scroll_back: { beside: scrolling, values: [false] },
  scroll_back_algorithm: { beside: scrolling, values: ["repeat"] },

  pdf_paper_format: { beside: pdf, values: ["a5", "letter"] },
  pdf_paper_width: { beside: { ...pdf, pdf_paper_height: "10in" }, values: ["5in", "6in"] },
  pdf_paper_height: { beside: { ...pdf, pdf_paper_width: "10in" }, values: ["5in", "6in"] },
  pdf_margin: { beside: pdf, values: ["1in", "1in 2in"] },
  pdf_margin_top: { beside: pdf, values: ["1in", "2in"] },
  pdf_margin_right: { beside: pdf, values: ["1in", "2in"] },
  pdf_margin_bottom: { beside: pdf, values: ["1in", "2in"] },
  pdf_margin_left: { beside: pdf, values: ["1in", "2in"] },
  pdf_landscape: { beside: pdf, values: [true] },
  pdf_print_background: { beside: pdf, values: [false] },
  pdf_fit_one_page: { beside: pdf, values: [true] },
  pdf_scale: { beside: pdf, values: [0.5, 2] },
  pdf_page_ranges: { beside: pdf, values: ["1-5,8", "2"] },
  pdf_header_template: { beside: pdf, values: ["<p>A</p>", "<p>B</p>"] },
  pdf_footer_template: { beside: pdf, values: ["<p>A</p>", "<p>B</p>"] },
  pdf_prefer_css_page_size: { beside: pdf, values: [true] },
  pdf_outline: { beside: pdf, values: [true] },
  pdf_tagged: { beside: pdf, values: [true] },

  metadata_page_title: { beside: given, values: [true] },
  metadata_open_graph: { beside: reported, values: [true] },
  metadata_icon: { beside: reported, values: [true] },
  metadata_fonts: { beside: reported, values: [true] },
  metadata_image_size: { beside: given, values: [true] },
  metadata_http_response_status_code: { beside: given, values: [true] },
  metadata_http_response_headers: { beside: reported, values: [true] },
  metadata_content: { beside: reported, values: [true] },
  metadata_content_format: { beside: { ...reported, metadata_content: true }, values: ["markdown", "text"] },
  metadata_links: { beside: reported, values: [true] },
  metadata_elements: { beside: reported, values: [true] },
  elements_scope: { beside: { url, format: "elements" }, values: ["all"] },
  elements_root: { beside: { url, format: "elements" }, values: ["#a", "#b"] },
  elements_max: { beside: { url, format: "elements" }, values: [10, 20] },
  metadata_palette: { beside: reported, values: [true] },
  metadata_console: { beside: reported, values: [true] },
  metadata_requests: { beside: reported, values: [true] },
  metadata_report: { beside: reported, values: [true] },

  async: { beside: given, values: [true] },
  webhook_url: { beside: { url, async: true }, values: ["https://example.com/a", "https://example.com/b"] },
  webhook_receiver: { beside: { url, async: true }, values: ["rcv_8BDDiltGx3kQv0Zt", "rcv_0000000000000000"] },
  webhook_sign: { beside: { url, async: true, webhook_url: "https://example.com/a" }, values: [false] },
  webhook_errors: { beside: { url, async: true, webhook_url: "https://example.com/a" }, values: [false] },
  validate: { beside: given, values: [true, false] },
  store_thumbnail: { beside: given, values: [false, true] },
  fallback_image: { beside: given, values: ["transparent", "placeholder"] },
  external_identifier: { beside: given, values: ["order-1", "order-2"] },
  cache: { beside: given, values: [true] },
  cache_ttl: { beside: given, values: [60, 3_600] },
  cache_stale_ttl: { beside: { url, cache: true }, values: [60, 3_600] },
  cache_key: { beside: { url, cache: true }, values: ["a", "b"] },
  cache_refresh: { beside: { url, cache: true }, values: [true] },

  store: { beside: without("store", stored), values: [true] },
  storage_path: { beside: without("storage_path", stored), values: ["shots/home", "a"] },
  storage_bucket: { beside: without("storage_bucket", stored), values: ["my-bucket", "their.bucket"] },
  storage_endpoint: { beside: stored, values: ["https://storage.example.com", "https://s3.example.org:9000/s3"] },
  storage_region: { beside: stored, values: ["eu-central-1", "auto"] },
  storage_access_key_id: { beside: without("storage_access_key_id", stored), values: ["AKIAEXAMPLE", "other"] },
  storage_secret_access_key: { beside: without("storage_secret_access_key", stored), values: ["a/b+c=", "other"] },
  storage_role_arn: {
    beside: without("storage_role_arn", byRole),
    values: ["arn:aws:iam::123456789012:role/captures", "arn:aws-cn:iam::123456789012:role/teams/captures"],
  },
  storage_external_id: { beside: byRole, values: ["website", "shop"] },
  storage_acl: { beside: stored, values: ["public-read", ""] },
  storage_class: { beside: stored, values: ["standard_ia", "glacier_ir"] },
  storage_return_location: { beside: stored, values: [true] },
};
