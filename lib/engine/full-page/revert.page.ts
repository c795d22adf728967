/// <reference lib="dom" />
// Takes back what a visit has changed in the page, the last change first, and forgets what it has seen of it.
import { resumeEndlessAnimations } from "./backdrops.page.ts";
import { revertChanges } from "./changes.page.ts";
import { forgetVisit } from "./record.page.ts";
import { releaseViewAnimations } from "./scroll-driven.page.ts";

/** Lets the page be as it was before the visit, at its top. What has loaded stays loaded. */
export function revertVisit(): void {
  resumeEndlessAnimations();
  releaseViewAnimations();
  revertChanges();
  forgetVisit();
}
