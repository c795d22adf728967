// What is told about the page beside its picture.
import * as v from "valibot";
import { choice, flag } from "../coercion.ts";
import type { FormatKind } from "../formats.ts";
import { option } from "../option.ts";

const asked = (description: string, only?: readonly FormatKind[]) =>
  v.optional(option(flag(), { description, ...(only && { only }) }), false);

export const metadataOptions = {
  metadata_page_title: asked("Tell the page's title; beside an image, video or pdf in the header `X-Page-Title`."),
  metadata_open_graph: asked("Tell the page's Open Graph properties, without their `og:`."),
  metadata_icon: asked("Tell the address of the page's icon."),
  metadata_fonts: asked("Tell the fonts in which the page's text was painted."),
  metadata_image_size: asked(
    "Tell the width and height of the image or video; beside it in the headers `X-Image-Width` and `X-Image-Height`.",
    ["image", "video"],
  ),
  metadata_http_response_status_code: asked(
    "Tell the status the page's server answered; beside an image, video or pdf in the header `X-Source-Status-Code`.",
  ),
  metadata_http_response_headers: asked("Tell the headers the page's server answered, and the redirects before."),
  metadata_content: asked("Tell the content of the page, in `metadata_content_format`."),
  metadata_content_format: v.optional(
    option(choice(["html", "markdown", "text"]), {
      description: "How the content is told: the rendered HTML, Markdown, or the text a reader sees.",
      needsOthers: true,
    }),
    "html",
  ),
  metadata_links: asked("Tell the links of the page, with their text."),
  metadata_palette: asked("Tell the dominating colours of the image, most frequent first.", ["image"]),
  metadata_console: asked("Tell what the page wrote to its console, and the errors nobody caught."),
  metadata_requests: asked("Tell which requests the page made, how many failed and how much they weighed."),
};
