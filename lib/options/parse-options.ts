// Options of a request, checked as a whole: a caller learns of every problem at once.
import * as v from "valibot";
import { ApiError } from "../errors/api-error.ts";
import { optionFacts } from "./option.ts";
import { closestName } from "./values/closest-name.ts";

/** An answer stays short, however much nonsense was sent. */
const MAX_STRANGERS = 50;
/** More names than there are options: what is beyond them is not looked at, and nothing there could make them right. */
const MAX_NAMES = 2_000;
const MAX_MESSAGES_OF_A_FIELD = 20;
const MAX_NAME_CHARACTERS = 100;

/** The schema of each option, by its name. */
type Entries = Readonly<Record<string, v.GenericSchema>>;

/** What a set of options is parsed by. */
export interface OptionSet<S extends v.GenericSchema & { readonly entries: Entries }> {
  /** An object of options. A name that it does not know is refused with the nearest one that it knows. */
  readonly schema: S;
  /** Other names of options. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** What some options are because of others, in place of what was sent or is the default. It sees wrong ones, too. */
  readonly implied?: (options: Partial<v.InferOutput<S>>, asked: ReadonlySet<string>) => Partial<v.InferOutput<S>>;
  /**
   * Yields an option and what is wrong with it beside others. It also sees options that are wrong in themselves, so
   * that both problems are told at once. `asked` are the names that were sent, but not as false.
   */
  readonly rules?: (
    options: Partial<v.InferOutput<S>>,
    asked: ReadonlySet<string>,
  ) => Iterable<readonly [field: string, message: string]>;
}

/** Parses options as they were sent. Throws `VALIDATION_ERROR`, whose details map each option to its messages. */
export function parseOptions<S extends v.GenericSchema & { readonly entries: Entries }>(
  set: OptionSet<S>,
  sent: unknown,
): v.InferOutput<S> {
  const { entries } = set.schema;
  const given = isObject(sent) ? withoutEmptyLists(canonical(sent, set.aliases ?? {}), entries) : sent;
  const parsed = v.safeParse(set.schema, given);
  const names = isObject(given) ? asked(given, parsed.output) : new Set<string>();
  const implied = isObject(given) ? set.implied?.(parsed.output as object, names) : undefined;
  const options = implied ? Object.assign({}, parsed.output, implied) : parsed.output;
  const problems: (readonly [field: string, message: string])[] = [
    ...(Array.isArray(sent) ? [["options", "must be sent as an object of options, not a list"] as const] : []),
    ...strangers(given, Object.keys(entries)),
    ...(parsed.issues ?? []).map((issue) => [v.getDotPath(issue)?.split(".")[0] ?? "options", issue.message] as const),
    ...(isObject(given) && set.rules ? set.rules(options as object, names) : []),
  ];
  const [first] = problems;
  if (parsed.success && first === undefined) return options as v.InferOutput<S>;

  // A map: an option can have any name, `__proto__` and `constructor` too.
  const messages = new Map<string, Set<string>>();
  for (const [field, message] of problems) messages.set(field, (messages.get(field) ?? new Set()).add(message));
  const details = Object.fromEntries(
    [...messages].map(([field, texts]) => [field, [...texts].slice(0, MAX_MESSAGES_OF_A_FIELD)]),
  );
  const more = problems.length > 1 ? " `details` lists every problem." : "";
  const stop = first?.[1].endsWith("?") ? "" : ".";
  throw new ApiError("VALIDATION_ERROR", `Option '${first?.[0]}' ${first?.[1]}${stop}${more}`, { details });
}

/** Refuses every option, where there are none. Throws `VALIDATION_ERROR`. */
export function parseNothing(sent: unknown): void {
  parseOptions({ schema: v.object({}) }, sent);
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** An option under another name, unless its own name was sent as well: then the other one is a stranger. */
function canonical(sent: Readonly<Record<string, unknown>>, aliases: Readonly<Record<string, string>>) {
  const own = (name: string) => {
    const alias = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
    return alias !== undefined && !Object.hasOwn(sent, alias) ? alias : name;
  };
  return Object.fromEntries(
    Object.keys(sent)
      .slice(0, MAX_NAMES)
      .map((name) => [own(name), sent[name]]),
  );
}

/** Clients that send all they know send an empty list for none. It means nothing else where the option is no list. */
function withoutEmptyLists(given: Readonly<Record<string, unknown>>, entries: Entries) {
  const isNone = (name: string, value: unknown) =>
    Array.isArray(value) && value.length === 0 && Object.hasOwn(entries, name) && canBeEmpty(entries[name]);
  return Object.fromEntries(Object.entries(given).filter(([name, value]) => !isNone(name, value)));
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

function asked(sent: Readonly<Record<string, unknown>>, parsed: unknown): ReadonlySet<string> {
  const options = parsed as Readonly<Record<string, unknown>>;
  const isAsked = (name: string) => sent[name] !== undefined && Object.hasOwn(options, name) && options[name] !== false;
  return new Set(Object.keys(sent).filter(isAsked));
}

/** Names that are no options, each with the option that was probably meant. */
function strangers(sent: unknown, names: readonly string[]): (readonly [field: string, message: string])[] {
  const known = new Set(names);
  return (isObject(sent) ? Object.keys(sent) : [])
    .filter((name) => !known.has(name))
    .slice(0, MAX_STRANGERS)
    .map((name) => {
      const guess = closestName(name, names);
      return [
        name.slice(0, MAX_NAME_CHARACTERS),
        guess ? `is not an option; did you mean '${guess}'?` : "is not an option",
      ];
    });
}
