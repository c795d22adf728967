// Every option of a capture, one entry each: validation, types and the written reference all come from this schema.
import * as v from "valibot";
import { choice, decimal, flag, integer, list, text } from "./coercion.ts";
import { parseOptions, refuseWhere } from "./parse-options.ts";

export const imageFormats = ["png", "jpeg", "webp"] as const;
export const loadConditions = [
  "auto",
  "load",
  "domcontentloaded",
  "networkidle",
  "networkidle0",
  "networkidle2",
] as const;

const URL_MAX_CHARACTERS = 8 * 1024;
const HTML_MAX_CHARACTERS = 4_000_000;
const MARKDOWN_MAX_CHARACTERS = 500_000;

const webAddress = v.pipe(
  text(URL_MAX_CHARACTERS),
  v.check((url) => url === url.trim(), "must not begin or end with white space"),
  v.check((url) => URL.canParse(url), "must be a complete address such as https://example.com/page"),
  v.check((url) => !/^https?:\/\/https?:/i.test(url), "names its scheme twice; write https:// once"),
);

const described = <T extends v.GenericSchema>(schema: T, description: string) =>
  v.pipe(schema, v.description(description));

export const captureOptionEntries = {
  url: v.optional(
    described(
      webAddress,
      "Address of the page to capture, http or https. Exactly one of `url`, `html` and `markdown`.",
    ),
  ),
  source: v.optional(
    described(
      choice(["url", "html", "markdown"]),
      "What is captured. Need not be given: it follows from `url`, `html` or `markdown`.",
    ),
  ),
  html: v.optional(
    described(
      text(HTML_MAX_CHARACTERS),
      "HTML to render, at most 4 million characters. It has no address of its own, so assets need absolute addresses.",
    ),
  ),
  markdown: v.optional(
    described(
      text(MARKDOWN_MAX_CHARACTERS),
      "Markdown to render, GitHub flavour, at most 500,000 characters. Code is highlighted; scripts are removed.",
    ),
  ),
  format: v.optional(
    described(choice(imageFormats, { jpg: "jpeg" }), "Image format of the result: `png`, `jpeg` (or `jpg`), `webp`."),
    "png",
  ),
  response_type: v.optional(
    described(
      choice(["by_format", "json"]),
      "`by_format` answers with the image itself; `json` stores it and answers with its address and facts.",
    ),
    "by_format",
  ),
  image_quality: v.optional(
    described(integer(0, 100), "Quality of a lossy image, 0 to 100. Only with `format` jpeg or webp. Default 80."),
  ),
  omit_background: v.optional(
    described(flag(), "Leave the page's default white background out, so that it is transparent. Not with jpeg."),
    false,
  ),
  viewport_width: v.optional(
    described(integer(64, 7680, " pixels"), "Width of the browser's window in CSS pixels."),
    1280,
  ),
  viewport_height: v.optional(
    described(integer(64, 4320, " pixels"), "Height of the browser's window in CSS pixels."),
    1024,
  ),
  device_scale_factor: v.optional(
    described(decimal(0.5, 5), "Image pixels per CSS pixel: 2 gives the sharpness of a high-density screen."),
    1,
  ),
  dark_mode: v.optional(
    described(
      flag(),
      "Tell the page that the visitor prefers dark (true) or light (false). Unset: the page's default.",
    ),
  ),
  full_page: v.optional(
    described(flag(), "Capture the whole page, not only the part inside the window. Not together with `selector`."),
    false,
  ),
  selector: v.optional(
    described(
      text(2_000),
      "CSS selector: capture only the first visible element that matches, waiting up to 10 s for it to appear.",
    ),
  ),
  wait_until: v.optional(
    described(
      v.pipe(list(choice(loadConditions)), v.minLength(1, "must name at least one condition")),
      "When the page counts as loaded. `auto`: load event, fonts, images in view and a short quiet, all capped. " +
        "`load` and `domcontentloaded`: that event. `networkidle`: at most two requests open for 0.5 s, capped; " +
        "`networkidle0` and `networkidle2` insist on none and on two. Several conditions must all hold.",
    ),
    ["auto"],
  ),
  delay: v.optional(
    described(decimal(0, 30, " seconds"), "Seconds to wait after the page has loaded and before it is captured."),
    0,
  ),
  timeout: v.optional(
    described(integer(1, 90, " seconds"), "Seconds the whole capture may take; after them it fails with 504."),
    60,
  ),
  ignore_host_errors: v.optional(
    described(flag(), "Capture the page even when its server answers with an error status (4xx or 5xx)."),
    false,
  ),
};

export type CaptureOptionName = keyof typeof captureOptionEntries;
export const captureOptionNames = Object.keys(captureOptionEntries) as CaptureOptionName[];

/** Options as a caller may leave them out. Unknown names are refused by `parseCaptureOptions`, all of them at once. */
export const CaptureOptionsSchema = v.pipe(
  v.object(captureOptionEntries, ({ received }) => `must be sent as an object of options, not ${received}`),
  refuseWhere(contradictions),
);

/** A request for a capture: every option valid, defaults applied. */
export type CaptureOptions = v.InferOutput<v.ObjectSchema<typeof captureOptionEntries, undefined>>;

/** Parses options as they were sent. Throws `VALIDATION_ERROR` with every problem of the request at once. */
export function parseCaptureOptions(sent: unknown): CaptureOptions {
  return parseOptions(CaptureOptionsSchema, captureOptionNames, sent);
}

/** Options that are valid alone and cannot hold together: each sentence names both sides. */
function* contradictions(options: Partial<CaptureOptions>): Generator<[field: CaptureOptionName, message: string]> {
  const inputs = (["url", "html", "markdown"] as const).filter((name) => options[name] !== undefined);
  const [input, second] = inputs;
  if (input === undefined) {
    yield ["url", "is missing: send exactly one of 'url', 'html' and 'markdown'"];
  } else if (second !== undefined) {
    const names = inputs.map((name) => `'${name}'`).join(" and ");
    yield [second, `contradicts another input: ${names} were sent, send exactly one`];
  } else if (options.source !== undefined && options.source !== input) {
    yield ["source", `is '${options.source}', but the input was sent as '${input}'`];
  }
  if (options.image_quality !== undefined && options.format === "png") {
    yield ["image_quality", "has no meaning for 'format' png, which is lossless"];
  }
  if (options.omit_background && options.format === "jpeg") {
    yield ["omit_background", "needs transparency, which 'format' jpeg does not have"];
  }
  if (options.selector !== undefined && options.full_page) {
    yield ["selector", "captures one element and contradicts 'full_page': send one of them"];
  }
}
