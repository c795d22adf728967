// The sample of an HTTP request in Python, with Requests.
import type { SampleRequest } from "../http-request.ts";
import { doubleQuoted, pythonLiteral, textExpression } from "../literals.ts";

/** The program. */
export function python({ method, url, headers, body, output }: SampleRequest): string {
  const value = (text: string) =>
    textExpression(text, { quote: doubleQuoted, variable: (name) => `os.environ["${name}"]`, join: " + " });
  // Requests sets the content type of JSON itself.
  const sent = headers.filter(([name]) => body?.kind !== "json" || name !== "Content-Type");
  const lines = [
    `${value(url)},`,
    `headers={${sent.map(([name, text]) => `${doubleQuoted(name)}: ${value(text)}`).join(", ")}},`,
  ];
  if (body?.kind === "json") lines.push(`json=${pythonLiteral(JSON.parse(body.text), "    ")},`);
  if (body?.kind === "form") {
    lines.push(
      `data={${body.fields.map(([name, text]) => `\n        ${doubleQuoted(name)}: ${value(text)},`).join("")}\n    },`,
    );
  }
  return [
    "import os",
    "",
    "import requests",
    "",
    `response = requests.${method.toLowerCase()}(`,
    ...lines.map((line) => `    ${line}`),
    ")",
    "if not response.ok:",
    "    raise SystemExit(response.text)",
    ...(output === undefined
      ? ["print(response.text)"]
      : [`with open(${doubleQuoted(output)}, "wb") as file:`, "    file.write(response.content)"]),
  ].join("\n");
}
