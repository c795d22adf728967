// Runs a synthesized template on this machine: its API, functions, tables, buckets, queues and event sources.
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { openApiGateway } from "./api-gateway/api-gateway.ts";
import { loadServiceDefinition, type ServiceDefinition } from "./assembly/service-definition.ts";
import { listeningAddress } from "./cli/public-base-url.ts";
import { createBuckets } from "./engines/buckets.ts";
import { ACCOUNT_ID, REGION } from "./engines/client-options.ts";
import { openDataFolder } from "./engines/data-folder.ts";
import { type Endpoints, startEngines } from "./engines/engines.ts";
import type { MailSettings } from "./engines/mail-engine.ts";
import { createQueues } from "./engines/queues.ts";
import { createTables } from "./engines/tables.ts";
import type { DeniedCall } from "./iam/authorize.ts";
import { createCredentialStore, type FunctionCredentials } from "./iam/credentials.ts";
import { startGate } from "./iam/gate.ts";
import { accessRequest, localArn } from "./iam/requests/aws-call.ts";
import type { FunctionDefinition } from "./lambda/function-definition.ts";
import { createFunctions, type FunctionInvocation, type FunctionStatus } from "./lambda/functions.ts";
import { startInvokeApi } from "./lambda/invoke-api.ts";
import type { FunctionResponse } from "./lambda/runtime-api.ts";
import { installRuntimeClient } from "./lambda/runtime-client.ts";
import { LocalServiceError } from "./local-service-error.ts";
import { openLogFiles } from "./log-files.ts";
import { LOOPBACK } from "./loopback.ts";
import type { ScheduledRule } from "./scheduler/rule-definition.ts";
import { playRules } from "./scheduler/rules.ts";
import { openScheduler } from "./scheduler/scheduler.ts";
import { startSchedulerApi } from "./scheduler/scheduler-api.ts";
import { createEventSources } from "./sqs/event-sources.ts";
import type { Queue } from "./sqs/queue-depths.ts";

export interface ServiceOptions {
  /**
   * Folder of the cloud assembly, or a function that writes one to a folder. It is called when data folder and port are acquired, and runs
   * while the engines start.
   */
  readonly assembly: string | ((folder: string) => Promise<string>);
  /** Folder of tables, objects, messages and logs, which survive a restart. It is created when it is missing. */
  readonly dataDir: string;
  /** @default 127.0.0.1 */
  readonly host?: string;
  /** @default 0, any free port */
  readonly port?: number;
  /**
   * Public address of the service without a trailing slash, such as that of a reverse proxy. All links begin with it.
   * @default the address that the service listens on; for all interfaces, the first network address
   */
  readonly publicBaseUrl?: string | undefined;
  /** @default mails are caught, and shown on any free port */
  readonly mail?: MailSettings;
  /**
   * Environment variables that override those of the template, for every function. The endpoints are those of the functions, whose
   * calls are judged.
   */
  readonly environment?: (service: Pick<Service, "baseUrl" | "endpoints">) => Readonly<Record<string, string>>;
  /**
   * Called with the folder of the filter lists in the layer of a new assembly. Returns the folder that functions get instead.
   * @default that of the layer
   */
  readonly blockingFiles?: (layer: string) => string;
  /** Called with each line that a function, an engine or the API prints. The same lines are in files under `dataDir/logs`. */
  readonly onLog?: (source: string, line: string) => void;
  /** Called when a function has finished an event. */
  readonly onInvocation?: (invocation: FunctionInvocation) => void;
  /** Called with each call of a function that its role does not allow. It is logged, too, as from `iam`. */
  readonly onDenied?: (call: DeniedCall) => void;
  /** Maximum of sandboxes per function. @default four per core */
  readonly maxSandboxes?: number;
  /**
   * Whether sandboxes of a function with tenant isolation serve one tenant each. Without it, an account's first capture needs no cold
   * start.
   * @default true
   */
  readonly isolatesTenants?: boolean;
  /**
   * Whether streamed responses have Lambda's bandwidth: 2 MB per second after the first 6 MB.
   * @default false
   */
  readonly throttlesStreams?: boolean;
  /**
   * Whether the functions of rules with a schedule, such as the canary, are invoked when they are due.
   * @default false
   */
  readonly playsRule?: (rule: ScheduledRule) => boolean;
  /**
   * Whether schedules send their message twice, as EventBridge Scheduler may.
   * @default false
   */
  readonly schedulesSendTwice?: boolean;
}

