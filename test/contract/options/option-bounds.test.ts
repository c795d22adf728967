// The bounds of every option at their edges, and the forms that text must have.
import { describe, expect, test } from "vitest";
import { parseCaptureOptions } from "../../../lib/contract/options/capture-options.ts";
import {
  type CaptureOptionName,
  captureOptionEntries,
  captureOptionNames,
} from "../../../lib/contract/options/groups/all.ts";
import { optionFacts } from "../../../lib/contract/options/option.ts";
import { tooLong } from "../../../lib/contract/options/wording.ts";
import { apiErrorOf } from "../../support/builders.ts";
import { examples, url } from "./example-options.ts";

type SentWith = Readonly<Record<string, unknown>>;

function parsed(name: CaptureOptionName, value: unknown, sentWith: SentWith = examples[name].sentWith): unknown {
  return parseCaptureOptions({ ...sentWith, [name]: value })[name];
}

/** What is wrong with an option's value. */
function refusals(name: CaptureOptionName, value: unknown, sentWith: SentWith = examples[name].sentWith) {
  return apiErrorOf(() => parseCaptureOptions({ ...sentWith, [name]: value })).details?.[name];
}

/** Lowest and highest value, and the unit that messages name. */
const wholeNumbers = {
  image_quality: [0, 100, ""],
  image_width: [1, 10_000, " pixels"],
  image_height: [1, 10_000, " pixels"],
  viewport_width: [64, 7_680, " pixels"],
  viewport_height: [64, 4_320, " pixels"],
  full_page_scroll_delay: [50, 5_000, " ms"],
  full_page_scroll_by: [1, 10_000, " pixels"],
  full_page_max_height: [1, 100_000, " pixels"],
  full_page_slice_height: [100, 16_000, " pixels"],
  full_page_slice_overlap_height: [0, 15_900, " pixels"],
  selector_padding: [0, 1_000, " pixels"],
  elements_max: [1, 2_000, " elements"],
  clip_x: [0, 100_000, " pixels"],
  clip_y: [0, 100_000, " pixels"],
  clip_width: [1, 100_000, " pixels"],
  clip_height: [1, 100_000, " pixels"],
  scroll_into_view_adjust_top: [-10_000, 10_000, " pixels"],
  timeout: [1, 90, " seconds"],
  min_quality: [1, 100, ""],
  video_fps: [1, 60, ""],
  video_width: [16, 3_840, " pixels"],
  video_height: [16, 3_840, " pixels"],
  scroll_by: [1, 10_000, " pixels"],
  scroll_duration: [100, 30_000, " ms"],
  scroll_delay: [0, 30_000, " ms"],
  scroll_start_delay: [0, 30_000, " ms"],
  navigation_timeout: [1, 30, " seconds"],
  cache_ttl: [0, 2_592_000, ""],
  cache_stale_ttl: [0, 2_592_000, ""],
} as const satisfies Bounds;

const numbers = {
  device_scale_factor: [0.5, 5, ""],
  delay: [0, 30, " seconds"],
  video_duration: [1, 30, " seconds"],
  geolocation_latitude: [-90, 90, " degrees"],
  geolocation_longitude: [-180, 180, " degrees"],
  geolocation_accuracy: [0.1, 1_000_000, " metres"],
  pdf_scale: [0.1, 2, ""],
} as const satisfies Bounds;

type Bounds = Partial<Record<CaptureOptionName, readonly [low: number, high: number, unit: string]>>;

/** What has to be sent for the bounds of one option not to be those that another sets. */
const roomy: Partial<Record<CaptureOptionName, SentWith>> = {
  full_page_slice_overlap_height: {
    ...examples.full_page_slice_overlap_height.sentWith,
    full_page_slice_height: 16_000,
  },
};

