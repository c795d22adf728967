// Several outputs of one page: parses the list `outputs` of a request into the options of one capture each.
import * as v from "valibot";
import { ApiError } from "../errors/api-error.ts";
import { type CaptureOptions, optionAliases, parseCaptureOptions } from "./capture-options.ts";
import { coerced, shown } from "./coercion.ts";
import { type FormatKind, formatKind, isVideoFormat } from "./formats.ts";
import { type CaptureOptionName, captureOptionEntries } from "./groups/all.ts";
import { areaOptions } from "./groups/area.ts";
import { metadataOptions } from "./groups/metadata.ts";
import { outputOptions } from "./groups/output.ts";
import { pdfOptions } from "./groups/pdf.ts";
import { videoOptions } from "./groups/video.ts";
import { option, optionFacts } from "./option.ts";
import { validationError } from "./parse-options.ts";
import { between } from "./wording.ts";

export const MIN_OUTPUTS = 2;
export const MAX_OUTPUTS = 8;

/** Leaves room for a path and a file extension in every file system. */
const MAX_NAME_CHARACTERS = 100;

/** One output: its name, and the options of a capture that has this result alone. */
export interface NamedOutput {
  readonly name: string;
  readonly options: CaptureOptions;
  /** The same as they were sent, shared ones included. */
  readonly rawOptions: RawOptions;
}

type RawOptions = Readonly<Record<string, unknown>>;
type Problem = readonly [field: string, message: string];

/** Options of the response as a whole, although they are in the group of the outputs. */
const responseOptions: readonly string[] = ["response_type", "attachment_name"];

/** The entries of the options that an output has, by name. */
export const ownOptionEntries: Readonly<Record<string, v.GenericSchema>> = Object.fromEntries(
  Object.entries({ ...outputOptions, ...areaOptions, ...videoOptions, ...pdfOptions, ...metadataOptions }).filter(
    ([name]) => !responseOptions.includes(name),
  ),
);

const ownOptions: readonly string[] = Object.keys(ownOptionEntries);

/** JSON Schema of the name of an output. */
export const outputNameSchema = {
  type: "string",
  minLength: 1,
  maxLength: MAX_NAME_CHARACTERS,
  pattern: "^[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?$",
  description:
    "Name of the result, which no other output has. In an archive and in your own storage, the file has this name, with the file " +
    "extension of its format.",
};

const outputsJsonSchema = {
  oneOf: [
    { type: "string", contentMediaType: "application/json" },
    {
      type: "array",
      minItems: MIN_OUTPUTS,
      maxItems: MAX_OUTPUTS,
      items: { $ref: "#/components/schemas/CaptureOutput" },
    },
  ],
};

/** The option `outputs`, as it is documented. Its value is parsed with the options that it is sent with: see `parseOutputs`. */
export const outputsEntries = {
  outputs: v.optional(
    option(
      coerced<unknown>(outputsJsonSchema, (value) => ({ value })),
      {
        description:
          `Several results of one page: ${between(MIN_OUTPUTS, MAX_OUTPUTS, "objects")}, or their JSON text, each with a \`name\` and the ` +
          "options of its result. Send all other options once, outside of `outputs`. The response is JSON, or a ZIP archive with " +
          "`response_type=zip`.",
      },
    ),
  ),
};

/**
 * Parses a request with `outputs`, which is a list of objects or its JSON text. An output has a `name` and the options of its
 * result; every other option is sent once, outside of `outputs`, and applies to each output of a kind that has the option.
 * Throws `VALIDATION_ERROR` with every problem of the request at once, under names such as `outputs[2].format`.
 */
