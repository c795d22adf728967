// What the list and the page of a capture call it.
import type { CaptureLog, CaptureState } from "../../../../../clients/typescript/src/generated/types.ts";

type Captured = Pick<CaptureLog, "url" | "options">;

/** The address, or the kind and the first words of the document that was sent in place of one. */
export function sourceText({ url, options }: Captured): string {
  if (url !== "") return addressText(url);
  const { html, markdown } = options;
  if (typeof markdown === "string") return withWords("Markdown", markdown.replaceAll(/[#*_`>|-]/g, " "));
  return withWords("HTML", typeof html === "string" ? withoutTags(html) : "");
}

/** Without `https://`, which goes without saying. */
function addressText(url: string): string {
  return url.replace(/^https:\/\//, "");
}

/** The text of HTML that is only read: nothing of it becomes a part of the page. */
function withoutTags(html: string): string {
  return html.replaceAll(/<(script|style)\b[\s\S]*?(<\/\1>|$)/gi, " ").replaceAll(/<[^>]*(>|$)/g, " ");
}

const MAX_WORDS_CHARACTERS = 60;

function withWords(kind: string, text: string): string {
  const words = text.replaceAll(/\s+/g, " ").trim();
  if (words === "") return kind;
  const isLong = words.length > MAX_WORDS_CHARACTERS;
  return `${kind}: ${isLong ? `${words.slice(0, MAX_WORDS_CHARACTERS).toWellFormed()}…` : words}`;
}

/** An error of the log, `CODE: message`, in its parts. */
export function splitError(text: string): { readonly code: string; readonly message: string } {
  const [code = "", ...rest] = text.split(": ");
  return { code, message: rest.join(": ") };
}

export type CaptureStatus = CaptureLog["status"] | "queued" | "processing";

export function statusText(status: CaptureStatus, isCached = false): string {
  if (status === "success") return isCached ? "cached" : "ok";
  return status;
}

/** The path of the page of a capture. */
export const capturePath = (id: number): string => `captures/${id}`;

/** What a capture that has no log yet is called. */
export const jobSource = ({ page_url }: Pick<CaptureState, "page_url">): string =>
  page_url === null ? "HTML or Markdown" : addressText(page_url);

/** When a capture ended, in milliseconds since 1970. */
export const endTime = ({
  created_at,
  response_time_ms,
}: Pick<CaptureLog, "created_at" | "response_time_ms">): number => Date.parse(created_at) + response_time_ms;
