// The API reference as Markdown, for agents.
import { type ApiOperation, apiOperations, apiTags, resolveSchema, type Schema } from "./api-operations.ts";

/** Relative links are those of a file in docs/reference. */
export function apiMarkdown(): string {
  const sections = apiTags.map((tag) => {
    const operations = apiOperations.filter((each) => each.tag === tag).map(operationText);
    return `## ${tag}\n\n${operations.join("\n\n")}`;
  });
  return `# API

Every operation of the API, with its fields and errors. Programs read the same facts from [openapi.json](../openapi.json),
OpenAPI 3.1.

${sections.join("\n\n")}
`;
}

function operationText(operation: ApiOperation): string {
  const { summary, method, path, description, parameters, body, takesOptions, successes, errors, command } = operation;
  const fields = [
    ...parameters.map(({ name, in: place, description: text = "" }) => `- \`${name}\` (${place}): ${text}`),
    ...fieldLines(body),
    ...(takesOptions ? ["- All [options](options.md)"] : []),
  ];
  return [
    `### ${summary}`,
    `\`${method} ${path}\``,
    ...(description === undefined ? [] : [description]),
    `\`\`\`sh\n${command}\n\`\`\``,
    ...(fields.length === 0 ? [] : [`Request:\n\n${fields.join("\n")}`]),
    ...successes.map(({ status, description: text, schema }) =>
      [`${status}: ${text}`, ...(schema ? [fieldLines(schema).join("\n")] : [])].join("\n\n"),
    ),
    `Errors: ${errors.map((code) => `\`${code}\``).join(", ")}`,
  ].join("\n\n");
}

function fieldLines(schema: Schema | undefined): string[] {
  return Object.entries(schema?.properties ?? {}).map(([name, each]) => {
    const { type, description } = resolveSchema(each);
    const kind = type === undefined ? "" : ` (${[type].flat().join(" or ")})`;
    return `- \`${name}\`${kind}${description === undefined ? "" : `: ${description}`}`;
  });
}
