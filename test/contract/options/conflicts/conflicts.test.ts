// Validation of capture options as a whole: conflicts, unknown names, and several problems at once.
import { describe, expect, test } from "vitest";
import { parseCaptureOptions } from "../../../../lib/contract/options/capture-options.ts";
import { type FormatKind, formatKind } from "../../../../lib/contract/options/formats.ts";
import {
  type CaptureOptionName,
  captureOptionEntries,
  captureOptionNames,
} from "../../../../lib/contract/options/groups/all.ts";
import { optionFacts } from "../../../../lib/contract/options/option.ts";
import { enumeration } from "../../../../lib/contract/options/values/enumeration.ts";
import { apiErrorOf } from "../../../support/builders.ts";
import { examples, url } from "../example-options.ts";

type Sent = Readonly<Record<string, unknown>>;

function problems(sent: Sent) {
  return apiErrorOf(() => parseCaptureOptions(sent)).details;
}

/** What is wrong with a request, if anything. */
function problemsOf(sent: Sent): Readonly<Record<string, readonly string[]>> {
  try {
    parseCaptureOptions(sent);
    return {};
  } catch {
    return problems(sent) ?? {};
  }
}

test.each(captureOptionNames)("options: %s is accepted with the options of its example", (name) => {
  const { sentWith, values } = examples[name];
  for (const value of values) expect(problemsOf({ ...sentWith, [name]: value })).toEqual({});
});

describe("option conflicts: the input", () => {
  const none = "is missing: send exactly one of 'url', 'html', and 'markdown'";
  const written = { html: "<p>" };

  test.each<[Sent, object]>([
    [{}, { url: [none] }],
    [{ source: "html" }, { html: ["is missing: 'source' is html"] }],
    [{ source: "markdown" }, { markdown: ["is missing: 'source' is markdown"] }],
    [{ source: "url" }, { url: ["is missing: 'source' is url"] }],
    [{ url, html: "<p>" }, { html: ["conflicts with another input: you sent 'url' and 'html', send exactly one"] }],
    [
      { ...written, markdown: "# A" },
      { markdown: ["conflicts with another input: you sent 'html' and 'markdown', send exactly one"] },
    ],
    [
      { url, html: "<p>", markdown: "# A" },
      { html: ["conflicts with another input: you sent 'url' and 'html' and 'markdown', send exactly one"] },
    ],
    [{ url, source: "html" }, { source: ["is 'html', but you sent the input as 'url'"] }],
    [{ markdown: "# A", source: "url" }, { source: ["is 'url', but you sent the input as 'markdown'"] }],
    [
      { url, base_url: url },
      { base_url: ["applies only to 'html' and 'markdown': the page at 'url' has its own URL"] },
    ],
    [
      { markdown: "# A", markdown_theme: "dark", dark_mode: false },
      { markdown_theme: ["is 'dark', which conflicts with 'dark_mode' false: send only one of them"] },
    ],
    [
      { url, javascript: false, scripts: "1", wait_for_expression: "true" },
      {
        scripts: ["runs in the page, which conflicts with 'javascript' false: send only one of them"],
        wait_for_expression: ["runs in the page, which conflicts with 'javascript' false: send only one of them"],
      },
    ],
    [
      { url, deterministic: true, on_timeout: "capture" },
      { deterministic: ["conflicts with 'on_timeout' capture, whose result depends on the speed of the page"] },
    ],
    [
      { url, deterministic: true, format: "mhtml" },
      { deterministic: ["conflicts with 'format' mhtml, which contains random identifiers"] },
    ],
    [
      { url, deterministic: true, block_cookie_banners: true },
      { deterministic: ["conflicts with 'block_cookie_banners', which waits in real time"] },
    ],
    [{ ...written, referer: url }, { referer: ["applies only to 'url', which you didn't send"] }],
    [
      { ...written, headers: ["A: 1"] },
      { headers: ["is sent only to the origin of 'url' or 'base_url': send one of them"] },
    ],
    [
      { ...written, authorization: "a" },
      { authorization: ["is sent only to the origin of 'url' or 'base_url': send one of them"] },
    ],
    [
      { ...written, http_auth_username: "a", http_auth_password: "b" },
      { http_auth_username: ["is sent only to the origin of 'url' or 'base_url': send one of them"] },
    ],
    [
      { ...written, cookies: ["a=1; Domain=a.example", "b=1"] },
      { cookies: ["must each name a domain unless you send 'url' or 'base_url'"] },
    ],
    [
      { ...written, metadata_http_response_status_code: true },
      { metadata_http_response_status_code: ["requires 'url': HTML and Markdown don't come from a server"] },
    ],
    [
      { ...written, response_type: "json", metadata_http_response_headers: true },
      { metadata_http_response_headers: ["requires 'url': HTML and Markdown don't come from a server"] },
    ],
  ])("rejects %j", (sent, details) => {
    expect(problems(sent)).toEqual(details);
  });

  test.each<Sent>([
    { url, source: "url" },
    { ...written, source: "html" },
    { ...written, base_url: url, headers: ["A: 1"], cookies: ["a=1"], authorization: "a" },
    { ...written, cookies: ["a=1; Domain=a.example", { name: "b", value: "1", domain: "b.example" }] },
    { markdown: "# A", markdown_theme: "dark", dark_mode: true },
    { markdown: "# A", markdown_theme: "github", dark_mode: false },
  ])("accepts %j", (sent) => {
    expect(problemsOf(sent)).toEqual({});
  });
});

