// Which method of a REST API a request belongs to: pure, and as API Gateway decides it.
import type { ApiMethod } from "./api-definition.ts";

export interface RouteMatch {
  readonly method: ApiMethod;
  /** As they stand in the path: a REST API does not decode them. */
  readonly pathParameters: Readonly<Record<string, string>>;
}

/**
 * The most specific resource that fits the path decides, even when it has no method for the request; a method of its
 * own goes before `ANY`. Undefined when nothing fits.
 */
export function matchRoute(methods: readonly ApiMethod[], httpMethod: string, path: string): RouteMatch | undefined {
  const requested = segmentsOf(path);
  const [best] = [...new Set(methods.map((method) => method.path))]
    .map((template) => ({ template, pathParameters: matchSegments(segmentsOf(template), requested) }))
    .filter(({ pathParameters }) => pathParameters !== undefined)
    .sort((a, b) => compareSpecificity(segmentsOf(a.template), segmentsOf(b.template)));
  if (!best?.pathParameters) return undefined;

  const candidates = methods.filter((method) => method.path === best.template);
  const method = [httpMethod, "ANY"].map((name) => candidates.find((each) => each.httpMethod === name)).find(Boolean);
  return method && { method, pathParameters: best.pathParameters };
}

/** A slash at the end makes no difference. */
function segmentsOf(path: string): string[] {
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

/** Negative when the first is more specific: a fixed segment goes before a parameter, a parameter before a greedy one. */
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
