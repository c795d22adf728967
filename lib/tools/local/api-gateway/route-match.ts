// Route matching: finds the method of a REST API for a request, with the precedence of API Gateway.
import type { ApiMethod } from "./api-definition.ts";

export interface RouteMatch {
  readonly method: ApiMethod;
  /** Not percent-decoded, as in a REST API. */
  readonly pathParameters: Readonly<Record<string, string>>;
}

/**
 * Takes the most specific resource that matches the path and has a method for the request. An exact method has precedence over `ANY`.
 * Undefined without a match.
 */
export function matchRoute(methods: readonly ApiMethod[], httpMethod: string, path: string): RouteMatch | undefined {
  const requested = splitPath(path);
  const [best] = methods
    .filter((method) => method.httpMethod === httpMethod || method.httpMethod === "ANY")
    .flatMap((method) => {
      const pathParameters = matchSegments(splitPath(method.path), requested);
      return pathParameters ? [{ method, pathParameters }] : [];
    })
    .sort(
      (a, b) =>
        compareSpecificity(splitPath(a.method.path), splitPath(b.method.path)) ||
        Number(a.method.httpMethod === "ANY") - Number(b.method.httpMethod === "ANY"),
    );
  return best;
}

/** Ignores a trailing slash. */
function splitPath(path: string): string[] {
  return path.replace(/^\/|\/$/g, "").split("/");
}

function matchSegments(template: readonly string[], requested: readonly string[]): Record<string, string> | undefined {
  const parameters: Record<string, string> = {};
  for (const [index, part] of template.entries()) {
    const segment = requested[index];
    const name = /^\{(.+?)\+?\}$/.exec(part)?.[1];
    if (segment === undefined || (name ? segment === "" : segment !== part)) return undefined;
    if (name && isGreedy(part)) return { ...parameters, [name]: requested.slice(index).join("/") };
    if (name) parameters[name] = segment;
  }
  return template.length === requested.length ? parameters : undefined;
}

/** Negative when `a` is more specific: a fixed segment before a parameter, a parameter before a greedy one. */
function compareSpecificity(a: readonly string[], b: readonly string[]): number {
  const differences = a.map((part, index) => rank(part) - rank(b[index] ?? ""));
  return differences.find((difference) => difference !== 0) ?? 0;
}

function rank(part: string): number {
  if (isGreedy(part)) return 2;
  return part.startsWith("{") ? 1 : 0;
}

function isGreedy(part: string): boolean {
  return part.endsWith("+}");
}
