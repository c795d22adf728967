// Parses the options of an operator's command. Each error is one sentence.
import { ApiError } from "../../contract/errors/api-error.ts";
import { parseId } from "../../service/platform/ids.ts";

/** A wrong command line. */
export class CommandUsageError extends Error {}

/** The options by name, without leading dashes. */
export type CommandArguments = Readonly<Record<string, string | undefined>>;

/** Parses an option that must be one of several names. Throws `UsageError`. */
export function parseNameArgument<T extends string>(names: readonly T[], args: CommandArguments, option: string): T {
  const name = names.find((each) => each === args[option]);
  if (name === undefined) throw new CommandUsageError(`--${option} must be one of ${names.join(", ")}.`);
  return name;
}

/** Parses the id of an account or of an API key. Throws `UsageError`. */
export function parseIdArgument(args: CommandArguments, option: string): number {
  const { [option]: text } = args;
  if (text === undefined) throw new CommandUsageError(`The option --${option} is missing.`);
  const id = parseId(text);
  if (id > 0 && Number.isSafeInteger(id)) return id;
  throw new CommandUsageError(`--${option} must be the id of the ${option}, not '${text}'.`);
}

/** Converts the options of a key to those of the API. Scopes are separated by commas; `never` means no expiry, `none` no limit. */
export function toKeyOptions({
  label,
  scopes,
  "expires-at": expiry,
  "monthly-limit": limit,
}: CommandArguments): Record<string, unknown> {
  return {
    ...(label !== undefined && { label }),
    ...(scopes !== undefined && { scopes: scopes.split(",").map((scope) => scope.trim()) }),
    ...(expiry !== undefined && { expires_at: expiry === "never" ? null : expiry }),
    ...(limit !== undefined && { monthly_limit: limit === "none" ? null : limit }),
  };
}

/** Parses options with a parser of the API. Throws `UsageError` that names the first invalid option of the command line. */
export function withUsageErrors<T>(parse: (options: unknown, now: number) => T, options: unknown, now: number): T {
  try {
    return parse(options, now);
  } catch (error) {
    const [invalid] = Object.entries((error instanceof ApiError && error.details) || {});
    if (!invalid) throw error;
    const [name, [message]] = invalid;
    throw new CommandUsageError(`--${name.replaceAll("_", "-")} ${message}.`);
  }
}