export interface Service {
  /** Public address of the API without a trailing slash. */
  readonly baseUrl: string;
  /** Of the engines themselves, for the operator, whose calls are not judged. */
  readonly endpoints: Endpoints;
  /** Outputs of all stacks by name. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly functions: readonly FunctionStatus[];
  readonly queues: readonly Queue[];
  /** Resources of the template that the local runner ignores, by type and count. Empty when there are none. */
  readonly unsupported: string;
  /** The value of `Ref` for a logical id or a construct path. Throws `LocalServiceError` for an unknown resource. */
  resolve(logicalIdOrPath: string): string;
  /**
   * Starts a sandbox of each of these functions that has none, to save their first requests a cold start; of all functions
   * unless some are named.
   */
  warm(functionNames?: readonly string[]): void;
  /** The credentials of a function, with which its calls are judged. */
  credentialsOf(functionName: string): FunctionCredentials;
  /** The rights of roles that no call has needed so far, one line each. */
  unusedRights(): string[];
  /** Invokes a function by its name or ARN, as Lambda's API does. Rejects with a `FunctionError`. */
  invoke(nameOrArn: string, event: string): Promise<FunctionResponse>;
  /** Loads a new assembly. Resolves to the names of the changed functions. Running invocations continue. */
  restart(assembly: string): Promise<string[]>;
  /** Stops all processes, closes the port and removes temporary files. The data stays. */
  close(): Promise<void>;
}

/** Throws `LocalServiceError` for a cause that the user can fix. Nothing is left running then. */
export async function startService(options: ServiceOptions): Promise<Service> {
  await using started = new AsyncDisposableStack();
  const {
    host = LOOPBACK,
    port = 0,
    mail = { port: 0 },
    maxSandboxes = Math.max(2, 4 * availableParallelism()),
  } = options;

  const folder = openDataFolder(options.dataDir);
  started.defer(() => folder.close());
  const logs = openLogFiles(folder.logs);
  started.defer(() => logs.close());
  const onLog = (source: string, line: string) => {
    logs.write(source, line);
    options.onLog?.(source, line);
  };

  const reportDenied = (call: DeniedCall) => {
    onLog("iam", describeDenied(call));
    options.onDenied?.(call);
  };

  /** Whether a role that no function has allows an action, which is reported if it doesn't. */
  const mayAs = (roleArn: string, action: string, resource: string, functionName: string): boolean => {
    const context = { "aws:ResourceAccount": [ACCOUNT_ID] };
    const decision = definition.permissions.decideAs(roleArn, accessRequest(action, resource, context));
    if (decision.isAllowed) return true;
    const { reason } = decision;
    reportDenied({ functionName, principal: roleArn, action, resource, leadingKeys: [], reason });
    return false;
  };

  // The API starts first: the functions need its address, and its port is what is most likely in use.
  const gateway = await openApiGateway({
    host,
    port,
    invoke: (functionArn, event) => functions.invoke(functionArn, event),
    whenBundled: (functionArn) => functions.whenBundled(functionArn),
    readObject(roleArn, { httpMethod, bucket, key }) {
      if (!mayAs(roleArn, "s3:GetObject", `arn:aws:s3:::${bucket}/${key}`, "api")) return refusedObject();
      return fetch(`${engines.endpoints.s3}/${bucket}/${key}`, { method: httpMethod });
    },
    onLog: (line) => onLog("api", line),
  });
  started.defer(() => gateway.close());
  const baseUrl = options.publicBaseUrl ?? listeningAddress(host, gateway.port);
  const assembling = assemble(options.assembly, join(folder.run, "assembly"));
  assembling.catch(() => undefined); // it is awaited when the engines run

  const engines = await startEngines({ dataDir: folder.data, runFolder: folder.run, mail, onLog });
  started.defer(engines.stop);
  const lambda = await startInvokeApi((nameOrArn, event, tenantId) => functions.invoke(nameOrArn, event, { tenantId }));
  started.defer(lambda.stop);
  const scheduler = await openScheduler({
    dataDir: folder.data,
    sqsEndpoint: engines.endpoints.sqs,
    maySend: (roleArn, queueUrl) =>
      mayAs(roleArn, "sqs:SendMessage", localArn("sqs", queueUrl.split("/").at(-1) ?? ""), "scheduler"),
    onLog: (line) => onLog("scheduler", line),
    sendsTwice: options.schedulesSendTwice ?? false,
  });
  started.defer(scheduler.stop);
  const schedulerApi = await startSchedulerApi(scheduler);
  started.defer(schedulerApi.stop);
  const endpoints = { ...engines.endpoints, lambda: lambda.endpoint, scheduler: schedulerApi.endpoint };

  const credentials = createCredentialStore();
  const gate = await startGate({
    credentials,
    engines: { ...endpoints, ses: endpoints.mail },
    permissions: () => definition.permissions,
    onDenied: reportDenied,
  });
  started.defer(gate.close);
  const judged = {
    ...endpoints,
    dynamodb: gate.endpoint,
    s3: gate.endpoint,
    sqs: gate.endpoint,
    kms: gate.endpoint,
    lambda: gate.endpoint,
    scheduler: gate.endpoint,
  };

  const functions = createFunctions({
    runtime: await installRuntimeClient(join(folder.run, "runtime")),
    run: folder.run,
    maxSandboxes,
    isolatesTenants: options.isolatesTenants ?? true,
    throttlesStreams: options.throttlesStreams ?? false,
    credentialsOf: credentials.issue,
    environment: {
      AWS_ENDPOINT_URL: gate.endpoint, // of all services: nothing of a local function reaches AWS
      CUSTOMER_ROLES: "false",
      ...options.environment?.({ baseUrl, endpoints: judged }),
    },
    onLog,
    onInvocation: options.onInvocation,
  });
  const eventSources = createEventSources({
    endpoint: endpoints.sqs,
    maxConcurrency: maxSandboxes,
    invoke: functions.invoke,
    onLog: (line) => onLog("event-sources", line),
  });
  // In parallel: the event sources wait for their invocations, and return the messages to the queue.
  started.defer(async () => void (await Promise.all([eventSources.close(), functions.close()])));

  const rules = playRules({
    invoke: (functionArn, event) => functions.invoke(functionArn, event),
    onLog: (line) => onLog("rules", line),
  });
  started.defer(rules.stop);

  let definition: ServiceDefinition;
  const restart = async (assembly: string) => {
    const cloud = { region: REGION, accountId: ACCOUNT_ID, sqsEndpoint: endpoints.sqs };
    const loaded = await loadServiceDefinition({ assembly, cloud, baseUrl, functionSqsEndpoint: gate.endpoint });
    const next = {
      ...loaded,
      functions: replaceLogGroups(replaceBlockingFiles(loaded.functions, options.blockingFiles), folder.logs),
    };
    await createTables(next.tables, endpoints.dynamodb);
    await createBuckets(next.buckets, endpoints.s3);
    await createQueues(next.queues, endpoints.sqs);
    engines.keyService.createKeys(next.keys.map(({ attributes: { Arn = "" } }) => Arn));
    definition = next;
    const changed = await functions.use(definition.functions);
    eventSources.use(definition.eventSources);
    gateway.use(definition.api);
    rules.use(definition.rules.filter((rule) => options.playsRule?.(rule) ?? false));
    folder.publish({ pid: process.pid, baseUrl, endpoints, outputs: definition.outputs });
    return changed;
  };
  await restart(await assembling);
  scheduler.start();

  const running = started.move();
  return {
    baseUrl,
    endpoints,
    get outputs() {
      return definition.outputs;
    },
    get functions() {
      return functions.status;
    },
    get queues() {
      return definition.queues.map(({ logicalId, ref: url }) => ({ logicalId, url }));
    },
    get unsupported() {
      return definition.unsupported;
    },
    resolve(logicalIdOrPath) {
      const id = definition.physicalIds.get(logicalIdOrPath);
      if (id === undefined) throw new LocalServiceError(`The template has no resource ${logicalIdOrPath}.`);
      return id;
    },
    credentialsOf: credentials.issue,
    unusedRights: () => definition.permissions.unusedRights(),
    warm: (functionNames) => functions.warm(functionNames),
    invoke: (nameOrArn, event) => functions.invoke(nameOrArn, event),
    restart,
    close: () => running.disposeAsync(),
  };
}

