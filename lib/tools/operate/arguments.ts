// Parses the options of an operator's command. Each error is one sentence.
import * as v from "valibot";
import { ApiError } from "../../contract/errors/api-error.ts";
import { isoTime } from "../../contract/options/coercion.ts";
import { type LimitName, limitNames } from "../../service/account/account.ts";
import type { LimitChanges } from "../../service/account/limits.ts";
import { parseId } from "../../service/platform/ids.ts";

/** A wrong command line. */
export class CommandUsageError extends Error {}

/** The options by name, without leading dashes. */
export type CommandArguments = Readonly<Record<string, string | undefined>>;

/** Parses an option that must be one of several names. Throws `CommandUsageError`. */
export function parseNameArgument<T extends string>(names: readonly T[], args: CommandArguments, option: string): T {
  const name = names.find((each) => each === args[option]);
  if (name === undefined) throw new CommandUsageError(`--${option} must be one of ${names.join(", ")}.`);
  return name;
}

/** Parses the id of an account or of an API key. Throws `CommandUsageError`. */
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

/** The command's option of a limit, and what gives the limit back to the plan: no plan limits the captures of a day. */
const limitOptions = limitNames.map((name) => ({
  name,
  option: toOption(name),
  byPlan: name === "captures_per_day" ? "none" : "plan",
}));

/** The options of limits in the help text. */
export const limitUsage = limitOptions.map(({ option, byPlan }) => `[--${option} <number|${byPlan}>]`).join(" ");

/** Parses the limits that a command sets, all of them with the end `until`, or gives back to the plan. Throws `CommandUsageError`. */
export function parseLimitArguments(args: CommandArguments, until: string | null): LimitChanges {
  const changes = limitOptions.flatMap(({ name, option, byPlan }): [LimitName, LimitChanges[LimitName]][] => {
    const { [option]: text } = args;
    if (text === undefined) return [];
    if (text === byPlan) return [[name, null]];
    if (/^\d{1,9}$/.test(text)) return [[name, { value: Number(text), until }]];
    throw new CommandUsageError(`--${option} must be a whole number or '${byPlan}', not '${text}'.`);
  });
  return Object.fromEntries(changes);
}

/** Parses the start of a billing period. Throws `CommandUsageError`. */
export function parsePeriodStart(args: CommandArguments, option: string): string {
  const parsed = v.safeParse(isoTime(), args[option]);
  if (parsed.success) return parsed.output;
  throw new CommandUsageError(
    `--${option} must be the start of a billing period, as GET /api/v1/account/invoices has it.`,
  );
}

/**
 * Parses an option that is a time after `now` (milliseconds since 1970): a timestamp, or a date, which is its first moment in UTC.
 * Throws `CommandUsageError`.
 */
export function parseFutureTime(text: string, option: string, now: number): string {
  const parsed = v.safeParse(isoTime(), text);
  if (parsed.success && Date.parse(parsed.output) > now) return parsed.output;
  throw new CommandUsageError(`--${option} must be a time in the future, not '${text}'.`);
}

/** Parses options with a parser of the API. Throws `CommandUsageError` that names the first invalid option of the command line. */
export function withUsageErrors<T>(parse: (options: unknown, now: number) => T, options: unknown, now: number): T {
  try {
    return parse(options, now);
  } catch (error) {
    throw toUsageError(error);
  }
}

/** Returns the `CommandUsageError` for the first invalid option of a `VALIDATION_ERROR`, and any other error as it is. */
export function toUsageError(error: unknown): unknown {
  const [invalid] = Object.entries((error instanceof ApiError && error.details) || {});
  return invalid ? new CommandUsageError(`--${toOption(invalid[0])} ${invalid[1][0]}.`) : error;
}

/** The command's option for one of the API. */
function toOption(name: string): string {
  return name.replaceAll("_", "-");
}
