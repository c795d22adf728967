// Options for metadata to return with the result.
import * as v from "valibot";
import { choice, flag, integer } from "../coercion.ts";
import type { FormatKind } from "../formats.ts";
import { option } from "../option.ts";
import { selector } from "./area.ts";

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
      description: "Format of `metadata_content`: the rendered HTML, or Markdown or text as `format` returns them.",
      needs: ["metadata_content"],
      sampleWith: { metadata_content: "true", ...json },
    }),
    "html",
  ),
  metadata_links: returned("Return the links of the page, with their text."),
  metadata_elements: returned(
    "Return the elements of the page that can be read and acted on, as `format` elements does: their roles, names, states, boxes, " +
      "and selectors.",
  ),
  elements_scope: v.optional(
    option(choice(["interactive", "all"]), {
      description:
        "Which elements to list. `interactive`: buttons, links, fields, and other elements that can be clicked. `all`: also what can " +
        "only be read, such as paragraphs, table cells, and images. Requires `format` elements, `metadata_elements`, or `annotate`.",
      sample: "all",
      sampleWith: { format: "elements" },
    }),
    "interactive",
  ),
  elements_root: v.optional(
    option(selector(), {
      description:
        "CSS selector: list only the elements in the first visible element that matches, and wait up to 10 s for it. Requires " +
        "`format` elements, `metadata_elements`, or `annotate`.",
      sample: "main",
      sampleWith: { format: "elements" },
    }),
  ),
  elements_max: v.optional(
    option(integer(1, 2_000, " elements"), {
      description:
        "How many elements to list at most; `truncated` is true if there are more. Requires `format` elements, " +
        "`metadata_elements`, or `annotate`.",
      sample: "1000",
      sampleWith: { format: "elements" },
    }),
    300,
  ),
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
