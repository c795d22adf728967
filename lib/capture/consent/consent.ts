// Cookie banners of the platforms that are known: rejected by a click, as a visitor would.
import type { Capturing } from "../capturing.ts";

/** Looks out for banners from now on, in all frames of all documents to come. */
export async function watchForConsent(_capturing: Capturing, _options: { readonly accept: boolean }): Promise<void> {
  throw new Error("to be written");
}

/** Waits until the banner that has come up, if one has, is closed: for a short time of its own. */
export async function closeConsent(_capturing: Capturing): Promise<void> {
  throw new Error("to be written");
}
