// The API reference: every operation of the OpenAPI document, with a request in several languages, its fields, and its errors.
import { type Html, html, rawHtml } from "../html.ts";
import { BASE_PATH, BASE_URL } from "../site-files.ts";
import {
  type ApiOperation,
  apiOperations,
  apiTags,
  type Parameter,
  resolveSchema,
  type Schema,
} from "./api-operations.ts";
import { type MarkdownHeading, renderCode, renderInline } from "./render-markdown.ts";

export function apiArticle(): { body: Html; headings: readonly MarkdownHeading[] } {
  return {
    headings: apiTags.flatMap((tag) => [
      { depth: 2, id: tagId(tag), text: tag },
      ...apiOperations.filter((each) => each.tag === tag).map(({ id, summary }) => ({ depth: 3, id, text: summary })),
    ]),
    body: html`<p>All routes begin with <code>${BASE_URL}</code>. Send the key as <code>Authorization: Bearer</code>. The same
facts for programs: <a href="${BASE_PATH}/openapi.json">openapi.json</a> (OpenAPI 3.1) and a
<a href="${BASE_PATH}/docs/postman.json" download>Postman collection</a>, which Bruno and Insomnia import, too.</p>
${apiTags.map(
  (
    tag,
  ) => html`<section><h2 id="${tagId(tag)}">${tag}<a class="anchor" href="#${tagId(tag)}" aria-label="Link to “${tag}”">#</a></h2>
${apiOperations.filter((each) => each.tag === tag).map(operationSection)}</section>`,
)}`,
  };
}

const tagId = (tag: string) => `tag-${tag.toLowerCase().replaceAll(" ", "-")}`;

/** A short text of Markdown, which may have a list or several paragraphs. */
const inline = (markdown: string) => rawHtml(renderInline(markdown));

function operationSection(operation: ApiOperation): Html {
  const { id, summary, method, path, needsKey, description, command, errors } = operation;
  return html`<section class="operation" id="${id}">
<h3><a href="#${id}">${summary}</a></h3>
<p class="route"><code><b class="method">${method}</b> ${path}</code>${!needsKey && html` <span class="status">no key</span>`}</p>
${description !== undefined && html`<p>${inline(description)}</p>`}
${rawHtml(renderCode("sh", command))}
${requestFields(operation)}
${operation.successes.map(({ status, description: text, schema }) => successResponse(status, text, schema))}
<p class="responses">Errors: ${errors.map(
    (code, index) => html`${index > 0 && ", "}<a href="${BASE_PATH}/docs/errors#${code}"><code>${code}</code></a>`,
  )}</p>
</section>`;
}

function requestFields({ parameters, takesOptions, body }: ApiOperation): Html {
  const fields = body === undefined ? [] : objectFields(body);
  return html`${takesOptions && html`<p>Takes all <a href="${BASE_PATH}/docs/reference/options">options</a>.</p>`}
${(parameters.length > 0 || fields.length > 0) && html`<h4>Request</h4><ul class="schema">${parameters.map(parameterItem)}${fields}</ul>`}`;
}

function parameterItem({ name, in: place, required = false, description = "", schema = {} }: Parameter): Html {
  const where = place === "header" ? "header" : place === "path" ? "in the path" : "query";
  return fieldItem(
    name,
    { ...schema, description },
    { note: required && place !== "path" ? `${where}, required` : where },
  );
}

function successResponse(status: string, description: string, schema: Schema | undefined): Html {
  const text = html`<b class="good">${status}</b> <span>${inline(description)}</span>`;
  if (schema === undefined) return html`<p class="response">${text}</p>`;
  const [example] = schema.examples ?? [];
  return html`<details class="response"><summary>${text}</summary>
<ul class="schema">${objectFields(schema)}</ul>
${example !== undefined && rawHtml(renderCode("json", JSON.stringify(example, undefined, 2)))}</details>`;
}

/** Fields are shown to this depth; deeper ones are in the OpenAPI document. */
const MAX_DEPTH = 3;

function objectFields({ properties = {}, required = [] }: Schema, depth = 0): Html[] {
  return Object.entries(properties).map(([name, schema]) =>
    fieldItem(name, resolveSchema(schema), { note: required.includes(name) ? undefined : "optional", depth }),
  );
}

function fieldItem(
  name: string,
  schema: Schema,
  { note, depth = 0 }: { readonly note?: string | undefined; readonly depth?: number },
): Html {
  const inner = innerObject(schema);
  const fields = inner && depth < MAX_DEPTH ? objectFields(inner, depth + 1) : [];
  const { description } = schema;
  return html`<li><code>${name}</code> <span class="type">${typeText(schema)}${note !== undefined && `, ${note}`}</span>
${description !== undefined && description !== "" && html`<div>${inline(description)}</div>`}
${fields.length > 0 && html`<details><summary>${fields.length === 1 ? "1 field" : `${fields.length} fields`}</summary><ul class="schema">${fields}</ul></details>`}</li>`;
}

/** The object that a value is, or that it is a list of; of several, the first. */
function innerObject(schema: Schema): Schema | undefined {
  const candidates = [schema, schema.items, ...(schema.anyOf ?? []), ...(schema.items?.anyOf ?? [])];
  return candidates
    .filter((each) => each !== undefined)
    .map(resolveSchema)
    .find(({ properties }) => properties !== undefined);
}

function typeText(schema: Schema): string {
  const { type, format, enum: values, const: constant, items, anyOf, oneOf, minimum, maximum } = resolveSchema(schema);
  if (constant !== undefined) return JSON.stringify(constant);
  if (values) return values.map((each) => JSON.stringify(each)).join(" or ");
  const alternatives = anyOf ?? oneOf;
  if (alternatives) return [...new Set(alternatives.map(typeText))].join(" or ");
  if (type === "array") return `list of ${typeText(items ?? {})}`;
  const name = type === undefined ? "any value" : [type].flat().join(" or ");
  if (format !== undefined && format !== "binary") return `${name} (${format})`;
  const isShortRange = minimum !== undefined && maximum !== undefined && maximum <= 1_000_000;
  return isShortRange ? `${name} from ${minimum} to ${maximum}` : name;
}
