// Parses the options of a request as a whole, and reports every problem at once.
import * as v from "valibot";
import { ApiError } from "../errors/api-error.ts";
import { optionFacts } from "./option.ts";
import { closestName } from "./values/closest-name.ts";

/** Keeps the response short, however many unknown options were sent. */
const MAX_UNKNOWN_OPTIONS = 50;
/** More names than there are options; the rest is ignored, and the request is invalid anyway. */
const MAX_NAMES = 2_000;
const MAX_MESSAGES_PER_FIELD = 20;
const MAX_NAME_CHARACTERS = 100;

/** The schema of each option, by its name. */
type Entries = Readonly<Record<string, v.GenericSchema>>;

/** How a set of options is parsed. */
export interface OptionSet<S extends v.GenericSchema & { readonly entries: Entries }> {
  /** The options by name. An unknown name is refused with the closest known one. */
  readonly schema: S;
  /** What an unknown name stands for, such as that of another service. */
  readonly suggest?: (name: string) => { readonly option: string; readonly note?: string } | undefined;
  /** Other names of options. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Values that follow from other options and replace the sent value or the default. */
  readonly implied?: (options: ValidOptions<S>, names: SentNames) => ValidOptions<S>;
  /** Yields an option and its conflict with others. The problems of options that are invalid by themselves are reported, too. */
  readonly rules?: (options: ValidOptions<S>, names: SentNames) => Iterable<readonly [field: string, message: string]>;
}

/** The parsed values of the options that are valid by themselves, and defaults. An invalid option has no value. */
type ValidOptions<S extends v.GenericSchema> = Partial<v.InferOutput<S>>;

/** Names of known options that a request sends. */
export interface SentNames {
  /** Also those that are invalid, but not those that were sent as false. */
  readonly requested: ReadonlySet<string>;
  /** Those that were sent as false. */
  readonly declined: ReadonlySet<string>;
  /** Those that are invalid by themselves, sent or missing. */
  readonly invalid: ReadonlySet<string>;
}

/** The parser of a set of options; see `parseOptions`. */
export function optionParser<S extends v.GenericSchema & { readonly entries: Entries }>(set: OptionSet<S>) {
  return (sent: unknown): v.InferOutput<S> => parseOptions(set, sent);
}

/** Parses raw options. Throws `VALIDATION_ERROR`, whose details map each option to its messages. */
export function parseOptions<S extends v.GenericSchema & { readonly entries: Entries }>(
  set: OptionSet<S>,
  sent: unknown,
): v.InferOutput<S> {
  const { entries } = set.schema;
  const raw = isObject(sent) ? withoutEmptyLists(resolveAliases(sent, set.aliases ?? {}), entries) : sent;
  const parsed = v.safeParse(set.schema, raw);
  const invalid = new Set((parsed.issues ?? []).map(optionOf));
  const valid = validValues<S>(parsed.output, invalid);
  const names = { ...sentNames(isObject(raw) ? raw : {}, entries, valid), invalid };
  const options = { ...valid, ...(isObject(raw) && set.implied?.(valid, names)) };
  const problems: (readonly [field: string, message: string])[] = [
    ...(Array.isArray(sent) ? [["options", "must be sent as an object of options, not a list"] as const] : []),
    ...unknownOptions(raw, Object.keys(entries), set.suggest),
    ...(parsed.issues ?? []).map((issue) => [optionOf(issue), issue.message] as const),
    ...(isObject(raw) && set.rules ? set.rules(options, names) : []),
  ];
  if (parsed.success && problems.length === 0) return options as v.InferOutput<S>;
  throw validationError(problems);
}

