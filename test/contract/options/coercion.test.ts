// An option means the same however it is sent: in the query, as JSON or in a form.
import { describe, expect, test } from "vitest";
import { optionAliases, parseCaptureOptions } from "../../../lib/contract/options/capture-options.ts";
import { type CaptureOptionName, captureOptionNames } from "../../../lib/contract/options/groups/all.ts";
import { resourceTypes } from "../../../lib/contract/options/groups/blocking.ts";
import { storageClasses } from "../../../lib/contract/options/groups/storage.ts";
import { scrollEasings } from "../../../lib/contract/options/groups/video.ts";
import { rawOptions } from "../../../lib/service/http/api-request.ts";
import { anApiRequest, apiErrorOf, FORM_TYPE, JSON_TYPE } from "../../support/builders.ts";
import { examples, url } from "./example-options.ts";

interface Form {
  /** As query parameter or form field; several texts are a repeated one. */
  readonly text: string | readonly string[];
  readonly json: unknown;
  readonly parsed: unknown;
  /** What is sent with it. Without it: as in the option's example. */
  readonly sentWith?: Readonly<Record<string, unknown>>;
}

const html = { html: "<p>" };

/** What is the same as text and as JSON, and means itself. */
const itself = (text: string, sentWith?: Form["sentWith"]): Form => ({
  text,
  json: text,
  parsed: text,
  ...(sentWith && { sentWith }),
});

const number = (text: string, value: number): Form => ({ text, json: value, parsed: value });

/** A list of text: repeated, with brackets, as JSON text, or a single one. */
const texts = (one: string, two: string): readonly Form[] => [
  { text: one, json: one, parsed: [one] },
  { text: [one], json: [one], parsed: [one] },
  { text: [one, two], json: [one, two], parsed: [one, two] },
  { text: JSON.stringify([one, two]), json: JSON.stringify([one, two]), parsed: [one, two] },
];

/** A name out of a closed list, in any case. */
const names = (...all: readonly string[]): readonly Form[] =>
  all.flatMap((name) => [itself(name), { text: name.toUpperCase(), json: capitalised(name), parsed: name }]);

const capitalised = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

const flags: readonly Form[] = [
  { text: "true", json: true, parsed: true },
  { text: "false", json: false, parsed: false },
  { text: "1", json: 1, parsed: true },
  { text: "0", json: 0, parsed: false },
  { text: "TRUE", json: "True", parsed: true },
];

const selector = (): readonly Form[] => [itself("#a > b.c[d='e']"), itself('[title="ü"]')];
const selectors = (): readonly Form[] => [
  ...texts("#a, .b", "c > d"),
  { text: '[title="a"]', json: '[title="a"]', parsed: ['[title="a"]'] },
];
const phrases = (): readonly Form[] => texts("Not found", "1 + 1 = ü");
const loadConditions: readonly Form[] = [
  ...texts("load", "networkidle2"),
  { text: ["Load", "NETWORKIDLE0"], json: ["Load", "NETWORKIDLE0"], parsed: ["load", "networkidle0"] },
  ...["auto", "domcontentloaded", "networkidle"].map((name) => ({ text: name, json: [name], parsed: [name] })),
];
const lengths: readonly Form[] = [
  { text: "1in", json: "1in", parsed: 1 },
  { text: "2.54cm", json: " 25.4 MM ", parsed: 1 },
  { text: "96", json: 96, parsed: 1 },
  { text: "48px", json: "36pt", parsed: 0.5 },
];
const device = (slug: string) => expect.objectContaining({ slug });
const inches = (top: number, right: number, bottom: number, left: number) => ({ top, right, bottom, left });

