// Hides the consent banners that filter lists name, after banners have been answered: in a hidden banner nothing can be
// clicked, and a page that waits for an answer stays locked.
import type { CapturedPage } from "../page/captured-page.ts";
import { applyCosmeticFilters } from "./cosmetic-filtering.ts";
import type { FilterLists } from "./filter-lists.ts";

/** In the current documents and all later ones. Rejects when the list is missing. */
export async function hideBanners({
  session,
  lists,
}: Pick<CapturedPage, "session"> & { readonly lists: FilterLists }): Promise<void> {
  const [engine, { toFilterRequest: requestOf }] = await Promise.all([
    lists.engine("cookies"),
    import("./filter-engine.ts"),
  ]);
  await applyCosmeticFilters(session.cdp, {
    lists: { engines: [engine], requestOf },
    isBlocked: () => false,
    world: "consent-banners",
  });
}
