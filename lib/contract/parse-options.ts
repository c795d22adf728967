// Options of a request, checked as a whole: a caller learns of every problem at once.
import * as v from "valibot";
import { ApiError } from "./errors.ts";
import { nearest } from "./nearest.ts";

/** An answer stays short, however much nonsense was sent. */
const MAX_STRANGERS = 50;
const MAX_MESSAGES_OF_A_FIELD = 20;
const MAX_NAME_CHARACTERS = 100;

/**
 * Parses options as they were sent. `names` are those the schema knows; any other is refused with the nearest of them.
 * Throws `VALIDATION_ERROR`, whose details map each option to its messages.
 */
export function parseOptions<S extends v.GenericSchema>(
  schema: S,
  names: readonly string[],
  sent: unknown,
): v.InferOutput<S> {
  const parsed = v.safeParse(schema, sent);
  const problems = [
    ...strangers(sent, names),
    ...(parsed.issues ?? []).map((issue) => [v.getDotPath(issue)?.split(".")[0] ?? "options", issue.message] as const),
  ];
  const [first] = problems;
  if (parsed.success && first === undefined) return parsed.output;

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

/**
 * A rule between options, as the last action of their schema: `rules` yields the option and what is wrong with it.
 * It also sees options that are wrong in themselves, so that both problems are told at once.
 */
export function refuseWhere<T extends object>(
  rules: (options: Partial<T>) => Iterable<readonly [field: keyof T & string, message: string]>,
): v.RawCheckAction<T> {
  return v.rawCheck<T>(({ dataset, addIssue }) => {
    if (typeof dataset.value !== "object" || dataset.value === null) return;
    const input: Record<string, unknown> = { ...dataset.value };
    for (const [key, message] of rules(dataset.value)) {
      addIssue({ message, path: [{ type: "object", origin: "value", input, key, value: input[key] }] });
    }
  });
}

/** Names that are no options, each with the option that was probably meant. */
function strangers(sent: unknown, names: readonly string[]): (readonly [field: string, message: string])[] {
  const given = typeof sent === "object" && sent !== null && !Array.isArray(sent) ? Object.keys(sent) : [];
  return given
    .filter((name) => !names.includes(name))
    .slice(0, MAX_STRANGERS)
    .map((name) => {
      const guess = nearest(name, names);
      return [
        name.slice(0, MAX_NAME_CHARACTERS),
        guess ? `is not an option; did you mean '${guess}'?` : "is not an option",
      ];
    });
}