const forms: Readonly<Record<CaptureOptionName, readonly Form[]>> = {
  url: [itself(url, {}), itself("http://ü.example/?a=1&b=%20+c#d", {})],
  source: [
    itself("url"),
    { text: "HTML", json: "Html", parsed: "html", sentWith: html },
    { text: "markdown", json: "markdown", parsed: "markdown", sentWith: { markdown: "# A" } },
  ],
  html: [itself("<p>1 + 1 = 2 & ü</p>\n", {})],
  markdown: [itself("# A\n\n[b](c)", {})],
  markdown_theme: names("github", "dark", "plain"),
  markdown_css: [itself("p::after { content: '+&%20' }")],
  base_url: [itself("https://example.com/docs/?a=1+1#b")],

  format: [
    ...names("png", "jpeg", "webp", "avif", "tiff", "mp4", "webm", "gif", "animated_webp"),
    ...names("pdf", "html", "markdown", "mhtml", "text", "json", "elements"),
    { text: "jpg", json: "JPG", parsed: "jpeg" },
    { text: "md", json: "Md", parsed: "markdown" },
    { text: "txt", json: "txt", parsed: "text" },
    { text: "tif", json: "tif", parsed: "tiff" },
  ],
  response_type: names("by_format", "json", "base64", "empty"),
  attachment_name: [itself("Bericht für Zoë (1).png"), itself("日本.pdf")],
  image_fallback_format: names("png"),
  image_quality: [number("0", 0), number("80", 80), { text: "80.0", json: "80", parsed: 80 }],
  image_width: [number("640", 640)],
  image_height: [number("480", 480)],
  image_fit: names("inside", "cover", "contain", "fill", "outside"),
  image_position: [
    ...names("center", "north", "northeast", "southwest", "entropy", "attention"),
    { text: "top", json: "Top", parsed: "north" },
    { text: "right", json: "right", parsed: "east" },
    { text: "bottom", json: "bottom", parsed: "south" },
    { text: "left", json: "left", parsed: "west" },
    { text: "centre", json: "centre", parsed: "center" },
  ],
  image_background: [
    "#fff",
    "#FFFFFF80",
    "White",
    "rgb(1, 2, 3)",
    "rgba(1,2,3,.5)",
    "rgb(1 2 3 / 50%)",
    "hsl(120deg 100% 50%)",
    "OKLCH(0.7 0.1 200 / 50%)",
    "lab(50% 20 20)",
    "color(display-p3 1 0 0)",
  ].map((colour) => itself(colour)),
  omit_background: flags,
  annotate: flags,
  optimize_for_speed: flags,

  viewport_device: [
    { text: "iPhone 15 Pro", json: "iPhone 15 Pro", parsed: device("iphone_15_pro") },
    { text: "iphone_15_pro", json: "IPHONE-15-PRO", parsed: device("iphone_15_pro") },
    { text: "Galaxy S9+ landscape", json: "galaxy_s9_plus_landscape", parsed: device("galaxy_s9_plus_landscape") },
    { text: "mobile", json: "Mobile", parsed: device("mobile") },
  ],
  viewport_width: [number("800", 800)],
  viewport_height: [number("600", 600)],
  device_scale_factor: [number("2", 2), number("1.5", 1.5), { text: "+2.50", json: "2.5", parsed: 2.5 }],
  viewport_mobile: flags,
  viewport_has_touch: flags,
  viewport_landscape: flags,
  dark_mode: flags,
  reduced_motion: flags,
  media_type: names("screen", "print"),

  full_page: flags,
  full_page_scroll: flags,
  full_page_scroll_delay: [number("400", 400)],
  full_page_scroll_by: [number("800", 800)],
  full_page_max_height: [number("5000", 5_000)],
  full_page_algorithm: names("default", "by_sections"),
  full_page_expand_overflow: flags,
  full_page_freeze_fixed: flags,
  full_page_pinned: names("stages", "once", "as_is"),
  full_page_slices: flags,
  full_page_slice_height: [number("2000", 2_000)],
  full_page_slice_overlap_height: [number("0", 0)],
  capture_beyond_viewport: flags,
  selector: selector(),
  selector_all: selector(),
  selector_padding: [number("16", 16)],
  selector_algorithm: names("default", "clip"),
  selector_scroll_into_view: flags,
  error_on_selector_not_found: flags,
  clip_x: [number("0", 0)],
  clip_y: [number("0", 0)],
  clip_width: [number("100", 100)],
  clip_height: [number("100", 100)],
  scroll_into_view: selector(),
  scroll_into_view_adjust_top: [number("-20", -20), { text: "+20", json: "20", parsed: 20 }],

  wait_until: loadConditions,
  wait_for_selector: selectors(),
  wait_for_selector_algorithm: names("at_least_one", "at_least_by_count"),
  wait_for_selector_hidden: selector(),
  wait_for_expression: [itself("window.a === 'b' && 1 + 1")],
  delay: [number("0", 0), number("2.5", 2.5)],
  timeout: [number("30", 30)],
  navigation_timeout: [number("30", 30)],
  on_timeout: names("fail", "capture"),
  ignore_host_errors: flags,
  fail_on_status: [
    { text: "404", json: 404, parsed: [{ from: 404, to: 404 }] },
    {
      text: "400,404,500-511",
      json: " 400, 404 , 500 - 511 ",
      parsed: [
        { from: 400, to: 400 },
        { from: 404, to: 404 },
        { from: 500, to: 511 },
      ],
    },
  ],
  retry_on: [
    { text: "503", json: [503], parsed: [{ from: 503, to: 503 }] },
    {
      text: "429, 500-504 ,target_unreachable",
      json: ["429,500 - 504", "TARGET_UNREACHABLE"],
      parsed: [{ from: 429, to: 429 }, { from: 500, to: 504 }, "TARGET_UNREACHABLE"],
    },
  ],
  fail_if_content_contains: phrases(),
  fail_if_content_missing: phrases(),
  fail_if_request_failed: texts("https://example.com/*.css", "cdn.example"),
  fail_if_selector_present: texts(".error", "#login"),
  fail_if_problem: [
    { text: "ERROR_PAGE", json: "ERROR_PAGE", parsed: ["ERROR_PAGE"] },
    { text: "login_wall", json: ["login_wall"], parsed: ["LOGIN_WALL"] },
  ],
  min_quality: [number("60", 60)],
  self_repair: flags,

  user_agent: [itself("Mozilla/5.0 (X11; Linux x86_64) Probe/1.0"), itself("mobile")],
  headers: [
    { text: "X-A: 1 + 1", json: "X-A:1 + 1", parsed: [{ name: "X-A", value: "1 + 1" }] },
    { text: ["X-A: b: c"], json: ["X-A: b: c"], parsed: [{ name: "X-A", value: "b: c" }] },
    {
      text: ["X-A: 1", "x-b:"],
      json: { "X-A": 1, "x-b": "" },
      parsed: [
        { name: "X-A", value: "1" },
        { name: "x-b", value: "" },
      ],
    },
    {
      text: '["X-A: ü","X-A: 2"]',
      json: ["X-A: ü", "X-A: 2"],
      parsed: [
        { name: "X-A", value: "ü" },
        { name: "X-A", value: "2" },
      ],
    },
    {
      text: '{"X-A": "1", "__proto__": "2"}',
      json: '{"X-A": "1", "__proto__": "2"}',
      parsed: [
        { name: "X-A", value: "1" },
        { name: "__proto__", value: "2" },
      ],
    },
  ],
  cookies: [
    { text: "a=1", json: "a=1", parsed: [{ name: "a", value: "1" }] },
    {
      text: ["a=1", "b=2; Path=/x; Secure; HttpOnly; SameSite=lax"],
      json: [
        { name: "a", value: "1" },
        { name: "b", value: "2", path: "/x", secure: true, httpOnly: true, sameSite: "lax" },
      ],
      parsed: [
        { name: "a", value: "1" },
        { name: "b", value: "2", path: "/x", secure: true, httpOnly: true, sameSite: "Lax" },
      ],
    },
    {
      text: '[{"name":"a","value":"1"}, "b=2"]',
      json: [{ name: "a", value: "1" }, "b=2"],
      parsed: [
        { name: "a", value: "1" },
        { name: "b", value: "2" },
      ],
    },
    { text: '{"name":"a","value":"b=c"}', json: { name: "a", value: "b=c" }, parsed: [{ name: "a", value: "b=c" }] },
    {
      text: "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT",
      json: { name: "a", value: "1", expires: 1_792_567_680 },
      parsed: [{ name: "a", value: "1", expires: 1_792_567_680 }],
    },
  ],
  authorization: [itself("Bearer a+b/c==")],
  http_auth_username: [itself("zoë")],
  http_auth_password: [itself("a:b&c+ü ")],
  referer: [itself("https://example.org/?q=a+b")],
  locale: [
    { text: "de-ch", json: "DE_CH", parsed: "de-CH" },
    { text: "fr", json: "fr", parsed: "fr" },
    { text: "zh-hant-tw", json: "zh-Hant-TW", parsed: "zh-Hant-TW" },
    { text: "de-CH,de;q=0.9", json: "de-CH, de;q=0.9, *;q=0.1", parsed: "de-CH" },
  ],
  time_zone: [itself("Europe/Zurich"), itself("Etc/GMT+5")],
  geolocation_latitude: [number("-33.9", -33.9), number("0", 0)],
  geolocation_longitude: [number("-70.5", -70.5), number("0", 0)],
  geolocation_accuracy: [number("0.5", 0.5)],
  proxy: [
    { text: "http://proxy.example:8080", json: "http://proxy.example:8080/", parsed: "http://proxy.example:8080/" },
    {
      text: "http://u:p%40ss@proxy.example",
      json: "HTTP://u:p%40ss@PROXY.example:80",
      parsed: "http://u:p%40ss@proxy.example/",
    },
  ],
  proxy_bypass_hosts: texts("cdn.example:8080", "*.example"),
  bypass_csp: flags,

  hide_selectors: selectors(),
  styles: texts("p { content: '1 + 1' }", "https://example.com/a.css?b=c&d"),
  scripts: texts("await a(1 + 1)", "document.title = 'ü'"),
  scripts_wait_until: loadConditions,
  click: selectors(),
  error_on_click_selector_not_found: flags,
  hover: selector(),
  error_on_hover_selector_not_found: flags,
  disable_animations: flags,
  deterministic: flags,
  page_clock: [
    { text: "2024-02-29", json: "2024-02-29", parsed: "2024-02-29T00:00:00.000Z" },
    { text: "2026-01-01T12:30", json: "2026-01-01t12:30:00z", parsed: "2026-01-01T12:30:00.000Z" },
    { text: "2026-01-01T12:30:00.5+02:00", json: "2026-01-01T10:30:00.500Z", parsed: "2026-01-01T10:30:00.500Z" },
    { text: "2026-01-01T12:30:00 02:00", json: "2026-01-01T05:00:00-05:30", parsed: "2026-01-01T10:30:00.000Z" },
  ],
  include_shadow_dom: flags,

  block_ads: flags,
  block_trackers: flags,
  block_cookie_banners: flags,
  accept_cookie_banners: flags,
  block_banners_by_heuristics: flags,
  block_chats: flags,
  block_socials: flags,
  block_annoyances: flags,
  block_requests: texts("https://ads.example/*", "tracker.js?a=1+1"),
  block_resources: [
    { text: "image", json: "Image", parsed: ["image"] },
    { text: ["image", "FONT"], json: ["image", "font"], parsed: ["image", "font"] },
    ...resourceTypes.map((name) => ({ text: name, json: [name], parsed: [name] })),
  ],
  javascript: flags,
  stealth: flags,

  video_duration: [number("5", 5), number("2.5", 2.5)],
  video_fps: [number("30", 30)],
  video_width: [number("640", 640)],
  video_height: [number("360", 360)],
  video_aspect_ratio: [itself("16:9"), itself("4:3"), itself("1:1"), itself("3:4"), itself("9:16")],
  video_scenario: names("default", "scroll"),
  scroll_by: [number("500", 500)],
  scroll_duration: [number("2000", 2_000)],
  scroll_delay: [number("0", 0)],
  scroll_easing: names(...scrollEasings),
  scroll_start_immediately: flags,
  scroll_start_delay: [number("0", 0)],
  scroll_complete: flags,
  scroll_back: flags,
  scroll_back_algorithm: names("once", "repeat"),

  pdf_paper_format: names("a0", "a1", "a2", "a3", "a4", "a5", "a6", "letter", "legal", "tabloid", "ledger"),
  pdf_paper_width: lengths,
  pdf_paper_height: lengths,
  pdf_margin: [
    { text: "1in", json: "2.54cm", parsed: inches(1, 1, 1, 1) },
    { text: "96", json: 96, parsed: inches(1, 1, 1, 1) },
    { text: "1in 2in", json: "1in  2in", parsed: inches(1, 2, 1, 2) },
    { text: "1in 2in 3in", json: "1in 2in 3in", parsed: inches(1, 2, 3, 2) },
    { text: "1in 2in 3in 0", json: "1in 2in 3in 0", parsed: inches(1, 2, 3, 0) },
  ],
  pdf_margin_top: lengths,
  pdf_margin_right: lengths,
  pdf_margin_bottom: lengths,
  pdf_margin_left: lengths,
  pdf_landscape: flags,
  pdf_print_background: flags,
  pdf_fit_one_page: flags,
  pdf_scale: [number("0.5", 0.5)],
  pdf_page_ranges: [itself("1-5, 8"), itself("3-"), { text: "2", json: 2, parsed: "2" }],
  pdf_header_template: [itself("<b class=title>ü & 1 + 1</b>")],
  pdf_footer_template: [itself("<i class=pageNumber></i>")],
  pdf_prefer_css_page_size: flags,
  pdf_outline: flags,
  pdf_tagged: flags,

  metadata_page_title: flags,
  metadata_open_graph: flags,
  metadata_icon: flags,
  metadata_fonts: flags,
  metadata_image_size: flags,
  metadata_http_response_status_code: flags,
  metadata_http_response_headers: flags,
  metadata_content: flags,
  metadata_content_format: names("html", "markdown", "text"),
  metadata_links: flags,
  metadata_elements: flags,
  elements_scope: names("interactive", "all"),
  elements_root: [itself("main > form")],
  elements_max: [number("500", 500)],
  metadata_palette: flags,
  metadata_console: flags,
  metadata_requests: flags,
  metadata_report: flags,
  async: flags,
  webhook_url: [itself("https://example.com/hook?a=1&b=%20+c")],
  webhook_receiver: [itself("rcv_8BDDiltGx3kQv0Zt")],
  webhook_sign: flags,
  webhook_errors: flags,
  validate: flags,
  store_thumbnail: flags,
  fallback_image: names("transparent", "placeholder"),
  external_identifier: [itself("order-1"), itself("a.b:c_D-9")],
  cache: flags,
  cache_ttl: [number("60", 60), number("0", 0)],
  cache_stale_ttl: [number("60", 60), number("0", 0)],
  cache_key: [itself("v2"), itself("a_B-9")],
  cache_refresh: flags,
  store: flags.map((form) => (form.parsed ? form : { ...form, sentWith: { url } })), // with a destination it is needed
  storage_path: [itself("shots/ü 1+1/home")],
  storage_bucket: [itself("my-bucket")],
  storage_endpoint: [itself("https://storage.example.com:9000/s3")],
  storage_region: [itself("eu-central-1")],
  storage_access_key_id: [itself("AKIA+/=")],
  storage_secret_access_key: [itself("a+b/c==")],
  storage_role_arn: [itself("arn:aws:iam::123456789012:role/a+b")],
  storage_external_id: [itself("a+b=c")],
  storage_acl: [itself("public-read"), itself("")],
  storage_class: names(...storageClasses),
  storage_return_location: flags,
};

