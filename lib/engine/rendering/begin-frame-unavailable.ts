// A page that is not to be painted on demand, or not by a clock of ours.

/** The page or the browser does not go along; the message says how that showed. A browser that paints by itself can help. */
export class BeginFrameUnavailable extends Error {
  override name = "PaintingRefused";
}
