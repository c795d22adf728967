// The definition of the service (functions, API, tables, buckets, queues, event sources), read from its cloud assembly.
import { type ApiDefinition, apiTypes, readApi } from "../api-gateway/api-definition.ts";
import { type Permissions, permissionTypes, readPermissions } from "../iam/permissions.ts";
import { type FunctionDefinition, functionTypes, readFunctions } from "../lambda/function-definition.ts";
import { readRules, ruleTypes, type ScheduledRule } from "../scheduler/rule-definition.ts";
import { type EventSource, eventSourceTypes, readEventSources } from "../sqs/event-source-definition.ts";
import { requirePollerPermissions } from "../sqs/poller-permissions.ts";
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
  /** Of KMS. */
  readonly keys: readonly Resource[];
  /** Rules of EventBridge with a schedule. */
  readonly rules: readonly ScheduledRule[];
  /** What the roles allow the functions. */
  readonly permissions: Permissions;
  readonly outputs: Readonly<Record<string, string>>;
  readonly physicalIds: ReadonlyMap<string, string>;
  /** One line that lists the ignored resources by type. Empty when there are none. */
  readonly unsupported: string;
}

export interface DefinitionOptions {
  /** Folder of the assembly. */
  readonly assembly: string;
  readonly cloud: Cloud;
  /** Address of the local API, which replaces that of API Gateway. */
  readonly baseUrl: string;
  /**
   * Address of SQS for the functions without a trailing slash, with which the URLs of queues in their environment begin.
   * @default that of `cloud`
   */
  readonly functionSqsEndpoint?: string;
}

/** Throws `LocalServiceError` when the assembly cannot be read or uses a feature that the runner does not support. */
export async function loadServiceDefinition(options: DefinitionOptions): Promise<ServiceDefinition> {
  const { assembly, cloud, baseUrl, functionSqsEndpoint = cloud.sqsEndpoint } = options;
  const {
    resources,
    physicalIds,
    outputs,
    unsupported: notRun,
  } = resolveResources(await readAssembly(assembly), supportedTypes, cloud);
  const ofType = (...types: string[]) => resources.filter(({ type }) => types.includes(type));
  const rewriteApiAddress = replaceApiAddress(ofType("AWS::ApiGateway::RestApi"), baseUrl);
  const permissions = readPermissions(resources);
  const eventSources = readEventSources(resources);
  requirePollerPermissions(eventSources, permissions);
  return {
    functions: readFunctions(resources, (value) =>
      rewriteApiAddress(value).replaceAll(cloud.sqsEndpoint, functionSqsEndpoint),
    ),
    api: readApi(resources),
    eventSources,
    tables: ofType(...tableTypes),
    buckets: ofType("AWS::S3::Bucket"),
    queues: ofType("AWS::SQS::Queue"),
    keys: ofType("AWS::KMS::Key"),
    rules: readRules(resources),
    permissions,
    outputs: Object.fromEntries(Object.entries(outputs).map(([name, value]) => [name, rewriteApiAddress(value)])),
    physicalIds,
    unsupported: describeUnsupported(notRun),
  };
}

const tableTypes = ["AWS::DynamoDB::GlobalTable", "AWS::DynamoDB::Table"];

/** A group is a name; the engine takes schedules of any. */
const schedulerTypes = ["AWS::Scheduler::ScheduleGroup"];

const supportedTypes = new Set([
  ...apiTypes,
  ...eventSourceTypes,
  ...functionTypes,
  ...permissionTypes,
  ...ruleTypes,
  ...schedulerTypes,
]);

/** Replaces API Gateway's address with the base URL. The former ends with a stage name, which local paths lack. */
function replaceApiAddress(apis: readonly Resource[], baseUrl: string): (value: string) => string {
  const addresses = apis.map(({ ref }) => new RegExp(`https://${ref}\\.execute-api\\.[^/]+/[^/]+`, "g"));
  return (value) => addresses.reduce((text, address) => text.replace(address, baseUrl), value);
}

function describeUnsupported(counts: ReadonlyMap<string, number>): string {
  const types = [...counts].sort(([a], [b]) => a.localeCompare(b));
  return types.map(([type, count]) => `${type.replace(/^AWS::/, "")} × ${count}`).join(", ");
}
