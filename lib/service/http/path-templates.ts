// Path templates, as API Gateway writes them: `{name}` stands for one segment, `{name+}` for the rest of the path.
import type { Endpoint, Method } from "./route.ts";

/** GET answers HEAD, too (RFC 9110, section 9.1). */
export type RequestMethod = Method | "HEAD";

/**
 * The methods of each path template, and of those the ones that pages of every origin may use, in the order in which the templates are
 * compared with a path.
 */
export type PathMethods = readonly (readonly [
  template: string,
  methods: readonly RequestMethod[],
  crossOrigin: readonly RequestMethod[],
])[];

/** Lists the methods of endpoints by their paths. */
export function pathMethods(endpoints: readonly Pick<Endpoint, "method" | "path" | "origins">[]): PathMethods {
  const byPath = Map.groupBy(endpoints, ({ path }) => path);
  return [...byPath].map(([path, group]) => {
    const crossOrigin = group.filter(({ origins }) => origins !== "own");
    return [path, group.flatMap(requestMethods), crossOrigin.flatMap(requestMethods)];
  });
}

/** The methods of requests that an endpoint answers. */
export function requestMethods({ method }: Pick<Endpoint, "method">): readonly RequestMethod[] {
  return method === "GET" ? ["GET", "HEAD"] : [method];
}

/** The methods that a path takes, or undefined if no template matches it. */
export function allowedMethods(path: string, known: PathMethods): readonly RequestMethod[] | undefined {
  return known.find(([template]) => matchPath(template, path))?.[1];
}

/** The methods that pages of every origin may use at a path; undefined if no template matches it. */
export function crossOriginMethods(path: string, known: PathMethods): readonly RequestMethod[] | undefined {
  return known.find(([template]) => matchPath(template, path))?.[2];
}

/** The variables of a template in a path, not percent-decoded; undefined if it doesn't match. */
export function matchPath(template: string, path: string): Readonly<Record<string, string>> | undefined {
  const [parts, segments] = [template.split("/"), path.split("/")];
  const variables: Record<string, string> = {};
  for (const [index, part] of parts.entries()) {
    const segment = segments[index];
    if (segment === undefined) return undefined;
    const name = part.startsWith("{") ? part.slice(1, -1) : undefined;
    if (name === undefined ? part !== segment : segment === "") return undefined;
    if (name?.endsWith("+")) return { ...variables, [name.slice(0, -1)]: segments.slice(index).join("/") };
    if (name !== undefined) variables[name] = segment;
  }
  return parts.length === segments.length ? variables : undefined;
}

interface ResourceEvent {
  readonly resource: string;
  readonly pathParameters: Readonly<Record<string, string | undefined>> | null;
}

/**
 * The path of a request below the base URL. Not the event's own, which contains the base path of a custom domain.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-mappings.html
 */
export function requestedPath({ resource, pathParameters }: ResourceEvent): string {
  return resource.replaceAll(/\{(\w+)\+?\}/g, (_, name: string) => pathParameters?.[name] ?? "");
}
