// Tools of the MCP server. Their names and descriptions are constant: no page and no caller can change them.
import { setTimeout as sleep } from "node:timers/promises";
import type { McpServer, ToolAnnotations } from "@modelcontextprotocol/server";
import type { ErrorBody } from "../../contract/errors/error-response.ts";
import { imageFormats, videoFormats } from "../../contract/options/formats.ts";
import { logError } from "../platform/log.ts";
import type { ApiClient } from "./api-client.ts";
import {
  type Content,
  describeStoredResult,
  describeUnavailable,
  formOf,
  isAvailable,
  MAX_TEXT_CHARACTERS,
  pageText,
  pictureContent,
  type StoredContent,
  toTextContent,
} from "./capture-content.ts";
import { describeElements } from "./element-list.ts";
import { searchOptions } from "./option-search.ts";
import { outputsContent } from "./outputs-content.ts";
import { MAX_SLICES } from "./picture-limits.ts";
import { apiToolError, ToolError } from "./tool-error.ts";
import {
  captureArguments,
  moreOptions,
  optionProperties,
  outputsProperty,
  type ToolArguments,
  toolInput,
} from "./tool-input.ts";
import { UNTRUSTED_NOTE } from "./untrusted.ts";

/** Captures use quota and store a result, and clicks and scripts in `options` act on the page: so they aren't read-only. */
const captures: ToolAnnotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
};
const reads: ToolAnnotations = { readOnlyHint: true, openWorldHint: false };

const input = ["url", "html", "markdown"];
const waiting = ["viewport_device", "block_cookie_banners", "wait_for_selector", "delay", "timeout"];
const inputs = (...names: string[]) => ({ ...optionProperties(...input, ...names, ...waiting), ...moreOptions });

const format = (choices: readonly string[], description: string) => ({
  format: { type: "string", enum: choices, default: choices[0], description },
});

const slices = {
  slices: { type: "boolean", description: `Return a long image as up to ${MAX_SLICES} readable slices.` },
  first_slice: { type: "integer", minimum: 1, description: "First slice to return, from 1." },
};
const startAt = {
  start_at: {
    type: "integer",
    minimum: 0,
    description: `First character to return; one call returns ${MAX_TEXT_CHARACTERS}.`,
  },
};

/** Options that belong to a tool, and what to do instead of setting them. */
const fixed = {
  async: "Use start_capture for an asynchronous capture.",
  response_type: "The tool returns the result itself and a link to it.",
  validate: "A tool makes a capture. Use describe_options for what is valid.",
};
const fixedFormat = {
  ...fixed,
  format:
    "Use capture_screenshot for images, capture_pdf for PDFs, record_video for videos, read_page for text, or start_capture.",
};

/** How long `get_capture` waits for a capture that hasn't ended, between its requests. */
const POLL_DELAYS_MS = [1_000, 3_000, 6_000];

/** Height of the window that `see_page` shows: its picture isn't scaled down, so that numbers stay readable. */
const SEEN_HEIGHT_PX = 800;

/** How long a call that continues a result finds the page as the first call captured it. */
const CONTINUATION_TTL_S = 900;

interface Tool {
  readonly title: string;
  readonly description: string;
  readonly annotations: ToolAnnotations;
  readonly schema: ReturnType<typeof toolInput>;
  readonly run: (given: ToolArguments, api: ApiClient) => Promise<Content> | Content;
}

