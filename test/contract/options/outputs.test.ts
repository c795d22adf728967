// Requests with `outputs`: each output has the options of a capture that has this result alone.
import { describe, expect, test } from "vitest";
import { ApiError } from "../../../lib/contract/errors/api-error.ts";
import { parseCaptureOptions } from "../../../lib/contract/options/capture-options.ts";
import { parseOutputs } from "../../../lib/contract/options/outputs.ts";

type Raw = Readonly<Record<string, unknown>>;

const url = "https://example.com";
const shot: Raw = { name: "shot" };
const page: Raw = { name: "page", format: "pdf" };

/** The details of the error with which a request is refused. */
function refusal(sent: Raw): Raw {
  try {
    parseOutputs(sent);
  } catch (error) {
    if (error instanceof ApiError && error.code === "VALIDATION_ERROR") return error.details ?? {};
    throw error;
  }
  throw new Error("The request was not refused.");
}

describe("an output", () => {
  test("has the options that a request for it alone has", () => {
    const outputs = [
      { ...shot, full_page: true, image_width: 300 },
      { ...page, pdf_landscape: true },
    ];
    const parsed = parseOutputs({ url, delay: 2, outputs });
    const alone = { url, delay: 2, response_type: "json" };
    expect(parsed).toMatchObject([
      { name: "shot", options: parseCaptureOptions({ ...alone, full_page: true, image_width: 300 }) },
      { name: "page", options: parseCaptureOptions({ ...alone, format: "pdf", pdf_landscape: true }) },
    ]);
  });

  test("is read from JSON text as from JSON", () => {
    const outputs = [shot, page];
    expect(parseOutputs({ url, outputs: JSON.stringify(outputs) })).toEqual(parseOutputs({ url, outputs }));
  });

  test("may return any metadata, since the response is JSON", () => {
    const [first] = parseOutputs({ url, outputs: [{ ...shot, metadata_links: true }, page] });
    expect(first?.options.metadata_links).toBe(true);
  });

  test("leaves out shared options that are for the kinds of other outputs", () => {
    const outputs = [shot, { name: "text", format: "text" }];
    const parsed = parseOutputs({ url, on_timeout: "capture", outputs });
    expect(parsed.map(({ options }) => options.on_timeout)).toEqual(["capture", "fail"]);
  });

  test.each([2, 8])("may be one of %i", (count) => {
    const outputs = Array.from({ length: count }, (_, index) => ({ name: `shot-${index}` }));
    expect(parseOutputs({ url, outputs })).toHaveLength(count);
  });
});

describe("refused is", () => {
  test("an option that changes the load inside of an output", () => {
    const outputs = [shot, page, { name: "text", format: "text", wait_until: "load" }];
    expect(refusal({ url, outputs })).toEqual({
      "outputs[2].wait_until": ["applies to all outputs: send it outside of 'outputs'"],
    });
  });

  test("an option of a result outside of the outputs", () => {
    expect(refusal({ url, full_page: true, outputs: [shot, page] })).toEqual({
      full_page: ["applies to one result: send it inside of the 'outputs' that it is for"],
    });
  });

  test.each([
    [[shot], "must have 2 to 8 entries, not 1: for one result, send its options without 'outputs'"],
    [[], "must have 2 to 8 entries, not 0"],
    [Array(9).fill(shot), "must have 2 to 8 entries, not 9"],
    ["[", 'must be a list of objects, or its JSON text, not "["'],
    [shot, 'must be a list of objects, or its JSON text, not {"name":"shot"}'],
  ])("%j as a list", (outputs, message) => {
    expect(refusal({ url, outputs })).toEqual({ outputs: [message] });
  });

  test("a name that another output has, in any case", () => {
    expect(refusal({ url, outputs: [shot, { ...page, name: "SHOT" }] })).toEqual({
      "outputs[1].name": ["is the name of outputs[0], too: give each output its own name"],
    });
  });

  test("a second video", () => {
    const outputs = [{ name: "a", format: "mp4" }, shot, { name: "b", format: "gif" }];
    expect(refusal({ url, outputs })).toEqual({
      "outputs[2].format": ["is the second video: send at most one video in 'outputs'"],
    });
  });

  test.each([
    "../up",
    "/etc/passwd",
    "C:\\file",
    "a/b",
    ".hidden",
    "trailing.",
    "a".repeat(300),
    "line\nbreak",
    "null\0",
    "con",
    "nul.txt",
    "manifest",
    "",
    " ",
    "é",
    "__proto__",
    7,
    null,
    undefined,
  ])("the name %j", (name) => {
    expect(Object.keys(refusal({ url, outputs: [{ ...shot, name }, page] }))).toEqual(["outputs[0].name"]);
  });

  test("an entry that is no object", () => {
    expect(Object.keys(refusal({ url, outputs: [shot, "pdf"] }))).toEqual(["outputs[1]"]);
  });

  test("what a request for the output alone is refused for, in its place", () => {
    const outputs = [
      { ...shot, pdf_landscape: true },
      { ...page, colour: "red" },
    ];
    expect(Object.keys(refusal({ url, outputs }))).toEqual(["outputs[0].pdf_landscape", "outputs[1].colour"]);
  });

  test("a shared option that is wrong, once", () => {
    expect(refusal({ url, delay: -1, outputs: [shot, page] })).toEqual({ delay: [expect.stringContaining("number")] });
  });

  test("a shared option that is for no kind of the outputs", () => {
    const text = { name: "text", format: "text" };
    expect(Object.keys(refusal({ url, on_timeout: "capture", outputs: [text, page] }))).toEqual(["on_timeout"]);
  });

  test.each(["mp4", "mhtml"])("%s with `deterministic`", (format) => {
    const details = refusal({ url, deterministic: true, outputs: [shot, { name: "other", format }] });
    expect(Object.keys(details)).toEqual(["deterministic"]);
  });

  test("a response that has one file alone", () => {
    expect(Object.keys(refusal({ url, response_type: "base64", attachment_name: "a", outputs: [shot, page] }))).toEqual(
      ["attachment_name", "response_type"],
    );
  });
});

test.each<[string, Raw, string]>([
  ["a stale cache", { cache_ttl: 60, cache_stale_ttl: 60, outputs: [shot, page] }, "cache_stale_ttl"],
  [
    "an archive of an asynchronous capture",
    { async: true, response_type: "zip", outputs: [shot, page] },
    "response_type",
  ],
])("refused is %s", (_, sent, name) => {
  expect(Object.keys(refusal({ url, ...sent }))).toEqual([name]);
});