describe.each([
  ...Object.entries(wholeNumbers).map(([name, bounds]) => ({ name, bounds, step: 1, kind: "a whole number" })),
  ...Object.entries(numbers).map(([name, bounds]) => ({ name, bounds, step: 0.01, kind: "a number" })),
])("$name", ({ name: text, bounds: [low, high, unit], step, kind }) => {
  const name = text as CaptureOptionName;
  const sentWith = roomy[name] ?? examples[name].sentWith;

  test.each([low, high])("accepts %d", (value) => {
    expect([parsed(name, value, sentWith), parsed(name, String(value), sentWith)]).toEqual([value, value]);
  });

  test.each([low - step, high + step])("rejects %d", (value) => {
    const said = `must be ${kind} from ${low} to ${high}${unit}, not`;
    expect(refusals(name, value, sentWith)).toContain(`${said} ${value}`);
    expect(refusals(name, String(value), sentWith)).toContain(`${said} "${value}"`);
  });

  test(kind === "a number" ? "accepts a fraction" : "rejects a fraction", () => {
    const value = low + 0.25;
    if (kind === "a number") expect(parsed(name, value, sentWith)).toBe(value);
    else expect(refusals(name, value, sentWith)).toHaveLength(1);
  });
});

/** The longest text of each option, and how it may begin. */
const texts = {
  url: [8_192, url],
  html: [4_000_000, "<p>"],
  markdown: [500_000, "# "],
  markdown_css: [200_000, "p{}"],
  base_url: [8_192, url],
  attachment_name: [200, "a"],
  selector: [2_000, "#a"],
  selector_all: [2_000, "#a"],
  scroll_into_view: [2_000, "#a"],
  elements_root: [2_000, "#a"],
  wait_for_selector_hidden: [2_000, "#a"],
  hover: [2_000, "#a"],
  wait_for_expression: [10_000, "a"],
  user_agent: [1_000, "a"],
  authorization: [8_000, "a"],
  http_auth_username: [500, "a"],
  http_auth_password: [500, "a"],
  referer: [8_192, url],
  pdf_header_template: [50_000, "<p>"],
  pdf_footer_template: [50_000, "<p>"],
  webhook_url: [2_000, url],
  external_identifier: [64, "a"],
  cache_key: [250, "a"],
  storage_path: [900, "a"],
  storage_bucket: [63, "a"],
  storage_endpoint: [500, url],
  storage_region: [50, "a"],
  storage_access_key_id: [200, "a"],
  storage_secret_access_key: [500, "a"],
  storage_role_arn: [600, "arn:aws:iam::123456789012:role/a"],
  storage_external_id: [200, "a"],
} as const satisfies Partial<Record<CaptureOptionName, readonly [longest: number, beginning: string]>>;

describe.each(Object.entries(texts))("%s", (text, [longest, beginning]) => {
  const name = text as CaptureOptionName;
  const ofLength = (length: number) => beginning.padEnd(length, "x");

  test(`accepts ${longest} characters`, () => {
    expect(parsed(name, ofLength(longest))).toHaveLength(longest);
  });

  test("rejects one more", () => {
    expect(refusals(name, ofLength(longest + 1))).toEqual([tooLong(longest, "characters", longest + 1)]);
  });

  test("rejects an empty text", () => {
    expect(refusals(name, "")).toContain("must not be empty");
  });
});

/** The longest list of each option, and the longest text in it. */
const lists = {
  wait_for_selector: [20, 2_000],
  fail_if_content_contains: [20, 1_000],
  fail_if_content_missing: [20, 1_000],
  fail_if_request_failed: [20, 1_000],
  fail_if_selector_present: [20, 2_000],
  proxy_bypass_hosts: [100, 260],
  hide_selectors: [100, 2_000],
  styles: [20, 200_000],
  scripts: [20, 200_000],
  click: [20, 2_000],
  block_requests: [100, 1_000],
} as const satisfies Partial<Record<CaptureOptionName, readonly [entries: number, characters: number]>>;

describe.each(Object.entries(lists))("%s", (text, [most, longest]) => {
  const name = text as CaptureOptionName;
  const ofLength = (length: number) => Array.from({ length }, (_, index) => `a${index}`);

  test(`accepts ${most} entries`, () => {
    expect(parsed(name, ofLength(most))).toEqual(ofLength(most));
  });

  test("rejects one more", () => {
    expect(refusals(name, ofLength(most + 1))).toEqual([tooLong(most, "entries", most + 1)]);
  });

  test("treats an empty list as not sent, and rejects an empty text", () => {
    expect(() => parsed(name, [])).not.toThrow();
    expect(refusals(name, "[]")).toEqual(["must name at least one"]);
  });

  test("rejects an empty entry", () => {
    expect(refusals(name, ["a", ""])).toContain("must not be empty");
  });

  test(`accepts an entry of ${longest} characters and rejects a longer one`, () => {
    expect(parsed(name, "x".repeat(longest))).toEqual(["x".repeat(longest)]);
    expect(refusals(name, ["x".repeat(longest + 1)])).toEqual([tooLong(longest, "characters", longest + 1)]);
  });
});

