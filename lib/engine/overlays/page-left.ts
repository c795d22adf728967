// Clicks on banners and dialogs must not lead away from the page: tells when one did.
import type { CapturedPage } from "../page/captured-page.ts";

/** A document that comes this long after a click is not what the click led to. */
const LEAVING_MS = 5_000;

/** A click on a banner or dialog has led to another page. The capture can be repeated without such clicks. */
export class PageLeftError extends Error {
  override name = "PageLeft";
}

/** A click on a banner or dialog. */
export interface Dismissal {
  readonly documentId: string;
  readonly url: string;
  readonly at: number;
  /** True for the banner of a known consent platform, which may stand on a page of its own before the page asked for. */
  readonly isPlatform: boolean;
}

/** A document of the main frame. */
export type ClickedDocument = Pick<Dismissal, "documentId" | "url">;

/** A page whose banners and dialogs are clicked. */
interface ClickedPage {
  /** The URL that the capture navigated to; undefined for HTML and Markdown. */
  readonly address?: string | undefined;
  readonly overlays: { dismissal?: Dismissal | undefined };
}

/** The newest document. */
export function currentDocument({
  activity: { documentId, document },
}: Pick<CapturedPage, "activity">): ClickedDocument {
  return { documentId, url: document.url };
}

/** Remembers in which document a banner or dialog is clicked, for `assertStayed`. */
export function recordDismissal(
  capturing: Pick<CapturedPage, "now"> & ClickedPage,
  document: ClickedDocument,
  { isPlatform = false } = {},
): void {
  capturing.overlays.dismissal = { ...document, at: capturing.now(), isPlatform };
}

/**
 * Throws `PageLeft` where a click on a banner or dialog has led to another page. The same page with another query is the
 * same page, since many consent forms lead back to it. A page that stands before the page at `address` may lead there.
 */
export function assertNotNavigated({
  activity,
  address,
  overlays: { dismissal },
}: Pick<CapturedPage, "activity"> & ClickedPage): void {
  if (!dismissal || activity.documentId === dismissal.documentId) return;
  if (activity.documentSince - dismissal.at > LEAVING_MS) return;
  const { url, isBlank } = activity.document;
  const isExpected = isSamePage(url, dismissal.url) || (address !== undefined && isOnward(url, address, dismissal));
  if (isBlank || !isExpected) throw new PageLeftError(`A click on a banner or dialog led to ${url.slice(0, 200)}.`);
}

/** A consent platform's own page often leads to another host of the site than the one that was asked for. */
function isOnward(url: string, address: string, dismissal: Dismissal): boolean {
  if (isSamePage(url, address)) return true;
  return dismissal.isPlatform && !isSamePage(dismissal.url, address) && isSameSite(url, address);
}

function isSamePage(one: string, other: string): boolean {
  const [first, second] = [URL.parse(one), URL.parse(other)];
  return first !== null && first.origin === second?.origin && first.pathname === second.pathname;
}

/** By the last two labels of the host, which is too lenient for hosts such as `example.co.uk`. */
function isSameSite(one: string, other: string): boolean {
  const [first, second] = [one, other].map((url) => URL.parse(url)?.hostname.split(".").slice(-2).join("."));
  return first !== undefined && first === second;
}
