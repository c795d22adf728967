// The methods that the service answers at a path.
import type { Endpoint, Method } from "./route.ts";

/** GET answers HEAD, too (RFC 9110, section 9.1). */
export type RequestMethod = Method | "HEAD";

/** The methods of each path template, in the order in which the templates are compared with a path. */
export type PathMethods = readonly (readonly [template: string, methods: readonly RequestMethod[]])[];

/** Lists the methods of endpoints by their paths. */
export function pathMethods(endpoints: readonly Pick<Endpoint, "method" | "path">[]): PathMethods {
  const byPath = Map.groupBy(endpoints, ({ path }) => path);
  return [...byPath].map(([path, group]) => [path, group.flatMap(requestMethods)]);
}

/** The methods of requests that an endpoint answers. */
export function requestMethods({ method }: Pick<Endpoint, "method">): readonly RequestMethod[] {
  return method === "GET" ? ["GET", "HEAD"] : [method];
}

/** The methods that a path takes, or undefined if no template matches it. */
export function allowedMethods(path: string, known: PathMethods): readonly RequestMethod[] | undefined {
  return known.find(([template]) => pathPattern(template).test(path))?.[1];
}

/** API Gateway's `{name}` matches one segment, `{name+}` the rest of the path. */
function pathPattern(template: string): RegExp {
  const pattern = template
    .replaceAll(/[/.]/g, "\\$&")
    .replace(/\{\w+\+\}/g, ".+")
    .replace(/\{\w+\}/g, "[^/]+");
  return new RegExp(`^${pattern}$`);
}
