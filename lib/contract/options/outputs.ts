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
import { MAX_OUTPUTS, MIN_OUTPUTS } from "./output-limits.ts";
import { validationError } from "./parse-options.ts";
import { between } from "./wording.ts";

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
  const responseType = parseValue(responseTypeSchema, shared["response_type"]);
  const kinds = new Set(list.flatMap((own) => (isObject(own) ? [outputKind(own)] : [])));
  const parsed = list.map((own, index) => parseOutput(own, { shared, kinds, field: `outputs[${index}]` }));
  const problems: Problem[] = [
    ...sharedProblems(shared),
    ...responseType.problems.map((message) => ["response_type", message] as const),
    ...parsed.flatMap((output) => output.problems),
    ...equalNames(parsed),
    ...secondVideo(parsed),
    ...unsupported(parsed, responseType.value === "zip"),
  ];
  if (problems.length > 0) throw validationError(problems);
  return parsed.flatMap(({ name, capture }) => (name !== undefined && capture ? [{ name, ...capture }] : []));
}

/** An entry of the list. Its name and its options are undefined where they are invalid. */
interface ParsedOutput {
  /** Its place in the request, such as `outputs[0]`. */
  readonly field: string;
  readonly name?: string | undefined;
  readonly capture?: Omit<NamedOutput, "name"> | undefined;
  readonly problems: readonly Problem[];
}

interface ParsedValue<T> {
  readonly value?: T;
  readonly problems: readonly string[];
}

function parseValue<S extends v.GenericSchema>(schema: S, sent: unknown): ParsedValue<v.InferOutput<S>> {
  const { success, output, issues = [] } = v.safeParse(schema, sent);
  return success ? { value: output, problems: [] } : { problems: issues.map(({ message }) => message) };
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
}

/** How several results are returned: as JSON with links to them, or as an archive. */
const outputsResponseTypes = ["json", "zip"] as const;
type OutputsResponseType = (typeof outputsResponseTypes)[number];

const responseTypeSchema = v.optional(
  coerced<OutputsResponseType>({ type: "string", enum: outputsResponseTypes }, (sent) => {
    const value = outputsResponseTypes.find((type) => typeof sent === "string" && type === sent.toLowerCase());
    if (value !== undefined) return { value };
    return { problem: `must be ${outputsResponseTypes.join(" or ")} with 'outputs', not ${shown(sent)}` };
  }),
  "json",
);

/** The valid `response_type` of a request with `outputs`. @default json */
export function outputsResponseType({ response_type: sent }: RawOptions): OutputsResponseType {
  return v.parse(responseTypeSchema, sent);
}

/** Shared options that several outputs do not support. */
function* unsupported(parsed: readonly ParsedOutput[], isArchive: boolean): Generator<Problem> {
  const { options } = parsed.find(({ capture }) => capture)?.capture ?? {};
  if (options?.async && isArchive)
    yield [
      "response_type",
      "must be json with 'async' and 'outputs': the status of the capture has a link to each result",
    ];
  if (options && options.cache_stale_ttl > 0)
    yield ["cache_stale_ttl", "doesn't support 'outputs': leave it out, and raise 'cache_ttl' if you need to"];
}

/** Options that an output can't have. */
function* misplacedOptions(own: RawOptions, field: string): Generator<Problem> {
  for (const option of Object.keys(own)) {
    if (option === "response_type" || option === "attachment_name")
      yield [`${field}.${option}`, "applies to the response as a whole: remove it from the output"];
    else if (isShared(option)) yield [`${field}.${option}`, "applies to all outputs: send it outside of 'outputs'"];
  }
  if (own["full_page_slices"] !== undefined)
    yield [`${field}.full_page_slices`, "creates several files: send it in a request without 'outputs'"];
}

/** A safe name in an archive, in a key of a bucket, and in the file systems of Linux, macOS and Windows. */
const nameSchema = coerced<string>(outputNameSchema, (sent) => {
  if (typeof sent !== "string" || sent.length > MAX_NAME_CHARACTERS || !FILE_NAME.test(sent))
    return {
      problem:
        `must be a file name of 1 to ${MAX_NAME_CHARACTERS} letters (a to z), digits, and . _ -, without an extension, that ` +
        `starts and ends with a letter or digit, such as full-page, not ${shown(sent)}`,
    };
  if (RESERVED_NAME.test(sent)) return { problem: `must not be ${sent}, which is reserved: choose another name` };
  return { value: sent };
});

const FILE_NAME = /^[a-z\d]([a-z\d._-]*[a-z\d])?$/i;

/** The manifest of an archive, and devices of Windows, with any extension. */
const RESERVED_NAME = /^(manifest|con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

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
function parseOutput(own: unknown, { shared, kinds, field }: OutputContext): ParsedOutput {
  if (!isObject(own)) {
    const problem = `must be an object such as {"name": "page", "format": "pdf"}, not ${shown(own)}`;
    return { field, problems: [[field, problem]] };
  }
  const { value: name, problems: nameProblems } = parseValue(nameSchema, own["name"]);
  const result = Object.fromEntries(
    Object.entries(own).filter(([option]) => option !== "name" && option !== "full_page_slices" && !isShared(option)),
  );
  const rawOptions = {
    ...applicable(shared, { kind: outputKind(own), kinds }),
    ...storagePath(shared, name),
    ...result,
    response_type: "json",
  };
  const ownProblems = [
    ...nameProblems.map((message) => [`${field}.name`, message] as const),
    ...misplacedOptions(own, field),
  ];
  try {
    return { field, name, capture: { options: parseCaptureOptions(rawOptions), rawOptions }, problems: ownProblems };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const problems = Object.entries(error.details ?? {}).flatMap(([option, messages]) =>
      messages.map(
        (message) =>
          [isShared(option) || Object.hasOwn(shared, option) ? option : `${field}.${option}`, message] as const,
      ),
    );
    return { field, name, problems: [...ownProblems, ...problems] };
  }
}

/** In the caller's storage, the name of an output follows the shared path. */
function storagePath({ storage_path: path }: RawOptions, name: string | undefined): RawOptions {
  return typeof path === "string" && path !== "" && name !== undefined ? { storage_path: `${path}/${name}` } : {};
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
function* equalNames(parsed: readonly ParsedOutput[]): Generator<Problem> {
  const first = new Map<string, string>();
  for (const { name, field } of parsed) {
    if (name === undefined) continue;
    const other = first.get(name.toLowerCase());
    if (other === undefined) first.set(name.toLowerCase(), field);
    else yield [`${field}.name`, `is the name of ${other}, too: give each output its own name`];
  }
}

function* secondVideo(parsed: readonly ParsedOutput[]): Generator<Problem> {
  const [, second] = parsed.filter(({ capture }) => capture && isVideoFormat(capture.options.format));
  if (second) yield [`${second.field}.format`, "is the second video: send at most one video in 'outputs'"];
}

function isObject(value: unknown): value is RawOptions {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
