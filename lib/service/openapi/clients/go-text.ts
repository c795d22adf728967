// Names, comments, and columns of Go, as gofmt writes them.
import { pascalCase } from "./pascal-case.ts";

/** Words that Go writes in capitals. */
const INITIALISMS = [
  "acl",
  "api",
  "arn",
  "css",
  "csp",
  "dom",
  "fps",
  "html",
  "http",
  "id",
  "ip",
  "json",
  "pdf",
  "tls",
  "ttl",
  "url",
];

/** `webhook_url` becomes `WebhookURL`, and `PdfPaperFormat` becomes `PDFPaperFormat`. */
export function goName(name: string): string {
  const words = name.match(/[A-Z]?[a-z0-9]+|[A-Z]+/g) ?? [];
  return words
    .map((word) => (INITIALISMS.includes(word.toLowerCase()) ? word.toUpperCase() : pascalCase(word)))
    .join("");
}

/** A comment before a declaration. A text with several lines is a list, with the margin of gofmt. */
export function goComment(text: string, margin = ""): string {
  const lines = text.split("\n").map((line) => (line.startsWith("- ") ? `  ${line}` : line));
  return lines.map((line) => `${margin}// ${line}`.trimEnd()).join("\n");
}

/** Lines whose cells stand below each other. */
export function goColumns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => length(row[column] ?? ""))));
  return rows.map((row) =>
    `\t${row.map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - length(cell))).join(" ")}`.trimEnd(),
  );
}

/** The characters of a text: JavaScript counts UTF-16 code units. */
const length = (text: string): number => [...text].length;
