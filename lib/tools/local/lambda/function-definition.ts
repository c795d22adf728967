// The Lambda functions of a template: code, handler, limits and environment.
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Resource } from "../assembly/resources.ts";
import { LocalServiceError } from "../local-service-error.ts";

export interface FunctionDefinition {
  readonly name: string;
  readonly arn: string;
  readonly logicalId: string;
  /** Folder of the code. */
  readonly code: string;
  readonly handler: string;
  /** False when the code lacks the module of the handler, because it is not bundled yet: its events wait until it is replaced. */
  readonly isBundled: boolean;
  readonly timeoutSeconds: number;
  readonly memoryMegabytes: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly logFormat: "JSON" | "Text";
  readonly logGroup: string;
  /** Maximum of sandboxes; undefined without a reservation in the template. */
  readonly reservedConcurrency: number | undefined;
  /** Whether a sandbox serves one tenant only, whom each invocation names. */
  readonly isPerTenant: boolean;
}

export const functionTypes = ["AWS::Lambda::Function", "AWS::Lambda::LayerVersion"];

/** `rewrite` is applied to each environment variable. Throws `LocalServiceError` when code is missing. */
export function readFunctions(
  resources: readonly Resource[],
  rewrite: (value: string) => string,
): FunctionDefinition[] {
  const layers = new Map(
    resources
      .filter(({ type }) => type === "AWS::Lambda::LayerVersion")
      .map((layer) => [layer.ref, findAsset(layer, layer.properties["Content"] as CodeLocation)]),
  );
  return resources
    .filter(({ type }) => type === "AWS::Lambda::Function")
    .map((resource) => readFunction(resource, layers, rewrite));
}

/** The properties of `AWS::Lambda::Function` that the local runner supports. */
interface FunctionProperties {
  readonly Code: CodeLocation;
  readonly Handler: string;
  readonly Timeout?: number;
  readonly MemorySize?: number;
  readonly Environment?: { readonly Variables?: Readonly<Record<string, string>> };
  readonly Layers?: readonly string[];
  readonly LoggingConfig?: { readonly LogFormat?: "JSON" | "Text"; readonly LogGroup?: string };
  readonly ReservedConcurrentExecutions?: number;
  readonly TenancyConfig?: { readonly TenantIsolationMode: "PER_TENANT" };
}

interface CodeLocation {
  readonly S3Key?: string;
}

function readFunction(
  resource: Resource,
  layers: ReadonlyMap<string, string>,
  rewrite: (value: string) => string,
): FunctionDefinition {
  const properties = resource.properties as unknown as FunctionProperties;
  const layerFolders = (properties.Layers ?? []).map((arn) => layers.get(arn)).filter((folder) => folder !== undefined);
  const variables = Object.entries(properties.Environment?.Variables ?? {}).map(([name, value]) => [
    name,
    rewrite(resolveLayerPath(String(value), layerFolders, `${name} of ${resource.logicalId}`)),
  ]);
  const code = findAsset(resource, properties.Code);
  return {
    name: resource.ref,
    arn: resource.attributes["Arn"] ?? resource.ref,
    logicalId: resource.logicalId,
    code,
    isBundled: hasModule(code, properties.Handler),
    handler: properties.Handler,
    timeoutSeconds: properties.Timeout ?? 3,
    memoryMegabytes: properties.MemorySize ?? 128,
    environment: Object.fromEntries(variables),
    logFormat: properties.LoggingConfig?.LogFormat ?? "Text",
    logGroup: properties.LoggingConfig?.LogGroup ?? `/aws/lambda/${resource.ref}`,
    reservedConcurrency: properties.ReservedConcurrentExecutions,
    isPerTenant: properties.TenancyConfig?.TenantIsolationMode === "PER_TENANT",
  };
}

/** Of `index.handler`, the module is `index`. */
function hasModule(code: string, handler: string): boolean {
  const [module = ""] = handler.split(".");
  return ["mjs", "js", "cjs"].some((extension) => existsSync(join(code, `${module}.${extension}`)));
}

function findAsset({ stack, logicalId }: Resource, { S3Key = "" }: CodeLocation): string {
  const path = stack.assets.get(S3Key);
  if (!path) throw new LocalServiceError(`The code of ${stack.name}/${logicalId} is not an asset of the assembly.`);
  if (!existsSync(path))
    throw new LocalServiceError(`${path}, the code of ${logicalId}, is missing. Synthesize again.`);
  return path;
}

/** Replaces a path in /opt, which does not exist here, with the path in the folder of the layer. */
function resolveLayerPath(value: string, layers: readonly string[], what: string): string {
  if (!value.startsWith("/opt/")) return value;
  const paths = layers.map((folder) => join(folder, value.slice("/opt/".length)));
  const path = paths.findLast(existsSync); // later layers hide earlier ones, as in /opt
  if (!path) throw new LocalServiceError(`No layer of the function contains ${value}, the value of ${what}.`);
  return path;
}
