// What a request is told that cannot be met: contradictions, unknown names, and all of it at once.
import { describe, expect, test } from "vitest";
import { parseCaptureOptions } from "../../lib/contract/capture-options.ts";
import { apiErrorOf } from "../support/builders.ts";

const url = "https://example.com/";

function problems(sent: object) {
  return apiErrorOf(() => parseCaptureOptions(sent)).details;
}

describe("contradictions", () => {
  test.each([
    [{}, { url: ["is missing: send exactly one of 'url', 'html' and 'markdown'"] }],
    [{ source: "html" }, { url: ["is missing: send exactly one of 'url', 'html' and 'markdown'"] }],
    [{ url, html: "<p>" }, { html: ["contradicts another input: 'url' and 'html' were sent, send exactly one"] }],
    [
      { html: "<p>", markdown: "# A" },
      { markdown: ["contradicts another input: 'html' and 'markdown' were sent, send exactly one"] },
    ],
    [
      { url, html: "<p>", markdown: "# A" },
      { html: ["contradicts another input: 'url' and 'html' and 'markdown' were sent, send exactly one"] },
    ],
    [{ url, source: "html" }, { source: ["is 'html', but the input was sent as 'url'"] }],
    [{ markdown: "# A", source: "url" }, { source: ["is 'url', but the input was sent as 'markdown'"] }],
    [{ url, image_quality: 80 }, { image_quality: ["has no meaning for 'format' png, which is lossless"] }],
    [
      { url, image_quality: "0", format: "PNG" },
      { image_quality: ["has no meaning for 'format' png, which is lossless"] },
    ],
    [
      { url, format: "jpg", omit_background: "1" },
      { omit_background: ["needs transparency, which 'format' jpeg does not have"] },
    ],
    [
      { url, selector: "#a", full_page: "true" },
      { selector: ["captures one element and contradicts 'full_page': send one of them"] },
    ],
  ])("%j is refused", (sent, details) => {
    expect(problems(sent)).toEqual(details);
  });

  test.each([
    { url, source: "url" },
    { html: "<p>", source: "html" },
    { url, format: "webp", image_quality: 80, omit_background: true },
    { url, format: "jpeg", omit_background: "false" },
    { url, selector: "#a", full_page: "0" },
  ])("%j is none", (sent) => {
    expect(() => parseCaptureOptions(sent)).not.toThrow();
  });
});

describe("an unknown option", () => {
  test.each([
    ["fullpage", "is not an option; did you mean 'full_page'?"],
    ["Full_Page", "is not an option; did you mean 'full_page'?"],
    ["viewport_widht", "is not an option; did you mean 'viewport_width'?"],
    ["darkmode", "is not an option; did you mean 'dark_mode'?"],
    ["access_key", "is not an option"],
    ["zzz", "is not an option"],
    ["", "is not an option"],
  ])("%j is refused with the nearest name, where one is near", (name, message) => {
    expect(problems({ url, [name]: "1" })).toEqual({ [name]: [message] });
  });
});

describe("several problems", () => {
  test("are told at once, each under its option", () => {
    expect(
      problems({
        html: "",
        markdown: 5,
        format: "gif",
        viewport_width: "wide",
        wait_until: ["load", "never"],
        timeout: 0,
        heigth: 1,
      }),
    ).toEqual({
      heigth: ["is not an option"],
      html: ["must not be empty"],
      markdown: ["must be text, not 5", "contradicts another input: 'html' and 'markdown' were sent, send exactly one"],
      format: ['must be one of png, jpeg, webp, not "gif"'],
      viewport_width: ['must be a whole number from 64 to 7680 pixels, not "wide"'],
      wait_until: ['must be one of auto, load, domcontentloaded, networkidle, networkidle0, networkidle2, not "never"'],
      timeout: ["must be a whole number from 1 to 90 seconds, not 0"],
    });
  });

  test("are summed up by the first, and a hint at the others", () => {
    const error = apiErrorOf(() => parseCaptureOptions({ url, timeout: 0, delay: -1 }));
    expect({ code: error.code, message: error.message }).toEqual({
      code: "VALIDATION_ERROR",
      message: "Option 'delay' must be a number from 0 to 30 seconds, not -1. `details` lists every problem.",
    });
  });

  test("of the same text are told once", () => {
    expect(problems({ url, wait_until: ["x", "x"] })?.wait_until).toHaveLength(1);
  });
});

test("a single problem is told without a hint at others", () => {
  expect(apiErrorOf(() => parseCaptureOptions({ url, timeout: 0 })).message).toBe(
    "Option 'timeout' must be a whole number from 1 to 90 seconds, not 0.",
  );
});