test.each<[unknown, string | undefined]>([
  [{ "User-Agent": "b" }, "contain a User-Agent, which conflicts with 'user_agent': send only one of them"],
  [["user-agent: b"], "contain a User-Agent, which conflicts with 'user_agent': send only one of them"],
  [["X-A: 1"], undefined],
  [[{ name: { toString: 1 } }], "must be headers such as 'X-Name: value', or an object with names and values"],
])("option conflicts: user_agent with the headers %j gives %s", (headers, message) => {
  expect(problemsOf({ url, user_agent: "a", headers })["headers"]).toEqual(message && [message]);
});

describe("option conflicts: image_position and image_background without cropping or padding", () => {
  const both = { url, image_width: 100, image_height: 100 };
  const oneSide = "requires both 'image_width' and 'image_height': with only one, nothing is cropped or padded";

  test.each<[Sent, object]>([
    [
      { ...both, image_position: "north", image_background: "red" },
      {
        image_position: ["applies only to 'image_fit' cover and contain, but 'image_fit' is inside"],
        image_background: ["applies only to 'image_fit' contain, but 'image_fit' is inside"],
      },
    ],
    [
      { ...both, image_fit: "fill", image_position: "center" },
      { image_position: ["applies only to 'image_fit' cover and contain, but 'image_fit' is fill"] },
    ],
    [
      { ...both, image_fit: "cover", image_background: "red" },
      { image_background: ["applies only to 'image_fit' contain, but 'image_fit' is cover"] },
    ],
    [
      { url, image_width: 100, image_fit: "contain", image_position: "north", image_background: "red" },
      { image_position: [oneSide], image_background: [oneSide] },
    ],
    [
      { ...both, image_fit: "contain", image_position: "attention" },
      { image_position: ["is attention, which requires 'image_fit' cover, but 'image_fit' is contain"] },
    ],
    [
      { ...both, image_fit: { toString: 1 }, image_position: "north" },
      { image_fit: [expect.stringContaining("must be one of")] },
    ],
  ])("rejects %j", (sent, details) => {
    expect(problems(sent)).toEqual(details);
  });

  test.each<Sent>([
    { ...both, image_fit: "cover", image_position: "entropy" },
    { ...both, image_fit: "contain", image_position: "north", image_background: "oklch(0.7 0.1 200)" },
  ])("accepts %j", (sent) => {
    expect(problemsOf(sent)).toEqual({});
  });
});

/** An option, and those of which it needs one. */
const requiredOptions: Partial<Record<CaptureOptionName, readonly CaptureOptionName[]>> = {
  markdown_theme: ["markdown"],
  markdown_css: ["markdown"],
  image_fit: ["image_width", "image_height"],
  image_position: ["image_width", "image_height"],
  image_background: ["image_width", "image_height"],
  full_page_scroll: ["full_page"],
  full_page_scroll_delay: ["full_page"],
  full_page_scroll_by: ["full_page"],
  full_page_max_height: ["full_page"],
  full_page_algorithm: ["full_page"],
  full_page_expand_overflow: ["full_page"],
  full_page_freeze_fixed: ["full_page"],
  full_page_pinned: ["full_page"],
  full_page_slices: ["full_page"],
  full_page_slice_height: ["full_page_slices"],
  full_page_slice_overlap_height: ["full_page_slices"],
  selector_padding: ["selector", "selector_all"],
  selector_algorithm: ["selector", "selector_all"],
  selector_scroll_into_view: ["selector", "selector_all"],
  error_on_selector_not_found: ["selector", "selector_all"],
  clip_x: ["clip_y"],
  clip_y: ["clip_width"],
  clip_width: ["clip_height"],
  clip_height: ["clip_x"],
  scroll_into_view_adjust_top: ["scroll_into_view"],
  wait_for_selector_algorithm: ["wait_for_selector"],
  http_auth_username: ["http_auth_password"],
  http_auth_password: ["http_auth_username"],
  geolocation_latitude: ["geolocation_longitude"],
  geolocation_longitude: ["geolocation_latitude"],
  geolocation_accuracy: ["geolocation_latitude"],
  proxy_bypass_hosts: ["proxy"],
  scripts_wait_until: ["scripts"],
  error_on_click_selector_not_found: ["click"],
  error_on_hover_selector_not_found: ["hover"],
  accept_cookie_banners: ["block_cookie_banners"],
  page_clock: ["deterministic"],
  pdf_paper_width: ["pdf_paper_height"],
  pdf_paper_height: ["pdf_paper_width"],
  metadata_content_format: ["metadata_content"],
  webhook_url: ["async"],
  webhook_receiver: ["async"],
  cache_stale_ttl: ["cache", "cache_ttl"],
  cache_key: ["cache", "cache_ttl"],
  cache_refresh: ["cache", "cache_ttl"],
  storage_path: ["store"],
  storage_bucket: ["store"],
  storage_endpoint: ["store"],
  storage_region: ["store"],
  storage_access_key_id: ["store"],
  storage_secret_access_key: ["store"],
  storage_role_arn: ["store"],
  storage_external_id: ["storage_role_arn"],
  storage_acl: ["store"],
  storage_class: ["store"],
  storage_return_location: ["store"],
};