const rows = Object.entries(forms).flatMap(([name, ways]) =>
  ways.map((form) => ({ name: name as CaptureOptionName, ...form })),
);

test.each(rows)(
  "option $name: the text $text has the same meaning as the JSON $json",
  ({ name, text, json, parsed, sentWith }) => {
    const company = sentWith ?? examples[name].sentWith;
    const pairs = [...asText(company), ...[text].flat().map((value): [string, string] => [name, value])];
    const requests = {
      query: anApiRequest({ query: pairs }),
      json: anApiRequest({ method: "POST", headers: JSON_TYPE, body: { ...company, [name]: json } }),
      form: anApiRequest({ method: "POST", headers: FORM_TYPE, body: new URLSearchParams(pairs).toString() }),
    };

    const [query, ...others] = Object.values(requests).map((request) => parseCaptureOptions(rawOptions(request)));

    expect(query?.[name]).toEqual(parsed);
    expect(others).toEqual([query, query]);
  },
);

function asText(options: Readonly<Record<string, unknown>>): [string, string][] {
  return Object.entries(options).flatMap(([name, value]) =>
    [value].flat().map((each): [string, string] => [name, String(each)]),
  );
}

test("option names with brackets: one value becomes a list", () => {
  const request = anApiRequest({
    query: [
      ["url", url],
      ["hide_selectors[]", "#a"],
    ],
  });
  expect(parseCaptureOptions(rawOptions(request)).hide_selectors).toEqual(["#a"]);
});

