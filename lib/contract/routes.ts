// Every route of the API and the function that answers it: read by the infrastructure, the runner and the fallback.

export type Method = "GET" | "POST" | "HEAD";

export interface Route {
  /** Path template as API Gateway writes it, relative to the base URL. */
  readonly path: string;
  readonly methods: readonly Method[];
  /** Name of the file in `functions/` that answers. */
  readonly functionName: FunctionName;
  /** True where the answer is streamed, because it can be larger than the 6 MB of a buffered one. */
  readonly streams?: boolean;
}

export type FunctionName = "health" | "openapi" | "screenshot" | "storage" | "usage" | "usage-stats" | "unmatched";

export const routes: readonly Route[] = [
  { path: "/health", methods: ["GET"], functionName: "health" },
  { path: "/api/v1/openapi.json", methods: ["GET"], functionName: "openapi" },
  { path: "/api/v1/screenshot", methods: ["GET", "POST"], functionName: "screenshot", streams: true },
  { path: "/api/v1/usage", methods: ["GET"], functionName: "usage" },
  { path: "/api/v1/usage/stats", methods: ["GET"], functionName: "usage-stats" },
  { path: "/storage/{key+}", methods: ["GET", "HEAD"], functionName: "storage" },
];

/** Answers whatever no route does: 404 for an unknown path, 405 for an unknown method, 204 for a CORS preflight. */
export const fallbackFunction: FunctionName = "unmatched";

/** The methods a path takes, or undefined for a path of no route. */
export function methodsOf(path: string): readonly Method[] | undefined {
  return routes.find((route) => patternOf(route.path).test(path))?.methods;
}

/** API Gateway's `{name}` matches one segment, `{name+}` the rest of the path. */
function patternOf(template: string): RegExp {
  const pattern = template
    .replaceAll(/[/.]/g, "\\$&")
    .replace(/\{\w+\+\}/g, ".+")
    .replace(/\{\w+\}/g, "[^/]+");
  return new RegExp(`^${pattern}$`);
}
