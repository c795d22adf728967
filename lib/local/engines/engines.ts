// The databases behind the service: one process for DynamoDB, one for S3 and SQS, both on loopback and both persistent.
import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { LocalServiceError } from "../local-service-error.ts";
import { listen, stopListening } from "../loopback.ts";

export interface Endpoints {
  /** Addresses without a trailing slash. S3 and SQS are the same server. */
  readonly dynamodb: string;
  readonly s3: string;
  readonly sqs: string;
}

export interface EngineOptions {
  /** Folder in which everything is kept. */
  readonly dataDir: string;
  /** In the environment of each process, so that those of a run that crashed are found again. */
  readonly mark: string;
  onLog(engine: string, line: string): void;
}

export interface Engines {
  readonly endpoints: Endpoints;
  /** Resolves when the processes are gone; what they have acknowledged is on disk. */
  stop(): Promise<void>;
}

/** Throws `LocalServiceError` when there is no engine for this machine or one does not start. */
export async function startEngines(options: EngineOptions): Promise<Engines> {
  const engines: EngineProcess[] = [];
  const stop = async () => void (await Promise.all(engines.map((engine) => engine.stop())));
  try {
    const database = await spawnDynamoDb(options);
    engines.push(database);
    const objectsAndQueues = spawnObjectsAndQueues(options);
    engines.push(objectsAndQueues);
    const [dynamodb, other] = await Promise.all([database.endpoint, objectsAndQueues.endpoint]);
    return { endpoints: { dynamodb, s3: other, sqs: other }, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

export interface EngineProcess {
  /** When it takes requests. */
  readonly endpoint: Promise<string>;
  stop(): Promise<void>;
}

/** DynamoDB alone, for what needs no other engine. Without a folder it keeps everything in its memory. */
export async function spawnDynamoDb(
  options: Omit<EngineOptions, "dataDir"> & { readonly dataDir?: string },
): Promise<EngineProcess> {
  const probe = createServer();
  const address = await listen(probe); // the engine does not choose a free port by itself
  await stopListening(probe);
  const port = address.split(":")[1] ?? "";
  const database = options.dataDir === undefined ? [] : ["--db-path", join(options.dataDir, "dynamodb.sqlite")];
  const arguments_ = ["serve", "--port", port, ...database];
  const { child, failed, stop } = spawnEngine(options, "dynamodb", dynoxideBinary(), arguments_);
  return { endpoint: Promise.race([failed, answering(`http://${address}`, child)]), stop };
}

/** S3 and SQS alone. */
export function spawnObjectsAndQueues(options: EngineOptions): EngineProcess {
  const module = join(import.meta.dirname, "s3-and-sqs-process.ts");
  const { child, failed, stop } = spawnEngine(options, "objects-and-queues", process.execPath, [
    module,
    options.dataDir,
  ]);
  const { promise: endpoint, resolve } = Promise.withResolvers<string>();
  child.once("message", (address) => resolve(`http://${address}`));
  return { endpoint: Promise.race([failed, endpoint]), stop };
}

function spawnEngine(
  { mark, onLog }: Pick<EngineOptions, "mark" | "onLog">,
  name: string,
  command: string,
  args: string[],
) {
  const child = spawn(command, args, {
    env: { PATH: process.env["PATH"] ?? "", LOCAL_SERVICE_RUN: mark, TMPDIR: mark },
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
  const killWithUs = () => child.kill("SIGKILL");
  process.once("exit", killWithUs);

  const exited = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, signal) => resolve(`${signal ?? `exit code ${code}`}. ${lastLine}`));
  });
  const failed = exited.then((reason) => {
    throw new LocalServiceError(`The ${name} engine ended: ${reason}`);
  });
  failed.catch(() => {}); // only who waits for the engine needs to know
  return {
    child,
    failed,
    async stop() {
      process.off("exit", killWithUs);
      child.kill("SIGTERM");
      const isGone = await Promise.race([exited, setTimeout(LONGEST_STOP_MS, undefined, { ref: false })]);
      if (isGone === undefined) killWithUs();
      await exited;
    },
  };
}

const LONGEST_STOP_MS = 3_000;

/** Any answer will do: an error about the request shows as well that the engine takes requests. */
async function answering(endpoint: string, engine: ChildProcess): Promise<string> {
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
    throw new LocalServiceError(`The DynamoDB engine is not installed; run "npm install --no-save ${name}".`, {
      cause,
    });
  }
}
