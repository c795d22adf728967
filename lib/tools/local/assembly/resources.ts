// The resources and outputs of all stacks of an assembly, with their intrinsic functions evaluated.

import { LocalServiceError } from "../local-service-error.ts";
import type { Stack, TemplateResource } from "./assembly.ts";
import { type IntrinsicScope, resolveIntrinsics } from "./intrinsics.ts";
import { type Cloud, nameProperties, type PhysicalValues, physicalValues } from "./physical-values.ts";

/** A resource of a type that the runner supports. */
export interface Resource extends PhysicalValues {
  readonly stack: Stack;
  readonly logicalId: string;
  readonly type: string;
  readonly properties: Readonly<Record<string, unknown>>;
}

export interface ResolvedAssembly {
  readonly resources: readonly Resource[];
  /** The value of `Ref` by logical id and by construct path (with and without its last part, `Resource`). */
  readonly physicalIds: ReadonlyMap<string, string>;
  readonly outputs: Readonly<Record<string, string>>;
  /** Number of resources of each type that the runner ignores. */
  readonly unsupported: ReadonlyMap<string, number>;
}

/** Resolves the stacks in the given order. Throws `LocalServiceError` where a template cannot be resolved. */
export function resolveResources(
  stacks: readonly Stack[],
  supportedTypes: ReadonlySet<string>,
  cloud: Cloud,
): ResolvedAssembly {
  const resources: Resource[] = [];
  const physicalIds = new Map<string, string>();
  const outputs: Record<string, string> = {};
  const notRun = new Map<string, number>();
  const exports = new Map<string, unknown>();

  for (const stack of stacks) {
    const scope = createScope(stack, cloud, exports);
    for (const [logicalId, resource] of Object.entries(stack.template.Resources ?? {})) {
      const values = scope.physicalValues(logicalId);
      for (const id of [logicalId, ...constructPaths(resource)]) physicalIds.set(id, values.ref);
      if (!supportedTypes.has(resource.Type)) {
        notRun.set(resource.Type, (notRun.get(resource.Type) ?? 0) + 1);
        continue;
      }
      const where = `${stack.name}/${logicalId} (${resource.Type})`;
      const properties = withLocalServiceError(() => resolveIntrinsics(resource.Properties ?? {}, scope, where));
      resources.push({
        ...values,
        stack,
        logicalId,
        type: resource.Type,
        properties: properties as Resource["properties"],
      });
    }
    for (const [name, output] of Object.entries(stack.template.Outputs ?? {})) {
      const where = `output ${stack.name}/${name}`;
      const value = withLocalServiceError(() => resolveIntrinsics(output.Value, scope, where));
      outputs[name] = String(value);
      if (output.Export) exports.set(String(resolveIntrinsics(output.Export.Name, scope, where)), value);
    }
  }
  return { resources, physicalIds, outputs, unsupported: notRun };
}

function createScope(
  { name: stackName, template }: Stack,
  cloud: Cloud,
  exports: ReadonlyMap<string, unknown>,
): IntrinsicScope & { physicalValues(logicalId: string): PhysicalValues } {
  const pseudoParameters: Readonly<Record<string, unknown>> = {
    "AWS::AccountId": cloud.accountId,
    "AWS::NoValue": undefined,
    "AWS::Partition": "aws",
    "AWS::Region": cloud.region,
    "AWS::StackId": `arn:aws:cloudformation:${cloud.region}:${cloud.accountId}:stack/${stackName}/local`,
    "AWS::StackName": stackName,
    "AWS::URLSuffix": "amazonaws.com",
  };
  const scope = {
    physicalValues(logicalId: string): PhysicalValues {
      const resource = template.Resources?.[logicalId];
      if (!resource) throw new Error(`there is no resource ${logicalId}.`);
      const property = resource.Properties?.[nameProperties[resource.Type] ?? ""];
      const chosenName = resolveIntrinsics(property, scope, logicalId);
      return physicalValues(
        { stack: stackName, logicalId, type: resource.Type, ...(typeof chosenName === "string" && { chosenName }) },
        cloud,
      );
    },
    ref(id: string): unknown {
      if (Object.hasOwn(pseudoParameters, id)) return pseudoParameters[id];
      const parameter = template.Parameters?.[id];
      return parameter ? parameter.Default : scope.physicalValues(id).ref;
    },
    attribute(logicalId: string, attribute: string): unknown {
      const value = scope.physicalValues(logicalId).attributes[attribute];
      if (value === undefined) throw new Error(`${logicalId}.${attribute} has no value in the local runner.`);
      return value;
    },
    importedValue(exportName: string): unknown {
      if (!exports.has(exportName)) throw new Error(`no stack before ${stackName} exports ${exportName}.`);
      return exports.get(exportName);
    },
  };
  return scope;
}

function constructPaths({ Metadata }: TemplateResource): string[] {
  const path = Metadata?.["aws:cdk:path"];
  return typeof path === "string" ? [path, path.replace(/\/Resource$/, "")] : [];
}

function withLocalServiceError<T>(resolve: () => T): T {
  try {
    return resolve();
  } catch (cause) {
    throw new LocalServiceError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}
