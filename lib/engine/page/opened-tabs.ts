// Follows links to other tabs in the page itself: the browser opens no second tab.
import type { Protocol } from "puppeteer-core";
import { whileTimePasses } from "../rendering/page-time.ts";
import { hardAllowance } from "../timing/budget.ts";
import { withTimeout } from "../timing/with-timeout.ts";
import type { CapturedPage } from "./captured-page.ts";

/** A tab that a page asks for. */
export interface OpenedTab {
  readonly url: string;
  readonly sendsReferrer: boolean;
}

export interface OpenedTabs extends Disposable {
  /** The first one; undefined while there is none. */
  first(): OpenedTab | undefined;
}

export function watchOpenedTabs({ session: { cdp } }: CapturedPage): OpenedTabs {
  let first: OpenedTab | undefined;
  const openWindow = ({ url, windowFeatures }: Protocol.Page.WindowOpenEvent) => {
    first ??= { url, sendsReferrer: !windowFeatures.includes("noreferrer") };
  };
  // A click with a modifier opens a tab in another way.
  const requestNavigation = ({ url, disposition }: Protocol.Page.FrameRequestedNavigationEvent) => {
    if (disposition === "newTab" || disposition === "newWindow") first ??= { url, sendsReferrer: true };
  };
  cdp.on("Page.windowOpen", openWindow);
  cdp.on("Page.frameRequestedNavigation", requestNavigation);
  const stop = () => {
    cdp.off("Page.windowOpen", openWindow);
    cdp.off("Page.frameRequestedNavigation", requestNavigation);
  };
  return { first: () => first, [Symbol.dispose]: stop };
}

/**
 * Opens the address of a tab in the page, as a link to it would. Resolves to false for an address that a script fills, such as
 * that of an empty tab.
 */
export async function openInPage(page: CapturedPage, { url, sendsReferrer }: OpenedTab): Promise<boolean> {
  if (!/^https?:/.test(url)) return false;
  const { session, activity, budget, now } = page;
  const navigation = session.cdp.send("Page.navigate", {
    url,
    transitionType: "link",
    ...(sendsReferrer && {
      referrer: activity.document.url,
      referrerPolicy: "strictOriginWhenCrossOrigin" as const,
    }),
  });
  await withTimeout(whileTimePasses(page, navigation), hardAllowance(budget, now()));
  return true;
}