/** The `VALIDATION_ERROR` of a request: its message states the first problem, and its details map each option to its messages. */
export function validationError(problems: readonly (readonly [field: string, message: string])[]): ApiError {
  const [first] = problems;
  // A map, because an option can be named `__proto__` or `constructor`.
  const messages = new Map<string, Set<string>>();
  for (const [field, message] of problems) messages.set(field, (messages.get(field) ?? new Set()).add(message));
  const details = Object.fromEntries(
    [...messages].map(([field, texts]) => [field, [...texts].slice(0, MAX_MESSAGES_PER_FIELD)]),
  );
  const more = problems.length > 1 ? " `details` lists every problem." : "";
  const stop = first?.[1].endsWith("?") ? "" : ".";
  return new ApiError("VALIDATION_ERROR", `Option '${first?.[0]}' ${first?.[1]}${stop}${more}`, { details });
}

/** Throws `VALIDATION_ERROR` when any option was sent to a route that has none. */
export function parseNothing(sent: unknown): void {
  parseOptions({ schema: v.object({}) }, sent);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Renames aliases to their options. An alias that was sent together with its option is unknown. */
function resolveAliases(sent: Readonly<Record<string, unknown>>, aliases: Readonly<Record<string, string>>) {
  const optionName = (name: string) => {
    const alias = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
    return alias !== undefined && !Object.hasOwn(sent, alias) ? alias : name;
  };
  return Object.fromEntries(
    Object.keys(sent)
      .slice(0, MAX_NAMES)
      .map((name) => [optionName(name), sent[name]]),
  );
}

/** Removes empty lists: some clients send them for options that are not set. */
function withoutEmptyLists(raw: Readonly<Record<string, unknown>>, entries: Entries) {
  const isNone = (name: string, value: unknown) =>
    Array.isArray(value) && value.length === 0 && Object.hasOwn(entries, name) && canBeEmpty(entries[name]);
  return Object.fromEntries(Object.entries(raw).filter(([name, value]) => !isNone(name, value)));
}

interface ListSchema {
  readonly type?: unknown;
  readonly minItems?: number;
  readonly oneOf?: readonly ListSchema[];
}

function canBeEmpty(entry: v.GenericSchema | undefined): boolean {
  const { oneOf = [], ...schema } = (entry ? optionFacts(entry).jsonSchema : {}) as ListSchema;
  return [schema, ...oneOf].some(({ type, minItems = 0 }) => type === "array" && minItems === 0);
}

/** The option that an issue is about. */
function optionOf(issue: v.BaseIssue<unknown>): string {
  return String(issue.path?.[0]?.key ?? "options");
}

/** The parsed values without those of invalid options, which valibot leaves as they were sent. */
function validValues<S extends v.GenericSchema>(parsed: unknown, invalid: ReadonlySet<string>): ValidOptions<S> {
  const values = isObject(parsed) ? Object.entries(parsed).filter(([name]) => !invalid.has(name)) : [];
  return Object.fromEntries(values) as ValidOptions<S>;
}

function sentNames(
  sent: Readonly<Record<string, unknown>>,
  entries: Entries,
  valid: Readonly<Record<string, unknown>>,
): Pick<SentNames, "requested" | "declined"> {
  const names = Object.keys(sent).filter((name) => sent[name] !== undefined && Object.hasOwn(entries, name));
  const [declined = [], requested = []] = [true, false].map((isFalse) =>
    names.filter((name) => (valid[name] === false) === isFalse),
  );
  return { requested: new Set(requested), declined: new Set(declined) };
}

/** Unknown option names, each with the option that was probably meant. */
function unknownOptions(
  sent: unknown,
  names: readonly string[],
  suggest: OptionSet<never>["suggest"] = () => undefined,
): (readonly [field: string, message: string])[] {
  const known = new Set(names);
  return (isObject(sent) ? Object.keys(sent) : [])
    .filter((name) => !known.has(name))
    .slice(0, MAX_UNKNOWN_OPTIONS)
    .map((name) => {
      const { option: guess, note } = suggest(name) ?? { option: closestName(name, names) };
      const meant = note === undefined ? `'${guess}'` : `'${guess}', ${note}`;
      return [
        name.slice(0, MAX_NAME_CHARACTERS),
        guess ? `is not an option; did you mean ${meant}?` : "is not an option",
      ];
    });
}
