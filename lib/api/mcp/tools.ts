// Tools of the MCP server. Their names and descriptions are constant: no page and no caller can change them.
import type { CallToolResult, McpServer, ToolAnnotations } from "@modelcontextprotocol/server";
import { logError } from "../../platform/log.ts";
import { type ApiClient, ToolError } from "./api-client.ts";
import { MAX_SLICES, slicePictures, wholePicture } from "./model-picture.ts";
import { searchOptions } from "./option-search.ts";
import { type Arguments, captureOptions, moreOptions, optionProperties, toolInput } from "./tool-input.ts";
import { markUntrusted, UNTRUSTED_NOTE } from "./untrusted.ts";

type Content = CallToolResult["content"];

/** Captures use quota and load the page, but change nothing that the caller has. */
const captures: ToolAnnotations = { readOnlyHint: true, destructiveHint: false, openWorldHint: true };
const starts: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
};
const reads: ToolAnnotations = { readOnlyHint: true, destructiveHint: false, openWorldHint: false };

const input = ["url", "html", "markdown"];
const waiting = ["viewport_device", "block_cookie_banners", "wait_for_selector", "delay", "timeout"];
const inputs = (...names: string[]) => ({ ...optionProperties(...input, ...names, ...waiting), ...moreOptions });

const MAX_TEXT_CHARACTERS = 40_000;
const startAt = {
  start_at: {
    type: "integer",
    minimum: 0,
    description: `First character to return; one call returns ${MAX_TEXT_CHARACTERS}.`,
  },
};

interface Tool {
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly schema: ReturnType<typeof toolInput>;
  readonly run: (given: Arguments, api: ApiClient) => Promise<Content> | Content;
}

const tools: Readonly<Record<string, Tool>> = {
  capture_screenshot: {
    title: "Capture a screenshot",
    description: `Captures a page and returns a picture, and a link to the full-size image. Costs one capture. ${UNTRUSTED_NOTE}`,
    annotations: captures,
    schema: toolInput({
      ...inputs("full_page", "selector", "viewport_width", "viewport_height", "dark_mode"),
      slices: { type: "boolean", description: `Return a long page as up to ${MAX_SLICES} readable slices.` },
      first_slice: { type: "integer", minimum: 1, description: "First slice to return, from 1." },
    }),
    run: captureScreenshot,
  },
  capture_pdf: {
    title: "Capture a PDF",
    description: "Prints a page as PDF and returns a link to the file. Costs one capture.",
    annotations: captures,
    schema: toolInput(inputs("pdf_paper_format", "pdf_landscape", "pdf_print_background", "pdf_fit_one_page")),
    run: async (given, api) => describeStored(await store(given, { format: "pdf" }, api)),
  },
  record_video: {
    title: "Record a video",
    description: "Records a page as MP4, also while it scrolls, and returns a link to the file. Costs one capture.",
    annotations: captures,
    schema: toolInput(inputs("video_duration", "video_scenario", "video_width", "video_height")),
    run: async (given, api) => describeStored(await store(given, { format: "mp4" }, api)),
  },
  read_page: {
    title: "Read a page",
    description: `Returns the content of a page as Markdown, text, or HTML after its scripts ran. Costs one capture. ${UNTRUSTED_NOTE}`,
    annotations: captures,
    schema: toolInput({
      ...inputs(),
      format: {
        type: "string",
        enum: ["markdown", "text", "html"],
        default: "markdown",
        description: "Format of the content.",
      },
      ...startAt,
    }),
    run: readPage,
  },
  page_facts: {
    title: "Get facts about a page",
    description:
      "Returns title, Open Graph data, icon, HTTP status and headers, links, console messages, and requests of a page. Costs one " +
      `capture. ${UNTRUSTED_NOTE}`,
    annotations: captures,
    schema: toolInput({ ...inputs(), ...startAt }),
    run: async (given, api) => {
      const asked = ["page_title", "open_graph", "icon", "links"];
      if (given["url"] !== undefined) asked.push("http_response_status_code", "http_response_headers");
      const names = [...asked, "console", "requests"].map((name) => [`metadata_${name}`, true]);
      const result = await store(given, { format: "json", ...Object.fromEntries(names) }, api);
      return pageText(JSON.stringify(result["metadata"] ?? {}, null, 1), given, result);
    },
  },
  start_capture: {
    title: "Start a capture",
    description:
      "Starts an asynchronous capture with any options and returns its id for get_capture. Costs one capture.",
    annotations: starts,
    schema: toolInput({ ...inputs("format", "webhook_url") }),
    run: async (given, api) => {
      const fixed = { async: true };
      const job = await api.call("/api/v1/screenshot", captureOptions(given, fixed));
      return [text(`Queued with id ${job["request_id"]}. Call get_capture with this id in a few seconds.`)];
    },
  },
  get_capture: {
    title: "Get a capture",
    description:
      "Returns the state of a capture that start_capture started, and the link to its result. Free of charge.",
    annotations: reads,
    schema: toolInput({ id: { type: ["integer", "string"], description: "The id from start_capture." } }, ["id"]),
    run: async ({ id }, api) => {
      const job = await api.call(`/api/v1/screenshot/${encodeURIComponent(String(id))}`);
      const link = typeof job["url"] === "string" ? [resourceLink(job)] : [];
      return [text(markUntrusted(JSON.stringify(job, null, 1))), ...link];
    },
  },
  describe_options: {
    title: "Describe options",
    description: "Searches all options of captures by words and returns their meaning with samples. Free of charge.",
    annotations: reads,
    schema: toolInput({ query: { type: "string", description: "Words, such as 'cookie banner' or 'wait'." } }, [
      "query",
    ]),
    run: ({ query }) => [text(searchOptions(String(query)))],
  },
  get_usage: {
    title: "Get usage",
    description: "Returns the plan, the limits, and how many captures are left. Free of charge.",
    annotations: reads,
    schema: toolInput({}),
    run: async (_, api) => [text(JSON.stringify(await api.call("/api/v1/account"), null, 1))],
  },
};