test("option bounds: every number, text, and list option is tested", () => {
  const tested = [wholeNumbers, numbers, texts, lists].flatMap((table) => Object.keys(table));
  const bounded = captureOptionNames.filter((name) => {
    const { type, maximum, maxLength, maxItems, items } = optionFacts(captureOptionEntries[name]).jsonSchema;
    if (["cookies", "image_background", "retry_on"].includes(name)) return false; // they have forms of their own, see below
    const isOfNames = typeof items === "object" && items !== null && "enum" in items;
    return (type === "array" && !isOfNames && maxItems) || maximum || maxLength;
  });
  expect(tested.toSorted()).toEqual(bounded.toSorted());
});

test("option bounds: retry_on has at most 20 entries", () => {
  const statuses = Array.from({ length: 21 }, (_, index) => 400 + index);
  expect(parsed("retry_on", statuses.slice(1))).toHaveLength(20);
  expect(refusals("retry_on", statuses)).toEqual([tooLong(20, "entries", 21)]);
});

test.each(["video_width", "video_height"] as const)("option bounds: %s must be even", (name) => {
  expect(refusals(name, 641)).toEqual(["must be an even number, not 641"]);
  expect(refusals(name, "641")).toEqual(["must be an even number, not 641"]);
});

describe("option bounds: URLs", () => {
  const complete = "must be an absolute URL such as https://example.com/page";
  const trimmed = "must not start or end with whitespace";
  const twice = "repeats its scheme: write https:// once";

  test.each([
    ["example.com", ["needs its scheme: did you mean 'https://example.com'?"]],
    ["localhost:3000/page", ["needs its scheme: did you mean 'https://localhost:3000/page'?"]],
    ["/page", [complete]],
    ["https://", [complete]],
    ["https://exa mple.com", [complete]],
    [" https://example.com", [trimmed]],
    ["https://example.com\n", [trimmed]],
    [" ", [trimmed, complete]],
    ["https://https://example.com", [twice]],
    ["HTTP://https://example.com", [twice]],
  ])("cannot be %j", (address, messages) => {
    const named = (["url", "base_url", "referer"] as const).map((name) => refusals(name, address));
    expect(named).toEqual([messages, messages, messages]);
  });

  test.each(["http://example.com", "https://a.example/https://b.example", "HTTPS://example.com:8443/?q=https://b"])(
    "is taken as it is: %s",
    (address) => {
      expect((["url", "base_url", "referer"] as const).map((name) => parsed(name, address))).toEqual([
        address,
        address,
        address,
      ]);
    },
  );

  test.each(["file:///etc/passwd", "data:text/html,a", "javascript:1", "about:blank"])(
    "of a document or of the page before cannot be %s",
    (address) => {
      const message = ["must start with http:// or https://"];
      expect([refusals("base_url", address), refusals("referer", address)]).toEqual([message, message]);
    },
  );
});

