// Warns of elements that embed a PDF: headless Chromium has no PDF viewer, and paints an empty box.
import * as v from "valibot";
import { truncateReport, withoutCredentials } from "../errors/target-report.ts";
import type * as embeddedPdfs from "../injected/embedded-pdfs.ts";
import { softAllowance } from "../timing/budget.ts";
import { withTimeout } from "../timing/with-timeout.ts";
import type { CapturedPage } from "./captured-page.ts";
import { callIsolatedOnNode, evaluateInIsolatedWorld } from "./isolated-world.ts";
import { type PageFunction, pageFunction } from "./page-function.ts";

/** Longest wait for the page; one too busy to answer is captured without the warnings. */
const SEARCH_TIMEOUT_MS = 500;

const MAX_WARNINGS = 5;

/** Adds a warning for each visible element of the page that embeds a PDF, up to five. */
export async function warnOfEmbeddedPdfs(capturing: CapturedPage): Promise<void> {
  const { budget, now, warnings } = capturing;
  const search = Promise.all([evaluateInIsolatedWorld(capturing, pdfPlugins), framedPdfs(capturing)]);
  const found = await withTimeout(search, softAllowance(budget, now(), SEARCH_TIMEOUT_MS)).catch(() => undefined);
  for (const { element, url } of (found ?? []).flat().slice(0, MAX_WARNINGS)) {
    const address = truncateReport(withoutCredentials(url));
    warnings.push(`The PDF '${address}' in <${element}> isn't shown, because headless Chromium has no PDF viewer.`);
  }
}

/** Frames whose server answered with a PDF. Those in other frames are left out. */
async function framedPdfs({ session: { cdp }, activity }: CapturedPage): Promise<embeddedPdfs.EmbeddedPdf[]> {
  const frames = [...activity.pdfFrames].slice(0, MAX_WARNINGS).map(async (frameId) => {
    const { backendNodeId } = await cdp.send("DOM.getFrameOwner", { frameId });
    return (await callIsolatedOnNode(cdp, pdfIn, backendNodeId)) ?? [];
  });
  // A frame may be gone, or in another frame.
  return (await Promise.allSettled(frames)).flatMap((each) => (each.status === "fulfilled" ? each.value : []));
}

const EMBEDDED_PDF = v.object({ element: v.string(), url: v.string() });

const pdfPlugins: PageFunction<typeof embeddedPdfs.pdfPlugins> = pageFunction("core", "pdfPlugins", {
  result: v.array(EMBEDDED_PDF),
});

const pdfIn: PageFunction<typeof embeddedPdfs.pdfIn> = pageFunction("core", "pdfIn", {
  result: v.nullable(EMBEDDED_PDF),
});
