// The call of a client that sends the same as an HTTP request.
import { documentFormats } from "../../contract/options/formats.ts";
import { optionReference } from "../../contract/options/option-reference.ts";
import type { SampleRequest } from "./http-request.ts";

export type ClientCallOptions = Readonly<Record<string, unknown>>;

export interface ClientCall {
  readonly baseUrl: string;
  /** Name of the environment variable with the API key. */
  readonly keyVariable: string;
  /** `save` writes the result to `output`, `print` prints a document, the other ones print what the service answers. */
  readonly kind: "save" | "print" | "store" | "storeOutputs" | "enqueue";
  readonly options: ClientCallOptions;
  readonly output: string | undefined;
}

const CAPTURES = "/api/v1/screenshot";
const schemas = new Map(
  optionReference().flatMap(({ options }) => options.map((each) => [each.name, each.jsonSchema])),
);

/** The call; undefined for a request that isn't a capture with an API key, that needs other headers, or whose result clients return in another form. */
export function clientCall(request: SampleRequest): ClientCall | undefined {
  const keyVariable = apiKeyVariable(request);
  const sent = sentOptions(request);
  if (keyVariable === undefined || !sent || Object.keys(sent).some((name) => !schemas.has(name) && name !== "outputs"))
    return undefined;
  const { response_type: type, async: isAsync, ...options } = sent;
  const { output } = request;
  const [baseUrl = ""] = request.url.split(CAPTURES);
  const call = (kind: ClientCall["kind"]) => ({ baseUrl, keyVariable, kind, options, output });
  if (options["outputs"] !== undefined)
    return isAsync !== true && (type ?? "json") === "json" && output === undefined ? call("storeOutputs") : undefined;
  if (isAsync === true && output === undefined) return call("enqueue");
  if (type === "json" && output === undefined) return call("store");
  if (isAsync === true || (type ?? "by_format") !== "by_format") return undefined;
  if (output !== undefined) return call("save");
  return documentFormats.some((format) => format === options["format"]) ? call("print") : undefined;
}

/** The name of the environment variable with the key; undefined if there is none, or if the request has other headers. */
function apiKeyVariable({ headers }: SampleRequest): string | undefined {
  if (headers.some(([name]) => name !== "Authorization" && name !== "Content-Type")) return undefined;
  return /^Bearer \$([A-Z_]+)$/.exec(headers.find(([name]) => name === "Authorization")?.[1] ?? "")?.[1];
}

/** The options of a capture as values; undefined for other requests, and for values that are variables of the shell. */
function sentOptions({ method, url, body }: SampleRequest): ClientCallOptions | undefined {
  const [path = "", query = ""] = url.split("?");
  if (!path.endsWith(CAPTURES) || !["GET", "POST"].includes(method)) return undefined;
  if (body?.kind === "json") return JSON.parse(body.text);
  const fields = body?.fields ?? [...new URLSearchParams(query)];
  if (fields.some(([, value]) => /\$[A-Z_]+/.test(value))) return undefined;
  const texts = Object.entries(Object.groupBy(fields, ([name]) => name));
  return Object.fromEntries(
    texts.map(([name, same = []]) => [
      name,
      toValue(
        name,
        same.map(([, value]) => value),
      ),
    ]),
  );
}

/** The value that texts of a query or a form stand for. */
function toValue(name: string, texts: readonly string[]): unknown {
  const type = schemas.get(name)?.["type"];
  const [text = ""] = texts;
  if (name === "outputs") return JSON.parse(text);
  if (type === "array" || texts.length > 1) return texts;
  if (type === "boolean") return text === "true";
  return type === "integer" || type === "number" ? Number(text) : text;
}