async function assemble(assembly: ServiceOptions["assembly"], folder: string): Promise<string> {
  return typeof assembly === "string" ? assembly : assembly(folder);
}

/** How S3 answers a role that may not read an object. */
const refusedObject = async (): Promise<Response> => new Response(undefined, { status: 403 });

/** Sets the folder of the filter lists for all functions: one without the layer names the lists of the others. */
function replaceBlockingFiles(
  functions: readonly FunctionDefinition[],
  blockingFiles: (layer: string) => string = (layer) => layer,
): readonly FunctionDefinition[] {
  const layer = functions.map(({ environment }) => environment["BLOCKING_FILES"]).find((each) => each !== undefined);
  if (layer === undefined) return functions;
  const BLOCKING_FILES = blockingFiles(layer);
  return functions.map((each) => ({ ...each, environment: { ...each.environment, BLOCKING_FILES } }));
}

/** Has functions that search the log groups of the stage search the log files here. */
function replaceLogGroups(functions: readonly FunctionDefinition[], LOG_FOLDER: string): readonly FunctionDefinition[] {
  return functions.map((each) =>
    each.environment["LOG_GROUPS"] === undefined ? each : { ...each, environment: { ...each.environment, LOG_FOLDER } },
  );
}

/** Names what to grant. */
function describeDenied({ functionName, action, resource, leadingKeys, reason }: DeniedCall): string {
  const keys = leadingKeys.length > 0 ? ` with the partition key ${leadingKeys.join(", ")}` : "";
  return `AccessDenied: ${functionName} may not ${action} on ${resource}${keys}, ${reason}.`;
}
