// What a tool returns of several results of one page: each as a tool returns it alone, and the error of each that failed.
import type { ErrorBody } from "../../contract/errors/error-response.ts";
import type { ApiClient } from "./api-client.ts";
import {
  type Content,
  describeStoredResult,
  describeUnavailable,
  type Form,
  formOf,
  isAvailable,
  MAX_TEXT_CHARACTERS,
  pictureContent,
  type StoredContent,
  toTextContent,
} from "./capture-content.ts";
import { MAX_SLICES } from "./picture-limits.ts";
import { apiToolError, ToolError } from "./tool-error.ts";
import { markUntrusted } from "./untrusted.ts";

/** More pictures would fill the context of a model. */
const MAX_PICTURES = MAX_SLICES;

/**
 * The outputs of a JSON result, or of an asynchronous capture that has ended, in the order of the request. Pictures are returned until
 * there are too many, and texts share the characters of one answer. Throws `ToolError` with the error of each output when all failed.
 */
export async function outputsContent(result: StoredContent, api: ApiClient): Promise<Content> {
  const { outputs, loads, response_time_ms, from_cache, expires_at } = result;
  const listed = outputs as readonly StoredContent[];
  const available = listed.filter(isAvailable);
  const texts = available.filter((output) => formOf(output) === "text").length;
  const shown = new Set(available.filter((output) => formOf(output) === "picture").slice(0, MAX_PICTURES));
  const describing = listed.map(async (output) => {
    const label = toTextContent(`Output ${output["name"]}:`);
    if (output["error"]) return [label, toTextContent(apiToolError(output["error"] as ErrorBody).message)];
    if (!isAvailable(output)) return [label, toTextContent(describeUnavailable(output))];
    const stored = { ...output, response_time_ms, from_cache, expires_at };
    const form = formOf(output) === "picture" && !shown.has(output) ? "link" : formOf(output);
    return [
      label,
      ...(await contentInForm(stored, form, { characters: Math.floor(MAX_TEXT_CHARACTERS / texts), api })),
    ];
  });
  const content = (await Promise.all(describing)).flat();
  const succeeded = listed.filter(({ status }) => status === "success").length;
  const summary = toTextContent(`${succeeded} of ${listed.length} outputs, from ${loads} loads of the page.`);
  if (succeeded > 0) return [summary, ...content];
  throw new ToolError([summary, ...content].flatMap((each) => (each.type === "text" ? each.text : [])).join("\n"));
}

interface ContentParts {
  /** The maximum length of a text. */
  readonly characters: number;
  readonly api: ApiClient;
}

/** An output that can't be read has its link, and the reason. */
async function contentInForm(output: StoredContent, form: Form, { characters, api }: ContentParts): Promise<Content> {
  try {
    if (form === "picture") return await pictureContent(output, { firstSlice: undefined }, api);
    if (form === "text") return textOutput(output, await readText(output, api), characters);
    return describeStoredResult(output);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return describeStoredResult(output, undefined, error.message);
  }
}

async function readText({ content, url }: StoredContent, api: ApiClient): Promise<string> {
  return typeof content === "string" ? content : (await api.download(String(url))).toString();
}

function textOutput(output: StoredContent, text: string, characters: number): Content {
  const rest = text.length > characters ? `${text.length - characters} characters are left out: use read_page.` : "";
  return [
    toTextContent(markUntrusted(text.slice(0, characters))),
    ...describeStoredResult(output, `${text.length} characters`, rest),
  ];
}