describe.each<[CaptureOptionName, readonly unknown[], string | RegExp]>([
  [
    "attachment_name",
    [
      'a"b',
      "a\\b",
      "a/b",
      "a/../b",
      "a:b",
      "a*b",
      "a?b",
      "a<b",
      "a>b",
      "a|b",
      "a\r\nX: b",
      "a\tb",
      "a\u0000",
      "a\ud800",
    ],
    'must be a file name without any of " \\ / : * ? < > |',
  ],
  [
    "image_background",
    [
      "#ff",
      "#fffff",
      "#ggg",
      "url(a)",
      "rgb(a)",
      "#fff; x",
      "white black",
      "a1",
      "fff",
      "foo",
      "rgb(1,2",
      "currentcolor",
      "url(oklch(0.7 0.1 200))",
    ],
    "must be a CSS color such as #ffffff, #00000080, or white",
  ],
  [
    "proxy",
    [
      "proxy.example:8080",
      "https://proxy.example",
      "socks5://proxy.example",
      "http://",
      "http://proxy.example/path",
      "http://proxy.example/?a",
      "http://proxy.example/#a",
      "http://proxy.example:99999",
      `http://${"x".repeat(2_000)}`,
      5,
    ],
    "must be the URL of an HTTP proxy such as http://user:password@proxy.example:8080",
  ],
  [
    "proxy_bypass_hosts",
    ["https://a.example", "a.example/b", "u@a.example", "a b"],
    "must be host names such as cdn.example or *.example",
  ],
  [
    "time_zone",
    ["Mars/Olympus", "CEST+1", "", 2, "Europe/Zurich\n"],
    /^must be an IANA time zone such as Europe\/Zurich, not /,
  ],
  ["locale", ["", "*", "d", "german language", 5], /^must be a language tag such as de-CH, not /],
  ["user_agent", ["a\nb", "a\r\nHost: b", "a\u0000"], "must be a valid header value"],
  ["authorization", ["a\nb", "a\r\nHost: b", "a\u0000"], "must be a valid header value"],
  ["http_auth_username", ["a:b", ":"], "must not contain a colon"],
  ["viewport_device", ["iPhone 99", "", 5, "x".repeat(100)], /^is not a known device: /],
  [
    "fail_on_status",
    ["", "4xx", "404,", "99", "600", "500-404", "400-499-500", "4.4", 40, `404${",404".repeat(200)}`],
    /^must be status codes and ranges such as 400,404,500-511, not /,
  ],
  [
    "pdf_page_ranges",
    ["", "0", "3-1", "a", "1,,2", 1.5, `1${",1".repeat(250)}`],
    /^must be pages and ranges such as 1-5,8, not /,
  ],
  [
    "pdf_margin",
    ["", "auto", "-1in", "1em", "1in 1in 1in 1in 1in", "201in", "0 201in", -1, true],
    /^must be one to four lengths such as '1cm' or '1cm 2cm', not /,
  ],
  [
    "pdf_margin_left",
    ["", "auto", "-1in", "1em", "1in 1in", "200.1in", -1, true],
    /^must be a length from 0in to 200in in in, cm, mm or px, such as 2.5cm, not /,
  ],
  [
    "pdf_paper_width",
    ["0.09in", "200.1in", "0", "wide", "8.5"],
    /^must be a length from 0.1in to 200in in in, cm, mm or px, such as 2.5cm, not /,
  ],
  ["pdf_header_template", ["<script>a</script>"], "contains a script: scripts don't run in it"],
  [
    "pdf_footer_template",
    ["<link rel=stylesheet href=a.css>"],
    "contains <link>, but it can't load resources: put the rules into <style>",
  ],
  [
    "pdf_footer_template",
    ["<img src='https://a.example/a.png'>"],
    "contains the address of an image, but it can't load resources: embed images and fonts as data: URLs",
  ],
  [
    "webhook_receiver",
    ["Order service", "8BDDiltGx3kQv0Zt", "rcv_short", "rcv_8BDDiltGx3kQv0Z-", "rcv_8BDDiltGx3kQv0Zt/../x"],
    "must be the id of a receiver, `rcv_` and 16 letters or digits, and not its name",
  ],
  ["webhook_url", ["example.com", "/a", "ftp://example.com", "file:///etc/passwd", "https://"], "must be an https URL"],
  ["external_identifier", ["a b", "a/b", "ü", "a\n"], "must consist of letters, digits and . : _ -"],
  ["cache_key", ["a b", "a.b", "a:b", "ü", "a\n"], "must consist of letters, digits, _ and -"],
  [
    "storage_path",
    [
      "/a",
      "a/",
      "a//b",
      "/",
      "..",
      ".",
      "../a",
      "a/..",
      "a/../b",
      "a/./b",
      "a\\b",
      "..\\a",
      "a\u0000",
      "a\r\nb",
      "a\u0085",
    ],
    "must be a path such as shots/home, without '..' and without a slash at the start or end",
  ],
  ["storage_path", ["ü".repeat(501), "\ud800", "a/\udc00"], "must have at most 1,000 bytes in UTF-8"],
  [
    "storage_bucket",
    ["a", "ab", "A-bucket", "a_bucket", "a/b/c", "a b c", "-ab", "ab-", "arn:aws:s3:::a", "a?b", "a\n"],
    "must be a bucket name",
  ],
  [
    "storage_endpoint",
    [
      "storage.example.com",
      "s3://bucket",
      "https://",
      "https:///a",
      "https:storage.example.com",
      "https://u:p@a.example",
      "https://u@a.example",
      "https://a.example?b",
      "https://a.example/#b",
      "https://a b.example",
      " https://a.example",
      "https://a.example\n",
      "https://a.example:99999",
    ],
    "must be the URL of a storage service such as https://storage.example.com",
  ],
  [
    "storage_region",
    ["EU", "eu central", "eu--1", "-eu", "eu-", "eu.a", "a/b", "a\n"],
    "must be a region such as eu-central-1",
  ],
  ["storage_access_key_id", ["a b", "a\r\nHost: b", "ü"], "must consist of visible ASCII characters"],
  ["storage_secret_access_key", ["a b", "a\u0000", "ü"], "must consist of visible ASCII characters"],
  [
    "storage_role_arn",
    [
      "a",
      "arn:aws:iam::1:role/a",
      "arn:aws:iam::123456789012:user/a",
      "arn:aws:iam::123456789012:role/",
      "arn:aws:iam::123456789012:role/a b",
    ],
    "must be an IAM role ARN such as arn:aws:iam::123456789012:role/name",
  ],
  ["storage_external_id", ["a b", "a*", "ü", "a\n"], "must consist of letters, digits and + = , . @ : / _ -"],
  [
    "storage_acl",
    ["private", "public-read-write", "Public-Read", 5, true, ["public-read"]],
    /^must be empty or public-read, not /,
  ],
])("%s", (name, values, message) => {
  test.each(values.map((value) => [brief(value), value]))("cannot be %s", (_, value) => {
    const said = refusals(name, value)?.at(-1);
    if (typeof message === "string") expect(said).toBe(message);
    else expect(said).toMatch(message);
  });
});

