// Prints a capture as a curl command. The key and other secrets are variables of the shell, so that no history has them.
import { options } from "../generated/command-line.ts";
import type { FlagValue } from "./flags.ts";

const secrets = new Set(options.filter(({ secret }) => secret).map(({ name }) => name));

export interface CurlRequest {
  readonly baseUrl: string;
  readonly options: Readonly<Record<string, FlagValue>>;
  /** Local file that the option `html` or `markdown` is read from. */
  readonly file?: string | undefined;
  readonly output?: string | undefined;
}

export function curlCommand({ baseUrl, options: given, file, output }: CurlRequest): string {
  const data = Object.entries(given).flatMap(([name, value]) =>
    (typeof value === "object" ? value : [String(value)]).map(
      (each, index) => `--data-urlencode ${dataArgument(name, each, { index, file })}`,
    ),
  );
  const parts = [
    "curl --fail-with-body",
    '-H "Authorization: Bearer $SCREEN_CAPTURE_KEY"',
    ...data,
    quoted(`${baseUrl.replace(/\/+$/, "")}/api/v1/screenshot`),
    ...(output === undefined ? [] : [`-o ${quoted(output)}`]),
  ];
  return parts.join(" \\\n  ");
}

/** A secret is taken from a variable with the name of its option; further ones have a number. */
function dataArgument(
  name: string,
  value: string,
  { index, file }: { readonly index: number; readonly file: string | undefined },
): string {
  if (file !== undefined && (name === "html" || name === "markdown")) return quoted(`${name}@${file}`);
  if (!secrets.has(name) && !hasCredentials(value)) return quoted(`${name}=${value}`);
  return `"${name}=$${name.toUpperCase()}${index === 0 ? "" : `_${index + 1}`}"`;
}

/** True for a URL with a user name or a password, such as `https://me:secret@example.com`. */
function hasCredentials(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return `${username}${password}` !== "";
}

/** Text as one word of a POSIX shell. */
export function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
