// The service of a soak run, started like `npm start`, with the fixture site and a webhook receiver.
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startWebhookReceiver } from "../../../../test/fixtures/webhook-receiver.ts";
import { openAccount } from "../../../service/account/open-account.ts";
import { synthesizeWithCache } from "../../local/assembly/cached-assembly.ts";
import { useLocalDynamoDb } from "../../local/cli/find-service.ts";
import { type Service, startService } from "../../local/service.ts";
import { LISTENING } from "./collectors.ts";

export interface SoakService extends AsyncDisposable {
  readonly service: Service;
  readonly dataDir: string;
  /** Origins of the site and of the receiver of webhooks. */
  readonly site: string;
  readonly receiver: string;
  /** Opens an account; resolves to its key. */
  openAccount(): Promise<string>;
}

/** `onLog` is given every line that a function, an engine or the API prints. */
export async function startSoakService(onLog: (source: string, line: string) => void): Promise<SoakService> {
  await using started = new AsyncDisposableStack();
  const dataDir = mkdtempSync(join(tmpdir(), "soak-"));
  started.defer(() => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 }));
  const receiver = started.adopt(await startWebhookReceiver(), (each) => each.close());
  // In a process group of its own, which Ctrl-C does not reach: the captures under way are still to end.
  const child = fork(join(import.meta.dirname, "site-process.ts"), { detached: true });
  started.defer(() => void (child.connected && child.disconnect()));
  const [hostPort] = (await once(child, "message")) as [string];
  const project = resolve(import.meta.dirname, "../../../..");
  const service = await startService({
    assembly: (output) => synthesizeWithCache({ project, output, context: { stage: "local" } }),
    dataDir,
    environment: ({ baseUrl }) => ({
      ...LISTENING,
      PROCESS_ACCESS: "open", // their memory and descriptors are counted
      BASE_URL: baseUrl,
      CAPTURE_ALLOW_ORIGINS: `${hostPort},${receiver.hostPort}`,
      CAPTURE_ALLOW_ORIGINS_PERMITTED: "true",
    }),
    onLog,
  });
  started.defer(() => service.close());
  useLocalDynamoDb(service.endpoints.dynamodb);
  service.warm();
  const running = started.move();
  return {
    service,
    dataDir,
    site: `http://${hostPort}`,
    receiver: receiver.origin,
    async openAccount() {
      const { key } = await openAccount(service.outputs["AccountsTable"] ?? "", {
        plan: "max",
        label: "Soak",
        now: Date.now(),
      });
      return key;
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