/** The first value of an option's example that is not false. */
function exampleValue(name: CaptureOptionName): unknown {
  return examples[name].values.find((value) => value !== false) ?? true;
}

describe("option dependencies", () => {
  test.each(Object.entries(requiredOptions))("%s requires one of %j", (text, needs) => {
    const name = text as CaptureOptionName;
    const { sentWith } = examples[name];
    const alone = Object.fromEntries(
      Object.entries(sentWith).filter(([other]) => !needs.some((each) => each === other)),
    );
    const sent = { url, ...alone, [name]: exampleValue(name) };
    expect(problems(sent)?.[name]).toContain(
      `has no effect without ${needs.map((other) => `'${other}'`).join(" or ")}`,
    );
    for (const other of needs) {
      const together = problemsOf({ ...sent, [other]: exampleValue(other) })[name] ?? [];
      expect(together.filter((message) => message.startsWith("has no effect without"))).toEqual([]);
    }
  });

  test("are complete: every option that needs another one in its example is listed", () => {
    const isNeedy = (name: CaptureOptionName) =>
      "has no effect without" ===
      problemsOf({ url, format: formatFor(name), [name]: exampleValue(name) })
        [name]?.join()
        .slice(0, 21);
    expect(Object.keys(requiredOptions).toSorted()).toEqual(captureOptionNames.filter(isNeedy).toSorted());
  });

  test("do not apply to options that are false", () => {
    expect(problemsOf({ url, full_page: "0", full_page_scroll: "false", error_on_selector_not_found: 0 })).toEqual({});
  });
});

/** A format with which an option means something. */
function formatFor(name: CaptureOptionName): string {
  const { only: [kind] = ["image"] } = optionFacts(captureOptionEntries[name]);
  return kind === "video" ? "mp4" : kind === "pdf" ? "pdf" : "png";
}

describe("mutually exclusive options", () => {
  const exact = (other: string) =>
    `is an exact size and conflicts with '${other}', which is a maximum: send only one of them`;
  const window = (other: string) => `scrolls the viewport and conflicts with '${other}': send only one of them`;

  test.each<[CaptureOptionName, CaptureOptionName, string]>([
    ["selector", "full_page", "captures one element and conflicts with 'full_page': send only one of them"],
    ["selector_all", "full_page", "captures some elements and conflicts with 'full_page': send only one of them"],
    ["selector_all", "selector", "conflicts with 'selector': send only one of them"],
    ["clip_x", "full_page", "captures a rectangle and conflicts with 'full_page': send only one of them"],
    ["clip_x", "selector", "captures a rectangle and conflicts with 'selector': send only one of them"],
    ["clip_x", "selector_all", "captures a rectangle and conflicts with 'selector_all': send only one of them"],
    ["scroll_into_view", "full_page", window("full_page")],
    ["scroll_into_view", "selector", window("selector")],
    ["scroll_into_view", "selector_all", window("selector_all")],
    ["scroll_into_view", "clip_x", window("clip_x")],
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
    ["video_width", "image_width", exact("image_width")],
    ["video_width", "image_height", exact("image_height")],
    ["video_height", "image_width", exact("image_width")],
    ["video_height", "image_height", exact("image_height")],
    ["pdf_paper_format", "pdf_paper_width", "conflicts with 'pdf_paper_width': send either a format or a size"],
    [
      "pdf_page_ranges",
      "pdf_fit_one_page",
      "selects pages and conflicts with 'pdf_fit_one_page', which prints only one",
    ],
    ["pdf_prefer_css_page_size", "pdf_fit_one_page", "conflicts with 'pdf_fit_one_page', which sets the page size"],
    ["annotate", "full_page_slices", "marks one image and conflicts with 'full_page_slices': send only one of them"],
    ["full_page_slices", "store", "creates several files and conflicts with 'store', which uploads only one"],
    [
      "storage_role_arn",
      "storage_access_key_id",
      "conflicts with 'storage_access_key_id': send either a role or an access key",
    ],
    ["store", "cache", "uploads each new capture and conflicts with 'cache', which reuses captures"],
  ])("%s is rejected with %s", (name, other, message) => {
    const one = { ...examples[name].sentWith, [name]: exampleValue(name) };
    const both = { ...examples[other].sentWith, ...one, [other]: exampleValue(other) };
    expect(problems(both)).toEqual({ [name]: [message] });
    expect(problemsOf(one)).toEqual({});
  });

  test("can be combined if one of them is false", () => {
    expect(problemsOf({ url, selector: "#a", full_page: "0", ignore_host_errors: false, fail_on_status: 404 })).toEqual(
      {},
    );
  });
});

