// The service under measurement: started as `npm start` does, and asked for captures over HTTP.
import { demoApiKey } from "../../lib/local/demo-account.ts";
import { useLocalDynamoDb } from "../../lib/local/find-service.ts";
import { startService } from "../../lib/local/service.ts";
import { synthesize } from "../../lib/local/synthesize.ts";
import { median } from "./figures.ts";
import { familyOf, variableOf } from "./memory.ts";

export interface Captures {
  /** Rejects when there is no capture. */
  take(url: string, options: Readonly<Record<string, string>>): Promise<TimedCapture>;
  /** The process of the function that captures, once it has: the first of its sandboxes. */
  sandbox(): Promise<{ readonly pid: number; readonly memoryBytes: number }>;
  /** How long each function took to start, in milliseconds, for people to read. */
  initTimes(): string;
  close(): Promise<void>;
}

export interface TimedCapture {
  /** From the request to the last byte of its body. */
  readonly milliseconds: number;
  /** Durations by phase. */
  readonly phases: ReadonlyMap<string, number>;
  readonly body: Buffer;
  /** Of the picture or document, wherever it is. */
  readonly bytes: number;
}

/** `site` is the origin of the pages, the only one on this machine that captures may reach. */
export async function startCaptures(project: string, dataDir: string, site: string): Promise<Captures> {
  const service = await startService({
    assembly: (output) => synthesize({ project, output, context: { stage: "local" } }),
    dataDir,
    environment: ({ baseUrl }) => ({
      BASE_URL: baseUrl,
      CAPTURE_ALLOW_ORIGINS: new URL(site).host,
      CAPTURE_ALLOW_ORIGINS_PERMITTED: "true",
    }),
  });
  useLocalDynamoDb(service.endpoints.dynamodb);
  service.warm();
  const key = await demoApiKey(dataDir, service.outputs.AccountsTable ?? "");
  return {
    take: (url, options) => {
      return timed(`${service.baseUrl}/api/v1/screenshot?${new URLSearchParams({ url, ...options })}`, key);
    },
    async sandbox() {
      const name = service.functions.find(({ logicalId }) => logicalId.startsWith("Screenshot"))?.name;
      for (const pid of await familyOf(process.pid)) {
        if (name === undefined || (await variableOf(pid, "AWS_LAMBDA_FUNCTION_NAME")) !== name) continue;
        const megabytes = Number(await variableOf(pid, "AWS_LAMBDA_FUNCTION_MEMORY_SIZE"));
        return { pid, memoryBytes: megabytes * 2 ** 20 };
      }
      throw new Error("No process of the screenshot function is running.");
    },
    initTimes: () => {
      const started = service.functions.filter(({ initTimesMs }) => initTimesMs.length > 0);
      return started.map(({ name, initTimesMs }) => `${name} ${median(initTimesMs).toFixed(0)}`).join(", ");
    },
    close: () => service.close(),
  };
}

async function timed(address: string, key: string): Promise<TimedCapture> {
  const begun = performance.now();
  const response = await fetch(address, { headers: { Authorization: `Bearer ${key}` } });
  const body = Buffer.from(await response.arrayBuffer());
  const milliseconds = performance.now() - begun;
  if (!response.ok) throw new Error(`The capture failed: ${body}`);
  const timing = response.headers.get("server-timing") ?? "";
  const phases = [...timing.matchAll(/(\w+);dur=([\d.]+)/g)].map(
    ([, phase = "", time]) => [phase, Number(time)] as const,
  );
  const isJson = response.headers.get("content-type")?.includes("json");
  const bytes = isJson ? JSON.parse(body.toString()).file_size_bytes : body.length;
  return { milliseconds, phases: new Map(phases), body, bytes };
}
