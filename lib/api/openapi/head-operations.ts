// HEAD operations: each path with GET has one, with the same parameters and headers.
import type { JsonSchema } from "../../options/option.ts";

type Paths = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly responses: Readonly<Record<string, JsonSchema>>;
}

/** Adds a HEAD operation to each path that has GET and no HEAD of its own. */
export function withHead(paths: Paths): Paths {
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => {
      const { get, head } = item as { readonly get?: Operation; readonly head?: Operation };
      return [path, get && !head ? { ...item, head: toHead(get) } : item];
    }),
  );
}

function toHead({ operationId, summary, description = "", responses, ...get }: Operation): Operation {
  return {
    ...get,
    operationId: `head${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`,
    summary: `${summary} (headers only)`,
    description:
      `${description} HEAD returns the same headers as GET without a body, and counts and costs the same.`.trim(),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, { content, ...response }]) => [
        status,
        Number(status) < 400 || content === undefined ? response : { ...response, content },
      ]),
    ),
  };
}