export function parseOutputs({ outputs: sent, ...shared }: RawOptions): readonly NamedOutput[] {
  const list = parseList(sent);
  if (typeof list === "string") throw validationError([["outputs", list]]);
  const problems: Problem[] = [...sharedProblems(shared)];
  const kinds = new Set(list.flatMap((own) => (isObject(own) ? [outputKind(own)] : [])));
  const parsed: NamedOutput[] = [];
  for (const [index, own] of list.entries()) {
    const field = `outputs[${index}]`;
    if (!isObject(own)) {
      problems.push([field, `must be an object such as {"name": "page", "format": "pdf"}, not ${shown(own)}`]);
      continue;
    }
    problems.push(...ownProblems(own, field));
    const outcome = parseOutput(own, { shared, kinds, field });
    if ("options" in outcome) parsed.push({ name: String(own["name"]), ...outcome });
    else problems.push(...outcome.problems);
  }
  problems.push(
    ...equalNames(list),
    ...secondVideo(list, parsed),
    ...unsupported(parsed, outputsResponseType(shared) === "zip"),
  );
  if (problems.length > 0) throw validationError(problems);
  return parsed;
}

/** The list of outputs, or what is wrong with it. */
function parseList(sent: unknown): readonly unknown[] | string {
  const list = typeof sent === "string" ? parseJson(sent) : sent;
  if (!Array.isArray(list)) return `must be a list of objects, or its JSON text, not ${shown(sent)}`;
  if (list.length >= MIN_OUTPUTS && list.length <= MAX_OUTPUTS) return list;
  const fix = list.length === 1 ? ": for one result, send its options without 'outputs'" : "";
  return `must have ${between(MIN_OUTPUTS, MAX_OUTPUTS, "entries")}, not ${list.length}${fix}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Options that belong into an output, or that have no meaning for several of them. */
function* sharedProblems(shared: RawOptions): Generator<Problem> {
  for (const name of Object.keys(shared))
    if (ownOptions.includes(name))
      yield [name, "applies to one result: send it inside of the 'outputs' that it is for"];
  if (Object.hasOwn(shared, "attachment_name"))
    yield ["attachment_name", "names one file and conflicts with 'outputs': each output has its own 'name'"];
  const type = shared["response_type"];
  if (type !== undefined && !isResponseType(type))
    yield ["response_type", `must be ${outputsResponseTypes.join(" or ")} with 'outputs', not ${shown(type)}`];
}

/** How several results are returned: as JSON with links to them, or as an archive. */
const outputsResponseTypes = ["json", "zip"] as const;
type OutputsResponseType = (typeof outputsResponseTypes)[number];

function isResponseType(sent: unknown): sent is OutputsResponseType {
  return outputsResponseTypes.some((type) => type === String(sent).toLowerCase());
}

/** The valid `response_type` of a request with `outputs`. @default json */
export function outputsResponseType({ response_type: sent }: RawOptions): OutputsResponseType {
  return String(sent).toLowerCase() === "zip" ? "zip" : "json";
}

/** Shared options that several outputs do not support. */
function* unsupported(parsed: readonly NamedOutput[], isArchive: boolean): Generator<Problem> {
  const [{ options } = {}] = parsed;
  if (options?.async && isArchive)
    yield [
      "response_type",
      "must be json with 'async' and 'outputs': the status of the capture has a link to each result",
    ];
  if (options && options.cache_stale_ttl > 0)
    yield ["cache_stale_ttl", "doesn't support 'outputs': leave it out, and raise 'cache_ttl' if you need to"];
}

/** The problems of an output that do not depend on its format. */
function* ownProblems(own: RawOptions, field: string): Generator<Problem> {
  const { name } = own;
  if (!isFileName(name)) {
    yield [
      `${field}.name`,
      `must be a file name of 1 to ${MAX_NAME_CHARACTERS} letters (a to z), digits, and . _ -, without an extension, that ` +
        `starts and ends with a letter or digit, such as full-page, not ${shown(name)}`,
    ];
  } else if (reservedNames.test(name)) {
    yield [`${field}.name`, `must not be ${name}, which is reserved: choose another name`];
  }
  for (const option of Object.keys(own)) {
    if (option === "response_type" || option === "attachment_name")
      yield [`${field}.${option}`, "applies to the response as a whole: remove it from the output"];
    else if (isShared(option)) yield [`${field}.${option}`, "applies to all outputs: send it outside of 'outputs'"];
  }
  if (own["full_page_slices"] !== undefined)
    yield [`${field}.full_page_slices`, "creates several files: send it in a request without 'outputs'"];
}

/** A safe name in an archive, in a key of a bucket, and in the file systems of Linux, macOS and Windows. */
function isFileName(name: unknown): name is string {
  return typeof name === "string" && name.length <= MAX_NAME_CHARACTERS && /^[a-z\d]([a-z\d._-]*[a-z\d])?$/i.test(name);
}

/** The manifest of an archive, and devices of Windows, with any extension. */
const reservedNames = /^(manifest|con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** True for an option that outputs don't have, by its name or another one of it. */
function isShared(name: string): boolean {
  const option = Object.hasOwn(optionAliases, name) ? optionAliases[name] : name;
  return Object.hasOwn(captureOptionEntries, String(option)) && !ownOptions.includes(String(option));
}

interface OutputContext {
  readonly shared: RawOptions;
  /** The kinds of all outputs; undefined for an invalid format. */
  readonly kinds: ReadonlySet<FormatKind | undefined>;
  readonly field: string;
}

/** Parses an output as a request of its own. A problem of a shared option is reported under the name of that option. */
function parseOutput(
  own: RawOptions,
  { shared, kinds, field }: OutputContext,
): Pick<NamedOutput, "options" | "rawOptions"> | { readonly problems: readonly Problem[] } {
  const result = Object.fromEntries(
    Object.entries(own).filter(([name]) => name !== "name" && name !== "full_page_slices" && !isShared(name)),
  );
  const rawOptions = {
    ...applicable(shared, { kind: outputKind(own), kinds }),
    ...storagePath(shared, own),
    ...result,
    response_type: "json",
  };
  try {
    return { options: parseCaptureOptions(rawOptions), rawOptions };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const problems = Object.entries(error.details ?? {}).flatMap(([option, messages]) =>
      messages.map(
        (message) =>
          [isShared(option) || Object.hasOwn(shared, option) ? option : `${field}.${option}`, message] as const,
      ),
    );
    return { problems };
  }
}

/** In the caller's storage, the name of an output follows the shared path. */
function storagePath({ storage_path: path }: RawOptions, { name }: RawOptions): RawOptions {
  return typeof path === "string" && path !== "" && isFileName(name) ? { storage_path: `${path}/${name}` } : {};
}

/**
 * The shared options without those that are only for the kinds of other outputs. `deterministic` stays: what can't be
 * deterministic is refused, and never left as it is.
 */
function applicable(
  shared: RawOptions,
  { kind, kinds }: Pick<OutputContext, "kinds"> & { readonly kind: FormatKind | undefined },
): RawOptions {
  const applies = ([name]: readonly [string, unknown]) => {
    if (ownOptions.includes(name)) return false;
    if (kind === undefined || name === "deterministic" || !Object.hasOwn(captureOptionEntries, name)) return true;
    const { only } = optionFacts(captureOptionEntries[name as CaptureOptionName]);
    return !only || only.includes(kind) || !only.some((other) => kinds.has(other));
  };
  return Object.fromEntries(Object.entries(shared).filter(applies));
}

/** The kind of an output's format; undefined for a format that is invalid. */
function outputKind(own: RawOptions): FormatKind | undefined {
  const parsed = v.safeParse(captureOptionEntries.format, own["format"]);
  return parsed.success ? formatKind(parsed.output) : undefined;
}

/** Names are compared as file systems do that ignore case. */
function* equalNames(list: readonly unknown[]): Generator<Problem> {
  const first = new Map<string, number>();
  for (const [index, own] of list.entries()) {
    if (!isObject(own) || typeof own["name"] !== "string") continue;
    const name = own["name"].toLowerCase();
    const other = first.get(name);
    if (other === undefined) first.set(name, index);
    else yield [`outputs[${index}].name`, `is the name of outputs[${other}], too: give each output its own name`];
  }
}

function* secondVideo(list: readonly unknown[], parsed: readonly NamedOutput[]): Generator<Problem> {
  const videos = parsed.filter(({ options }) => isVideoFormat(options.format));
  const [, second] = videos;
  if (!second) return;
  const index = list.findLastIndex((own) => isObject(own) && own["name"] === second.name);
  yield [`outputs[${index}].format`, "is the second video: send at most one video in 'outputs'"];
}

function isObject(value: unknown): value is RawOptions {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