/** A value as the name of a test shows it. */
function brief(value: unknown): string {
  return JSON.stringify(value).slice(0, 60);
}

test.each(["200in", "508cm", "14400pt", "19200px"])("option bounds: a margin can be %s", (length) => {
  expect(parsed("pdf_margin_top", length)).toBeCloseTo(200, 10);
});

test.each(["0.1in", "200in"])("option bounds: a side of the paper can be %s", (length) => {
  expect([parsed("pdf_paper_width", length), parsed("pdf_paper_height", length)]).toEqual([
    Number.parseFloat(length),
    Number.parseFloat(length),
  ]);
});

test("option bounds: a misspelled device is rejected with the closest name", () => {
  expect([refusals("viewport_device", "iphone_15_por"), refusals("viewport_device", "iPhone 15 Por")]).toEqual([
    [`is not a known device: "iphone_15_por"; did you mean 'iphone_15_pro'?`],
    [`is not a known device: "iPhone 15 Por"; did you mean 'iPhone 15 Pro'?`],
  ]);
});

describe("option bounds: headers", () => {
  const shape = "must be headers such as 'X-Name: value', or an object with names and values";
  const nameless = "must have a valid header name before each colon: 'X-Name: value'";

  test.each<[unknown, string]>([
    ["X-A", shape],
    [["X-A: 1", "X-B"], shape],
    ['{"X-A": 1', shape],
    ['["X-A: 1"', shape],
    [{ "X-A": ["1"] }, shape],
    [{ "X-A": true }, shape],
    [[{ "X-A": "1" }], shape],
    [5, shape],
    [": 1", nameless],
    ["X A: 1", nameless],
    ["X-Ü: 1", nameless],
    [`${"X".repeat(257)}: 1`, nameless],
    ["Host: a.example", 'can\'t set the header "Host", which the browser sets itself'],
    ["proxy-a: b", 'can\'t set the header "proxy-a", which the browser sets itself'],
    [{ Cookie: "a=1" }, 'can\'t set the header "Cookie", which the browser sets itself'],
    ["X-A: 1\r\nX-B: 2", 'has an invalid value for "X-A"'],
    [`X-A: ${"1".repeat(8_001)}`, 'has an invalid value for "X-A"'],
    [Array.from({ length: 65 }, () => "X-A: 1"), "must have at most 64 headers, not 65"],
    [["User-Agent: a", "user-agent: b"], 'must not repeat the header "user-agent", which has one value'],
    [{ Authorization: "a", authorization: "b" }, 'must not repeat the header "authorization", which has one value'],
  ])("rejects case %#", (value, message) => {
    expect(refusals("headers", value)).toEqual([message]);
  });

  test("accepts 64 headers of 8,000 characters", () => {
    const value = Array.from({ length: 64 }, () => `X-A: ${"1".repeat(8_000)}`);
    expect(parsed("headers", value)).toHaveLength(64);
  });
});

