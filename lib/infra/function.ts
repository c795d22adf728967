// One Lambda function of the service: a file of functions/, bundled, with its own role and its own log.
import { join } from "node:path";
import { Duration } from "aws-cdk-lib";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  Architecture,
  type FunctionProps,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
} from "aws-cdk-lib/aws-lambda";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import type { FunctionName } from "../api/routes.ts";
import type { EnvironmentVariable } from "../platform/environment.ts";
import { type BundleOptions, bundledCode } from "./bundle.ts";
import type { StageConfig } from "./stages.ts";

/**
 * How glibc hands out memory, see mallopt(3). Left to itself it keeps nearly all that pictures, and what hostile pages send
 * or have the browser tell, once took, in a heap for every thread: a function that lived long held 100 MB more. So there is
 * one heap, and blocks from 7.5 KB on are given back when they are freed: what is read from connections and pipes comes in
 * pieces of 8 to 64 KB, of which a flood has thousands at once. The heap grows by a page more than was asked for, or those
 * pieces would go where it has just grown.
 */
const allocation = { MALLOC_ARENA_MAX: "1", MALLOC_MMAP_THRESHOLD_: "7680", MALLOC_TOP_PAD_: "4096" };

const functionsFolder = join(import.meta.dirname, "../../functions");

/** Functions that are fed by a queue and answer no route. */
export type QueueFunctionName = "render" | "webhook";

export interface ServiceFunctionProps
  extends Partial<Omit<FunctionProps, "functionName" | "code" | "handler" | "role" | "logGroup">> {
  readonly stage: StageConfig;

  /** Name of the file in `functions/`, without its extension. */
  readonly file: FunctionName | QueueFunctionName;

  readonly bundle?: BundleOptions;
}

/**
 * A function that may do nothing but write its log; tables and buckets grant the rest, together with the environment
 * variable that names them.
 */
export class ServiceFunction extends LambdaFunction {
  constructor(scope: Construct, id: string, { stage, file, bundle, ...props }: ServiceFunctionProps) {
    const logGroup = new LogGroup(scope, `${id}Log`, {
      retention: stage.logRetention,
      removalPolicy: stage.removalPolicy,
    });
    // CDK's default role has AWS's managed policy, which may write every log group of the account.
    const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
    logGroup.grantWrite(role);

    super(scope, id, {
      code: bundledCode(join(functionsFolder, `${file}.ts`), bundle),
      handler: "index.handler",
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.X86_64,
      memorySize: 512,
      timeout: Duration.seconds(15),
      loggingFormat: LoggingFormat.JSON,
      ...props,
      environment: { ...allocation, ...props.environment },
      role,
      logGroup,
    });
  }

  /** Sets a variable that the function's environment schema knows. */
  provide(variable: EnvironmentVariable, value: string): void {
    this.addEnvironment(variable, value);
  }

  /** Lets the function go where the stage allows it although that is not the public internet. */
  provideAllowedOrigins({ allowOrigins }: StageConfig): void {
    if (allowOrigins.length === 0) return;
    this.provide("CAPTURE_ALLOW_ORIGINS", allowOrigins.join(","));
    this.provide("CAPTURE_ALLOW_ORIGINS_PERMITTED", "true");
  }
}