const tools: Readonly<Record<string, Tool>> = {
  capture_screenshot: {
    title: "Capture a screenshot",
    description:
      "Captures a page and returns a picture, and a link to the full-size image. With 'outputs', it returns several results of the " +
      "page, such as a picture, a PDF, and text. Costs one capture, or one for each output; further slices of the same page are free " +
      `for 15 minutes. ${UNTRUSTED_NOTE}`,
    annotations: captures,
    schema: toolInput(
      {
        ...inputs("full_page", "selector", "viewport_width", "viewport_height", "dark_mode"),
        ...format(imageFormats, "Format of the stored original."),
        ...slices,
        ...outputsProperty,
      },
      { fixed },
    ),
    run: captureScreenshot,
  },
  capture_pdf: {
    title: "Capture a PDF",
    description: "Prints a page as PDF and returns a link to the file. Costs one capture.",
    annotations: captures,
    schema: toolInput(inputs("pdf_paper_format", "pdf_landscape", "pdf_print_background", "pdf_fit_one_page"), {
      fixed: fixedFormat,
    }),
    run: async (given, api) => describeStoredResult(await store(given, { fixed: { format: "pdf" } }, api)),
  },
  record_video: {
    title: "Record a video",
    description: "Records a page as a video, also while it scrolls, and returns a link to the file. Costs one capture.",
    annotations: captures,
    schema: toolInput(
      {
        ...inputs("video_duration", "video_scenario", "video_width", "video_height"),
        ...format(videoFormats, "Format of the video."),
      },
      { fixed },
    ),
    run: async (given, api) => describeStoredResult(await store(given, { defaults: { format: "mp4" } }, api)),
  },
  read_page: {
    title: "Read a page",
    description:
      "Returns the content of a page as Markdown, text, or HTML after its scripts ran. Costs one capture; further parts of the same " +
      `page are free for 15 minutes. ${UNTRUSTED_NOTE}`,
    annotations: captures,
    schema: toolInput(
      { ...inputs(), ...format(["markdown", "text", "html"], "Format of the content."), ...startAt },
      { fixed },
    ),
    run: async (given, api) => {
      const defaults = { format: "markdown", ...continuation(given, isSet(given["start_at"])) };
      const result = await store(given, { defaults }, api);
      return storedText(result, given, api);
    },
  },
  see_page: {
    title: "See a page and what can be done on it",
    description:
      "Returns a picture of a page in which each button, link, and field has a number, and a list of them with roles, names, states, " +
      "and selectors. To act, call it again with a selector in 'click'. Costs one capture. " +
      UNTRUSTED_NOTE,
    annotations: captures,
    schema: toolInput(
      { ...inputs("click", "elements_scope", "elements_root", "viewport_width", "viewport_height") },
      {
        fixed: {
          ...fixedFormat,
          annotate: "This tool always marks the picture.",
          metadata_elements: "This tool always lists the elements.",
        },
      },
    ),
    run: seePage,
  },
  page_facts: {
    title: "Get facts about a page",
    description:
      "Returns title, Open Graph data, icon, HTTP status and headers, links, console messages, and requests of a page; more with " +
      `the metadata_* options. Costs one capture; further parts of the same page are free for 15 minutes. ${UNTRUSTED_NOTE}`,
    annotations: captures,
    schema: toolInput({ ...inputs(), ...startAt }, { fixed: fixedFormat }),
    run: async (given, api) => {
      const defaults = { ...requestedFacts(given), ...continuation(given, isSet(given["start_at"])) };
      const { metadata, ...result } = await store(given, { defaults, fixed: { format: "json" } }, api);
      return pageText(JSON.stringify(metadata ?? {}, null, 1), result, startOf(given));
    },
  },
  start_capture: {
    title: "Start a capture",
    description:
      "Starts an asynchronous capture with any options, for what takes long, and returns its id for get_capture. With 'outputs', it " +
      "captures several results of the page, such as a video, a PDF, and text. Costs one capture, or one for each output.",
    annotations: captures,
    schema: toolInput(
      { ...optionProperties(...input, "format", ...waiting, "webhook_url"), ...moreOptions, ...outputsProperty },
      { fixed: { ...fixed, async: "This tool is always asynchronous." } },
    ),
    run: async (given, api) => {
      const job = await api.call("/api/v1/screenshot", captureArguments(given, { fixed: { async: true } }));
      return [toTextContent(`Queued with id ${job["request_id"]}. Call get_capture with this id.`)];
    },
  },
  get_capture: {
    title: "Get a capture",
    description:
      "Waits up to 10 seconds for a capture of start_capture, and returns its picture or text and a link to the result, or those of " +
      `each output with the errors of those that failed. Free of charge. ${UNTRUSTED_NOTE}`,
    annotations: reads,
    schema: toolInput(
      { id: { type: "integer", description: "The id from start_capture." }, ...slices, ...startAt },
      { required: ["id"] },
    ),
    run: getCapture,
  },
  describe_options: {
    title: "Describe options",
    description: "Searches all options of captures by words and returns their meaning with samples. Free of charge.",
    annotations: reads,
    schema: toolInput(
      { query: { type: "string", description: "Words, such as 'cookie banner' or 'wait'." } },
      { required: ["query"] },
    ),
    run: ({ query }) => [toTextContent(searchOptions(String(query)))],
  },
  get_usage: {
    title: "Get usage",
    description: "Returns the plan, the limits, and how many captures are left. Free of charge.",
    annotations: reads,
    schema: toolInput({}),
    run: async (_, api) => [toTextContent(JSON.stringify(await api.call("/api/v1/account"), null, 1))],
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
        return { isError: true, content: [toTextContent(message)] };
      }
    });
  }
}

