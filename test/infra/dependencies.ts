// What CloudFormation creates or updates before each resource of a template.
import type { Template } from "aws-cdk-lib/assertions";

/** Ids of the resources that each one refers to, in its properties and its update policy, or names in `DependsOn`. */
export function dependenciesOf(template: Template): Readonly<Record<string, readonly string[]>> {
  const resources: Record<string, { DependsOn?: string | readonly string[] }> = template.toJSON()["Resources"];
  return Object.fromEntries(
    Object.entries(resources).map(([id, resource]) => {
      const named = [resource.DependsOn ?? []].flat();
      return [id, [...new Set([...named, ...referencesIn(resource)])].filter((other) => other in resources)];
    }),
  );
}

/** All that must exist before a resource. Throws for a cycle. */
export function needsOf(id: string, dependencies: ReturnType<typeof dependenciesOf>): ReadonlySet<string> {
  const needs = new Set<string>();
  const visit = (resource: string, path: readonly string[]): void => {
    if (path.includes(resource)) throw new Error(`The template has a cycle: ${[...path, resource].join(" -> ")}`);
    if (needs.has(resource)) return;
    for (const other of dependencies[resource] ?? []) visit(other, [...path, resource]);
    if (path.length > 0) needs.add(resource);
  };
  visit(id, []);
  return needs;
}

function referencesIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    if (key === "Ref" && typeof inner === "string") return [inner];
    if (key === "Fn::GetAtt" && Array.isArray(inner)) return [String(inner[0])];
    return referencesIn(inner);
  });
}
