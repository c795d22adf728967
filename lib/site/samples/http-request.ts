// The HTTP request that a curl command of the documentation sends.

export interface SampleRequest {
  readonly method: string;
  /** With its query. */
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: JsonBody | FormBody;
  /** File that the response is written to; without one it is printed. */
  readonly output?: string;
}

export interface JsonBody {
  readonly kind: "json";
  readonly text: string;
}

export interface FormBody {
  readonly kind: "form";
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/**
 * Parses a command as the documentation writes them. Undefined for a command with other options of curl than these, such as
 * `-D`, for which a sample in another language would not be the same.
 */
export function parseCurl(command: string): SampleRequest | undefined {
  const [program, ...words] = splitWords(command);
  if (program !== "curl") return undefined;
  let method: string | undefined;
  let url: string | undefined;
  let output: string | undefined;
  const headers: [string, string][] = [];
  const data: string[] = [];
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? "";
    const takesValue = ["-X", "-H", "-d", "--data-urlencode", "-o"].includes(word);
    const value = takesValue ? (words[++index] ?? "") : "";
    if (word === "-X") method = value;
    else if (word === "-H") headers.push(splitOnce(value, ": "));
    else if (word === "-d" || word === "--data-urlencode") data.push(value);
    else if (word === "-o") output = value;
    else if (word === "--fail-with-body") continue;
    else if (word.startsWith("-") || url !== undefined) return undefined;
    else url = word;
  }
  if (url === undefined || data.some((each) => isFromFile(each))) return undefined;
  const body = toBody(data);
  return {
    method: method ?? (body ? "POST" : "GET"),
    url,
    headers,
    ...(body && { body }),
    ...(output !== undefined && { output }),
  };
}

/** `name@file` sends the content of a file. */
const isFromFile = (field: string): boolean => !field.includes("=") && !field.startsWith("{");

function toBody(data: readonly string[]): SampleRequest["body"] | undefined {
  const [first] = data;
  if (first === undefined) return undefined;
  if (first.startsWith("{")) return { kind: "json", text: first };
  return { kind: "form", fields: data.map((field) => splitOnce(field, "=")) };
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return [text.slice(0, at), text.slice(at + separator.length)];
}

/** The words of a shell command, with quotation marks and line continuations resolved. */
function splitWords(command: string): string[] {
  const words: string[] = [];
  let word: string | undefined;
  let quote = "";
  for (let index = 0; index < command.length; index++) {
    const character = command[index] ?? "";
    if (quote !== "") {
      if (character === quote) quote = "";
      else word += character;
    } else if (character === "'" || character === '"') {
      quote = character;
      word ??= "";
    } else if (character === "\\" && command[index + 1] === "\n") {
      index++;
    } else if (character === " " || character === "\n") {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = `${word ?? ""}${character}`;
    }
  }
  return word === undefined ? words : [...words, word];
}
