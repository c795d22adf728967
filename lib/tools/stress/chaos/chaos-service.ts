// The service of a chaos run: with failing engines and short function timeouts.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type Site, startSite } from "../../../../test/fixtures/site.ts";
import { synthesizeWithCache } from "../../local/assembly/cached-assembly.ts";
import { useLocalDynamoDb } from "../../local/cli/find-service.ts";
import { type Service, startService } from "../../local/service.ts";
import { type FaultyEngine, startFaultyEngine } from "./faulty-engine.ts";
import { type Receiver, type ReceiverOptions, startReceiver } from "./receiver.ts";

export interface ChaosService extends AsyncDisposable {
  readonly service: Service;
  readonly dataDir: string;
  readonly site: Site;
  readonly receiver: Receiver;
  readonly engines: Readonly<Record<"dynamodb" | "s3", FaultyEngine>>;
  /** Names of tables and functions by what they are. */
  readonly tables: Readonly<Record<"accounts" | "usage" | "activity", string>>;
  readonly functions: Readonly<Record<"render" | "webhook", string>>;
}

export interface ChaosServiceOptions extends ReceiverOptions {
  /** How many of the calls to a database are spoilt, from 0 to 1. */
  readonly faultShare: number;
  /** Every line that a function, an engine or the API prints. */
  onLog(source: string, line: string): void;
}

export async function startChaosService(options: ChaosServiceOptions): Promise<ChaosService> {
  const { faultShare, random, onLog } = options;
  await using started = new AsyncDisposableStack();
  const dataDir = mkdtempSync(join(tmpdir(), "chaos-"));
  started.defer(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  const site = started.adopt(await startSite(), (each) => each.close());
  const receiver = started.adopt(await startReceiver(options), (each) => each.close());
  const faulty = async (kind: "dynamodb" | "s3") =>
    started.adopt(await startFaultyEngine({ kind, random }), (each) => each.close());
  const engines = { dynamodb: await faulty("dynamodb"), s3: await faulty("s3") };
  const project = resolve(import.meta.dirname, "../../../..");
  const service = await startService({
    assembly: async (output) =>
      withShortTimes(await synthesizeWithCache({ project, output, context: { stage: "local" } })),
    dataDir,
    environment: ({ baseUrl, endpoints }) => {
      engines.dynamodb.leadTo(endpoints.dynamodb, faultShare);
      engines.s3.leadTo(endpoints.s3, faultShare);
      return {
        BASE_URL: baseUrl,
        PROCESS_ACCESS: "open", // functions are found by their environment
        CAPTURE_ALLOW_ORIGINS: `${site.hostPort},${receiver.hostPort}`,
        CAPTURE_ALLOW_ORIGINS_PERMITTED: "true",
        AWS_ENDPOINT_URL_DYNAMODB: engines.dynamodb.endpoint,
        AWS_ENDPOINT_URL_S3: engines.s3.endpoint,
      };
    },
    onLog,
  });
  started.defer(() => service.close());
  useLocalDynamoDb(service.endpoints.dynamodb);

  const output = (name: string) => {
    const value = service.outputs[name];
    if (value === undefined) throw new Error(`The template has no output ${name}.`);
    return value;
  };
  const running = started.move();
  return {
    service,
    dataDir,
    site,
    receiver,
    engines,
    tables: { accounts: output("AccountsTable"), usage: output("UsageTable"), activity: output("ActivityTable") },
    functions: { render: functionName(service, "Render"), webhook: functionName(service, "Webhook") },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Seconds a capture of the chaos may take. A killed worker holds its job for as long as its function may run. */
export const CAPTURE_TIMEOUT_S = 6;
const shortTimeouts = { Render: 14, Webhook: 14 };

/** The assembly with shorter timeouts for the functions that are killed, so that another function takes over their jobs sooner. */
function withShortTimes(assembly: string): string {
  const file = join(assembly, templateFile(assembly));
  const template = JSON.parse(readFileSync(file, "utf8"));
  for (const [name, Timeout] of Object.entries(shortTimeouts)) {
    Object.assign(template.Resources[logicalId(Object.keys(template.Resources), name)].Properties, { Timeout });
  }
  writeFileSync(file, JSON.stringify(template));
  return assembly;
}

function templateFile(assembly: string): string {
  const manifest = JSON.parse(readFileSync(join(assembly, "manifest.json"), "utf8"));
  const stacks = Object.entries<{ type: string; properties: { templateFile: string } }>(manifest.artifacts);
  const [, stack] = stacks.find(([id, { type }]) => type === "aws:cloudformation:stack" && /service$/i.test(id)) ?? [];
  if (!stack) throw new Error("The assembly has no stack of the service.");
  return stack.properties.templateFile;
}

function functionName(service: Service, name: string): string {
  const id = logicalId(
    service.functions.map((each) => each.logicalId),
    name,
  );
  return service.functions.find((each) => each.logicalId === id)?.name ?? "";
}

/** CDK adds eight hexadecimal digits to the name of a construct. */
function logicalId(ids: readonly string[], name: string): string {
  const id = ids.find((each) => new RegExp(`^${name}[0-9A-F]{8}$`).test(each));
  if (id === undefined) throw new Error(`The template has no function ${name}.`);
  return id;
}
