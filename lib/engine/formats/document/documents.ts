// Document formats: the page as HTML, text, Markdown or MHTML.

import type { Protocol } from "puppeteer-core";
import * as v from "valibot";
import { ApiError } from "../../../contract/errors/api-error.ts";
import type * as documents from "../../injected/documents.ts";
import type { Extract } from "../../injected/documents.ts";
import type { CapturedPage } from "../../page/captured-page.ts";
import { evaluateInIsolatedWorld } from "../../page/isolated-world.ts";
import { type PageFunction, pageFunction } from "../../page/page-function.ts";
import { whileTimePasses } from "../../rendering/page-time.ts";
import { softAllowance } from "../../timing/budget.ts";
import { assertBytes } from "../result-limits.ts";
import { HtmlTooComplexError, htmlToMarkdown } from "./html-to-markdown.ts";

export interface DocumentOptions {
  /** Includes open shadow roots. Frames are never included. */
  readonly shadowDom: boolean;
}

export type ReadFormat = "html" | "markdown" | "text";

/** The current DOM as HTML, with its doctype and declarative shadow roots. Throws `RESULT_TOO_LARGE`. */
export async function documentHtml(capturing: CapturedPage, options: DocumentOptions): Promise<string> {
  return requireComplete(await readDocument(capturing, "html", { ...options, characters: MAX_CHARACTERS }));
}

/** The visible text. Throws `RESULT_TOO_LARGE`. */
export async function documentText(capturing: CapturedPage, options: DocumentOptions): Promise<string> {
  return requireComplete(await readDocument(capturing, "text", { ...options, characters: MAX_CHARACTERS }));
}

/** The visible content as Markdown. A document that is too long or too complex is cut, with a warning. */
export async function documentMarkdown(capturing: CapturedPage, options: DocumentOptions): Promise<string> {
  const { text, isCut } = await readDocument(capturing, "markdown", { ...options, characters: MAX_CHARACTERS });
  if (isCut) capturing.warnings.push("The page is too long for Markdown; its end is missing.");
  return text;
}

/**
 * The page with its resources as MHTML. CDP returns it in one piece, so its size is estimated first. Throws
 * `RESULT_TOO_LARGE`.
 */
export async function documentMhtml(capturing: CapturedPage): Promise<Buffer> {
  const { cdp, limits } = capturing.session;
  const assertLength = (bytes: number) => {
    assertBytes(bytes, "document", limits);
    if (bytes > MAX_ARCHIVE_BYTES) throw tooLarge(`${MAX_ARCHIVE_BYTES} bytes`);
  };
  assertLength(contentBytes((await cdp.send("Page.getResourceTree")).frameTree));
  const archiving = cdp.send("Page.captureSnapshot", { format: "mhtml" });
  const { data } = await whileTimePasses(capturing, archiving); // the page archives itself in tasks
  assertLength(data.length);
  return Buffer.from(data);
}

/** Bytes of all resources of a page; an archive holds each once, in base64 a third larger. */
function contentBytes({ resources, childFrames = [] }: Protocol.Page.FrameResourceTree): number {
  const own = resources.reduce((sum, { contentSize = 0 }) => sum + contentSize, 0);
  return childFrames.reduce((sum, child) => sum + contentBytes(child), own);
}

/** Reads the document in a format, up to a number of characters. */
export async function readDocument(
  capturing: CapturedPage,
  format: ReadFormat,
  { shadowDom, characters }: DocumentOptions & { characters: number },
): Promise<Extract> {
  const limits = { characters, elements: MAX_ELEMENTS, depth: MAX_DEPTH };
  if (format === "html") return evaluateInIsolatedWorld(capturing, documentMarkup, shadowDom, limits);
  if (format === "text") return evaluateInIsolatedWorld(capturing, readText, shadowDom, limits);

  const visible = await evaluateInIsolatedWorld(capturing, visibleMarkup, shadowDom, {
    ...limits,
    characters: MAX_MARKDOWN_SOURCE,
    depth: MAX_MARKDOWN_DEPTH,
  });
  const timeoutMs = softAllowance(capturing.budget, capturing.now(), MARKDOWN_MS);
  try {
    const markdown = await htmlToMarkdown(visible.text, { baseUrl: visible.baseUrl, timeoutMs });
    return { text: markdown.slice(0, characters), isCut: visible.isCut || markdown.length > characters };
  } catch (error) {
    if (!(error instanceof HtmlTooComplexError)) throw error;
    capturing.warnings.push("The page is too complex to be converted to Markdown; this is its plain text.");
    return readDocument(capturing, "text", { shadowDom, characters });
  }
}

const MAX_CHARACTERS = 20_000_000; // the longest pages people read have two million; 20 million cross the pipe in half a second
const MAX_ARCHIVE_BYTES = 100_000_000;
const MAX_ELEMENTS = 1_000_000;
const MAX_DEPTH = 1_000; // Chromium itself crashes when laying out three times as many
const MAX_MARKDOWN_SOURCE = 600_000; // a long novel; takes about three seconds to convert
const MAX_MARKDOWN_DEPTH = 200; // pages nest about thirty; each level of lists indents its content
const MARKDOWN_MS = 5_000;

function requireComplete({ text, isCut }: Extract): string {
  if (isCut) throw tooLarge(`${MAX_CHARACTERS} characters`);
  return text;
}

function tooLarge(limit: string): ApiError {
  const message = `The document has more than ${limit}. Capture a smaller page, or as text or markdown.`;
  return new ApiError("RESULT_TOO_LARGE", message, { details: { document: [`has more than ${limit}`] } });
}

const extract = { text: v.string(), isCut: v.boolean() };

const documentMarkup: PageFunction<typeof documents.documentMarkup> = pageFunction("documents", "documentMarkup", {
  result: v.object(extract),
});

const readText: PageFunction<typeof documents.readText> = pageFunction("documents", "readText", {
  result: v.object(extract),
});

const visibleMarkup: PageFunction<typeof documents.visibleMarkup> = pageFunction("documents", "visibleMarkup", {
  result: v.object({ ...extract, baseUrl: v.string() }),
});
