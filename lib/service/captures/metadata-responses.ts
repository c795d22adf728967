// Metadata of a captured page, as a capture answers it.
import * as v from "valibot";
import { ReportSchema } from "../../contract/problems/capture-report.ts";
import { countField, integerField } from "../http/response-fields.ts";
import { ImageMarkResponse, PageElementsResponse } from "./element-responses.ts";

const oneOrMore = v.union([v.string(), v.array(v.string())]);
const pixels = v.pipe(v.number(), v.integer(), v.minValue(1));
const nullableText = v.nullable(v.string());

const HttpResponse = v.object({
  status_code: integerField,
  headers: v.exactOptional(
    v.pipe(
      v.record(v.string(), oneOrMore),
      v.description("Response headers with lowercase names. Set with `metadata_http_response_headers`."),
    ),
  ),
  final_url: v.string(),
  redirects: v.pipe(
    v.array(v.object({ url: v.string(), status_code: integerField })),
    v.description("The redirects that led to the final URL, in order."),
  ),
});

const PageRequest = v.object({
  url: v.string(),
  method: v.string(),
  type: v.pipe(v.string(), v.description("`document`, `image`, `fetch`, `websocket`, and so on.")),
  status_code: v.pipe(v.nullable(integerField), v.description("HTTP status code. `null` if there is no response yet.")),
  bytes: v.pipe(countField, v.description("Bytes received, as compressed on the network.")),
  failed: v.pipe(
    nullableText,
    v.description("Why the request failed. `null` if it didn't."),
    v.examples(["net::ERR_FAILED"]),
  ),
});

const Blocked = v.pipe(
  v.object({
    requests: v.pipe(countField, v.description("Number of blocked requests.")),
    cookie_banner: v.exactOptional(
      v.pipe(
        v.object({
          platform: v.pipe(v.string(), v.description("The consent platform."), v.examples(["OneTrust"])),
          closed_by: v.picklist(["rejecting", "accepting", "hiding"]),
        }),
        v.description("The cookie banner. Absent if none was detected."),
      ),
    ),
    dialogs: v.pipe(countField, v.description("Number of overlays that `block_banners_by_heuristics` closed or hid.")),
    unlocked: v.pipe(
      v.boolean(),
      v.description("`true` if an overlay had disabled scrolling or blurred the page, and this was undone."),
    ),
  }),
  v.description("What was blocked, closed, or hidden. Set with the `block_*` options."),
);

export const CaptureMetadataResponse = v.pipe(
  v.object({
    page_title: v.exactOptional(v.pipe(nullableText, v.description("The title of the page. `null` if it has none."))),
    open_graph: v.exactOptional(
      v.pipe(
        v.record(v.string(), oneOrMore),
        v.description("Open Graph properties without the `og:` prefix. Repeated properties are lists."),
      ),
    ),
    icon: v.exactOptional(v.pipe(nullableText, v.description("URL of the page's icon. `null` if it has none."))),
    fonts: v.exactOptional(
      v.pipe(
        v.array(
          v.object({
            family: v.string(),
            web_font: v.pipe(v.boolean(), v.description("`true` for a font that the page loads.")),
          }),
        ),
        v.description("The fonts used to render the page's text, most used first."),
      ),
    ),
    image_size: v.exactOptional(v.object({ width: pixels, height: pixels })),
    http_response: v.exactOptional(
      v.pipe(
        v.nullable(HttpResponse),
        v.description("The HTTP response of the page. `null` if the document didn't come from a server."),
      ),
    ),
    content: v.exactOptional(
      v.pipe(v.string(), v.description("The content of the page in `metadata_content_format`.")),
    ),
    links: v.exactOptional(
      v.pipe(v.array(v.object({ url: v.string(), text: v.string() })), v.description("The links of the page.")),
    ),
    elements: v.exactOptional(PageElementsResponse),
    marks: v.exactOptional(
      v.pipe(
        v.array(ImageMarkResponse),
        v.description("The marks in the image, in reading order. Set with `annotate`."),
      ),
    ),
    palette: v.exactOptional(
      v.pipe(
        v.array(
          v.object({
            colour: v.pipe(v.string(), v.metadata({ pattern: "^#[0-9a-f]{6}$" })),
            share: v.pipe(
              v.number(),
              v.minValue(0),
              v.maxValue(1),
              v.description("Fraction of the visible pixels with this or a similar color."),
            ),
          }),
        ),
        v.description("The dominant colors of the image, most frequent first."),
      ),
    ),
    blocked: v.exactOptional(Blocked),
    console: v.exactOptional(
      v.pipe(
        v.array(
          v.object({
            type: v.pipe(
              v.string(),
              v.description("`log`, `warn`, `error`, and so on. `exception` for an uncaught error."),
            ),
            text: v.string(),
            url: nullableText,
            line: v.nullable(integerField),
          }),
        ),
        v.description("Console messages of the page, oldest first."),
      ),
    ),
    report: v.exactOptional(ReportSchema),
    requests: v.exactOptional(
      v.object({
        count: countField,
        failed: countField,
        bytes: countField,
        by_type: v.record(v.string(), countField),
        list: v.pipe(v.array(PageRequest), v.description("The first requests, in the order they started.")),
      }),
    ),
  }),
  v.description(
    "The metadata that you request with the `metadata_*` and `block_*` options. With `format=json`, it is the result " +
      "itself.",
  ),
);