describe("option conflicts: values that limit other options", () => {
  const sliced = examples.full_page_slice_height.sentWith;

  test.each<[Sent, object]>([
    [
      { ...sliced, full_page_slice_height: 500, full_page_slice_overlap_height: 401 },
      {
        full_page_slice_overlap_height: ["must be at least 100 pixels less than the 'full_page_slice_height' of 500"],
      },
    ],
    [
      { ...sliced, full_page_slice_overlap_height: "3901" },
      {
        full_page_slice_overlap_height: ["must be at least 100 pixels less than the 'full_page_slice_height' of 4000"],
      },
    ],
    [
      { url, delay: 5, timeout: 5 },
      { delay: ["must be shorter than the 'timeout' of 5 s: lower it or raise 'timeout'"] },
    ],
    [
      { url, delay: "20.5", timeout: "20" },
      { delay: ["must be shorter than the 'timeout' of 20 s: lower it or raise 'timeout'"] },
    ],
    [
      { url, full_page: true, full_page_slices: true },
      { full_page_slices: ["requires 'response_type' json, which lists the slices"] },
    ],
    [{ url, metadata_icon: true }, { metadata_icon: ["is returned only in JSON: set 'response_type' to json"] }],
    [
      { url, response_type: "base64", metadata_content: true, metadata_content_format: "text" },
      {
        metadata_content: ["is returned only in JSON: set 'response_type' to json"],
        metadata_content_format: ["is returned only in JSON: set 'response_type' to json"],
      },
    ],
    [
      { url, include_shadow_dom: true },
      { include_shadow_dom: ["has no effect for 'format' png without 'metadata_content' or 'metadata_links'"] },
    ],
    [
      { url, elements_max: 5 },
      {
        elements_max: ["is for lists of elements: set 'format' to elements, or send 'metadata_elements' or 'annotate'"],
      },
    ],
    [
      { url, format: "pdf", annotate: true, elements_root: "main" },
      { annotate: ["applies only to images, but 'format' is pdf"] },
    ],
    [
      { url, annotate: true, image_width: 9, image_height: 9, image_fit: "cover", image_position: "entropy" },
      { annotate: ["conflicts with 'image_position' entropy: choose a compass point"] },
    ],
    [
      { url, format: "elements", include_shadow_dom: true },
      { include_shadow_dom: ["has no effect for 'format' elements without 'metadata_content' or 'metadata_links'"] },
    ],
    [
      { url, format: "mhtml", include_shadow_dom: true },
      { include_shadow_dom: ["has no effect for 'format' mhtml without 'metadata_content' or 'metadata_links'"] },
    ],
  ])("rejects %j", (sent, details) => {
    expect(problems(sent)).toEqual(details);
  });

  test.each<Sent>([
    { ...sliced, full_page_slice_height: 500, full_page_slice_overlap_height: 400 },
    { ...sliced, full_page_slice_overlap_height: 3_900 },
    { url, delay: 4.9, timeout: 5 },
    { url, metadata_page_title: true, metadata_image_size: true, metadata_http_response_status_code: true },
    { url, format: "json", metadata_icon: true, metadata_content: true },
    { url, response_type: "json", metadata_links: true, include_shadow_dom: true },
    { url, response_type: "json", metadata_content: true, include_shadow_dom: true },
  ])("accepts %j", (sent) => {
    expect(problemsOf(sent)).toEqual({});
  });
});

