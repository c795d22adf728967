// Coercion: schemas that accept the same value as JSON, as a query parameter and as a form field.
import * as v from "valibot";
import { inputForm, type JsonSchema, optionFacts } from "./option.ts";
import { tooLong } from "./wording.ts";

/** A boolean: `true`, `false`, `1` or `0`, as JSON value or text. */
export const flag = () =>
  coerced<boolean>({ type: "boolean" }, (value) => {
    const text = typeof value === "object" ? "" : String(value).toLowerCase();
    if (text === "true" || text === "1") return { value: true };
    if (text === "false" || text === "0") return { value: false };
    return { problem: `must be true or false, not ${shown(value)}` };
  });

/** A number within bounds, as JSON number or decimal text. */
export const decimal = (minimum: number, maximum: number, unit = "") =>
  coerced<number>({ type: "number", minimum, maximum }, (sent) => {
    const value = toNumber(sent);
    if (value !== undefined && value >= minimum && value <= maximum) return { value };
    const hint = millisecondsHint(value, { minimum, maximum, unit });
    return { problem: `must be a number from ${minimum} to ${maximum}${unit}, not ${shown(sent)}${hint}` };
  });

/** A whole number within bounds, as JSON number or decimal text. */
export const integer = (minimum: number, maximum: number, unit = "") =>
  coerced<number>({ type: "integer", minimum, maximum }, (sent) => {
    const value = toNumber(sent);
    if (value !== undefined && Number.isInteger(value) && value >= minimum && value <= maximum) return { value };
    const hint = millisecondsHint(value, { minimum, maximum, unit });
    return { problem: `must be a whole number from ${minimum} to ${maximum}${unit}, not ${shown(sent)}${hint}` };
  });

interface Bounds {
  readonly minimum: number;
  readonly maximum: number;
  readonly unit: string;
}

/** Many services take milliseconds where ours takes seconds. */
function millisecondsHint(value: number | undefined, { minimum, maximum, unit }: Bounds): string {
  const seconds = Math.max(minimum, Math.round((value ?? 0) / 100) / 10);
  const isMeant = value !== undefined && unit === " seconds" && value >= 1_000 && seconds <= maximum;
  return isMeant ? `; for ${value} milliseconds, send ${seconds}` : "";
}

/** A moment in ISO 8601: a date, or a date and a time with or without an offset (UTC). The value is in UTC, to the millisecond. */
export const isoTime = () =>
  coerced<string>({ type: "string", examples: ["2026-01-01T12:00:00Z"] }, (sent) => {
    const problem = `must be an ISO 8601 date or time such as 2026-01-01T12:00:00Z, not ${shown(sent)}`;
    const parts = typeof sent === "string" ? ISO_TIME.exec(sent) : null;
    if (!parts) return { problem };
    const [, date, time = "00:00", offset = "Z"] = parts;
    const moment = new Date(`${date}T${time}${offset.toUpperCase().replace(" ", "+")}`);
    // A day that its month does not have is moved to the next month.
    const isReal = !Number.isNaN(moment.getTime()) && new Date(`${date}T00:00Z`).toISOString().startsWith(String(date));
    return isReal ? { value: moment.toISOString() } : { problem };
  });

/** Date, time and offset. A plus sign in a query that was not encoded has become a space. */
const ISO_TIME = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[ +-]\d\d:\d\d)?)?$/i;

/** One of a closed list of names, in any case; `aliases` are further names that mean one of them. */
export const choice = <const T extends string>(names: readonly T[], aliases: Readonly<Record<string, T>> = {}) => {
  const schema = coerced<T>({ type: "string", enum: [...names, ...Object.keys(aliases)] }, (sent) => {
    const text = typeof sent === "string" ? sent.toLowerCase() : "";
    const value =
      names.find((candidate) => candidate.toLowerCase() === text) ??
      (Object.hasOwn(aliases, text) ? aliases[text] : undefined);
    if (value !== undefined) return { value };
    return { problem: `must be one of ${names.join(", ")}, not ${shown(sent)}` };
  });
  return v.pipe(schema, v.metadata({ aliases: Object.keys(aliases) }));
};

/**
 * Non-empty text of at most `maximum` characters. A message never quotes a secret. Later checks do not see longer text, so
 * that none needs to be fast for more than `maximum` characters (CWE-1333).
 */
export const text = (maximum: number, { secret = false } = {}) =>
  inputForm(
    v.pipe(
      v.string(({ input }) => (secret ? "must be text" : `must be text, not ${shown(input)}`)),
      v.minLength(1, "must not be empty"),
      v.maxLength(maximum, ({ input }) => tooLong(maximum, "characters", input.length)),
      v.transform((checked) => checked), // valibot continues to check an invalid value, but does not transform it
    ),
    { type: "string", minLength: 1, maxLength: maximum },
  );

/**
 * A list: a JSON array, a repeated parameter, text that holds a JSON array, or a single value. An empty array is the same as
 * no list, unless there is a `minimum`: then it is refused.
 */
export const list = <T extends v.GenericSchema<unknown, unknown>>(item: T, maximum = 100, { minimum = 0 } = {}) =>
  inputForm(
    v.pipe(
      v.unknown(),
      v.transform(toList),
      v.minLength(1, "must name at least one"),
      v.maxLength(maximum, ({ input }) => tooLong(maximum, "entries", input.length)),
      v.array(item),
    ),
    {
      type: "array",
      ...(minimum > 0 && { minItems: minimum }),
      maxItems: maximum,
      items: optionFacts(item).jsonSchema,
    },
  );

/** The coerced value, or why the sent value is invalid. */
export type Coercion<T> = { readonly value: T } | { readonly problem: string };

/** A schema with a coercion of its own. `jsonSchema` describes the values that may be sent. */
export const coerced = <T>(jsonSchema: JsonSchema, coerce: (sent: unknown) => Coercion<T>) =>
  inputForm(
    v.pipe(
      v.unknown(),
      v.rawTransform<unknown, T>(({ dataset, addIssue, NEVER }) => {
        const coercion = coerce(dataset.value);
        if ("value" in coercion) return coercion.value;
        addIssue({ message: coercion.problem });
        return NEVER;
      }),
    ),
    jsonSchema,
  );

function toList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === "string" && value.trimStart().startsWith("[")) {
    try {
      const parsed: unknown = JSON.parse(value);
      if (Array.isArray(parsed)) return parsed;
    } catch {
      // Not a JSON array: the schema of the item reports what is wrong with it.
    }
  }
  return [value];
}

/** A number as it is sent: as such, or as text. Undefined for anything else. */
export function toNumber(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value === "string" && /^[+-]?\d+(\.\d+)?$/.test(value)) return Number(value);
  return undefined;
}

/** An invalid value for its message: short, and on one line. */
export function shown(value: unknown): string {
  const json = jsonOf(value);
  return json.length > 60 ? `${json.slice(0, 57)}...` : json;
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return "a value nested too deep"; // JSON.stringify recurses; JSON.parse, which let it in, does not
  }
}
