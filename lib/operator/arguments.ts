// What an operator writes behind a command: its options, each checked, with one sentence for what is wrong.
import { ApiError } from "../errors/api-error.ts";
import { parseId } from "../platform/ids.ts";

/** A mistake of the person at the keyboard. */
export class UsageError extends Error {}

/** The options by their names, without dashes in front. */
export type Arguments = Readonly<Record<string, string | undefined>>;

/** One of a list of names. Throws `UsageError`. */
export function parseNameArgument<T extends string>(names: readonly T[], args: Arguments, option: string): T {
  const name = names.find((each) => each === args[option]);
  if (name === undefined) throw new UsageError(`--${option} must be one of ${names.join(", ")}.`);
  return name;
}

/** The number of an account or of a key. Throws `UsageError`. */
export function parseIdArgument(args: Arguments, option: string): number {
  const { [option]: text } = args;
  if (text === undefined) throw new UsageError(`--${option} is missing.`);
  const id = parseId(text);
  if (id > 0 && Number.isSafeInteger(id)) return id;
  throw new UsageError(`--${option} must be the number of the ${option}, not '${text}'.`);
}

/** What of a key is written, as the API takes it: scopes are parted by commas, a key that never expires does so `never`. */
export function toKeyOptions({ label, scopes, "expires-at": expiry }: Arguments): Record<string, unknown> {
  return {
    ...(label !== undefined && { label }),
    ...(scopes !== undefined && { scopes: scopes.split(",").map((scope) => scope.trim()) }),
    ...(expiry !== undefined && { expires_at: expiry === "never" ? null : expiry }),
  };
}

/** What the API makes of options; the first that it refuses is told by the name it has here. Throws `UsageError`. */
export function parseOptions<T>(parse: (sent: unknown, now: number) => T, sent: unknown, now: number): T {
  try {
    return parse(sent, now);
  } catch (error) {
    const [refused] = Object.entries((error instanceof ApiError && error.details) || {});
    if (!refused) throw error;
    const [name, [message]] = refused;
    throw new UsageError(`--${name.replaceAll("_", "-")} ${message}.`);
  }
}
