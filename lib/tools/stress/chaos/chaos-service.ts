// The service of a chaos run: with failing engines and short function timeouts.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Site, startSite } from "../../../../test/fixtures/site.ts";
import type { Service } from "../../local/service.ts";
import { type StressService, type StressServiceOptions, startStressService } from "../stress-service.ts";
import { createFailingWebhooks, type FailingWebhooks, type WebhookFailures } from "./failing-webhooks.ts";
import { type FaultyEngine, startFaultyEngine } from "./faulty-engine.ts";

export interface ChaosService extends StressService, Pick<FailingWebhooks, "received"> {
  readonly site: Site;
  readonly engines: Readonly<Record<"dynamodb" | "s3", FaultyEngine>>;
  /** Names of functions by what they are. */
  readonly functions: Readonly<Record<"screenshot" | "render" | "renderer" | "webhook", string>>;
}

export interface ChaosServiceOptions extends WebhookFailures, Pick<StressServiceOptions, "onLog"> {
  /** How many of the calls to a database fail, from 0 to 1. */
  readonly faultShare: number;
}

export async function startChaosService(options: ChaosServiceOptions): Promise<ChaosService> {
  const { faultShare, random, onLog } = options;
  await using started = new AsyncDisposableStack();
  const site = started.adopt(await startSite(), (each) => each.close());
  const faulty = async (kind: "dynamodb" | "s3") =>
    started.adopt(await startFaultyEngine({ kind, random }), (each) => each.close());
  const engines = { dynamodb: await faulty("dynamodb"), s3: await faulty("s3") };
  const { answer, received } = createFailingWebhooks(options);
  const stress = started.use(
    await startStressService({
      name: "chaos",
      siteHostPort: site.hostPort,
      answerWebhook: answer,
      changeAssembly: shortenTimeouts,
      environment: (endpoints) => {
        engines.dynamodb.failCalls(endpoints.dynamodb, faultShare);
        engines.s3.failCalls(endpoints.s3, faultShare);
        return {
          AWS_ENDPOINT_URL_DYNAMODB: engines.dynamodb.endpoint,
          AWS_ENDPOINT_URL_S3: engines.s3.endpoint,
        };
      },
      onLog,
    }),
  );
  const running = started.move();
  return {
    ...stress,
    site,
    received,
    engines,
    functions: {
      screenshot: functionName(stress.service, "Screenshot"),
      render: functionName(stress.service, "Render"),
      renderer: functionName(stress.service, "Renderer"),
      webhook: functionName(stress.service, "Webhook"),
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Seconds a capture of the chaos may take. A job whose function is killed stays leased for as long as that function may run. */
export const CAPTURE_TIMEOUT_S = 6;
const shortTimeouts = { Render: 14, Webhook: 14 };

/** Gives the functions that are killed shorter timeouts, so that another function takes over their jobs sooner. */
function shortenTimeouts(assembly: string): void {
  const file = join(assembly, templateFile(assembly));
  const template = JSON.parse(readFileSync(file, "utf8"));
  for (const [name, Timeout] of Object.entries(shortTimeouts)) {
    Object.assign(template.Resources[logicalId(Object.keys(template.Resources), name)].Properties, { Timeout });
  }
  writeFileSync(file, JSON.stringify(template));
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
