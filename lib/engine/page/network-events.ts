// CDP network events, with as little data as needed.
import type { CDPSession } from "puppeteer-core";

/** Enables network events on a session. Chromium keeps no response bodies. */
export async function enableNetworkEvents(cdp: CDPSession): Promise<void> {
  // At most 1 byte of post data is reported; 0 would mean all of it.
  await cdp.send("Network.enable", { maxPostDataSize: 1, maxTotalBufferSize: 0, maxResourceBufferSize: 0 });
}

/** CDP headers with lower-case names; CDP joins repeated headers by line breaks. */
export function lowerCaseNames(headers: object): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]));
}