test("options in the body are added to options in the query", () => {
  const request = anApiRequest({
    method: "POST",
    headers: JSON_TYPE,
    query: [
      ["url", url],
      ["delay", "1"],
    ],
    body: { format: "webp" },
  });
  expect(parseCaptureOptions(rawOptions(request))).toMatchObject({ url, format: "webp", delay: 1 });
});

describe("format webp", () => {
  test.each([
    { video_duration: 5 },
    { video_scenario: "default" },
    { video_scenario: "scroll", scroll_by: 500 },
    { format: "WebP", video_fps: "10" },
  ])("means animated_webp with the video options %j", (sent) => {
    const options = parseCaptureOptions({ url, format: "webp", ...sent });
    expect(options).toEqual(parseCaptureOptions({ url, ...sent, format: "animated_webp" }));
    expect(options.format).toBe("animated_webp");
  });

  test.each([{}, { scroll_into_view: "#a" }, { video_fps: undefined }, { scroll_back: false }])(
    "is not what webp means with %j",
    (sent) => {
      expect(parseCaptureOptions({ url, format: "webp", ...sent }).format).toBe("webp");
    },
  );
});

describe("default timeout", () => {
  test.each([
    [{ format: "png" }, 60],
    [{ format: "webp" }, 60],
    [{ format: "pdf" }, 60],
    [{ format: "mp4" }, 90],
    [{ format: "gif" }, 90],
    [{ format: "webp", video_fps: 10 }, 90],
    [{ format: "mp4", timeout: undefined }, 90],
    [{ format: "mp4", timeout: 45 }, 45],
    [{ format: "mp4", timeout: "60" }, 60],
  ])("with %j is %i s", (sent, seconds) => {
    expect(parseCaptureOptions({ url, ...sent }).timeout).toBe(seconds);
  });
});