describe("option conflicts: videos", () => {
  const scroll = { video_scenario: "scroll" };
  const still = "requires 'video_scenario' scroll, but 'video_scenario' is default";
  const whole = (other: string) =>
    `is 'scroll', which scrolls through the whole page and conflicts with '${other}': send only one of them`;
  const shaped = (other: string) =>
    `sets the aspect ratio of the viewport with 'video_width' and conflicts with '${other}': send only one side`;
  const sized = { video_width: 640, video_height: 480 };
  const rectangle = { clip_x: 0, clip_y: 0, clip_width: 9, clip_height: 9 };

  test.each<[Sent, object]>([
    [{ scroll_by: 5 }, { scroll_by: [still] }],
    [
      { video_scenario: "default", scroll_delay: 0, scroll_easing: "linear" },
      { scroll_delay: [still], scroll_easing: [still] },
    ],
    [{ format: "webp", scroll_back: true }, { scroll_back: [still] }],
    [{ ...scroll, selector: "a" }, { video_scenario: [whole("selector")] }],
    [{ ...scroll, selector_all: "a" }, { video_scenario: [whole("selector_all")] }],
    [{ ...scroll, ...rectangle }, { video_scenario: [whole("clip_x")] }],
    [{ ...scroll, scroll_into_view: "a" }, { video_scenario: [whole("scroll_into_view")] }],
    [
      { ...scroll, scroll_back: "0", scroll_back_algorithm: "once" },
      {
        scroll_back_algorithm: [
          "sets how to scroll back and conflicts with 'scroll_back' false: send only one of them",
        ],
      },
    ],
    [
      { ...scroll, scroll_start_immediately: 1, scroll_start_delay: 100 },
      { scroll_start_immediately: ["conflicts with the 'scroll_start_delay' of 100 ms: send only one of them"] },
    ],
    [{ ...sized, viewport_height: 480 }, { video_height: [shaped("viewport_height")] }],
    [{ ...sized, selector: "a" }, { video_height: [shaped("selector")] }],
    [{ ...sized, selector_all: "a" }, { video_height: [shaped("selector_all")] }],
    [{ ...sized, ...rectangle }, { video_height: [shaped("clip_x")] }],
    [
      { ...sized, video_aspect_ratio: "4:3" },
      {
        video_aspect_ratio: [
          "conflicts with 'video_width' and 'video_height', which already set an aspect ratio: send only one side",
        ],
      },
    ],
    [
      { video_width: 3840, video_height: 2162 },
      { video_height: ["gives more than 8.2944 million pixels with a 'video_width' of 3840: lower one of them"] },
    ],
    [
      { video_width: 16, video_height: 3840, viewport_width: 64 },
      {
        video_height: [
          "gives a viewport of 64 × 15360 pixels, whose height must be from 64 to 4320: change 'viewport_width' or the aspect ratio",
        ],
      },
    ],
    [
      { video_aspect_ratio: "16:9", viewport_width: 112 },
      {
        video_aspect_ratio: [
          "gives a viewport of 112 × 63 pixels, whose height must be from 64 to 4320: change 'viewport_width' or the aspect ratio",
        ],
      },
    ],
    [
      { format: "gif", video_fps: 31 },
      {
        video_fps: ["must be at most 30 for 'format' gif, not 31: lower it, or set 'format' to mp4 or webm"],
      },
    ],
    [
      { format: "webp", video_fps: "60" },
      {
        video_fps: ["must be at most 30 for 'format' animated_webp, not 60: lower it, or set 'format' to mp4 or webm"],
      },
    ],
    [
      { video_duration: 5, timeout: 5 },
      { video_duration: ["must be shorter than the 'timeout' of 5 s: lower it or raise 'timeout'"] },
    ],
  ])("rejects %j", (sent, details) => {
    expect(problems({ url, format: "mp4", ...sent })).toEqual(details);
  });

  test.each<Sent>([
    { ...scroll, scroll_start_immediately: false, scroll_start_delay: 100 },
    { ...scroll, scroll_start_immediately: true, scroll_start_delay: 0 },
    { ...scroll, scroll_back: false },
    { scroll_back: false, scroll_complete: "0" },
    { video_scenario: "default", selector: "a", video_width: 640 },
    { selector_all: "a", selector_padding: 5, video_height: 480 },
    { ...rectangle, image_width: 300, image_quality: 50 },
    { scroll_into_view: "a", ...sized },
    { video_width: 640, viewport_height: 480 },
    { video_aspect_ratio: "1:1", viewport_width: 900, video_width: 450 },
    { video_aspect_ratio: "9:16", viewport_width: 2430 },
    { video_aspect_ratio: "16:9", viewport_device: "iphone_15_pro" },
    { video_width: 3840, video_height: 2160 },
    { format: "gif", video_fps: 30 },
    { format: "webm", video_fps: 60 },
    { video_duration: 30 },
    { video_duration: 29, timeout: 30 },
    { disable_animations: true, metadata_image_size: true },
  ])("accepts %j", (sent) => {
    expect(problemsOf({ url, format: "mp4", ...sent })).toEqual({});
  });

  test("reports only the invalid size of a video, and no conflicts that follow from it", () => {
    expect(problems({ url, format: "mp4", video_width: "wide", video_height: 480 })).toEqual({
      video_width: ['must be a whole number from 16 to 3840 pixels, not "wide"'],
    });
    expect(problems({ url, format: "mp4", video_aspect_ratio: "21:9", viewport_width: "wide" })).toEqual({
      video_aspect_ratio: ['must be one of 16:9, 4:3, 1:1, 3:4, 9:16, not "21:9"'],
      viewport_width: ['must be a whole number from 64 to 7680 pixels, not "wide"'],
    });
  });
});

