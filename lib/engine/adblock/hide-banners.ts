// Hides the consent banners that filter lists name, after those were answered that could be: who hides them first can
// neither see nor click what rejects, and a page that waits for an answer stays locked.
import type { CaptureState } from "../pipeline/capture-context.ts";
import { applyCosmeticFilters } from "./cosmetic-filtering.ts";

/** In the documents of now and all to come. Rejects when the list is missing. */
export async function hideBanners({ session, lists }: CaptureState): Promise<void> {
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
