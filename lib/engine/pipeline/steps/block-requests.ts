// Blocks requests by filter lists, URL patterns and resource types, and hides what blocking leaves empty.
import { type BlockedContent, startBlocking } from "../../adblock/block-page.ts";
import { type PrepareStep, prepareStep, type StepFactory } from "../step.ts";

export const blockRequests: StepFactory<PrepareStep, BlockedContent> = prepareStep({
  name: "block-requests",
  phase: "browser",
  run: startBlocking,
});
