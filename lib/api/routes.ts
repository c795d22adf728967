// The routes of the API and of the website, each with its Lambda function: read by the infrastructure and the fallback.

export type Method = "GET" | "POST" | "HEAD" | "PATCH" | "DELETE";

export interface Route {
  /** Path template as API Gateway writes it, relative to the base URL. */
  readonly path: string;
  readonly methods: readonly Method[];
  /** Name of the file in `functions/` whose handler answers. */
  readonly functionName: FunctionName;
  /**
   * True for a streamed response, which may exceed the 6 MB and 29 s of a buffered one, and is compressed if it is text. Routes that
   * answer with API keys or signing secrets don't stream.
   */
  readonly streams?: boolean;
}

const declared = [
  { path: "/health", methods: ["GET"], functionName: "health" },
  { path: "/api/v1/openapi.json", methods: ["GET"], functionName: "openapi", streams: true },
  { path: "/api/v1/screenshot", methods: ["GET", "POST"], functionName: "screenshot", streams: true },
  { path: "/api/v1/screenshot/{id}", methods: ["GET", "DELETE"], functionName: "job", streams: true },
  { path: "/api/v1/screenshot/{id}/webhook/redeliver", methods: ["POST"], functionName: "redelivery" },
  { path: "/api/v1/jobs", methods: ["GET"], functionName: "jobs", streams: true },
  { path: "/api/v1/webhooks/test", methods: ["POST"], functionName: "webhook-test" },
  { path: "/api/v1/bulk", methods: ["POST"], functionName: "bulk", streams: true },
  { path: "/api/v1/usage", methods: ["GET"], functionName: "usage", streams: true },
  { path: "/api/v1/usage/stats", methods: ["GET"], functionName: "usage-stats", streams: true },
  { path: "/api/v1/usage/breakdown", methods: ["GET"], functionName: "usage-breakdown", streams: true },
  { path: "/api/v1/usage/search", methods: ["GET"], functionName: "usage-search", streams: true },
  { path: "/api/v1/usage/export", methods: ["GET"], functionName: "usage-export", streams: true },
  { path: "/api/v1/usage/{id}", methods: ["GET"], functionName: "usage-details", streams: true },
  { path: "/api/v1/account", methods: ["GET"], functionName: "account" },
  { path: "/api/v1/account/settings", methods: ["GET"], functionName: "account-settings" },
  { path: "/api/v1/account/invoices", methods: ["GET"], functionName: "invoices", streams: true },
  { path: "/api/v1/account/invoices/{start}/pdf", methods: ["GET"], functionName: "invoice-pdf", streams: true },
  { path: "/api/v1/keys", methods: ["GET", "POST"], functionName: "keys" },
  { path: "/api/v1/keys/{id}", methods: ["GET", "PATCH", "DELETE"], functionName: "key" },
  { path: "/api/v1/keys/{id}/rotate", methods: ["POST"], functionName: "key-rotation" },
  { path: "/storage/{key+}", methods: ["GET"], functionName: "storage", streams: true },
] as const satisfies readonly (Omit<Route, "functionName"> & { readonly functionName: string })[];

type DeclaredRoute = (typeof declared)[number];

/** A method and path template, such as `GET /api/v1/keys/{id}`. HEAD is answered as GET is, and has no name of its own. */
export type RouteName = DeclaredRoute extends infer Each
  ? Each extends DeclaredRoute
    ? `${Each["methods"][number]} ${Each["path"]}`
    : never
  : never;

export type FunctionName =
  | DeclaredRoute["functionName"]
  | "session"
  | "sign-in"
  | "account-data"
  | "mcp"
  | "web"
  | "unmatched";

/** Each path that takes GET also takes HEAD (RFC 9110, section 9.1); the same function answers both. */
export const apiRoutes: readonly Route[] = declared.map((route) => ({ ...route, methods: withHead(route.methods) }));

function withHead(methods: readonly Method[]): Method[] {
  return methods.flatMap((method): Method[] => (method === "GET" ? ["GET", "HEAD"] : [method]));
}

/** The paths of the website. They stream, because a buffered response would need `binaryMediaTypes` for compressed files. */
const pagePaths = [
  "/",
  "/docs",
  "/docs/{path+}",
  "/playground",
  "/app",
  "/app/{path+}",
  "/assets/{path+}",
  "/openapi.json",
  "/llms.txt",
  "/llms-full.txt",
  "/robots.txt",
  "/sitemap.xml",
];

const pageRoutes = pagePaths.map(
  (path): Route => ({ path, methods: ["GET", "HEAD"], functionName: "web", streams: true }),
);

/** The MCP server, which has its own protocol and so no part in the OpenAPI document. It waits for captures, so it streams. */
const mcpRoute: Route = { path: "/mcp", methods: ["POST"], functionName: "mcp", streams: true };

