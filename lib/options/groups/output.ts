// What comes back: the format of the result and how it is delivered.
import * as v from "valibot";
import { choice, flag, integer, text } from "../coercion.ts";
import { formats } from "../formats.ts";
import { option } from "../option.ts";
import { parseCssColor } from "../values/css-color.ts";

/**
 * - `inside`: as large as fits the box; never enlarged
 * - `cover`: exactly the box, what is beyond it cut off
 * - `contain`: exactly the box, the rest filled with the background
 * - `fill`: exactly the box, distorted
 * - `outside`: as small as covers the box
 *
 * With one side only, the other follows from the proportions; then `inside` alone does not enlarge.
 */
const imageFits = ["inside", "cover", "contain", "fill", "outside"] as const;
export type Fit = (typeof imageFits)[number];

export function isImageFit(value: unknown): value is Fit {
  return imageFits.some((fit) => fit === value);
}

/** Which part `cover` keeps, and where `contain` places the image. The last two are looked for in its content. */
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

function isCssColour(value: string): boolean {
  return parseCssColor(value) !== undefined;
}

export const outputOptions = {
  format: v.optional(
    option(choice(formats, { jpg: "jpeg", md: "markdown", txt: "text", tif: "tiff" }), {
      description:
        "Format of the result. Images: `png`, `jpeg` (or `jpg`), `webp`, `avif`, `tiff`. Videos: `mp4` (H.264), `webm` " +
        "(VP9), `gif` and `animated_webp`, which `webp` stands for as well where an option of videos is sent. Sheets: " +
        "`pdf`. The document itself: `html` as rendered, `markdown`, `text`, `mhtml` with all its assets, and `json` with " +
        "its `metadata_*`.",
    }),
    "png",
  ),
  response_type: v.optional(
    option(choice(["by_format", "json", "base64", "empty"]), {
      description:
        "`by_format` answers with the result itself; `json` stores it and answers with its address and facts; `base64` " +
        "answers with the result as base64 text; `empty` answers 204 with headers only.",
    }),
    "by_format",
  ),
  attachment_name: v.optional(
    option(
      v.pipe(
        text(200),
        v.regex(/^[^\p{Cc}\p{Cs}"\\/:*?<>|]+$/u, 'must be a plain file name, without any of " \\ / : * ? < > |'),
        // A name that is read from right to left shows another ending than it has.
        v.regex(/^[^\p{Bidi_Control}\p{Zl}\p{Zp}]+$/u, "must have no marks that turn the direction of text"),
        v.regex(/^(?!\.)(?!.*\.$)/, "must neither begin nor end with a dot"),
        v.regex(/^(?!(con|prn|aux|nul|com\d|lpt\d)(\.|$))/i, "must not be the name of a device of Windows"),
      ),
      { description: "Name under which a browser saves the result: adds `Content-Disposition: attachment`." },
    ),
  ),
  image_quality: v.optional(
    option(integer(0, 100), {
      description:
        "Quality of a lossy image or video, 0 to 100. Only with `format` jpeg, webp, avif, mp4, webm or animated_webp.",
      only: ["image", "video"],
    }),
    80,
  ),
  image_width: v.optional(
    option(integer(1, 10_000, " pixels"), {
      description:
        "Width of the resulting image. With a width or a height alone the shape is kept. Of a video it is the most that " +
        "its width may be: the shape is kept, and nothing is enlarged.",
      only: ["image", "video"],
    }),
  ),
  image_height: v.optional(
    option(integer(1, 10_000, " pixels"), {
      description: "Height of the resulting image. Of a video it is the most that its height may be.",
      only: ["image", "video"],
    }),
  ),
  image_fit: v.optional(
    option(choice(imageFits), {
      description:
        "How the image meets `image_width` and `image_height`: `inside` them and never enlarged, `cover` them and cut what " +
        "stands out, `contain` within them and pad, `fill` them and distort, or stay `outside` of them.",
      only: ["image"],
    }),
    "inside",
  ),
  image_position: v.optional(
    option(choice(imagePositions, positionAliases), {
      description:
        "What `cover` keeps and where `contain` puts the image, by points of the compass or top, right, bottom, left. With " +
        "`cover`, `entropy` and `attention` look for the busiest part. Only with one of the two and both sides.",
      only: ["image"],
    }),
    "center",
  ),
  image_background: v.optional(
    option(v.pipe(text(100), v.check(isCssColour, "must be a CSS colour such as #ffffff, #00000080 or white")), {
      description:
        "Colour of what `contain` pads, as CSS writes it: a name, hexadecimal, or a function of CSS Color 4 such as `rgb()`, " +
        "`hsl()`, `oklch()` or `color()`. Only with `image_fit` contain and both sides.",
      otherwise: "white; transparent with `omit_background`",
      only: ["image"],
    }),
  ),
  omit_background: v.optional(
    option(flag(), {
      description:
        "Leave the page's default white background out, so that it is transparent. Only with png, webp and avif.",
      only: ["image"],
    }),
    false,
  ),
  optimize_for_speed: v.optional(
    option(flag(), {
      description: "Spend less time on compressing: sooner, and 1.5 to 4 times larger.",
      only: ["image"],
    }),
    false,
  ),
};
