// The sample of a capture with the typed client.
import { documentFormats } from "../../contract/options/formats.ts";
import { optionReference } from "../../contract/options/option-reference.ts";
import type { SampleRequest } from "./http-request.ts";

type Options = Readonly<Record<string, unknown>>;

const CAPTURES = "/api/v1/screenshot";
const schemas = new Map(
  optionReference().flatMap(({ options }) => options.map((each) => [each.name, each.jsonSchema])),
);

/** The program in TypeScript; undefined for a request that isn't a capture with an API key, or that needs other headers. */
export function clientSample(request: SampleRequest): string | undefined {
  const key = apiKeyVariable(request);
  const options = sentOptions(request);
  if (key === undefined || !options || Object.keys(options).some((name) => !schemas.has(name))) return undefined;
  const call = clientCall(options, request.output);
  if (!call) return undefined;
  const [baseUrl] = request.url.split(CAPTURES);
  return [
    ...(request.output === undefined ? [] : ['import { writeFile } from "node:fs/promises";']),
    'import { ScreenCapture } from "screen-capture-client";',
    "",
    `const client = new ScreenCapture({ key: process.env.${key}, baseUrl: ${JSON.stringify(baseUrl)} });`,
    ...call,
  ].join("\n");
}

/** The name of the environment variable with the key; undefined if there is none, or if the request has other headers. */
function apiKeyVariable({ headers }: SampleRequest): string | undefined {
  if (headers.some(([name]) => name !== "Authorization" && name !== "Content-Type")) return undefined;
  return /^Bearer \$([A-Z_]+)$/.exec(headers.find(([name]) => name === "Authorization")?.[1] ?? "")?.[1];
}

/** The options of a capture as values; undefined for other requests, and for values that are variables of the shell. */
function sentOptions({ method, url, body }: SampleRequest): Options | undefined {
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
  if (type === "array" || texts.length > 1) return texts;
  if (type === "boolean") return text === "true";
  return type === "integer" || type === "number" ? Number(text) : text;
}

/** The statements that capture and show the result; undefined for a result that the client returns in another form. */
function clientCall({ response_type: type, async: isAsync, ...options }: Options, output: string | undefined) {
  if (isAsync === true && output === undefined) {
    return [`const accepted = await client.enqueue(${literal(options)});`, "console.log(accepted.status_url);"];
  }
  if (type === "json" && output === undefined) {
    return [`const result = await client.store(${literal(options)});`, "console.log(result);"];
  }
  if (isAsync === true || (type ?? "by_format") !== "by_format") return undefined;
  if (output !== undefined) {
    return [
      `const { bytes } = await client.capture(${literal(options)});`,
      `await writeFile(${JSON.stringify(output)}, bytes);`,
    ];
  }
  if (!documentFormats.some((format) => format === options["format"])) return undefined;
  return [`const page = await client.capture(${literal(options)});`, "console.log(page.text());"];
}

function literal(options: Options): string {
  const lines = Object.entries(options).map(
    ([name, value]) => `  ${name}: ${JSON.stringify(value, undefined, 2).replaceAll("\n", "\n  ")},`,
  );
  return `{\n${lines.join("\n")}\n}`;
}