describe("option conflicts: delivery", () => {
  test.each<[Sent, object]>([
    [{ cache: true, cache_ttl: 0 }, { cache_ttl: ["is 0, which turns off the 'cache' that you set"] }],
    [
      { cache: false, cache_ttl: 60 },
      { cache_ttl: ["turns on the cache, which conflicts with 'cache' false: send only one of them"] },
    ],
    [
      { cache_ttl: 0, cache_key: "a", cache_refresh: true },
      {
        cache_key: ["has no effect with 'cache_ttl' 0, which turns off the cache"],
        cache_refresh: ["has no effect with 'cache_ttl' 0, which turns off the cache"],
      },
    ],
    [{ webhook_url: "https://example.com" }, { webhook_url: ["has no effect without 'async'"] }],
    [
      { webhook_sign: false, webhook_errors: "0" },
      {
        webhook_sign: ["has no effect without 'webhook_url' or 'webhook_receiver'"],
        webhook_errors: ["has no effect without 'webhook_url' or 'webhook_receiver'"],
      },
    ],
    [
      {
        async: true,
        webhook_receiver: "rcv_8BDDiltGx3kQv0Zt",
        webhook_url: "https://example.com",
        webhook_errors: false,
      },
      { webhook_receiver: ["conflicts with 'webhook_url': send either the id of a saved receiver or a URL"] },
    ],
    [
      { async: true, webhook_receiver: "rcv_8BDDiltGx3kQv0Zt", webhook_sign: false },
      {
        webhook_sign: ["conflicts with 'webhook_receiver': webhooks to a saved receiver are always signed"],
      },
    ],
    [{ webhook_url: "ftp://example.com", async: 1 }, { webhook_url: ["must be an https URL"] }],
  ])("rejects %j", (sent, details) => {
    expect(problems({ url, ...sent })).toEqual(details);
  });

  test.each<Sent>([
    { cache: false, cache_ttl: 0 },
    { cache: true, cache_ttl: 60 },
    { async: true, full_page: true, full_page_slices: true, metadata_icon: true },
  ])("accepts %j", (sent) => {
    expect(problemsOf({ url, ...sent })).toEqual({});
  });
});

describe("option conflicts: customer storage", () => {
  const place = { store: true, storage_path: "a", storage_bucket: "my-bucket" };
  const keys = { storage_access_key_id: "a", storage_secret_access_key: "b" };
  const role = { storage_role_arn: "arn:aws:iam::123456789012:role/a" };

  test.each<[Sent, object]>([
    [
      { store: true },
      {
        storage_path: ["is missing: 'store' requires it"],
        storage_bucket: ["is missing: 'store' requires it"],
        store: ["requires 'storage_role_arn', or 'storage_access_key_id' and 'storage_secret_access_key'"],
      },
    ],
    [
      { ...place, storage_access_key_id: "a" },
      { storage_secret_access_key: ["is missing: 'storage_access_key_id' requires it"] },
    ],
    [
      { ...place, storage_secret_access_key: "a" },
      { storage_access_key_id: ["is missing: 'storage_secret_access_key' requires it"] },
    ],
    [
      { ...place, ...keys, ...role },
      { storage_role_arn: ["conflicts with 'storage_access_key_id': send either a role or an access key"] },
    ],
    [
      { ...place, ...keys, cache_ttl: 60 },
      { store: ["uploads each new capture and conflicts with 'cache_ttl', which reuses captures"] },
    ],
    [{ storage_class: "glacier", store: false }, { storage_class: ["has no effect without 'store'"] }],
  ])("rejects %j", (sent, details) => {
    expect(problems({ url, ...sent })).toEqual(details);
  });

  test.each<Sent>([
    { ...place, ...keys, cache_ttl: 0 },
    { ...place, ...keys, async: true },
    { ...place, ...role, storage_external_id: "a", response_type: "json" },
    { store: false },
  ])("accepts %j", (sent) => {
    expect(problemsOf({ url, ...sent })).toEqual({});
  });
});

