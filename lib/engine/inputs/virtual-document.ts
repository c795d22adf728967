// Virtual document: the caller's HTML as the document at a base URL, without a request to it.

import { urlNotAllowed } from "../errors/target-errors.ts";
import type { CapturedPage } from "../page/captured-page.ts";
import { confirmDocument } from "../page/confirm-document.ts";
import { intercept } from "../page/interception.ts";

/**
 * Opens `html` as the document at `baseUrl`: relative URLs, origin, cookies and storage are those of `baseUrl`. The
 * document itself is not requested; subresources and later documents come from the network. Resolves when the
 * navigation has committed, as Page.navigate does. Throws `URL_NOT_ALLOWED` unless `baseUrl` is http or https.
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
      if (answered) return undefined; // a frame of the document, or the next document
      answered = true;
      return { answer: { status: 200, headers: [HTML_CONTENT_TYPE], body: Buffer.from(html) } };
    },
  });
  activity.expectDocument(href);
  const { errorText } = await session.cdp.send("Page.navigate", { url: href });
  confirmDocument(capturing, [], errorText);
}

const HTML_CONTENT_TYPE = { name: "Content-Type", value: "text/html; charset=utf-8" };
