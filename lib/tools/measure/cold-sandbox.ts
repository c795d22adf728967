// Cold sandboxes, as `npm start` starts them: a process, the runtime client, the bundle.
import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { proxyEvent } from "../local/api-gateway/proxy-event.ts";
import { drain, toHttpResponse } from "../local/api-gateway/proxy-response.ts";
import { matchRoute } from "../local/api-gateway/route-match.ts";
import { loadServiceDefinition } from "../local/assembly/service-definition.ts";
import { ACCOUNT_ID, REGION } from "../local/engines/client-options.ts";
import type { FunctionCredentials } from "../local/iam/credentials.ts";
import type { FunctionDefinition } from "../local/lambda/function-definition.ts";
import { installRuntimeClient } from "../local/lambda/runtime-client.ts";
import { type Sandbox, startSandbox } from "../local/lambda/sandbox.ts";
import { phaseDurations } from "./captures.ts";
import { smallPage } from "./scenarios.ts";
import type { Workbench } from "./workbench.ts";

/** A cold start that ended with a capture. Times are in milliseconds since the process was started. */
export interface ColdStart {
  /** It requested its first event. */
  readonly initMs: number;
  /** The last of Chromium's files was written. */
  readonly unpackedMs: number;
  /** Chromium could be given its first page. */
  readonly readyMs: number;
  /** The caller had the whole picture. */
  readonly answeredMs: number;
}

export interface ColdFunctions {
  readonly definitions: readonly FunctionDefinition[];
  /** Starts a sandbox and ends it; how long it took until it requested an event. */
  initMs(definition: FunctionDefinition): Promise<number>;
  /** Starts the function that captures, and asks it for a small page at once. */
  capture(): Promise<ColdStart>;
}

export async function openColdFunctions(bench: Workbench): Promise<ColdFunctions> {
  const { service, key, environment } = await bench.captures();
  const { baseUrl, endpoints } = service;
  const cloud = { region: REGION, accountId: ACCOUNT_ID, sqsEndpoint: endpoints.sqs };
  const { functions, api } = await loadServiceDefinition({ assembly: await bench.assembly(), cloud, baseUrl });
  const runtime = await installRuntimeClient(join(bench.folder(), "runtime"));
  const { origin } = await bench.site();
  const event = captureEvent(api, `${origin}${smallPage.path}`, key);
  const start = (definition: FunctionDefinition) =>
    startedSandbox(
      { definition, runtime, environment, credentials: service.credentialsOf(definition.name) },
      bench.folder(),
    );
  return {
    definitions: functions,
    async initMs(definition) {
      const { sandbox } = await start(definition);
      await sandbox.end();
      return sandbox.initMs ?? 0;
    },
    async capture() {
      const definition = functions.find(({ logicalId }) => logicalId.startsWith("Screenshot"));
      if (!definition) throw new Error("The template has no function that captures.");
      const startedAt = Date.now();
      const { sandbox, folder } = await start(definition);
      const answer = await toHttpResponse(await sandbox.invoke(event, { mayKeepBrowser: true }), true);
      await drain(answer.body);
      const answeredMs = Date.now() - startedAt;
      if (answer.statusCode !== 200) throw new Error(`The cold capture was answered by ${answer.statusCode}.`);
      const timing = answer.headers.find(([name]) => name.toLowerCase() === "server-timing")?.[1] ?? "";
      const phases = phaseDurations(timing);
      const unpackedMs = (await lastWritten(folder)) - startedAt;
      await sandbox.end();
      const initMs = sandbox.initMs ?? 0;
      // The capture waits for the browser once it is admitted.
      return {
        initMs,
        unpackedMs,
        readyMs: initMs + (phases.get("auth") ?? 0) + (phases.get("browser") ?? 0),
        answeredMs,
      };
    },
  };
}

/** What API Gateway makes of the request for a capture. */
function captureEvent(
  api: Awaited<ReturnType<typeof loadServiceDefinition>>["api"],
  page: string,
  key: string,
): string {
  const match = matchRoute(api.methods, "GET", "/api/v1/screenshot");
  if (!match) throw new Error("The template has no route for captures.");
  const request = {
    httpMethod: "GET",
    url: `/api/v1/screenshot?${new URLSearchParams({ url: page })}`,
    rawHeaders: ["Host", "127.0.0.1", "Authorization", `Bearer ${key}`],
    body: Buffer.alloc(0),
    sourceIp: "127.0.0.1",
    localPort: 80,
  };
  return JSON.stringify(proxyEvent({ request, match, api, requestId: randomUUID(), now: new Date() }));
}

interface SandboxSettings {
  readonly definition: FunctionDefinition;
  readonly runtime: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly credentials: FunctionCredentials;
}

/** Resolves when it asks for its first event. */
async function startedSandbox(
  settings: SandboxSettings,
  parent: string,
): Promise<{ sandbox: Sandbox; folder: string }> {
  const folder = join(parent, "sandbox");
  const { promise: idle, resolve, reject } = Promise.withResolvers<void>();
  const sandbox = startSandbox({
    ...settings,
    folder,
    throttlesStreams: false,
    onLog: () => {},
    onIdle: () => resolve(),
    onEnd: (_, reason) => reject(reason),
  });
  await idle;
  return { sandbox, folder };
}

/** When the last of Chromium's own files was written, in milliseconds since 1970: the file system has noted it anyway. */
async function lastWritten(folder: string): Promise<number> {
  const own = (await readdir(folder)).find((name) => name.startsWith("chromium-")) ?? "";
  const files = await readdir(join(folder, own, "chromium"), { recursive: true, withFileTypes: true });
  const written = files
    .filter((file) => file.isFile())
    .map((file) => statSync(join(file.parentPath, file.name)).ctimeMs);
  return Math.max(...written);
}
