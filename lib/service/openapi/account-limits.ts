// Adds the rate limit to every operation that requires an API key, and the remaining quota to all responses of captures.
import { errorKinds } from "../../contract/errors/error-kinds.ts";
import type { JsonSchema } from "../../contract/options/option.ts";
import { headerRefs, rateLimitHeaderSchemas } from "./headers.ts";

type Paths = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** Statuses without the rate limit: the request is unreadable, its account unknown, or no function answered. */
const uncountedStatuses: readonly string[] = ["400", "401", "413", "502"];

/** Adds the rate limit headers and error to the responses of each operation that requires an API key. */
export function withRateLimit(paths: Paths): Paths {
  return mapValues(paths, (item) => mapValues(item, (part) => (requiresKey(part) ? withRateLimitHeaders(part) : part)));
}

interface Operation {
  readonly responses: Readonly<Record<string, JsonSchema>>;
}

/** True for an operation that requires an API key; a path item also has `parameters`. */
function requiresKey(part: unknown): part is Operation {
  if (typeof part !== "object" || part === null || !("responses" in part)) return false;
  return !("security" in part && Array.isArray(part.security) && part.security.length === 0);
}

function withRateLimitHeaders(operation: Operation): Operation {
  const capturedHeaders = (operation.responses["200"]?.["headers"] ?? {}) as JsonSchema;
  const quota = "X-Quota-Remaining" in capturedHeaders ? (["X-Quota-Remaining"] as const) : [];
  const responses = mapValues(operation.responses, (answer, status) => ({
    ...answer,
    ...(status === "429" && { description: `- ${errorKinds.RATE_LIMITED.meaning}\n- ${answer["description"]}` }),
    ...(!uncountedStatuses.includes(status) && {
      headers: { ...(answer["headers"] as JsonSchema), ...headerRefs(...rateLimitHeaderSchemas, ...quota) },
    }),
  }));
  return { ...operation, responses };
}

function mapValues<T, R>(
  record: Readonly<Record<string, T>>,
  change: (value: T, name: string) => R,
): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value, name)]));
}
