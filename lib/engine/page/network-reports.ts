// What the browser tells of a page's requests: as little as is needed, in one form.
import type { CDPSession } from "puppeteer-core";

/** Has requests told on a session, from now on. Of what a page is answered nothing is kept. */
export async function reportNetwork(cdp: CDPSession): Promise<void> {
  // Of what a page posts no more is told than one byte, and 0 would be all of it.
  await cdp.send("Network.enable", { maxPostDataSize: 1, maxTotalBufferSize: 0, maxResourceBufferSize: 0 });
}

/** Headers as the protocol has them, by names in lower case; what came several times is joined by line breaks. */
export function lowerCased(headers: object): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
}
