// What every operation that needs a key tells of the account's rate limit.
import { errorKinds } from "../../errors/api-error.ts";
import type { JsonSchema } from "../../options/option.ts";
import { headerRefs, ofCounted } from "./headers.ts";

type Paths = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Answers without the rate limit: the request cannot be read, its account is not known, or no function answered. */
const uncounted: readonly string[] = ["400", "401", "413", "502"];

/** The paths, where each operation that needs a key tells the rate limit in its answers. */
export function withRateLimit(paths: Paths): Paths {
  return mapped(paths, (item) => mapped(item, (part) => (needsKey(part) ? limited(part) : part)));
}

interface Operation {
  readonly responses: Readonly<Record<string, JsonSchema>>;
}

/** A part of a path is an operation, or the parameters of all of them. */
function needsKey(part: unknown): part is Operation {
  if (typeof part !== "object" || part === null || !("responses" in part)) return false;
  return !("security" in part && Array.isArray(part.security) && part.security.length === 0);
}

function limited(operation: Operation): Operation {
  const responses = mapped(operation.responses, (answer, status) => ({
    ...answer,
    ...(status === "429" && { description: `- ${errorKinds.RATE_LIMITED.meaning}\n- ${answer["description"]}` }),
    ...(!uncounted.includes(status) && {
      headers: { ...(answer["headers"] as JsonSchema), ...headerRefs(...ofCounted) },
    }),
  }));
  return { ...operation, responses };
}

function mapped<T, R>(record: Readonly<Record<string, T>>, change: (value: T, name: string) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));
}
