// The landing page: a field that captures, what captures look like, three measured times, the plans, and how to run the service.
import { html } from "../html.ts";
import type { PageContent } from "../layout.ts";
import { planCards } from "../plan-cards.ts";
import { BASE_PATH } from "../site-files.ts";
import { markdownPath } from "../site-paths.ts";
import { codeSection, hero } from "./hero.ts";
import { measuredTimes } from "./measured-times.ts";
import { ownership } from "./ownership.ts";
import { shows } from "./shows.ts";

/** `assetAddress` gives the address of a file of lib/site/web/pictures. */
export function landingPage(assetAddress: (file: string) => string): PageContent {
  return {
    path: "/",
    markdown: markdownPath("/"),
    title: "Screenshots, PDFs, and videos of any page",
    description: "An API that turns any web page, HTML, or Markdown into an image, a PDF, a video, or clean text.",
    kind: "landing",
    main: html`${hero(assetAddress)}
${codeSection}
${shows(assetAddress)}
${measuredTimes}
<section class="plans"><h2>Plans</h2>
<p>Failures and cached answers cost nothing. <a href="${BASE_PATH}/pricing">Calculate your month</a>.</p>
${planCards}</section>
${ownership}`,
  };
}
