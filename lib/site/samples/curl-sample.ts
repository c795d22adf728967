// The sample of an HTTP request as a curl command.
import type { SampleRequest } from "./http-request.ts";

/** Text as one word of a POSIX shell; its variables are inserted. */
function shellWord(text: string): string {
  if (pieces(text).some((piece) => "variable" in piece)) {
    return `"${pieces(text)
      .map((piece) => ("text" in piece ? piece.text.replaceAll(/[\\"`$]/g, "\\$&") : `$${piece.variable}`))
      .join("")}"`;
  }
  return literalWord(text);
}

function literalWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The request as a command of a POSIX shell. Variables of the shell, such as `$ID`, are inserted. */
export function curl({ method, url, headers, body, output }: SampleRequest): string {
  const isImplied = method === (body ? "POST" : "GET");
  const data =
    body?.kind === "json"
      ? [`-d ${literalWord(body.text)}`]
      : (body?.fields ?? []).map(([name, value]) => `--data-urlencode ${shellWord(`${name}=${value}`)}`);
  const parts = [
    `curl --fail-with-body ${isImplied ? "" : `-X ${method} `}${shellWord(url)}`,
    ...headers.map(([name, value]) => `-H ${shellWord(`${name}: ${value}`)}`),
    ...data,
    ...(output === undefined ? [] : [`-o ${literalWord(output)}`]),
  ];
  return parts.join(" \\\n  ");
}

/** A text as pieces: literals, and names of environment variables. */
type Piece = { readonly text: string } | { readonly variable: string };

export function pieces(text: string): Piece[] {
  return text
    .split(/(\$[A-Z_]+)/)
    .filter((part) => part !== "")
    .map((part) => (/^\$[A-Z_]+$/.test(part) ? { variable: part.slice(1) } : { text: part }));
}
