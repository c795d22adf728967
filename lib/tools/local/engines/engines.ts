// The local engines, all on loopback: one process for DynamoDB, one for S3 and SQS, and in this process KMS and e-mail.
import { type ChildProcess, spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { LocalServiceError } from "../local-service-error.ts";
import { LOOPBACK, listen, stopListening } from "../loopback.ts";
import { type KeyService, startKeyService } from "./key-service.ts";
import { type MailSettings, startMailEngine } from "./mail-engine.ts";

export interface Endpoints {
  /** Addresses without a trailing slash. S3 and SQS are the same server. */
  readonly dynamodb: string;
  readonly s3: string;
  readonly sqs: string;
  readonly kms: string;
  /** SES. Where mails are caught, this address shows them. */
  readonly mail: string;
  /** Lambda's API, by which functions are invoked without API Gateway. */
  readonly lambda: string;
  /** EventBridge Scheduler's API. Tests list the schedules there, and move their clock forward. */
  readonly scheduler: string;
}

export interface LocalEngineOptions {
  /** Folder of the data. */
  readonly dataDir: string;
  /** Path in the environment of each process, by which the next start finds the processes of a crashed run. */
  readonly runFolder: string;
  readonly mail?: MailSettings | undefined;
  onLog(engine: string, line: string): void;
}

export interface Engines {
  readonly endpoints: Omit<Endpoints, "lambda" | "scheduler">;
  readonly keyService: Pick<KeyService, "createKeys">;
  /** Resolves when the processes have exited. All acknowledged writes are on disk. */
  stop(): Promise<void>;
}

/** Throws `LocalServiceError` when there is no engine for this machine or one does not start. */
export async function startEngines(options: LocalEngineOptions): Promise<Engines> {
  const engines: Pick<EngineProcess, "stop">[] = [];
  const stop = async () => void (await Promise.all(engines.map((engine) => engine.stop())));
  try {
    const database = await spawnDynamoDb(options);
    engines.push(database);
    const s3AndSqs = spawnS3AndSqs(options);
    engines.push(s3AndSqs);
    const mail = await startMailEngine(options.mail);
    engines.push(mail);
    const keyService = await startKeyService(join(options.dataDir, "kms-keys.json"));
    engines.push(keyService);
    const [dynamodb, other] = await Promise.all([database.endpoint, s3AndSqs.endpoint]);
    const endpoints = { dynamodb, s3: other, sqs: other, kms: keyService.endpoint, mail: mail.endpoint };
    return { endpoints, keyService, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

export interface EngineProcess {
  /** Resolves when the engine accepts requests. */
  readonly endpoint: Promise<string>;
  stop(): Promise<void>;
}

/** Starts DynamoDB alone. Without a data folder it keeps the tables in memory. */
export async function spawnDynamoDb(
  options: Omit<LocalEngineOptions, "dataDir"> & { readonly dataDir?: string },
): Promise<EngineProcess> {
  const probe = createServer();
  const address = await listen(probe); // the engine cannot choose a free port itself
  await stopListening(probe);
  const [host, port = ""] = [engineHost(), address.split(":")[1]];
  const database = options.dataDir === undefined ? [] : ["--db-path", join(options.dataDir, "dynamodb.sqlite")];
  const arguments_ = ["serve", "--host", host, "--port", port, ...database];
  const { child, failed, stop } = spawnEngine(options, "dynamodb", dynoxideBinary(), arguments_);
  return { endpoint: Promise.race([failed, waitUntilReady(`http://${host}:${port}`, child)]), stop };
}

/**
 * DynamoDB takes any `Host`, so a page in the developer's browser could reach it by a name that resolves to loopback. On Linux, where
 * all of 127.0.0.0/8 is loopback, it listens on an address that no page can guess.
 */
function engineHost(): string {
  return process.platform === "linux" ? `127.${randomInt(1, 255)}.${randomInt(1, 255)}.${randomInt(1, 255)}` : LOOPBACK;
}

/** Starts S3 and SQS alone. */
export function spawnS3AndSqs(options: LocalEngineOptions): EngineProcess {
  const module = join(import.meta.dirname, "s3-and-sqs-process.ts");
  const { child, failed, stop } = spawnEngine(options, "s3-and-sqs", process.execPath, [module, options.dataDir]);
  const { promise: endpoint, resolve } = Promise.withResolvers<string>();
  child.once("message", (address) => resolve(`http://${address}`));
  return { endpoint: Promise.race([failed, endpoint]), stop };
}

function spawnEngine(
  { runFolder, onLog }: Pick<LocalEngineOptions, "runFolder" | "onLog">,
  name: string,
  command: string,
  args: string[],
) {
  const child = spawn(command, args, {
    env: { PATH: process.env["PATH"] ?? "", LOCAL_SERVICE_RUN: runFolder, TMPDIR: runFolder },
    detached: true, // Ctrl-C in the terminal must reach the service first
    stdio: ["ignore", "pipe", "pipe", ...(command === process.execPath ? ["ipc" as const] : [])],
  });
  let lastLine = "";
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on("line", (line) => {
      lastLine = line;
      onLog(name, line);
    });
  }
  const killOnExit = () => child.kill("SIGKILL");
  process.once("exit", killOnExit);

  const exited = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, signal) => resolve(`${signal ?? `exit code ${code}`}. ${lastLine}`));
  });
  const failed = exited.then((reason) => {
    throw new LocalServiceError(`The ${name} engine ended: ${reason}`);
  });
  failed.catch(() => {}); // reported to callers that await the endpoint
  return {
    child,
    failed,
    async stop() {
      process.off("exit", killOnExit);
      child.kill("SIGTERM");
      const reason = await Promise.race([exited, setTimeout(MAX_STOP_MS, undefined, { ref: false })]);
      if (reason === undefined) killOnExit();
      await exited;
    },
  };
}

const MAX_STOP_MS = 3_000;

/** Polls until the engine sends any response, including an error. */
async function waitUntilReady(endpoint: string, engine: ChildProcess): Promise<string> {
  for (;;) {
    const answer = await fetch(endpoint).catch(() => undefined);
    if (answer || engine.exitCode !== null || engine.signalCode !== null) return endpoint;
    await setTimeout(READY_INTERVAL_MS);
  }
}

const READY_INTERVAL_MS = 10;

function dynoxideBinary(): string {
  const name = `@dynoxide/${process.platform}-${process.arch}`;
  try {
    return createRequire(import.meta.url).resolve(`${name}/dynoxide`);
  } catch (cause) {
    throw new LocalServiceError(`The DynamoDB engine is not installed. Run "npm install --no-save ${name}".`, {
      cause,
    });
  }
}
