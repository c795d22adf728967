// Blocks requests by filter lists, URL patterns and resource types, and hides what blocking leaves empty.
import { type BlockedContent, startBlocking } from "../../adblock/block-page.ts";
import type { PrepareStep } from "../step-definition.ts";

export const blockRequests: PrepareStep<"block-requests", BlockedContent> = {
  name: "block-requests",
  phase: "browser",
  run: startBlocking,
};