/** Registers every tool. An error becomes a result with `isError`, which the model reads. */
export function registerTools(server: McpServer, api: ApiClient): void {
  for (const [name, { title, description, annotations, schema, run }] of Object.entries(tools)) {
    server.registerTool(name, { title, description, annotations, inputSchema: schema }, async (given) => {
      try {
        return { content: await run(given, api) };
      } catch (error) {
        if (!(error instanceof ToolError)) logError("tool failed", error);
        const message = error instanceof ToolError ? error.message : "The tool failed on our side. Try again.";
        return { isError: true, content: [text(message)] };
      }
    });
  }
}

async function captureScreenshot(given: Arguments, api: ApiClient): Promise<Content> {
  const result = await store(given, { format: "png" }, api);
  const image = await api.download(String(result["url"]));
  const first = Number(given["first_slice"] ?? 1);
  if (!Number.isInteger(first) || first < 1) throw new ToolError("'first_slice' must be an integer of at least 1.");
  const { width, height, pictures, total } = given["slices"]
    ? await slicePictures(image, first)
    : await wholePicture(image);
  const shown = total === 1 ? "" : ` Slices ${first} to ${first + pictures.length - 1} of ${total}.`;
  const [facts, link] = describeStored(result, `${width} × ${height} px, `, `${shown} ${UNTRUSTED_NOTE}`);
  const blocks = pictures.map((each) => ({
    type: "image" as const,
    data: each.toString("base64"),
    mimeType: "image/webp",
  }));
  return [...blocks, link, facts].filter((each) => each !== undefined);
}

async function readPage(given: Arguments, api: ApiClient): Promise<Content> {
  const format = given["format"] ?? "markdown";
  if (!["markdown", "text", "html"].includes(String(format))) {
    throw new ToolError("'format' must be markdown, text, or html.");
  }
  const result = await store(given, { format }, api);
  return pageText((await api.download(String(result["url"]))).toString(), given, result);
}

/** A capture that is stored, as the JSON result of the API. */
function store(given: Arguments, fixed: Arguments, api: ApiClient): Promise<Record<string, unknown>> {
  return api.call("/api/v1/screenshot", captureOptions(given, { ...fixed, response_type: "json", async: false }));
}

function pageText(
  content: string,
  { start_at: start = 0 }: Arguments,
  result: Readonly<Record<string, unknown>>,
): Content {
  if (!Number.isInteger(start) || Number(start) < 0)
    throw new ToolError("'start_at' must be an integer of at least 0.");
  const end = Number(start) + MAX_TEXT_CHARACTERS;
  const rest =
    content.length > end ? ` ${content.length - end} characters follow: call again with start_at ${end}.` : "";
  const [facts, link] = describeStored(result, `${content.length} characters, `, rest);
  return [text(markUntrusted(content.slice(Number(start), end))), link, facts].filter((each) => each !== undefined);
}

/** One line of facts, and a link to the stored original. */
function describeStored(result: Readonly<Record<string, unknown>>, size = "", more = ""): Content {
  const { mime_type, file_size_bytes, response_time_ms, from_cache, request_id, expires_at, warnings } = result;
  const facts =
    `${size}${mime_type}, ${file_size_bytes} bytes, ${response_time_ms} ms${from_cache ? " (cached)" : ""}, request ${request_id}, ` +
    `link expires ${expires_at}.${warnings ? ` Warnings: ${JSON.stringify(warnings)}` : ""}${more}`;
  return [text(facts), resourceLink(result)];
}

function resourceLink({ url, mime_type }: Readonly<Record<string, unknown>>): Content[number] {
  return {
    type: "resource_link",
    uri: String(url),
    name: "original",
    mimeType: String(mime_type ?? "application/octet-stream"),
  };
}

function text(value: string): Content[number] {
  return { type: "text", text: value };
}
