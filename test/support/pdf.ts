// Reads PDFs: pages, sizes, texts, pixels and document properties.
import { ColorSpace, Document, Matrix, PDFDocument, type PDFPage } from "mupdf";
import { decode, type Pixels } from "./png.ts";

export interface Pdf {
  /** `[width, height]` of each page in points, rounded to a tenth. */
  readonly sizes: readonly (readonly [number, number])[];
  /** The text of each page as it can be selected, white space collapsed. */
  readonly texts: readonly string[];
  /** Addresses the links of each page lead to. */
  readonly links: readonly (readonly string[])[];
  /** Titles of the outline with their depth, from 0. */
  readonly outline: readonly { readonly title: string; readonly depth: number }[];
  readonly title: string | undefined;
  /** Whether it says what is a heading, a table, a list. */
  readonly isTagged: boolean;
  /** The lines of a page, which counts from 0. */
  lines(page: number): readonly PdfLine[];
  /** A page as it looks, `scale` pixels to a point. */
  draw(page: number, scale?: number): Promise<Pixels>;
  png(page: number, scale?: number): Buffer;
}

/** A line of text: its box and its type size, in points from the page's top left corner. */
export interface PdfLine {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
  readonly size: number;
}

/** Opens a PDF. Throws when it is not a whole one. */
export function readPdf(file: Buffer): Pdf {
  const document = Document.openDocument(file, "application/pdf");
  if (!(document instanceof PDFDocument)) throw new Error("It is not a PDF.");
  if (document.wasRepaired()) throw new Error("The PDF is damaged.");
  const pages = Array.from({ length: document.countPages() }, (_, index) => document.loadPage(index) as PDFPage);
  const pageAt = (index: number) => {
    const page = pages[index];
    if (!page) throw new RangeError(`There is no page ${index}; there are ${pages.length}.`);
    return page;
  };
  const png = (page: number, scale = 1) =>
    Buffer.from(pageAt(page).toPixmap(Matrix.scale(scale, scale), ColorSpace.DeviceRGB, false).asPNG());
  return {
    sizes: pages.map((page) => {
      const [left, top, right, bottom] = page.getBounds();
      return [tenth(right - left), tenth(bottom - top)];
    }),
    texts: pages.map((page) => page.toStructuredText("").asText().replace(/\s+/g, " ").trim()),
    links: pages.map((page) => page.getLinks().map((link) => link.getURI())),
    outline: flattened(document.loadOutline() ?? [], 0),
    title: document.getMetaData(Document.META_INFO_TITLE),
    isTagged: !document.getTrailer().get("Root").get("StructTreeRoot").isNull(),
    lines: (page) => linesOf(JSON.parse(pageAt(page).toStructuredText("").asJSON())),
    png,
    draw: (page, scale) => decode(png(page, scale)),
  };
}

function tenth(points: number): number {
  return Math.round(points * 10) / 10;
}

type OutlineItem = NonNullable<ReturnType<Document["loadOutline"]>>[number];

function flattened(items: readonly OutlineItem[], depth: number): { title: string; depth: number }[] {
  return items.flatMap(({ title = "", down = [] }) => [{ title, depth }, ...flattened(down, depth + 1)]);
}

interface StructuredPage {
  blocks: {
    lines?: { text: string; bbox: { x: number; y: number; w: number; h: number }; font: { size: number } }[];
  }[];
}

function linesOf({ blocks }: StructuredPage): PdfLine[] {
  return blocks.flatMap(({ lines = [] }) => lines.map(({ text, bbox, font }) => ({ text, ...bbox, size: font.size })));
}
