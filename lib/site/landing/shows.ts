// What captures look like: each claim of the landing page with a result of this service.
import { renderDocument } from "../docs/render-markdown.ts";
import { type Html, html, rawHtml } from "../html.ts";
import { BASE_PATH } from "../site-files.ts";
import {
  type LandingFacts,
  type LandingPicture,
  landingFacts,
  landingFile,
  landingWidths,
} from "./landing-pictures.ts";

type AssetAddress = (file: string) => string;

interface Show {
  readonly title: string;
  readonly text: string;
  /** Below `/docs/guide`. */
  readonly guide: string;
  readonly link: string;
  readonly figure: (assetAddress: AssetAddress) => Html;
}

const list: readonly Show[] = [
  {
    title: "The whole page, as a visitor sees it",
    text: "Sections have appeared, lazy images are there, counters have counted, and a fixed bar stands once, where it belongs. Both pictures are of the same page.",
    guide: "full-page",
    link: "Full pages",
    figure: (at) => html`<div class="pair">
${figure(image(at, "journey-script", "The page with empty sections, zeros, and a bar across an image"), html`Puppeteer: <code>fullPage: true</code>`)}
${figure(image(at, "journey", "The same page with all of its sections, images, and numbers"), html`Here: <code>full_page=true</code>`)}
</div>`,
  },
  {
    title: "Cookie walls, gone",
    text: "The service clicks the button that rejects, in thirty languages. Filter lists keep ads, trackers, and chats away.",
    guide: "clean-pages",
    link: "Clean pages",
    figure: (at) => html`<div class="pair">
${figure(image(at, "consent-before", "A museum’s page behind a dialog that asks for consent to cookies"), html`As it loads`)}
${figure(image(at, "consent", "The same page without the dialog"), html`<code>block_cookie_banners=true</code>`)}
</div>`,
  },
  {
    title: "It says when a picture is wrong",
    text: "A login wall, an error page with status 200, a spinner, a missing image: each is named with its evidence, and a quality from 0 to 100. Refuse such pictures with one option, and pay nothing for them.",
    guide: "problems",
    link: "Is this picture right?",
    figure: (at) => html`<div class="pair">
${figure(image(at, "members", "A page that asks to sign in"), html`What was captured`)}
${figure(code("json", { problems: [shortProblem(landingFacts.problem)], quality: landingFacts.quality }), html`What you get with it, without the rectangle`)}
</div>`,
  },
  {
    title: "PDFs to hand out",
    text: "Page sizes, margins, headers, footers, an outline, and tags. Cut tables repeat their heads, and what a page hides from printers is brought back.",
    guide: "pdf",
    link: "PDF",
    figure: (at) => html`<div class="pages">
<div class="page-strip" tabindex="0" role="group" aria-label="A report in four pages">${([1, 2, 3, 4] as const).map(
      (page) => image(at, `report-${page}`, `Page ${page} of an annual report`),
    )}</div>
<p class="page-buttons" hidden><button type="button" aria-label="Previous page">←</button><button type="button" aria-label="Next page">→</button></p>
</div>`,
  },
  {
    title: "Video, exact to the frame",
    text: "MP4, WebM, GIF, and animated WebP. Time in the page advances frame by frame, however slow the machine is, so that no frame is missing.",
    guide: "video",
    link: "Video",
    figure: (at) => html`<div class="film">
<video width="640" height="400" muted loop playsinline preload="none" poster="${at(landingFile("regatta", 640))}" data-mp4="${at("landing-regatta.mp4")}" data-webm="${at("landing-regatta.webm")}" aria-label="A boat sails across the window"></video>
<button type="button" hidden>Play</button>
</div>`,
  },
  {
    title: "Text for models",
    text: "Markdown of the page as it is after its scripts have run, with its tables, lists, and links. Plain text, metadata, and several results of one load, too.",
    guide: "text-and-metadata",
    link: "Text and metadata",
    figure: (at) => html`<div class="pair">
${figure(image(at, "tides", "A page with a table of tides and an advertisement"), html`The page`)}
${figure(code("markdown", landingFacts.markdown), html`<code>format=markdown</code>`)}
</div>`,
  },
  {
    title: "Numbers that an agent can click",
    text: "Each link, field, and button gets a number in the picture, and its role, name, and selector in a list. Agents connect with MCP.",
    guide: "agents",
    link: "Pages for agents",
    figure: (at) => html`<div class="pair">
${figure(
  html`<picture><source media="(prefers-color-scheme: dark)" srcset="${at("annotated-dark.webp")}"><img src="${at("annotated-light.webp")}" width="720" height="420" loading="lazy" alt="A booking form whose elements have frames and numbers"></picture>`,
  html`<code>annotate=true</code>`,
)}
${figure(code("json", landingFacts.elements.slice(6, 8).map(shortElement)), html`<code>format=elements</code>, shortened`)}
</div>`,
  },
  {
    title: "Every capture, with its picture",
    text: "The dashboard lists what you captured, how long each phase took, and why something failed. Keys, webhooks, usage, and invoices are next to it.",
    guide: "dashboard",
    link: "Dashboard",
    figure: (at) =>
      html`<figure>${image(at, "dashboard", "The dashboard with pictures of the latest captures")}</figure>`,
  },
];

/** `assetAddress` gives the address of a file of lib/site/web/pictures. */
export function shows(assetAddress: AssetAddress): Html {
  return html`<section class="band"><div class="shows">
${list.map(
  ({ title, text, guide, link, figure: content }) => html`<div class="show"><div><h2>${title}</h2><p>${text}</p>
<p><a href="${BASE_PATH}/docs/guide/${guide}">${link}</a></p></div>
${content(assetAddress)}</div>`,
)}
</div></section>`;
}

function figure(content: Html, caption: Html): Html {
  return html`<figure>${content}<figcaption>${caption}</figcaption></figure>`;
}

/** An image that loads when it is near the window, in the width that its place needs. */
function image(assetAddress: AssetAddress, name: LandingPicture, alt: string): Html {
  const { width, height } = landingFacts.sizes[name];
  const widths = landingWidths[name];
  const sources = widths.map((each) => `${assetAddress(landingFile(name, each))} ${each}w`).join(", ");
  return html`<img src="${assetAddress(landingFile(name, widths[0]))}" srcset="${sources}" sizes="(width < 60rem) 45vw, (width < 90rem) 28vw, 24rem" width="${width}" height="${height}" loading="lazy" decoding="async" alt="${alt}">`;
}

function code(language: "json" | "markdown", content: unknown): Html {
  const text = typeof content === "string" ? content.trim() : JSON.stringify(content, undefined, 2);
  return rawHtml(renderDocument("docs/start.md", `\`\`\`\`${language}\n${text}\n\`\`\`\`\n`).html);
}

/** Without the rectangle, which takes five lines. */
function shortProblem({ evidence, ...problem }: LandingFacts["problem"]) {
  const { rectangle: _, ...shown } = evidence as Readonly<Record<string, unknown>>;
  return { ...problem, evidence: shown };
}

/** What an agent needs first of an element. */
function shortElement({ ref, role, name, selector }: Readonly<Record<string, unknown>>) {
  return { ref, role, name, selector };
}
