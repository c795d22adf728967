// An option means the same however it is sent: in the query, as JSON or in a form.
import { describe, expect, test } from "vitest";
import { parseCaptureOptions } from "../../lib/contract/capture-options.ts";
import { type CaptureOptionName, captureOptionNames } from "../../lib/contract/options/all.ts";
import { sentOptions } from "../../lib/runtime/api-request.ts";
import { anApiRequest, FORM_TYPE, JSON_TYPE } from "../support/builders.ts";

interface Form {
  /** As query parameter or form field; several texts are a repeated one. */
  readonly text: string | readonly string[];
  readonly json: unknown;
  readonly parsed: unknown;
  /** Other options this one needs, or `{}` where it is the input itself. Without it: a url. */
  readonly beside?: Readonly<Record<string, string>>;
}

const url = "https://example.com/";
const flags: readonly Form[] = [
  { text: "true", json: true, parsed: true },
  { text: "false", json: false, parsed: false },
  { text: "1", json: 1, parsed: true },
  { text: "0", json: 0, parsed: false },
  { text: "TRUE", json: "True", parsed: true },
];
const inJpeg = { url, format: "jpeg" };

const forms: Readonly<Record<CaptureOptionName, readonly Form[]>> = {
  url: [
    { text: url, json: url, parsed: url, beside: {} },
    {
      text: "http://ü.example/?a=1&b=%20+c#d",
      json: "http://ü.example/?a=1&b=%20+c#d",
      parsed: "http://ü.example/?a=1&b=%20+c#d",
      beside: {},
    },
  ],
  source: [
    { text: "url", json: "url", parsed: "url" },
    { text: "HTML", json: "HTML", parsed: "html", beside: { html: "<p>" } },
    { text: "markdown", json: "markdown", parsed: "markdown", beside: { markdown: "# A" } },
  ],
  html: [
    { text: "<p>1 + 1 = 2 & ü</p>\n", json: "<p>1 + 1 = 2 & ü</p>\n", parsed: "<p>1 + 1 = 2 & ü</p>\n", beside: {} },
  ],
  markdown: [{ text: "# A\n\n[b](c)", json: "# A\n\n[b](c)", parsed: "# A\n\n[b](c)", beside: {} }],
  format: [
    { text: "png", json: "png", parsed: "png" },
    { text: "jpeg", json: "JPEG", parsed: "jpeg" },
    { text: "jpg", json: "Jpg", parsed: "jpeg" },
    { text: "WebP", json: "webp", parsed: "webp" },
  ],
  response_type: [
    { text: "by_format", json: "by_format", parsed: "by_format" },
    { text: "JSON", json: "json", parsed: "json" },
  ],
  image_quality: [
    { text: "0", json: 0, parsed: 0, beside: inJpeg },
    { text: "80", json: 80, parsed: 80, beside: inJpeg },
    { text: "80.0", json: "80", parsed: 80, beside: inJpeg },
  ],
  omit_background: flags,
  viewport_width: [{ text: "800", json: 800, parsed: 800 }],
  viewport_height: [{ text: "600", json: 600, parsed: 600 }],
  device_scale_factor: [
    { text: "2", json: 2, parsed: 2 },
    { text: "1.5", json: 1.5, parsed: 1.5 },
  ],
  dark_mode: flags,
  full_page: flags,
  selector: [{ text: "#a > b.c[d='e']", json: "#a > b.c[d='e']", parsed: "#a > b.c[d='e']" }],
  wait_until: [
    { text: "load", json: "load", parsed: ["load"] },
    { text: ["load"], json: ["load"], parsed: ["load"] },
    { text: ["load", "NetworkIdle0"], json: ["load", "networkidle0"], parsed: ["load", "networkidle0"] },
    { text: '["load","networkidle2"]', json: ["load", "networkidle2"], parsed: ["load", "networkidle2"] },
  ],
  delay: [
    { text: "0", json: 0, parsed: 0 },
    { text: "2.5", json: 2.5, parsed: 2.5 },
  ],
  timeout: [{ text: "30", json: 30, parsed: 30 }],
  ignore_host_errors: flags,
};

const rows = Object.entries(forms).flatMap(([name, ways]) => ways.map((form) => ({ name, ...form })));

test.each(rows)("$name means the same as text $text and as JSON $json", ({ name, text, json, parsed, beside }) => {
  const company = beside ?? { url };
  const pairs = [...Object.entries(company), ...[text].flat().map((value): [string, string] => [name, value])];
  const requests = {
    query: anApiRequest({ query: pairs }),
    json: anApiRequest({ method: "POST", headers: JSON_TYPE, body: { ...company, [name]: json } }),
    form: anApiRequest({ method: "POST", headers: FORM_TYPE, body: new URLSearchParams(pairs).toString() }),
  };

  const results = Object.values(requests).map((request) => parseCaptureOptions(sentOptions(request)));

  const expected = {
    ...parseCaptureOptions(company.url || company.html || company.markdown ? company : { [name]: json }),
    [name]: parsed,
  };
  expect(results).toEqual([expected, expected, expected]);
});

test("every option has its forms", () => {
  expect(Object.keys(forms).sort()).toEqual([...captureOptionNames].sort());
});

describe("an option that is left out", () => {
  test("has its default, or is not there at all", () => {
    expect(parseCaptureOptions({ url })).toEqual({
      url,
      format: "png",
      response_type: "by_format",
      omit_background: false,
      viewport_width: 1280,
      viewport_height: 1024,
      device_scale_factor: 1,
      full_page: false,
      wait_until: ["auto"],
      delay: 0,
      timeout: 60,
      ignore_host_errors: false,
    });
  });

  test("can be sent as undefined", () => {
    expect(parseCaptureOptions({ url, full_page: undefined })).toStrictEqual({ ...parseCaptureOptions({ url }) });
  });
});