/**
 * Whose requests a route of the pages serves: anyone's, those of a signed-in browser, or those of the account's owner, whose
 * session did not begin with an API key. Every route that changes who owns an account, its settings, or its sessions, or that
 * hands out or deletes its data, is the owner's.
 */
export type Access = "anyone" | "session" | "owner";

/**
 * Sign-in, sessions, and the owner's account, for the service's own pages alone: they need cookies, which programs and other
 * origins do not have. So they have no part in the OpenAPI document.
 */
const declaredForPages = [
  { path: "/session", access: { GET: "session", POST: "anyone", DELETE: "anyone" }, functionName: "session" },
  { path: "/sessions", access: { GET: "session", DELETE: "owner" }, functionName: "session" },
  { path: "/sessions/{id}", access: { DELETE: "owner" }, functionName: "session" },
  { path: "/sign-in", access: { GET: "anyone" }, functionName: "session" },
  // They stream, so that the answer is sent before the look-up of the address, whose duration would tell its outcome.
  { path: "/sign-in/code", access: { POST: "anyone" }, functionName: "sign-in", streams: true },
  { path: "/sign-in/code/verify", access: { POST: "anyone" }, functionName: "sign-in", streams: true },
  { path: "/session/account/email/current", access: { POST: "owner" }, functionName: "sign-in", streams: true },
  { path: "/session/account/email/current/verify", access: { POST: "owner" }, functionName: "sign-in", streams: true },
  { path: "/session/account/email", access: { POST: "owner" }, functionName: "sign-in", streams: true },
  { path: "/session/account/email/verify", access: { POST: "owner" }, functionName: "sign-in", streams: true },
  { path: "/session/account/email/undo", access: { POST: "anyone" }, functionName: "sign-in", streams: true },
  // They stream, because both can take minutes.
  { path: "/session/account", access: { DELETE: "owner" }, functionName: "account-data", streams: true },
  { path: "/session/account/export", access: { GET: "owner" }, functionName: "account-data", streams: true },
  { path: "/api/v1/account/settings", access: { PATCH: "owner" }, functionName: "account-settings" },
] as const satisfies readonly (Omit<Route, "functionName" | "methods"> & {
  readonly access: Readonly<Partial<Record<Method, Access>>>;
  readonly functionName: FunctionName;
})[];

type DeclaredForPages = (typeof declaredForPages)[number];

type PageRouteEntry = DeclaredForPages extends infer Each
  ? Each extends DeclaredForPages
    ? {
        [M in keyof Each["access"] & string]: {
          name: `${M} ${Each["path"]}`;
          access: Each["access"][M];
          by: Each["functionName"];
        };
      }[keyof Each["access"] & string]
    : never
  : never;

/** A method and path of the routes for the pages, such as `DELETE /sessions/{id}`. */
export type PageRouteName = PageRouteEntry["name"];

/** The routes for the pages that a function answers. */
export type PageRoutesOf<Name extends FunctionName> = Extract<PageRouteEntry, { by: Name }>["name"];

/** Whose requests a route for the pages serves. */
export type AccessTo<Name extends PageRouteName> = Extract<PageRouteEntry, { name: Name }>["access"];

/** Whose requests each route for the pages serves, by its name. */
export const pageAccess = Object.fromEntries(
  declaredForPages.flatMap(({ path, access }) =>
    Object.entries(access).map(([method, whose]) => [`${method} ${path}`, whose]),
  ),
) as { readonly [Name in PageRouteName]: AccessTo<Name> };

const sessionRoutes: readonly Route[] = declaredForPages.map(({ access, ...route }) => ({
  ...route,
  methods: withHead(Object.keys(access) as Method[]),
}));

export const routes: readonly Route[] = [...apiRoutes, ...sessionRoutes, ...pageRoutes, mcpRoute];

/** Answers requests that match no route: 404 for an unknown path, 405 for an unknown method, 204 for a CORS preflight. */
export const fallbackFunction: FunctionName = "unmatched";

/** The methods that a path takes, or undefined if no route has this path. */
export function allowedMethods(path: string): readonly Method[] | undefined {
  const found = routes.find((route) => pathPattern(route.path).test(path));
  return found && routes.filter((route) => route.path === found.path).flatMap(({ methods }) => methods);
}

/** API Gateway's `{name}` matches one segment, `{name+}` the rest of the path. */
function pathPattern(template: string): RegExp {
  const pattern = template
    .replaceAll(/[/.]/g, "\\$&")
    .replace(/\{\w+\+\}/g, ".+")
    .replace(/\{\w+\}/g, "[^/]+");
  return new RegExp(`^${pattern}$`);
}
