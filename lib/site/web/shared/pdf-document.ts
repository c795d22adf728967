// Draws pages of a PDF with PDF.js, whose parser runs in a worker. The PDF is hostile: nothing of it but pixels reaches the page.

import { workerPath } from "pdf-worker";
import { GlobalWorkerOptions, getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";

GlobalWorkerOptions.workerSrc = new URL(workerPath, import.meta.url).href;

/** Width of a drawn page in CSS pixels; the layout makes it smaller where there is less space. */
const PAGE_WIDTH = 900;
/** A canvas of more pixels fails in some browsers. */
const MAX_PIXELS = 16_000_000;

export interface PdfDocument {
  readonly pageCount: number;
  /** Draws a page, counted from 1. `done` rejects when it can't be drawn. */
  draw(number: number, canvas: HTMLCanvasElement): { readonly done: Promise<void>; readonly cancel: () => void };
  close(): void;
}

/** Rejects for a file that is no PDF. */
export async function openPdf(body: Blob): Promise<PdfDocument> {
  const loading = getDocument({ data: new Uint8Array(await body.arrayBuffer()), enableXfa: false });
  const document = await loading.promise;
  return {
    pageCount: document.numPages,
    draw(number, canvas) {
      const controller = new AbortController();
      return {
        done: drawPage(document, { number, canvas, signal: controller.signal }),
        cancel: () => controller.abort(),
      };
    },
    close: () => void loading.destroy(),
  };
}

type Pdf = Awaited<ReturnType<typeof getDocument>["promise"]>;

interface Drawing {
  readonly number: number;
  readonly canvas: HTMLCanvasElement;
  readonly signal: AbortSignal;
}

async function drawPage(document: Pdf, { number, canvas, signal }: Drawing): Promise<void> {
  const page = await document.getPage(number);
  if (signal.aborted) return;
  const { width, height } = page.getViewport({ scale: 1 });
  const wanted = (PAGE_WIDTH / width) * Math.min(devicePixelRatio, 2);
  const viewport = page.getViewport({ scale: Math.min(wanted, Math.sqrt(MAX_PIXELS / (width * height))) });
  canvas.width = Math.floor(viewport.width);
  canvas.height = Math.floor(viewport.height);
  const task = page.render({ canvas, viewport });
  signal.addEventListener("abort", () => task.cancel());
  try {
    await task.promise;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
