// The API reference: every operation of the OpenAPI document, readable.
import { openapiDocument } from "../../api/openapi/document.ts";
import { type Html, html, rawHtml } from "../html.ts";
import { BASE_PATH, BASE_URL } from "../site-files.ts";
import { type Heading, renderInline } from "./render-markdown.ts";

interface Parameter {
  readonly name?: string;
  readonly in?: string;
  readonly description?: string;
  readonly required?: boolean;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly responses: Readonly<Record<string, { readonly description?: string; readonly $ref?: string }>>;
  readonly tags: readonly string[];
}

interface Document {
  readonly info: { readonly description?: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly parameters?: Readonly<Record<string, Parameter>> };
}

export function apiArticle(): { body: Html; headings: readonly Heading[] } {
  const document = openapiDocument(BASE_URL) as unknown as Document;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method, { operationId }]) => method !== "head" && operationId !== undefined)
      .map(([method, operation]) => ({ path, method: method.toUpperCase(), ...operation })),
  );
  const tags = [...new Set(operations.flatMap((each) => each.tags))];
  const inline = (markdown: string) => rawHtml(renderInline(markdown));
  return {
    headings: tags.map((tag) => ({ depth: 2, id: idOf(tag), text: tag })),
    body: html`<p>All routes begin with <code>${BASE_URL}</code>. Send the key as <code>Authorization: Bearer</code>. The same
facts for programs: <a href="${BASE_PATH}/openapi.json">openapi.json</a> (OpenAPI 3.1) and a
<a href="${BASE_PATH}/docs/postman.json" download>Postman collection</a>, which Bruno and Insomnia import, too.</p>
${tags.map(
  (tag) => html`<section><h2 id="${idOf(tag)}">${tag}</h2>
${operations
  .filter((each) => each.tags.includes(tag))
  .map((operation) => {
    const parameters = (operation.parameters ?? []).map((each) => resolve(each, document));
    const [shown, options] = [
      parameters.filter((each) => !isOption(operation, each)),
      parameters.filter((each) => isOption(operation, each)),
    ];
    return html`<section class="operation" id="${operation.operationId}">
<h3><a href="#${operation.operationId}">${operation.summary}</a></h3>
<p class="route"><code><b>${operation.method}</b> ${operation.path}</code>${operation.security?.length === 0 && html` <span class="status">no key</span>`}</p>
${operation.description !== undefined && html`<p>${inline(operation.description)}</p>`}
${shown.length > 0 && html`<dl>${shown.map(({ name, description }) => html`<dt><code>${name}</code></dt><dd>${inline(description ?? "")}</dd>`)}</dl>`}
${options.length > 0 && html`<p>Takes all <a href="${BASE_PATH}/docs/reference/options">options</a>.</p>`}
<p class="responses">${Object.entries(operation.responses).map(
      ([status, response]) => html`<span><b>${status}</b> ${statusText(status, response.description)}</span> `,
    )}</p>
</section>`;
  })}</section>`,
)}`,
  };
}

const idOf = (tag: string) => `tag-${tag.toLowerCase().replaceAll(" ", "-")}`;

/** The capture options, which have a page of their own. */
const isOption = ({ parameters = [] }: Operation, { in: place }: Parameter) =>
  parameters.length > 50 && place === "query";

function resolve(parameter: Parameter & { readonly $ref?: string }, { components }: Document): Parameter {
  const name = parameter.$ref?.split("/").at(-1);
  return name === undefined ? parameter : (components.parameters?.[name] ?? {});
}

function statusText(status: string, description = ""): string {
  const sentence = description.split(/(?<=\.)\s/)[0] ?? "";
  return Number(status) >= 400 || sentence.length > 90 || sentence.includes("`") ? "" : sentence;
}
