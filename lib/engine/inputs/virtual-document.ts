// HTML of the caller shown as the document of an address, which nobody is asked for.

import { urlNotAllowed } from "../errors/target-errors.ts";
import type { CapturedPage } from "../page/captured-page.ts";
import { confirmDocument } from "../page/confirm-document.ts";
import { intercept } from "../page/interception.ts";

/**
 * Opens `html` as the document at `baseUrl`: addresses in it are relative to that, and its origin, with its cookies and
 * what it may read, is that of `baseUrl`. No request for the document goes out, while its subresources, and any later
 * document, come from the network. Resolves when it has arrived, as Page.navigate does. Throws URL_NOT_ALLOWED unless
 * `baseUrl` is http or https.
 */
export async function openVirtualDocument(
  capturing: Pick<CapturedPage, "session" | "activity">,
  html: string,
  baseUrl: string,
): Promise<void> {
  const { href, protocol } = new URL(baseUrl);
  if (protocol !== "http:" && protocol !== "https:") throw urlNotAllowed(baseUrl);
  const { session, activity } = capturing;
  let answered = false;
  await intercept(session.cdp, {
    patterns: [{ urlPattern: "*", resourceType: "Document" }],
    intervene() {
      if (answered) return undefined; // a frame of the document, or the next one
      answered = true;
      return { answer: { status: 200, headers: [HTML], body: Buffer.from(html) } };
    },
  });
  activity.expectDocument(href);
  const { errorText } = await session.cdp.send("Page.navigate", { url: href });
  confirmDocument(capturing, [], errorText);
}

const HTML = { name: "Content-Type", value: "text/html; charset=utf-8" };
