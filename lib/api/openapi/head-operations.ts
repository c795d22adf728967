// HEAD of every path that has GET: the same request and the same headers, without a body.
import type { JsonSchema } from "../../options/option.ts";

type Paths = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly responses: Readonly<Record<string, JsonSchema>>;
}

/** The paths, where each that has an operation for GET and none for HEAD gets one. */
export function withHead(paths: Paths): Paths {
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => {
      const { get, head } = item as { readonly get?: Operation; readonly head?: Operation };
      return [path, get && !head ? { ...item, head: headOf(get) } : item];
    }),
  );
}

function headOf({ operationId, summary, description = "", responses, ...get }: Operation): Operation {
  return {
    ...get,
    operationId: `head${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`,
    summary: `${summary} (headers only)`,
    description: `${description} HEAD answers as GET does, without a body, and counts and costs the same.`.trim(),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, { content, ...response }]) => [
        status,
        Number(status) < 400 || content === undefined ? response : { ...response, content },
      ]),
    ),
  };
}
