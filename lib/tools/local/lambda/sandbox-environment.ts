// The flags of Node.js and the environment variables of a sandbox: Lambda's own, those of the template, and those of the local service.

import { join } from "node:path";
import { REGION } from "../engines/client-options.ts";
import type { FunctionCredentials } from "../iam/credentials.ts";
import type { FunctionDefinition } from "./function-definition.ts";

export interface SandboxEnvironmentOptions {
  readonly definition: FunctionDefinition;
  readonly credentials: FunctionCredentials;
  readonly folder: string;
  readonly runtimeApi: string;
  /** Overrides the environment variables of the template. */
  readonly environment: Readonly<Record<string, string>>;
}

/** Inherits nothing but PATH, so that a function cannot depend on the shell that started the service. */
export function sandboxEnvironment({
  definition,
  credentials,
  folder,
  runtimeApi,
  environment,
}: SandboxEnvironmentOptions): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin",
    LANG: "en_US.UTF-8",
    TZ: "UTC",
    ...definition.environment,
    ...environment,
    // Reserved variables of Lambda, which cannot be overridden.
    HOME: folder,
    TMPDIR: folder,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_SESSION_TOKEN: credentials.sessionToken,
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
    AWS_EC2_METADATA_DISABLED: "true",
    AWS_EXECUTION_ENV: "AWS_Lambda_nodejs24.x",
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(definition.memoryMegabytes),
    AWS_LAMBDA_FUNCTION_NAME: definition.name,
    AWS_LAMBDA_FUNCTION_VERSION: "$LATEST",
    AWS_LAMBDA_INITIALIZATION_TYPE: "on-demand",
    AWS_LAMBDA_LOG_FORMAT: definition.logFormat,
    AWS_LAMBDA_LOG_GROUP_NAME: definition.logGroup,
    AWS_LAMBDA_LOG_STREAM_NAME: "local",
    AWS_LAMBDA_RUNTIME_API: runtimeApi,
    LAMBDA_TASK_ROOT: definition.code,
    _HANDLER: definition.handler,
  };
}

/**
 * The flags of Lambda's managed runtime, as its `/var/runtime/bootstrap` computes them: a tenth of the memory is the young
 * generation, the rest the old one.
 */
export function runtimeFlags({ memoryMegabytes }: Pick<FunctionDefinition, "memoryMegabytes">): string[] {
  const youngMegabytes = Math.floor(memoryMegabytes / 10);
  return [
    "--expose-gc",
    "--max-http-header-size=81920",
    `--max-semi-space-size=${Math.floor(youngMegabytes / 2)}`,
    `--max-old-space-size=${memoryMegabytes - youngMegabytes}`,
  ];
}

const libraries = join(import.meta.dirname, "../../../../layers/hardening");

/**
 * The flags that close the process of a sandbox to those of the others, which on AWS run elsewhere: Chromium in one of them must
 * not reach the credentials of another.
 */
export function closedProcessFlags({ PROCESS_ACCESS }: Readonly<Record<string, string>>): string[] {
  if (PROCESS_ACCESS === "open") return [];
  return ["--disable-sigusr1", `--require=${join(libraries, process.arch, "closed-process.node")}`];
}
