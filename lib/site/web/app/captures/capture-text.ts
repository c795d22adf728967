// What the list and the page of a capture call it.
import type { CaptureLog, CaptureState } from "../../../../../clients/typescript/src/generated/types.ts";

type Captured = Pick<CaptureLog, "url"> & { readonly options?: CaptureLog["options"] };

/** The address without `https://`, or the kind of the document that was sent in place of one. */
export function sourceText({ url, options = {} }: Captured): string {
  if (url !== "") return url.replace(/^https:\/\//, "");
  return "markdown" in options ? "Markdown" : "HTML";
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
  page_url === null ? "HTML or Markdown" : sourceText({ url: page_url });
