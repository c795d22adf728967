// The reference of the capture options as a page: values, default, formats, contradictions, and a sample for each.

import { allowedValues } from "../../contract/options/allowed-values.ts";
import { mutuallyExclusive } from "../../contract/options/conflicts/conflicts.ts";
import { describeScope, type OptionReference, optionReference } from "../../contract/options/option-reference.ts";
import { optionSamples } from "../../contract/options/option-samples.ts";
import { type Html, html, rawHtml } from "../html.ts";
import { assetUrl } from "../layout.ts";
import { playgroundLink } from "../playground-link.ts";
import { type MarkdownHeading, renderInline } from "./render-markdown.ts";

/** File names of the pictures of effects, by option. */
export type OptionPictures = ReadonlyMap<string, string>;

export interface OptionsArticle {
  readonly body: Html;
  readonly headings: readonly MarkdownHeading[];
}

export function optionsArticle(pictures: OptionPictures): OptionsArticle {
  const groups = optionReference().map((group) => ({ ...group, id: slug(group.group) }));
  return {
    headings: groups.map(({ group, id }) => ({ depth: 2, id, text: group })),
    body: html`<p>Send exactly one of <code>url</code>, <code>html</code>, and <code>markdown</code>. Every other option has
a default. An option has the same name in a query, in a form, and in JSON; a list is a repeated parameter or a JSON array. An
option that is misspelt, out of bounds, or contradicts another is refused, never ignored.</p>
<p class="option-filter" data-option-filter><label>Filter <input type="search" placeholder="pdf, cookie, width …" autocomplete="off"></label> <output></output></p>
${groups.map(
  ({
    group,
    id,
    about,
    options,
  }) => html`<section class="option-group"><h2 id="${id}">${group}<a class="anchor" href="#${id}" aria-label="Link to “${group}”">#</a></h2>
<p>${about}</p>
${options.map((option) => optionEntry(option, pictures.get(option.name)))}</section>`,
)}`,
  };
}

function optionEntry(option: OptionReference, picture: string | undefined): Html {
  const { name, description, jsonSchema, defaultText, needs = [] } = option;
  const excludes = mutuallyExclusive.flatMap(([one, other]) => (one === name ? [other] : other === name ? [one] : []));
  const scope = describeScope(option);
  const sample = optionSamples[name];
  return html`<div class="option" id="${name}">
<h3><a href="#${name}"><code>${name}</code></a></h3>
<p>${rawHtml(renderInline(description))}${scope !== "" && ` ${scope}`}</p>
<dl>
<dt>Values</dt><dd>${rawHtml(renderInline(allowedValues(jsonSchema)))}</dd>
${defaultText !== undefined && html`<dt>Default</dt><dd>${defaultText}</dd>`}
${needs.length > 0 && html`<dt>Needs</dt><dd>${links(needs, " or ")}</dd>`}
${excludes.length > 0 && html`<dt>Contradicts</dt><dd>${links(excludes, ", ")}</dd>`}
${sample !== undefined && html`<dt>Sample</dt><dd><code class="sample">${sampleQuery(sample)}</code> <a href="${playgroundLink(withInput(sample))}">Try it</a></dd>`}
</dl>
${picture !== undefined && html`<img src="${assetUrl(picture)}" alt="The same page without and with ${name}" width="640" height="200" loading="lazy" decoding="async">`}
</div>`;
}

/** A capture needs a page; most samples leave it out. */
function withInput(sample: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const hasInput = ["url", "html", "markdown"].some((name) => name in sample);
  return hasInput ? sample : { url: "https://example.com", ...sample };
}

function sampleQuery(sample: Readonly<Record<string, string>>): string {
  return Object.entries(sample)
    .map(([name, value]) => `${name}=${value}`)
    .join(" & ");
}

function links(names: readonly string[], separator: string): Html[] {
  return names.map((name, index) => html`${index > 0 && separator}<a href="#${name}"><code>${name}</code></a>`);
}

const slug = (text: string): string => text.toLowerCase().replaceAll(" ", "-");