describe("option conflicts: options without effect for the format", () => {
  const ofImages: readonly RegExp[] = [
    /^image_(fit|position|background|fallback_format)$/,
    /^(annotate|omit_background|optimize_for_speed|capture_beyond_viewport|on_timeout|metadata_palette)$/,
    /^full_page/,
  ];
  const ofVideosAndImages: readonly RegExp[] = [
    /^image_/,
    /^selector_/,
    /^clip_/,
    /^scroll_into_view/,
    /^(metadata_image_size|fallback_image)$/,
  ];
  const ofPaperAndThem = ["selector", "error_on_selector_not_found", "disable_animations"];

  function kindsOf(name: CaptureOptionName): readonly FormatKind[] {
    if (ofImages.some((pattern) => pattern.test(name))) return ["image"];
    if (ofVideosAndImages.some((pattern) => pattern.test(name))) return ["image", "video"];
    if (name === "deterministic") return ["image", "pdf", "document"];
    if (ofPaperAndThem.includes(name)) return ["image", "video", "pdf"];
    if (/^(video|scroll)_/.test(name)) return ["video"];
    return name.startsWith("pdf_") ? ["pdf"] : ["image", "video", "pdf", "document"];
  }

  const oneOfEach = ["png", "mp4", "pdf", "html"] as const;
  const named = { image: "images", video: "videos", pdf: "PDFs", document: "documents" };
  const table = captureOptionNames
    .filter((name) => name !== "format")
    .flatMap((name) => oneOfEach.map((format) => ({ name, format, kinds: kindsOf(name) })));

  test.each(table)("$name with format $format applies to $kinds", ({ name, format, kinds }) => {
    const sent = { url, ...examples[name].sentWith, [name]: exampleValue(name), format };
    const said = problemsOf(sent)[name]?.filter((message) => message.includes("applies only to ")) ?? [];
    const message = `applies only to ${enumeration(kinds.map((kind) => named[kind]))}, but 'format' is ${format}`;
    const reported = said.filter((each) => each !== inputRule).map((each) => each.replace(/: .*$/, ""));
    expect(reported).toEqual(kinds.includes(formatKind(format)) ? [] : [message]);
  });

  const inputRule = "applies only to 'html' and 'markdown': the page at 'url' has its own URL";

  test.each<[Sent, object]>([
    [{ format: "pdf", full_page: true }, { full_page: ["applies only to images, but 'format' is pdf"] }],
    [
      { format: "md", image_fit: "fill", image_width: 5 },
      {
        image_fit: ["applies only to images, but 'format' is markdown"],
        image_width: ["applies only to images and videos, but 'format' is markdown"],
      },
    ],
    [{ pdf_landscape: "1" }, { pdf_landscape: ["applies only to PDFs, but 'format' is png"] }],
    [
      { format: "html", selector: "#a" },
      { selector: ["applies only to images, videos, and PDFs, but 'format' is html"] },
    ],
    [{ image_quality: 80 }, { image_quality: ["has no effect for 'format' png, which is lossless"] }],
    [{ image_quality: "0", format: "TIFF" }, { image_quality: ["has no effect for 'format' tiff, which is lossless"] }],
    [
      { image_quality: 80, format: "pdf" },
      { image_quality: ["applies only to images and videos, but 'format' is pdf"] },
    ],
    [{ image_quality: 80, format: "gif" }, { image_quality: ["has no effect for 'format' gif, which uses a palette"] }],
    [
      { format: "mp4", full_page: true },
      {
        full_page: [
          "applies only to images, but 'format' is mp4: to record the whole page, set 'video_scenario' to scroll",
        ],
      },
    ],
    [
      { video_duration: 5 },
      {
        video_duration: [
          "applies only to videos, but 'format' is png: set 'format' to mp4, webm, gif, or animated_webp",
        ],
      },
    ],
    [
      { format: "jpg", omit_background: "1" },
      { omit_background: ["requires transparency, which 'format' jpeg doesn't support"] },
    ],
    [
      { format: "tiff", omit_background: true },
      { omit_background: ["requires transparency, which 'format' tiff doesn't support"] },
    ],
  ])("rejects %j", (sent, details) => {
    expect(problems({ url, ...sent })).toEqual(details);
  });

  test.each<Sent>([
    { format: "webp", image_quality: 80, omit_background: true },
    { format: "avif", image_quality: 0, omit_background: true },
    { format: "jpeg", image_quality: 100, omit_background: "false" },
    { format: "pdf", full_page: false, omit_background: 0, optimize_for_speed: "FALSE" },
    { format: "png", pdf_landscape: false, pdf_outline: "0" },
  ])("accepts %j, because false options have no effect", (sent) => {
    expect(problemsOf({ url, ...sent })).toEqual({});
  });

  test("reports only an unknown format, and no options that conflict with it", () => {
    expect(Object.keys(problems({ url, format: "bmp", pdf_scale: 1, video_fps: 5, scroll_by: 5 }) ?? {})).toEqual([
      "format",
    ]);
  });
});

describe("images: a format that can't hold the image", () => {
  const tooLarge = (format: string, size: string, limit: string) => ({
    format: [
      `${format} takes at most ${limit}, and the image would measure ${size}: ` +
        "set 'format' or 'image_fallback_format' to png, or lower the size",
    ],
  });
  const avif = "16,384 pixels a side and 12 million in all";
  const webp = "16,383 pixels a side and 48 million in all";

  test.each<[Sent, Sent]>([
    [{ format: "avif", viewport_width: 4000, viewport_height: 3100 }, tooLarge("avif", "4000 × 3100", avif)],
    [{ format: "avif", viewport_device: "desktop", device_scale_factor: 5 }, tooLarge("avif", "6400 × 5120", avif)],
    [
      { format: "webp", image_width: 9000, image_height: 9000, image_fit: "fill" },
      tooLarge("webp", "9000 × 9000", webp),
    ],
    [
      { format: "webp", clip_x: 0, clip_y: 0, clip_width: 100, clip_height: 16_384 },
      tooLarge("webp", "100 × 16384", webp),
    ],
  ])("is refused before the capture where the options set the size: %j", (sent, details) => {
    expect(problemsOf({ url, ...sent })).toEqual(details);
    expect(problemsOf({ url, ...sent, image_fallback_format: "png" })).toEqual({});
    expect(problemsOf({ url, ...sent, format: "png" })).toEqual({});
  });

  test.each<Sent>([
    { format: "avif", full_page: true, viewport_width: 4000, viewport_height: 3100 },
    { format: "avif", selector: "main", device_scale_factor: 5 },
    { format: "avif", device_scale_factor: 5, image_width: 600 },
    { format: "avif", viewport_width: 4000, viewport_height: 3000 },
  ])("is accepted where the page decides, or it fits: %j", (sent) => {
    expect(problemsOf({ url, ...sent })).toEqual({});
  });

  test.each(["png", "tiff"])("has a fallback only where there is such a format, not %s", (format) => {
    const details = { image_fallback_format: [`has no effect for 'format' ${format}, which holds every image`] };
    expect(problemsOf({ url, format, image_fallback_format: "png" })).toEqual(details);
  });
});

