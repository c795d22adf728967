// Options for metadata to return with the result.
import * as v from "valibot";
import { choice, flag } from "../coercion.ts";
import type { FormatKind } from "../formats.ts";
import { option } from "../option.ts";

const json = { response_type: "json" };

const returned = (description: string, only?: readonly FormatKind[]) =>
  v.optional(option(flag(), { description, sampleWith: json, ...(only && { only }) }), false);

export const metadataOptions = {
  metadata_page_title: returned(
    "Return the title of the page. For images, videos, and PDFs, also in the header `X-Page-Title`.",
  ),
  metadata_open_graph: returned("Return the Open Graph properties of the page, without the `og:` prefix."),
  metadata_icon: returned("Return the URL of the page's icon."),
  metadata_fonts: returned("Return the fonts used to render the text of the page."),
  metadata_image_size: returned(
    "Return the width and height of the image or video, also in the headers `X-Image-Width` and `X-Image-Height`.",
    ["image", "video"],
  ),
  metadata_http_response_status_code: returned(
    "Return the HTTP status code of the page. For images, videos, and PDFs, also in the header " +
      "`X-Source-Status-Code`.",
  ),
  metadata_http_response_headers: returned("Return the HTTP response headers of the page, and its redirects."),
  metadata_content: returned("Return the content of the page in `metadata_content_format`."),
  metadata_content_format: v.optional(
    option(choice(["html", "markdown", "text"]), {
      description: "Format of `metadata_content`: the rendered HTML, Markdown, or the visible text.",
      needs: ["metadata_content"],
      sampleWith: { metadata_content: "true", ...json },
    }),
    "html",
  ),
  metadata_links: returned("Return the links of the page, with their text."),
  metadata_palette: returned("Return the dominant colors of the image, most frequent first.", ["image"]),
  metadata_console: returned("Return the console messages of the page, and its uncaught errors."),
  metadata_requests: returned(
    "Return the requests of the page, with how many failed and how many bytes they received.",
  ),
  metadata_report: returned(
    "Return how the capture came about: phases, waits, requests, console errors, fonts, images, attempts, and its quality. " +
      "Where the result is bytes, the report is stored, and `GET /api/v1/screenshot/{id}/report` returns it.",
  ),
};
