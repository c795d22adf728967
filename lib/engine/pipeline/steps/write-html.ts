// Writes the caller's HTML into the page, at the address of `base_url` if there is one.
import { showHtml } from "../../inputs/show-html.ts";
import { type NavigateStep, navigateStep, type StepFactory } from "../step.ts";

interface WriteHtml {
  readonly html: string;
  readonly baseUrl?: string;
}

export const writeHtml: StepFactory<NavigateStep, WriteHtml> = navigateStep({
  name: "write-html",
  phase: "navigate",
  run: (page, { html, baseUrl }) => showHtml(page, html, baseUrl),
});
