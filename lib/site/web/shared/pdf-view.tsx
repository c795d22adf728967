// The pages of a PDF as pictures, drawn by PDF.js, which is loaded for the first PDF only.
import { useEffect, useRef, useState } from "preact/hooks";
import type { PdfDocument } from "./pdf-document.ts";
import { ScrollRegion } from "./scroll-region.tsx";

export function PdfView({ body }: { body: Blob }) {
  const [document, setDocument] = useState<PdfDocument>();
  const [problem, setProblem] = useState<string>();
  const [number, setNumber] = useState(1);
  const canvas = useRef<HTMLCanvasElement>(null);

  useEffect(() => {
    let opened: PdfDocument | undefined;
    let isClosed = false;
    setDocument(undefined);
    setProblem(undefined);
    setNumber(1);
    const open = async () => {
      const { openPdf } = await import("./pdf-document.ts");
      opened = await openPdf(body);
      if (isClosed) opened.close();
      else setDocument(opened);
    };
    open().catch(() => {
      if (!isClosed) setProblem("The PDF can’t be shown here. Open or download it.");
    });
    return () => {
      isClosed = true;
      opened?.close();
    };
  }, [body]);

  useEffect(() => {
    if (!document || !canvas.current) return undefined;
    const drawing = document.draw(number, canvas.current);
    drawing.done.catch(() => setProblem("This page can’t be drawn here. Open or download the PDF."));
    return drawing.cancel;
  }, [document, number]);

  if (problem !== undefined) return <p class="idle">{problem}</p>;
  const count = document?.pageCount ?? 0;
  return (
    <div class="picture">
      <div class="picture-bar">
        {count > 1 && (
          <fieldset class="segments" aria-label="Pages">
            <button type="button" disabled={number === 1} onClick={() => setNumber(number - 1)}>
              Previous
            </button>
            <button type="button" disabled={number === count} onClick={() => setNumber(number + 1)}>
              Next
            </button>
          </fieldset>
        )}
        <span class="figure">{document ? `Page ${number} of ${count}` : "Opening the PDF …"}</span>
      </div>
      <ScrollRegion class="canvas pdf-canvas" label="Page of the PDF">
        <canvas ref={canvas} class="pdf-page" role="img" aria-label={`Page ${number} of the PDF`} />
      </ScrollRegion>
    </div>
  );
}
