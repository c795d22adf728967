// Detects that a click on a banner or dialog has navigated away from the page.
import type { CapturedPage } from "../page/captured-page.ts";

/** A navigation that comes later after a click is not caused by it. */
const LEAVING_MS = 5_000;

/** A click on a banner or dialog has navigated to another page. The capture can be repeated without such clicks. */
export class PageLeftError extends Error {
  override name = "PageLeft";
}

/** A click on a banner or dialog. */
export interface Dismissal {
  readonly documentId: string;
  readonly url: string;
  readonly at: number;
  /** True for the banner of a known consent platform, which can be on a page of its own before the requested one. */
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

/** Records the document in which a banner or dialog is clicked, for `assertNotNavigated`. */
export function recordDismissal(
  capturing: Pick<CapturedPage, "now"> & ClickedPage,
  document: ClickedDocument,
  { isPlatform = false } = {},
): void {
  capturing.overlays.dismissal = { ...document, at: capturing.now(), isPlatform };
}

/**
 * Throws `PageLeft` when a click on a banner or dialog has navigated to another page. Another query is not another page,
 * since many consent forms lead back with one. A platform's own page may lead to the requested page at `address`.
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

/** A consent platform's own page often leads to another host of the requested site. */
function isOnward(url: string, address: string, dismissal: Dismissal): boolean {
  if (isSamePage(url, address)) return true;
  return dismissal.isPlatform && !isSamePage(dismissal.url, address) && isSameSite(url, address);
}

function isSamePage(one: string, other: string): boolean {
  const [first, second] = [URL.parse(one), URL.parse(other)];
  return first !== null && first.origin === second?.origin && first.pathname === second.pathname;
}

/** Compares the last two labels of the hosts, which is too lenient for hosts such as `example.co.uk`. */
function isSameSite(one: string, other: string): boolean {
  const [first, second] = [one, other].map((url) => URL.parse(url)?.hostname.split(".").slice(-2).join("."));
  return first !== undefined && first === second;
}
