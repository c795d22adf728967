// What the command line prints: results to standard output; progress, warnings, and errors to standard error.
import { stderr, stdout } from "node:process";
import type { Retry } from "../transport.ts";

const CODES = { red: 31, green: 32, yellow: 33, bold: 1, dim: 2 } as const;

/** Colors text if standard error is a terminal and `NO_COLOR` isn't set (https://no-color.org). */
function colored(style: keyof typeof CODES, text: string): string {
  return stderr.isTTY && !process.env["NO_COLOR"] ? `\u001b[${CODES[style]}m${text}\u001b[0m` : text;
}

/** Text without control characters: titles and messages of a page could otherwise control the terminal. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to remove
  return text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, "");
}

export function printLine(text: string): void {
  stdout.write(`${stdout.isTTY ? printable(text) : text}\n`);
}

export function printJson(value: unknown): void {
  printLine(JSON.stringify(value, undefined, stdout.isTTY ? 2 : undefined));
}

export function printWarning(text: string): void {
  stderr.write(`${colored("yellow", "warning:")} ${printable(text)}\n`);
}

export function printError(text: string): void {
  stderr.write(`${colored("red", "error:")} ${printable(text)}\n`);
}

/** Says that a capture is attempted again, and why. */
export function printRetry(name: string, { attempt, attempts, delayMs, error }: Retry): void {
  const wait = delayMs >= 1_000 ? ` in ${Math.round(delayMs / 1000)} s` : "";
  stderr.write(
    `${colored("dim", `retrying (${attempt} of ${attempts})${wait}:`)} ${printable(`${name}: ${error.message}`)}\n`,
  );
}

/** Prints an error under the name of what failed; an error of the service with its code and its request. */
export function printFailure(name: string, error: Error): void {
  const { code, requestId } = error as { code?: unknown; requestId?: unknown };
  printError(`${name}: ${error.message}${requestId === undefined ? "" : ` (${code}, request ${requestId})`}`);
}

/** Columns of equal width, two spaces apart; numbers are aligned to the right. */
export function table(rows: readonly (readonly (string | number)[])[]): string {
  const width = (column: number) => Math.max(...rows.map((row) => String(row[column] ?? "").length));
  const cell = (value: string | number, column: number) =>
    typeof value === "number" ? String(value).padStart(width(column)) : value.padEnd(width(column));
  return rows.map((row) => row.map(cell).join("  ").trimEnd()).join("\n");
}
