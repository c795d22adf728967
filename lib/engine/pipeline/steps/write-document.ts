// Writes the document of the page as HTML, Markdown, text or MHTML, or its metadata or its elements as JSON.
import type { DocumentFormat } from "../../../contract/options/formats.ts";
import { documentHtml, documentMarkdown, documentMhtml, documentText } from "../../formats/document/documents.ts";
import { type ElementsRequest, readPageElements } from "../../formats/elements/page-elements.ts";
import type { CapturingPage } from "../capture-state.ts";
import { type CaptureStep, captureStep, type StepFactory } from "../step.ts";

interface WriteDocument {
  readonly format: DocumentFormat;
  readonly shadowDom: boolean;
  /** True when the JSON includes the report of what was blocked. */
  readonly includesBlocked: boolean;
  readonly elements: ElementsRequest;
}

export const writeDocument: StepFactory<CaptureStep, WriteDocument> = captureStep({
  name: "write-document",
  needsSameDocument: true,
  run: async (page, params) => ({ output: { body: await documentBody(page, params), format: params.format } }),
});

async function documentBody(page: CapturingPage, params: WriteDocument): Promise<Buffer> {
  const { format, shadowDom, includesBlocked, elements } = params;
  const { metadata, blocked } = page;
  if (format === "mhtml") return documentMhtml(page);
  if (format === "json") return Buffer.from(JSON.stringify({ ...metadata, ...(includesBlocked && { blocked }) }));
  if (format === "elements") return Buffer.from(JSON.stringify(await readPageElements(page, elements)));
  const write = { html: documentHtml, markdown: documentMarkdown, text: documentText }[format];
  return Buffer.from(await write(page, { shadowDom }));
}