describe("option aliases", () => {
  test("accept_language has the same meaning as locale", () => {
    expect(parseCaptureOptions({ url, accept_language: "de-at" })).toEqual(
      parseCaptureOptions({ url, locale: "de-AT" }),
    );
  });

  test("problems are reported under the name of the option", () => {
    expect(apiErrorOf(() => parseCaptureOptions({ url, accept_language: "?" })).details).toEqual({
      locale: ['must be a language tag such as de-CH, not "?"'],
    });
  });

  test("an alias is rejected together with its option", () => {
    expect(apiErrorOf(() => parseCaptureOptions({ url, locale: "de", accept_language: "fr" })).details).toEqual({
      accept_language: ["is not an option"],
    });
  });

  test.each(Object.entries(optionAliases))("the alias %s is not the name of an option", (alias, name) => {
    expect([captureOptionNames.includes(alias as CaptureOptionName), captureOptionNames.includes(name)]).toEqual([
      false,
      true,
    ]);
  });
});

describe("options that are not sent", () => {
  test.each<[Record<string, unknown>, Record<string, unknown>]>([
    [{ url, cache: true }, { cache_ttl: 14_400 }],
    [{ url, cache: true, cache_ttl: 60 }, { cache_ttl: 60 }],
    [{ markdown: "# A", markdown_theme: "dark" }, { dark_mode: true }],
    [{ url, full_page: true, disable_animations: false }, { reduced_motion: true }],
    [{ url, full_page: true, reduced_motion: false }, { reduced_motion: false }],
    [
      { url, format: "pdf" },
      { media_type: "print", disable_animations: true },
    ],
    [{ url, format: "pdf", media_type: "screen" }, { media_type: "screen" }],
    [
      { url, format: "mp4" },
      { disable_animations: false, timeout: 90, video_fps: 25 },
    ],
    [{ url, format: "gif" }, { video_fps: 10 }],
    [{ url, ignore_host_errors: true }, { fail_on_status: [] }],
    [{ url, omit_background: true }, { image_background: "transparent" }],
    [{ url, selector: "#a", selector_algorithm: "clip" }, { selector_scroll_into_view: false }],
    [
      { url, viewport_device: "iphone_15_pro" },
      { device_scale_factor: 3, viewport_mobile: true, viewport_has_touch: true },
    ],
    [{ url, viewport_device: "iphone_15_pro", device_scale_factor: 1 }, { device_scale_factor: 1 }],
    [{ url, format: "mp4", video_scenario: "scroll", scroll_start_immediately: false }, { scroll_start_delay: 500 }],
    [
      { url, format: "mp4", timeout: 3 },
      { timeout: 3, video_duration: 5 },
    ],
  ])("have a default that follows from %j: %j", (sent, defaults) => {
    expect(parseCaptureOptions(sent)).toMatchObject(defaults);
  });

  test("have their default, or are absent", () => {
    expect(parseCaptureOptions({ url })).toStrictEqual({
      url,
      accept_cookie_banners: false,
      cache_stale_ttl: 0,
      cache_ttl: 0,
      capture_beyond_viewport: true,
      device_scale_factor: 1,
      disable_animations: true,
      error_on_click_selector_not_found: true,
      error_on_hover_selector_not_found: true,
      error_on_selector_not_found: true,
      fail_on_status: [{ from: 400, to: 599 }],
      full_page_algorithm: "default",
      full_page_expand_overflow: true,
      full_page_freeze_fixed: true,
      full_page_max_height: 20_000,
      full_page_pinned: "stages",
      full_page_scroll: true,
      full_page_slice_height: 4_000,
      full_page_slice_overlap_height: 0,
      geolocation_accuracy: 10,
      image_background: "white",
      image_fit: "inside",
      image_position: "center",
      image_quality: 80,
      markdown_theme: "github",
      metadata_content_format: "html",
      on_timeout: "fail",
      pdf_print_background: true,
      pdf_scale: 1,
      reduced_motion: true,
      scroll_back: true,
      scroll_back_algorithm: "once",
      scroll_by: 1_000,
      scroll_complete: true,
      scroll_delay: 500,
      scroll_duration: 1_500,
      scroll_easing: "ease_in_out_quint",
      scroll_into_view_adjust_top: 0,
      scroll_start_delay: 0,
      scroll_start_immediately: true,
      selector_algorithm: "default",
      selector_padding: 0,
      selector_scroll_into_view: true,
      storage_region: "us-east-1",
      video_duration: 5,
      video_fps: 25,
      video_scenario: "default",
      viewport_has_touch: false,
      validate: false,
      viewport_landscape: false,
      viewport_mobile: false,
      wait_for_selector_algorithm: "at_least_one",
      format: "png",
      response_type: "by_format",
      omit_background: false,
      annotate: false,
      optimize_for_speed: false,
      full_page: false,
      full_page_slices: false,
      wait_until: ["auto"],
      delay: 0,
      timeout: 60,
      navigation_timeout: 30,
      ignore_host_errors: false,
      locale: "en-US",
      time_zone: "UTC",
      bypass_csp: false,
      deterministic: false,
      page_clock: "2026-01-01T12:00:00.000Z",
      include_shadow_dom: false,
      block_ads: false,
      block_trackers: false,
      block_cookie_banners: false,
      block_banners_by_heuristics: false,
      block_chats: false,
      block_socials: false,
      block_annoyances: false,
      javascript: true,
      stealth: false,
      pdf_fit_one_page: false,
      pdf_prefer_css_page_size: false,
      pdf_outline: false,
      pdf_tagged: false,
      metadata_page_title: false,
      metadata_open_graph: false,
      metadata_icon: false,
      metadata_fonts: false,
      metadata_image_size: false,
      metadata_http_response_status_code: false,
      metadata_http_response_headers: false,
      metadata_content: false,
      metadata_links: false,
      metadata_elements: false,
      elements_scope: "interactive",
      elements_max: 300,
      metadata_palette: false,
      metadata_console: false,
      metadata_requests: false,
      metadata_report: false,
      self_repair: false,
      async: false,
      webhook_sign: true,
      webhook_errors: true,
      cache: false,
      cache_refresh: false,
      store: false,
      storage_return_location: false,
    });
  });

  test("can be sent as undefined", () => {
    const nothing = Object.fromEntries(captureOptionNames.map((name) => [name, undefined]));
    expect(parseCaptureOptions({ ...nothing, url })).toEqual(parseCaptureOptions({ url }));
  });
});
