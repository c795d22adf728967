// Shows the caller's HTML as the document of the page: written into about:blank, or at the address of `base_url`.
import * as v from "valibot";
import type * as loading from "../injected/loading.ts";
import type { CapturedPage } from "../page/captured-page.ts";
import { isContextLost } from "../page/context-lost.ts";
import type { RecordedPage } from "../page/error-recorder.ts";
import { callIsolated, evaluateInIsolatedWorld } from "../page/isolated-world.ts";
import { type PageFunction, pageFunction } from "../page/page-function.ts";
import { hardAllowance } from "../timing/budget.ts";
import { openVirtualDocument } from "./virtual-document.ts";

/** Throws `URL_NOT_ALLOWED` for a `baseUrl` that is neither http nor https. */
export async function showHtml(page: RecordedPage, html: string, baseUrl: string | undefined): Promise<void> {
  if (baseUrl !== undefined) return openVirtualDocument(page, html, baseUrl);
  const { session, activity } = page;
  if (await evaluateInIsolatedWorld(page, prefersDark)) await openPage(page, LIGHT_PAGE);
  else if (page.frameScheduler?.virtualTime) await openPage(page, "about:blank"); // with a clock that starts now
  activity.expectDocument("about:blank");
  await callIsolated(session.cdp, openDocument);
  const { errorRecorder: recorder } = page;
  if (recorder) await session.cdp.send("Runtime.evaluate", { expression: recorder.source });
  await callIsolated(session.cdp, writeDocument, html).catch((error) => {
    if (!isContextLost(error)) throw error; // otherwise it is written, and has already navigated
  });
}

/**
 * With `prefers-color-scheme: dark`, Chromium paints about:blank with a dark background and black text, whatever is
 * written into it. Any other document has a white background.
 */
const LIGHT_PAGE = "data:text/html,";

/** Opens an empty page. No time passes for it. */
async function openPage({ session, activity, budget, now }: CapturedPage, url: string): Promise<void> {
  activity.expectDocument(url);
  await session.cdp.send("Page.navigate", { url });
  await activity.happens(() => activity.document.loaded, hardAllowance(budget, now()));
}

const prefersDark: PageFunction<typeof loading.prefersDark> = pageFunction("core", "prefersDark", {
  result: v.boolean(),
});

const openDocument: PageFunction<typeof loading.openDocument> = pageFunction("core", "openDocument");

const writeDocument: PageFunction<typeof loading.writeDocument> = pageFunction("core", "writeDocument");