describe("unknown options", () => {
  test.each([
    ["fullpage", "is not an option; did you mean 'full_page'?"],
    ["Full_Page", "is not an option; did you mean 'full_page'?"],
    ["viewport_widht", "is not an option; did you mean 'viewport_width'?"],
    ["darkmode", "is not an option; did you mean 'dark_mode'?"],
    ["timezone", "is not an option; did you mean 'time_zone'?"],
    ["useragent", "is not an option; did you mean 'user_agent'?"],
    ["HEADERS", "is not an option; did you mean 'headers'?"],
    ["width", "is not an option; did you mean 'viewport_width'?"],
    ["height", "is not an option; did you mean 'viewport_height'?"],
    ["device", "is not an option; did you mean 'viewport_device'?"],
    ["quality", "is not an option; did you mean 'image_quality'?"],
    ["css", "is not an option; did you mean 'styles'?"],
    ["thumb_width", "is not an option; did you mean 'image_width'?"],
    ["thumbnailWidth", "is not an option; did you mean 'image_width'?"],
    ["retina", "is not an option; did you mean 'device_scale_factor', with the value 2?"],
    ["fresh", "is not an option; did you mean 'cache_refresh', which captures again, together with 'cache_ttl'?"],
    ["full", "is not an option; did you mean 'full_page'?"],
    ["element", "is not an option; did you mean 'selector'?"],
    ["wait_for", "is not an option; did you mean 'wait_for_selector'?"],
    ["waitForTimeout", "is not an option; did you mean 'delay', in seconds?"],
    ["fullPage", "is not an option; did you mean 'full_page'?"],
    ["access_key", "is not an option"],
    ["zzz", "is not an option"],
    ["", "is not an option"],
  ])("%j is rejected with the closest known name, if there is one", (name, message) => {
    expect(problems({ url, [name]: "1" })).toEqual({ [name]: [message] });
  });
});

describe("several problems in one request", () => {
  test("are reported together, each under its option", () => {
    expect(
      problems({
        html: "",
        markdown: 5,
        format: "bmp",
        viewport_width: "wide",
        wait_until: ["load", "never"],
        timeout: 0,
        heigth: 1,
        full_page_scroll_by: 0,
        authorization: "a\nb",
      }),
    ).toEqual({
      heigth: ["is not an option"],
      html: ["must not be empty"],
      markdown: [
        "must be text, not 5",
        "conflicts with another input: you sent 'html' and 'markdown', send exactly one",
      ],
      format: [
        "must be one of png, jpeg, webp, avif, tiff, mp4, webm, gif, animated_webp, pdf, html, markdown, mhtml, text, json, " +
          'elements, not "bmp"',
      ],
      viewport_width: ['must be a whole number from 64 to 7680 pixels, not "wide"'],
      wait_until: ['must be one of auto, load, domcontentloaded, networkidle, networkidle0, networkidle2, not "never"'],
      timeout: ["must be a whole number from 1 to 90 seconds, not 0"],
      full_page_scroll_by: [
        "must be a whole number from 1 to 10000 pixels, not 0",
        "has no effect without 'full_page'",
      ],
      authorization: [
        "must be a valid header value",
        "is sent only to the origin of 'url' or 'base_url': send one of them",
      ],
    });
  });

  test("have the first problem and a hint at the others as their message", () => {
    const error = apiErrorOf(() => parseCaptureOptions({ url, timeout: 0, delay: -1 }));
    expect({ code: error.code, message: error.message }).toEqual({
      code: "VALIDATION_ERROR",
      message: "Option 'delay' must be a number from 0 to 30 seconds, not -1. `details` lists every problem.",
    });
  });

  test("with the same text are reported once", () => {
    expect(problems({ url, wait_until: ["x", "x"] })?.["wait_until"]).toHaveLength(1);
  });
});

test("a single problem is reported without a hint at others", () => {
  expect(apiErrorOf(() => parseCaptureOptions({ url, timeout: 0 })).message).toBe(
    "Option 'timeout' must be a whole number from 1 to 90 seconds, not 0.",
  );
});
