// Runs a synthesized template on this machine: its API, functions, tables, buckets, queues and event sources.
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { openApiGateway } from "./api-gateway/api-gateway.ts";
import { loadTemplate, type ServiceDefinition } from "./assembly/service-definition.ts";
import { listeningAddress } from "./cli/public-base-url.ts";
import { makeBuckets } from "./engines/buckets.ts";
import { ACCOUNT_ID, REGION } from "./engines/client-options.ts";
import { openDataFolder } from "./engines/data-folder.ts";
import { type Endpoints, startEngines } from "./engines/engines.ts";
import { makeQueues } from "./engines/queues.ts";
import { makeTables } from "./engines/tables.ts";
import { createFunctions, type FunctionInvocation, type FunctionStatus } from "./lambda/functions.ts";
import { layRuntimeClient } from "./lambda/runtime-client.ts";
import { LocalServiceError } from "./local-service-error.ts";
import { openLogFiles } from "./log-files.ts";
import { LOOPBACK } from "./loopback.ts";
import { createEventSources } from "./sqs/event-sources.ts";

export interface ServiceOptions {
  /** Folder of the cloud assembly, or what makes one in the folder it is given once data folder and port are ours. */
  readonly assembly: string | ((folder: string) => Promise<string>);
  /** Keeps tables, objects, messages and logs from one start to the next; made when it is missing. */
  readonly dataDir: string;
  /** @default 127.0.0.1 */
  readonly host?: string;
  /** @default 0, any that is free */
  readonly port?: number;
  /**
   * Address without a trailing slash at which clients reach the service, such as that of a reverse proxy; all links begin
   * with it.
   * @default the address that the service listens on; of all interfaces, that of the first network
   */
  readonly publicBaseUrl?: string | undefined;
  /** Laid over the template's variables of every function. */
  readonly environment?: (service: Pick<Service, "baseUrl" | "endpoints">) => Readonly<Record<string, string>>;
  /** Every line that a function, an engine or the API prints; they are in files under `dataDir/logs` as well. */
  readonly onLog?: (source: string, line: string) => void;
  /** Told of each event that a function is done with. */
  readonly onInvocation?: (invocation: FunctionInvocation) => void;
  /** At most so many sandboxes of each function. @default four for each core */
  readonly maxSandboxes?: number;
}

export interface Service {
  /** Public address of the API without a trailing slash. */
  readonly baseUrl: string;
  readonly endpoints: Endpoints;
  /** Outputs of all stacks by name. */
  readonly outputs: Readonly<Record<string, string>>;
  readonly functions: readonly FunctionStatus[];
  /** The template's resources that have no effect here, by type and count; empty when there are none. */
  readonly notRun: string;
  /** What `Ref` gives for a logical id or a construct path. Throws `LocalServiceError` when there is no such resource. */
  resolve(logicalIdOrPath: string): string;
  /** Starts a sandbox of each function that has none, so that the first requests need not wait for it. */
  warm(): void;
  /** Takes over a newer assembly; resolves to the names of the functions that changed. What is running goes on to its end. */
  restart(assembly: string): Promise<string[]>;
  /** Leaves no process, no port and no temporary file, and keeps the data. */
  close(): Promise<void>;
}

/** Throws `LocalServiceError` for what the person who starts it can put right; nothing is left running then. */
export async function startService(options: ServiceOptions): Promise<Service> {
  await using started = new AsyncDisposableStack();
  const { host = LOOPBACK, port = 0, maxSandboxes = Math.max(2, 4 * availableParallelism()) } = options;

  const folder = openDataFolder(options.dataDir);
  started.defer(() => folder.close());
  const logs = openLogFiles(folder.logs);
  started.defer(() => logs.close());
  const onLog = (source: string, line: string) => {
    logs.write(source, line);
    options.onLog?.(source, line);
  };

  // The API comes first: its address is what the functions are told, and the most likely thing not to be free.
  const gateway = await openApiGateway({
    host,
    port,
    invoke: (functionArn, event) => functions.invoke(functionArn, event),
    onLog: (line) => onLog("api", line),
  });
  started.defer(() => gateway.close());
  const baseUrl = options.publicBaseUrl ?? listeningAddress(host, gateway.port);

  const { endpoints, stop } = await startEngines({ dataDir: folder.data, mark: folder.run, onLog });
  started.defer(stop);

  const functions = createFunctions({
    runtime: await layRuntimeClient(join(folder.run, "runtime")),
    run: folder.run,
    maxSandboxes,
    environment: { ...endpointVariables(endpoints), ...options.environment?.({ baseUrl, endpoints }) },
    onLog,
    onInvocation: options.onInvocation,
  });
  const eventSources = createEventSources({
    endpoint: endpoints.sqs,
    maxConcurrency: maxSandboxes,
    invoke: functions.invoke,
    onLog: (line) => onLog("event-sources", line),
  });
  // Together: the event sources wait for what they have given to the functions, and return it to the queue.
  started.defer(async () => void (await Promise.all([eventSources.close(), functions.close()])));

  let definition: ServiceDefinition;
  const restart = async (assembly: string) => {
    const cloud = { region: REGION, accountId: ACCOUNT_ID, sqsEndpoint: endpoints.sqs };
    const next = await loadTemplate({ assembly, cloud, baseUrl });
    await makeTables(next.tables, endpoints.dynamodb);
    await makeBuckets(next.buckets, endpoints.s3);
    await makeQueues(next.queues, endpoints.sqs);
    definition = next;
    const changed = await functions.use(definition.functions);
    eventSources.use(definition.eventSources);
    gateway.use(definition.api);
    folder.publish({ pid: process.pid, baseUrl, endpoints, outputs: definition.outputs });
    return changed;
  };
  const { assembly } = options;
  await restart(typeof assembly === "string" ? assembly : await assembly(join(folder.run, "assembly")));

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
    get notRun() {
      return definition.notRun;
    },
    resolve(logicalIdOrPath) {
      const id = definition.physicalIds.get(logicalIdOrPath);
      if (id === undefined) throw new LocalServiceError(`The template has no resource ${logicalIdOrPath}.`);
      return id;
    },
    warm: () => functions.warm(),
    restart,
    close: () => running.disposeAsync(),
  };
}

function endpointVariables({ dynamodb, s3, sqs }: Endpoints): Record<string, string> {
  return { AWS_ENDPOINT_URL_DYNAMODB: dynamodb, AWS_ENDPOINT_URL_S3: s3, AWS_ENDPOINT_URL_SQS: sqs };
}
