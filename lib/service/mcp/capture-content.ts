// What a tool returns of a capture: pictures or text that a model can read, one line of facts, and a link to the stored original.
import type { CallToolResult } from "@modelcontextprotocol/server";
import type { ApiClient } from "./api-client.ts";
import { type ModelPictures, NoPicture, type PictureRequest } from "./picture-limits.ts";
import { ToolError } from "./tool-error.ts";
import { markUntrusted, UNTRUSTED_NOTE } from "./untrusted.ts";

export type Content = CallToolResult["content"];

/** The JSON result of a capture, or the status of an asynchronous one that has succeeded. */
export type StoredContent = Readonly<Record<string, unknown>>;

/** How a result is returned: pictures and text that a model reads, everything else as a link. */
export type Form = "picture" | "text" | "link";

export function formOf({ mime_type: type }: StoredContent): Form {
  if (String(type).startsWith("image/")) return "picture";
  return /^(text\/|application\/json)/.test(String(type)) ? "text" : "link";
}

/** True for a result that has a link: it hasn't expired, and wasn't deleted. */
export function isAvailable({ url }: StoredContent): boolean {
  return typeof url === "string";
}

export function describeUnavailable({ unavailable_reason: reason }: StoredContent): string {
  return `The result is gone: it was ${reason}. Capture the page again.`;
}

/** Characters of one answer, some 10,000 tokens. */
export const MAX_TEXT_CHARACTERS = 40_000;

/** Below this scale, text of usual size can't be read. */
const MIN_READABLE_SCALE = 0.6;

/**
 * The image as pictures for a model, or its link alone where none can be made. Throws `ToolError` for a slice that the image doesn't
 * have.
 */
export async function pictureContent(
  result: StoredContent,
  { firstSlice }: PictureRequest,
  api: ApiClient,
): Promise<Content> {
  const shown = await api.pictures(String(result["url"]), { firstSlice }).catch((error) => {
    if (error instanceof NoPicture) return undefined;
    throw error;
  });
  if (!shown) return describeStoredResult(result, undefined, "The image can't be shown here. Open the link instead.");
  if (shown.pictures.length === 0) {
    throw new ToolError(`There is no slice ${firstSlice}: the image has ${shown.total}. Use a lower 'first_slice'.`);
  }
  const pictures = shown.pictures.map((each) => ({
    type: "image" as const,
    data: each.toString("base64"),
    mimeType: "image/webp",
  }));
  const size = `${shown.width} × ${shown.height} px`;
  return [...pictures, ...describeStoredResult(result, size, `${describeShown(shown, firstSlice)}${UNTRUSTED_NOTE}`)];
}

/** What part of the image the pictures show, and how to see the rest; empty for a picture that shows all of it well. */
function describeShown({ pictures, total, scale }: ModelPictures, firstSlice: number | undefined): string {
  if (firstSlice === undefined) {
    if (scale >= MIN_READABLE_SCALE) return "";
    return `The picture is scaled to ${Math.max(1, Math.round(scale * 100))} %: set 'slices' to read it. `;
  }
  const last = firstSlice + pictures.length - 1;
  const next = last < total ? `, continue with first_slice ${last + 1}` : "";
  return `Slices ${firstSlice} to ${last} of ${total}${next}. `;
}

/** The text of a page from the character `start` on. Throws `ToolError` for a start behind its end. */
export function pageText(content: string, result: StoredContent, start = 0): Content {
  if (start > 0 && start >= content.length) {
    throw new ToolError(`The text has ${content.length} characters. Use a lower 'start_at'.`);
  }
  const end = start + MAX_TEXT_CHARACTERS;
  const rest = content.length > end ? `${content.length - end} characters follow: continue with start_at ${end}.` : "";
  return [
    toTextContent(markUntrusted(content.slice(start, end))),
    ...describeStoredResult(result, `${content.length} characters`, rest),
  ];
}

/**
 * One line of facts, then links to the stored original, under the name of an output, and to its slices, then the rest of the result, which can quote the page.
 */
export function describeStoredResult(result: StoredContent, size = describeSize(result), more = ""): Content {
  const {
    mime_type,
    file_size_bytes,
    response_time_ms,
    from_cache,
    request_id,
    expires_at,
    storage_location,
    storage_error,
  } = result;
  const facts = [
    ...(size === "" ? [] : [size]),
    mime_type,
    `${file_size_bytes} bytes`,
    ...(response_time_ms === undefined
      ? []
      : [`${response_time_ms} ms${from_cache ? " (cached, free of charge)" : ""}`]),
    `request ${request_id}`,
    `link expires ${expires_at}`,
    ...(storage_location === undefined ? [] : [`stored at ${storage_location}`]),
    ...(storage_error === undefined ? [] : ["not stored in the bucket for certain"]),
  ].join(", ");
  const slices = (result["slices"] ?? []) as readonly StoredContent[];
  const { warnings, problems, metadata } = result;
  const quoting = Object.entries({ warnings, problems, metadata }).filter(([, value]) => value !== undefined);
  return [
    toTextContent(`${facts}.${describeProblems(result)}${more === "" ? "" : ` ${more}`}`),
    resourceLink(String(result["name"] ?? "original"), result["url"], mime_type),
    ...slices.map(({ url }, index) => resourceLink(`slice ${index + 1}`, url, mime_type)),
    ...(quoting.length === 0
      ? []
      : [toTextContent(markUntrusted(JSON.stringify(Object.fromEntries(quoting), null, 1)))]),
  ];
}

/** The size that an output states; empty for other results. */
function describeSize({ width, height, pages }: StoredContent): string {
  if (pages !== undefined) return `${pages} ${pages === 1 ? "page" : "pages"}`;
  return width === undefined ? "" : `${width} × ${height} px`;
}

/** Says that the result looks wrong, in words that are not the page's: selectors among the fixes could be. */
function describeProblems({ problems, quality }: StoredContent): string {
  if (!Array.isArray(problems) || problems.length === 0) return "";
  const fixes = problems.flatMap(({ fix }) => Object.entries(fix ?? {}));
  const plain = fixes.filter(([, value]) => typeof value === "number" || typeof value === "boolean");
  const advice = new Set(plain.map(([name, value]) => `${name}=${value}`));
  const codes = problems.map(({ code }) => code).join(", ");
  const help = advice.size > 0 ? ` Options that may help: ${[...advice].join(", ")}.` : "";
  return ` The result looks wrong (quality ${quality} of 100): ${codes}.${help}`;
}

function resourceLink(name: string, uri: unknown, mimeType: unknown): Content[number] {
  return { type: "resource_link", uri: String(uri), name, mimeType: String(mimeType ?? "application/octet-stream") };
}

export function toTextContent(value: string): Content[number] {
  return { type: "text", text: value };
}
