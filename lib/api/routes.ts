// Every route of the API and the function that answers it: read by the infrastructure, the runner and the fallback.

export type Method = "GET" | "POST" | "HEAD" | "PATCH" | "DELETE";

export interface Route {
  /** Path template as API Gateway writes it, relative to the base URL. */
  readonly path: string;
  readonly methods: readonly Method[];
  /** Name of the file in `functions/` that answers. */
  readonly functionName: FunctionName;
  /** True where the answer is streamed: it can be larger than the 6 MB of a buffered one, or take longer than its 29 s. */
  readonly streams?: boolean;
}

export type FunctionName =
  | "account"
  | "bulk"
  | "health"
  | "invoices"
  | "job"
  | "key"
  | "key-rotation"
  | "keys"
  | "openapi"
  | "redelivery"
  | "screenshot"
  | "storage"
  | "unmatched"
  | "usage"
  | "usage-stats";

const declared: readonly Route[] = [
  { path: "/health", methods: ["GET"], functionName: "health" },
  { path: "/api/v1/openapi.json", methods: ["GET"], functionName: "openapi" },
  { path: "/api/v1/screenshot", methods: ["GET", "POST"], functionName: "screenshot", streams: true },
  { path: "/api/v1/screenshot/{id}", methods: ["GET", "DELETE"], functionName: "job" },
  { path: "/api/v1/screenshot/{id}/webhook/redeliver", methods: ["POST"], functionName: "redelivery" },
  { path: "/api/v1/bulk", methods: ["POST"], functionName: "bulk", streams: true },
  { path: "/api/v1/usage", methods: ["GET"], functionName: "usage" },
  { path: "/api/v1/usage/stats", methods: ["GET"], functionName: "usage-stats" },
  { path: "/api/v1/account", methods: ["GET"], functionName: "account" },
  { path: "/api/v1/account/invoices", methods: ["GET"], functionName: "invoices" },
  { path: "/api/v1/keys", methods: ["GET", "POST"], functionName: "keys" },
  { path: "/api/v1/keys/{id}", methods: ["GET", "PATCH", "DELETE"], functionName: "key" },
  { path: "/api/v1/keys/{id}/rotate", methods: ["POST"], functionName: "key-rotation" },
  { path: "/storage/{key+}", methods: ["GET"], functionName: "storage", streams: true },
];

/** Every path that takes GET takes HEAD, too (RFC 9110, section 9.1): the function answers both alike. */
export const routes: readonly Route[] = declared.map((route) => ({
  ...route,
  methods: route.methods.flatMap((method): Method[] => (method === "GET" ? ["GET", "HEAD"] : [method])),
}));

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
