// The service under measurement: started like `npm start`, and called over HTTP.
import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { type FunctionProcess, functionProcesses } from "../local/function-processes.ts";
import { type Service, startService } from "../local/service.ts";

export interface CapturesOptions {
  readonly project: string;
  /** Folder of the cloud assembly. */
  readonly assembly: string;
  readonly dataDir: string;
  /** `address:port` of what captures may reach on this machine. */
  readonly allow: readonly string[];
}

export interface Captures {
  readonly service: Service;
  /** An account of the plan that may do most. */
  readonly key: string;
  /** The variables that are laid over those of the template, as a sandbox is given them. */
  readonly environment: Readonly<Record<string, string>>;
  /** A GET for a capture. Rejects when there is none. */
  take(url: string, options: Readonly<Record<string, string>>, key?: string): Promise<TimedCapture>;
  /** Resolves when no invocation of the screenshot function is in progress: its browser is then gone, and the next one ready. */
  untilIdle(): Promise<void>;
  /** Opens another account, with a rate limit of its own; resolves to its key. */
  openAccount(): Promise<string>;
  /** The processes of a function, by the name of its construct. */
  sandboxes(construct: string): FunctionProcess[];
  /** The first process of the function that captures. Throws where there is none yet. */
  sandbox(): FunctionProcess;
  close(): Promise<void>;
}

export interface TimedCapture {
  /** From the request to the last byte of its body. */
  readonly milliseconds: number;
  /** Durations by phase. */
  readonly phases: ReadonlyMap<string, number>;
  readonly body: Buffer;
  readonly headers: Headers;
  /** Of the picture or document, wherever it is. */
  readonly bytes: number;
}

const IDLE_POLL_MS = 5;

export async function startCaptures(options: CapturesOptions): Promise<Captures> {
  const { project, assembly, dataDir, allow } = options;
  let environment: Readonly<Record<string, string>> = {};
  let invocations = 0;
  const service = await startService({
    assembly,
    dataDir,
    environment: ({ baseUrl, endpoints }) => {
      environment = {
        PROCESS_ACCESS: "open", // sandboxes are found by their environment, and their memory is measured
        AWS_ENDPOINT_URL: endpoints.dynamodb, // all services have one
        BASE_URL: baseUrl,
        CAPTURE_ALLOW_ORIGINS: allow.join(","),
        CAPTURE_ALLOW_ORIGINS_PERMITTED: "true",
      };
      return environment;
    },
    onInvocation({ logicalId }) {
      if (toConstructId(logicalId) === "Screenshot") invocations--;
    },
  });
  const openAccount = () => openDemoAccount(project, dataDir);
  const sandboxes = (construct: string) => {
    const definition = service.functions.find(({ logicalId }) => toConstructId(logicalId) === construct);
    return functionProcesses(dataDir).filter(({ name }) => name === definition?.name);
  };
  const key = await openAccount();
  return {
    service,
    key,
    environment,
    openAccount,
    sandboxes,
    take: (url, requested, by = key) => {
      invocations++;
      return timed(`${service.baseUrl}/api/v1/screenshot?${new URLSearchParams({ url, ...requested })}`, by);
    },
    async untilIdle() {
      while (invocations > 0) await setTimeout(IDLE_POLL_MS);
    },
    sandbox() {
      const [first] = sandboxes("Screenshot");
      if (!first) throw new Error("No process of the screenshot function is running.");
      return first;
    },
    close: () => service.close(),
  };
}

/** CDK adds eight hexadecimal digits to the name of a construct. */
export const toConstructId = (logicalId: string) => logicalId.slice(0, -8);

/** As an operator does: the clients of this process would go on asking the databases of the service they knew first. */
async function openDemoAccount(project: string, dataDir: string): Promise<string> {
  const command = [join(project, "bin/accounts.ts"), "create", "--plan", "max", "--label", "Bench"];
  const env = { ...process.env, DATA_DIR: dataDir };
  const { stdout } = await promisify(execFile)(process.execPath, command, { env });
  return (JSON.parse(stdout) as { key: string }).key;
}

async function timed(address: string, key: string): Promise<TimedCapture> {
  const startedAt = performance.now();
  const response = await fetch(address, { headers: { Authorization: `Bearer ${key}` } });
  const body = Buffer.from(await response.arrayBuffer());
  const milliseconds = performance.now() - startedAt;
  if (!response.ok) throw new Error(`The capture failed: ${body}`);
  const { headers } = response;
  const phases = phaseDurations(headers.get("server-timing") ?? "");
  const result = headers.get("content-type")?.includes("json") ? JSON.parse(body.toString()) : undefined;
  return { milliseconds, phases, body, headers, bytes: result?.file_size_bytes ?? body.length };
}

/** Durations in milliseconds by their names, of the value of a Server-Timing header. */
export function phaseDurations(serverTiming: string): Map<string, number> {
  const entries = serverTiming.matchAll(/(\w+);dur=([\d.]+)/g);
  return new Map([...entries].map(([, phase = "", time]) => [phase, Number(time)]));
}