describe("option bounds: cookies", () => {
  const message =
    "must be cookies such as 'name=value; Path=/', or objects with name, value, and optionally domain, path, expires, " +
    "secure, httpOnly, and sameSite";

  test.each<[unknown]>([
    ["a"],
    ["=1"],
    ["a=1\r\nb: 2"],
    [`a=${"1".repeat(4_096)}`],
    ['{"name":"a"'],
    [["a=1", 5]],
    [{ name: "a" }],
    [{ name: "", value: "1" }],
    [{ name: "a", value: 1 }],
    [{ name: "a", value: "1", path: "x" }],
    [{ name: "a", value: "1", domain: "" }],
    [{ name: "a", value: "1", sameSite: "both" }],
    [{ name: "a", value: "1", secure: "yes" }],
    [{ name: "a", value: "1", size: 2 }],
    [{ name: "a", value: "1".repeat(4_097) }],
  ])("rejects case %#", (value) => {
    expect(refusals("cookies", value)).toEqual([message]);
  });

  test("accepts 100 cookies, and not one more", () => {
    const value = Array.from({ length: 101 }, (_, index) => `a${index}=1`);
    expect(parsed("cookies", value.slice(1))).toHaveLength(100);
    expect(refusals("cookies", value)).toEqual(["must have at most 100 entries, not 101"]);
  });
});

test.each(["wait_until", "scripts_wait_until"] as const)(
  "%s takes six conditions at most, and none is as if it was not sent",
  (name) => {
    expect(
      parsed(
        name,
        Array.from({ length: 6 }, () => "load"),
      ),
    ).toHaveLength(6);
    expect(
      refusals(
        name,
        Array.from({ length: 7 }, () => "load"),
      ),
    ).toEqual(["must have at most 6 entries, not 7"]);
    expect(parsed(name, [])).toEqual(name === "wait_until" ? ["auto"] : undefined);
  },
);

describe("option bounds: an empty list is rejected for options that are not lists", () => {
  const isList = ({ type, oneOf = [] }: { type?: unknown; oneOf?: { type?: unknown }[] }) =>
    [type, ...oneOf.map((form) => form.type)].includes("array");
  const names = captureOptionNames.filter((name) => !isList(optionFacts(captureOptionEntries[name]).jsonSchema));

  test("most options are not lists, including full_page and async", () => {
    expect(names).toEqual(expect.arrayContaining(["full_page", "async", "delay", "format", "url"]));
    expect(names.length).toBeGreaterThan(100);
  });

  test.each(names)("%s", (name) => {
    expect(refusals(name, [])).not.toBeUndefined();
  });

  test("an empty list is rejected for an unknown option", () => {
    expect(apiErrorOf(() => parseCaptureOptions({ url, full_pages: [] })).details).toEqual({
      full_pages: ["is not an option; did you mean 'full_page'?"],
    });
  });
});

test.each([
  ...["photo\u202egnp.exe", "photo\u2067gnp\u2069.exe", "a\u2028b.png", "../a.png", "..\\a.png", "C:a.png"],
  ...[".htaccess", ".", "..", "a.exe.", "CON", "nul.txt", "com1.png", "a.html\u0000.png", 'a".html'],
])("option bounds: the deceptive attachment_name %j is rejected", (name) => {
  expect(refusals("attachment_name", name)).toEqual(expect.arrayContaining([expect.stringMatching(/^must /)]));
});
