// Building blocks of the option schema: each accepts the same value as JSON, as a query parameter or as a form field.
import * as v from "valibot";

/** A boolean: `true`, `false`, `1` or `0`, as JSON value or text. */
export const flag = () =>
  v.pipe(
    v.unknown(),
    v.rawTransform<unknown, boolean>(({ dataset, addIssue, NEVER }) => {
      const text = typeof dataset.value === "object" ? "" : String(dataset.value).toLowerCase();
      if (text === "true" || text === "1") return true;
      if (text === "false" || text === "0") return false;
      addIssue({ message: `must be true or false, not ${shown(dataset.value)}` });
      return NEVER;
    }),
  );

/** A number within bounds, as JSON number or decimal text. */
export const decimal = (minimum: number, maximum: number, unit = "") =>
  v.pipe(
    v.unknown(),
    v.rawTransform<unknown, number>(({ dataset, addIssue, NEVER }) => {
      const number = toNumber(dataset.value);
      if (number !== undefined && number >= minimum && number <= maximum) return number;
      addIssue({ message: `must be a number from ${minimum} to ${maximum}${unit}, not ${shown(dataset.value)}` });
      return NEVER;
    }),
  );

/** A whole number within bounds, as JSON number or decimal text. */
export const integer = (minimum: number, maximum: number, unit = "") =>
  v.pipe(
    v.unknown(),
    v.rawTransform<unknown, number>(({ dataset, addIssue, NEVER }) => {
      const number = toNumber(dataset.value);
      if (number !== undefined && Number.isInteger(number) && number >= minimum && number <= maximum) return number;
      addIssue({ message: `must be a whole number from ${minimum} to ${maximum}${unit}, not ${shown(dataset.value)}` });
      return NEVER;
    }),
  );

/** One of a closed list of names, in any case; `aliases` are further names that mean one of them. */
export const choice = <const T extends string>(names: readonly T[], aliases: Readonly<Record<string, T>> = {}) =>
  v.pipe(
    v.unknown(),
    v.rawTransform<unknown, T>(({ dataset, addIssue, NEVER }) => {
      const text = typeof dataset.value === "string" ? dataset.value.toLowerCase() : "";
      const name =
        names.find((candidate) => candidate === text) ?? (Object.hasOwn(aliases, text) ? aliases[text] : undefined);
      if (name !== undefined) return name;
      addIssue({ message: `must be one of ${names.join(", ")}, not ${shown(dataset.value)}` });
      return NEVER;
    }),
  );

/** Text, not empty, of a bounded number of characters. */
export const text = (maximum: number) =>
  v.pipe(
    v.string(({ input }) => `must be text, not ${shown(input)}`),
    v.minLength(1, "must not be empty"),
    v.maxLength(maximum, ({ input }) => `must have at most ${maximum} characters, not ${input.length}`),
  );

/** A list: a JSON array, a repeated parameter, text that holds a JSON array, or a single value. */
export const list = <T extends v.GenericSchema<unknown, unknown>>(item: T) =>
  v.pipe(v.unknown(), v.transform(toList), v.array(item));

function toList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value === "string" && value.trimStart().startsWith("[")) {
    try {
      const parsed: unknown = JSON.parse(value);
      if (Array.isArray(parsed)) return parsed;
    } catch {
      // Not a JSON array after all: the item's own schema says what is wrong with it.
    }
  }
  return [value];
}

function toNumber(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  if (typeof value === "string" && /^[+-]?\d+(\.\d+)?$/.test(value)) return Number(value);
  return undefined;
}

/** A refused value as the message shows it: short, and never more than one line. */
function shown(value: unknown): string {
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