async function captureScreenshot(given: ToolArguments, api: ApiClient): Promise<Content> {
  if (given["outputs"] !== undefined) {
    requireWhole(given);
    return outputsContent(await store(given, {}, api), api);
  }
  const firstSlice = firstSliceOf(given);
  const isFurther = firstSlice !== undefined && firstSlice > 1;
  const defaults = { format: "png", ...(firstSlice !== undefined && continuation(given, isFurther)) };
  return pictureContent(await store(given, { defaults }, api), { firstSlice }, api);
}

/** The elements are listed once: they are left out of the rest of the metadata. */
async function seePage(given: ToolArguments, api: ApiClient): Promise<Content> {
  const { metadata = {}, ...result } = await store(
    given,
    {
      defaults: { format: "png", viewport_height: SEEN_HEIGHT_PX },
      fixed: { annotate: true, metadata_elements: true },
    },
    api,
  );
  const { elements, marks, ...others } = metadata as StoredContent;
  const stored = Object.keys(others).length > 0 ? { ...result, metadata: others } : result;
  const [picture, ...rest] = await pictureContent(stored, { firstSlice: undefined }, api);
  return [...(picture ? [picture] : []), toTextContent(describeElements({ elements, marks })), ...rest];
}

/** The slice to start with; undefined for the image as one picture. */
function firstSliceOf({ slices: inSlices, first_slice: first }: ToolArguments): number | undefined {
  return inSlices === true || first !== undefined ? Number(first ?? 1) : undefined;
}

/** Throws `ToolError` for arguments that request a part of a result, where there are several. */
function requireWhole(given: ToolArguments): void {
  if (firstSliceOf(given) === undefined && !isSet(given["start_at"])) return;
  throw new ToolError("Slices and parts are for a single result: leave them out, or capture without 'outputs'.");
}

const startOf = ({ start_at: start = 0 }: ToolArguments) => Number(start);
const isSet = (start: unknown) => start !== undefined && start !== 0;

/** A capture that is stored, as the JSON result of the API. */
function store(
  given: ToolArguments,
  tool: Parameters<typeof captureArguments>[1],
  api: ApiClient,
): Promise<StoredContent> {
  const delivery = { response_type: "json", async: false };
  return api.call("/api/v1/screenshot", captureArguments(given, { ...tool, fixed: { ...tool?.fixed, ...delivery } }));
}

/**
 * Cache options, unless the caller sends some: the first call captures the page again and stores it in the cache, and calls that
 * continue it find it there, so that they cost nothing and continue the same page. `store` doesn't go with the cache.
 */
function continuation({ options = {} }: ToolArguments, isFurther: boolean): ToolArguments {
  const hasOwn = Object.keys(options as ToolArguments).some((name) => name.startsWith("cache") || name === "store");
  return hasOwn ? {} : { cache_ttl: CONTINUATION_TTL_S, ...(!isFurther && { cache_refresh: true }) };
}

function requestedFacts(given: ToolArguments): ToolArguments {
  const always = ["page_title", "open_graph", "icon", "links", "console", "requests"];
  const ofServer = given["url"] === undefined ? [] : ["http_response_status_code", "http_response_headers"];
  return Object.fromEntries([...always, ...ofServer].map((name) => [`metadata_${name}`, true]));
}

async function storedText(result: StoredContent, given: ToolArguments, api: ApiClient): Promise<Content> {
  return pageText((await api.download(String(result["url"]))).toString(), result, startOf(given));
}

async function getCapture(given: ToolArguments, api: ApiClient): Promise<Content> {
  const state = await waitForCapture(`/api/v1/screenshot/${given["id"]}`, api);
  if (!hasEnded(state)) {
    return [toTextContent(`The capture is ${state["status"]}. Call get_capture again in some seconds.`)];
  }
  if (state["outputs"] !== undefined) {
    requireWhole(given);
    return outputsContent(state, api);
  }
  if (state["status"] === "failed") throw apiToolError(state["error"] as ErrorBody);
  if (!isAvailable(state)) throw new ToolError(describeUnavailable(state));
  const form = formOf(state);
  if (form === "picture") return pictureContent(state, { firstSlice: firstSliceOf(given) }, api);
  return form === "text" ? storedText(state, given, api) : describeStoredResult(state);
}

/** The status of a capture, when it has ended or after about 10 seconds. */
async function waitForCapture(path: string, api: ApiClient): Promise<StoredContent> {
  for (const delayMs of POLL_DELAYS_MS) {
    const state = await api.call(path);
    if (hasEnded(state)) return state;
    await sleep(delayMs);
  }
  return api.call(path);
}

function hasEnded({ status }: StoredContent): boolean {
  return status === "success" || status === "failed";
}
