// The sample of an HTTP request in JavaScript, with fetch.
import { pieces } from "../curl-sample.ts";
import type { SampleRequest } from "../http-request.ts";
import { doubleQuoted, prettyJson, textExpression } from "../literals.ts";

const templateText = (text: string) => text.replaceAll(/[\\`$]/g, "\\$&");

const indent = (text: string, by: string) => text.replaceAll("\n", `\n${by}`);

/** The program. */
export function javascript({ method, url, headers, body, output }: SampleRequest): string {
  const value = (text: string) =>
    pieces(text).some((piece) => "variable" in piece)
      ? `\`${textExpression(text, { quote: templateText, variable: (name) => `\${process.env.${name}}`, join: "" })}\``
      : doubleQuoted(text);
  const lines = [
    ...(method === "GET" ? [] : [`method: "${method}",`]),
    `headers: { ${headers.map(([name, text]) => `${/^\w+$/.test(name) ? name : doubleQuoted(name)}: ${value(text)}`).join(", ")} },`,
  ];
  if (body?.kind === "json") lines.push(`body: JSON.stringify(${indent(prettyJson(body.text), "  ")}),`);
  if (body?.kind === "form") {
    const fields = body.fields.map(([name, text]) => `    ${name}: ${value(text)},`).join("\n");
    lines.push(`body: new URLSearchParams({\n${fields}\n  }),`);
  }
  return [
    ...(output === undefined ? [] : ['import { writeFile } from "node:fs/promises";', ""]),
    `const response = await fetch(${value(url)}, {`,
    ...lines.map((line) => `  ${line}`),
    "});",
    "if (!response.ok) throw new Error(await response.text());",
    output === undefined
      ? "console.log(await response.text());"
      : `await writeFile(${doubleQuoted(output)}, new Uint8Array(await response.arrayBuffer()));`,
  ].join("\n");
}
