// What the service consists of, read from its cloud assembly: the only thing the runner knows about it.
import { type ApiDefinition, apiTypes, readApi } from "../api-gateway/api-definition.ts";
import { type FunctionDefinition, functionTypes, readFunctions } from "../lambda/function-definition.ts";
import { type EventSource, eventSourceTypes, readEventSources } from "../sqs/event-source-definition.ts";
import { readAssembly } from "./assembly.ts";
import type { Cloud } from "./physical-values.ts";
import { type Resource, resolveResources } from "./resources.ts";

export interface ServiceDefinition {
  readonly functions: readonly FunctionDefinition[];
  readonly api: ApiDefinition;
  readonly eventSources: readonly EventSource[];
  readonly tables: readonly Resource[];
  readonly buckets: readonly Resource[];
  readonly queues: readonly Resource[];
  readonly outputs: Readonly<Record<string, string>>;
  readonly physicalIds: ReadonlyMap<string, string>;
  /** A line for the person who starts the service: which resources have no effect here. Empty when all have. */
  readonly notRun: string;
}

export interface LoadOptions {
  /** Folder of the assembly. */
  readonly assembly: string;
  readonly cloud: Cloud;
  /** Address of the local API; takes the place of the address that API Gateway would have given. */
  readonly baseUrl: string;
}

/** Throws `LocalServiceError` where the assembly cannot be read or asks for something the runner does not know. */
export async function loadTemplate({ assembly, cloud, baseUrl }: LoadOptions): Promise<ServiceDefinition> {
  const { resources, physicalIds, outputs, notRun } = resolveResources(await readAssembly(assembly), runTypes, cloud);
  const ofType = (...types: string[]) => resources.filter(({ type }) => types.includes(type));
  const atBaseUrl = replaceApiAddress(ofType("AWS::ApiGateway::RestApi"), baseUrl);
  return {
    functions: readFunctions(resources, atBaseUrl),
    api: readApi(resources),
    eventSources: readEventSources(resources),
    tables: ofType(...tableTypes),
    buckets: ofType("AWS::S3::Bucket"),
    queues: ofType("AWS::SQS::Queue"),
    outputs: Object.fromEntries(Object.entries(outputs).map(([name, value]) => [name, atBaseUrl(value)])),
    physicalIds,
    notRun: describeNotRun(notRun),
  };
}

const tableTypes = ["AWS::DynamoDB::GlobalTable", "AWS::DynamoDB::Table"];

const runTypes = new Set([
  ...apiTypes,
  ...eventSourceTypes,
  ...functionTypes,
  ...tableTypes,
  "AWS::S3::Bucket",
  "AWS::SQS::Queue",
]);

/** API Gateway's address ends with the name of the stage, which local paths do not have. */
function replaceApiAddress(apis: readonly Resource[], baseUrl: string): (value: string) => string {
  const addresses = apis.map(({ ref }) => new RegExp(`https://${ref}\\.execute-api\\.[^/]+/[^/]+`, "g"));
  return (value) => addresses.reduce((text, address) => text.replace(address, baseUrl), value);
}

function describeNotRun(counts: ReadonlyMap<string, number>): string {
  const types = [...counts].sort(([a], [b]) => a.localeCompare(b));
  return types.map(([type, count]) => `${type.replace(/^AWS::/, "")} × ${count}`).join(", ");
}
