// Options for the result: its format, size, and response type.
import * as v from "valibot";
import { choice, flag, integer, text } from "../coercion.ts";
import { formats } from "../formats.ts";
import { option } from "../option.ts";
import { parseCssColor } from "../values/css-color.ts";

/**
 * - `inside`: as large as fits into the box, never enlarged
 * - `cover`: exactly the box, cropped
 * - `contain`: exactly the box, padded with the background
 * - `fill`: exactly the box, distorted
 * - `outside`: as small as covers the box, uncropped
 *
 * With one side only, the other one follows from the aspect ratio; only `inside` does not enlarge then.
 */
const imageFits = ["inside", "cover", "contain", "fill", "outside"] as const;
export type Fit = (typeof imageFits)[number];

/** Which part `cover` keeps, and where `contain` puts the image. The last two are strategies of sharp. */
const imagePositions = [
  "center",
  "north",
  "northeast",
  "east",
  "southeast",
  "south",
  "southwest",
  "west",
  "northwest",
  "entropy",
  "attention",
] as const;

export type Position = (typeof imagePositions)[number];

const positionAliases = { centre: "center", top: "north", right: "east", bottom: "south", left: "west" } as const;

function isCssColor(value: string): boolean {
  return parseCssColor(value) !== undefined;
}

export const outputOptions = {
  format: v.optional(
    option(choice(formats, { jpg: "jpeg", md: "markdown", txt: "text", tif: "tiff" }), {
      description:
        "Format of the result. Images: `png`, `jpeg` (or `jpg`), `webp`, `avif`, `tiff`. Videos: `mp4` (H.264), " +
        "`webm` (VP9), `gif`, and `animated_webp` (or `webp` together with a video option). Pages: `pdf`. " +
        "Documents: `html` as rendered, `markdown` and `text` as painted, `mhtml` with all assets, and `json` with the " +
        "`metadata_*` you request. `elements` is JSON that lists what can be read and acted on, with roles, names, boxes, and " +
        "selectors.",
    }),
    "png",
  ),
  image_fallback_format: v.optional(
    option(choice(["png"]), {
      description:
        "Format of an image that is too large for `format`. `jpeg` holds 65,500 pixels a side, `webp` 16,383 and 48 million in " +
        "all, and `avif` 16,384 and 12 million in all. Without this option, the capture of such an image fails with 422.",
      only: ["image"],
      sampleWith: { format: "webp" },
    }),
  ),
  response_type: v.optional(
    option(choice(["by_format", "json", "base64", "empty", "zip"]), {
      description:
        "`by_format` returns the result itself. `json` stores the result and returns its URL and metadata. " +
        "`base64` returns the result as Base64 text. `empty` returns 204 with headers only. `zip` returns the results of `outputs` " +
        "in an archive.",
    }),
    "by_format",
  ),
  attachment_name: v.optional(
    option(
      v.pipe(
        text(200),
        v.regex(/^[^\p{Cc}\p{Cs}"\\/:*?<>|]+$/u, 'must be a file name without any of " \\ / : * ? < > |'),
        // Bidirectional control characters can make a name appear to have another file extension.
        v.regex(/^[^\p{Bidi_Control}\p{Zl}\p{Zp}]+$/u, "must not contain characters that change the text direction"),
        v.regex(/^(?!\.)(?!.*\.$)/, "must not start or end with a dot"),
        v.regex(/^(?!(con|prn|aux|nul|com\d|lpt\d)(\.|$))/i, "must not be a reserved Windows device name"),
      ),
      {
        description: "File name for browsers that save the result: adds `Content-Disposition: attachment`.",
        sample: "page.png",
      },
    ),
  ),
  image_quality: v.optional(
    option(integer(0, 100), {
      description:
        "Quality of a lossy image or video, from 0 to 100. Requires `format` jpeg, webp, avif, mp4, webm, or " +
        "animated_webp.",
      only: ["image", "video"],
      sample: "60",
      sampleWith: { format: "webp" },
    }),
    80,
  ),
  image_width: v.optional(
    option(integer(1, 10_000, " pixels"), {
      description:
        "Width of the resulting image in pixels. If you set only the width or the height, the aspect ratio is " +
        "kept. For videos, the maximum width: the aspect ratio is kept, and the video is never enlarged.",
      only: ["image", "video"],
      sample: "640",
    }),
  ),
  image_height: v.optional(
    option(integer(1, 10_000, " pixels"), {
      description: "Height of the resulting image in pixels. For videos, the maximum height.",
      only: ["image", "video"],
      sample: "400",
    }),
  ),
  image_fit: v.optional(
    option(choice(imageFits), {
      description:
        "How the image fits into `image_width` and `image_height`: `inside` (never enlarged), `cover` (cropped), " +
        "`contain` (padded), `fill` (distorted), or `outside` (as small as covers the size).",
      only: ["image"],
      needs: ["image_width", "image_height"],
      sampleWith: { image_width: "400", image_height: "300" },
    }),
    "inside",
  ),
  image_position: v.optional(
    option(choice(imagePositions, positionAliases), {
      description:
        "Which part `cover` keeps, or where `contain` puts the image: a compass point, or top, right, bottom, " +
        "or left. With `cover`, `entropy` and `attention` choose the part with the most detail. Requires " +
        "`image_fit` cover or contain, and both width and height.",
      only: ["image"],
      needs: ["image_width", "image_height"],
      sampleWith: { image_fit: "cover", image_width: "400", image_height: "300" },
    }),
    "center",
  ),
  image_background: v.optional(
    option(v.pipe(text(100), v.check(isCssColor, "must be a CSS color such as #ffffff, #00000080, or white")), {
      description:
        "Color of the padding of `contain`, in CSS syntax: a name, hexadecimal, or a notation of CSS Color 4 such as " +
        "`rgb()`, `hsl()`, `oklch()`, or `color()`. Requires `image_fit` contain, and both width and height.",
      otherwise: "white; transparent with `omit_background`",
      only: ["image"],
      needs: ["image_width", "image_height"],
      sample: "#fbfaf6",
      sampleWith: { image_fit: "contain", image_width: "400", image_height: "300" },
    }),
  ),
  omit_background: v.optional(
    option(flag(), {
      description: "Make the default white background of the page transparent. Requires `format` png, webp, or avif.",
      only: ["image"],
    }),
    false,
  ),
  annotate: v.optional(
    option(flag(), {
      description:
        "Draw a frame and a number around each element that can be acted on: `e12` of the list has the number 12. With " +
        "`response_type` json, the metadata has the `marks` with their elements and their boxes in image pixels. The `elements_*` " +
        "options decide which elements are marked; those that only group others are not. Can't be combined with `full_page_slices`.",
      only: ["image"],
    }),
    false,
  ),
  optimize_for_speed: v.optional(
    option(flag(), {
      description: "Compress faster. The file is 1.5 to 4 times as large.",
      only: ["image"],
    }),
    false,
  ),
};
