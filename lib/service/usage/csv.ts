// Lines of CSV (RFC 4180) that a spreadsheet runs nothing of. Every writer of CSV uses it.

/** Returns the first line, of names that are letters, digits, and underscores. */
export function csvHeader(names: readonly string[]): string {
  return `${names.join(",")}\r\n`;
}

/** Returns the line of a row, with its end. */
export function csvLine(values: readonly unknown[]): string {
  return `${values.map(csvField).join(",")}\r\n`;
}

/**
 * Spreadsheets run a field that begins with one of these characters as a formula, and what a page or a caller wrote must not
 * run there: also in their full width, which some locales take for the same, and after blanks, which some programs remove. An
 * apostrophe makes it text. https://owasp.org/www-community/attacks/CSV_Injection
 */
const FORMULA = /^[\s\p{Cc}\p{Cf}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/u;

/** Every field is in quotes: some spreadsheets split at semicolons or tabs, and a part that begins a field would be one. */
function csvField(value: unknown): string {
  if (value === null || value === undefined) return '""';
  const text = String(value);
  const safe = typeof value === "string" && FORMULA.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
