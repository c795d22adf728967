// Hides the consent banners that filter lists name, after those were answered that could be: who hides them first can
// neither see nor click what rejects, and a page that waits for an answer stays locked.
import type { CapturedPage } from "../page/captured-page.ts";
import { applyCosmeticFilters } from "./cosmetic-filtering.ts";
import type { FilterLists } from "./filter-lists.ts";

/** In the documents of now and all to come. Rejects when the list is missing. */
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
