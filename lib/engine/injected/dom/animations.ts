/// <reference lib="dom" />
// The animations of a document or shadow root, also where the page has replaced the function that lists them.
import type { Root } from "./shadow-roots.ts";

export function animationsIn(root: Root): Animation[] {
  const isDocument = root.nodeType === Node.DOCUMENT_NODE;
  return (isDocument ? Document : ShadowRoot).prototype.getAnimations.call(root);
}
