// The service of a stress run: started like `npm start` in a folder of its own, with a webhook receiver that captures may reach.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startWebhookReceiver, type WebhookReceiver } from "../../../test/fixtures/webhook-receiver.ts";
import { synthesizeWithCache } from "../local/assembly/cached-assembly.ts";
import { useLocalData } from "../local/cli/find-service.ts";
import { type Service, startService } from "../local/service.ts";

export interface StressService extends AsyncDisposable {
  readonly service: Service;
  readonly dataDir: string;
  readonly receiver: WebhookReceiver;
  /** Names of the tables. */
  readonly tables: Readonly<Record<"accounts" | "usage" | "activity", string>>;
}

/** Origins of the site and of the receiver of webhooks. */
export interface StressOrigins {
  readonly site: string;
  readonly receiver: string;
}

export interface StressServiceOptions {
  /** Of the run, for its folder. */
  readonly name: string;
  /** `address:port` of the site that is captured. */
  readonly siteHostPort: string;
  readonly answerWebhook?: Parameters<typeof startWebhookReceiver>[0];
  /** Changes a cloud assembly in place. */
  readonly changeAssembly?: (assembly: string) => void;
  /** Further environment variables of every function. */
  readonly environment?: (endpoints: Service["endpoints"]) => Readonly<Record<string, string>>;
  /** Receives every line that a function, an engine or the API prints. */
  onLog(source: string, line: string): void;
}

export async function startStressService(options: StressServiceOptions): Promise<StressService> {
  const { name, siteHostPort, changeAssembly, onLog } = options;
  await using started = new AsyncDisposableStack();
  const dataDir = mkdtempSync(join(tmpdir(), `${name}-`));
  started.defer(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  const receiver = started.adopt(await startWebhookReceiver(options.answerWebhook), (each) => each.close());
  const project = resolve(import.meta.dirname, "../../..");
  const service = await startService({
    assembly: async (output) => {
      const assembly = await synthesizeWithCache({ project, output, context: { stage: "local" } });
      changeAssembly?.(assembly);
      return assembly;
    },
    dataDir,
    environment: ({ baseUrl, endpoints }) => ({
      BASE_URL: baseUrl,
      PROCESS_ACCESS: "open", // functions are found by their environment, and their resources are counted
      CAPTURE_ALLOW_ORIGINS: `${siteHostPort},${receiver.hostPort}`,
      CAPTURE_ALLOW_ORIGINS_PERMITTED: "true",
      ...options.environment?.(endpoints),
    }),
    onLog,
  });
  started.defer(() => service.close());
  useLocalData({ ...service.endpoints, secretsKey: service.outputs["SecretsKey"] });
  const output = (key: string) => {
    const value = service.outputs[key];
    if (value === undefined) throw new Error(`The template has no output ${key}.`);
    return value;
  };
  const tables = {
    accounts: output("AccountsTable"),
    usage: output("UsageTable"),
    activity: output("ActivityTable"),
  };
  const running = started.move();
  return { service, dataDir, receiver, tables, [Symbol.asyncDispose]: () => running.disposeAsync() };
}
