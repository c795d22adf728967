// One Lambda function of the service: a file of functions/, bundled, with its own role and its own log.
import { join } from "node:path";
import { Duration } from "aws-cdk-lib";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import { Architecture, LoggingFormat, Runtime } from "aws-cdk-lib/aws-lambda";
import {
  type BundlingOptions,
  LogLevel,
  NodejsFunction,
  type NodejsFunctionProps,
  OutputFormat,
} from "aws-cdk-lib/aws-lambda-nodejs";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import type { FunctionName } from "../contract/routes.ts";
import type { EnvironmentVariable } from "../platform/environment.ts";
import type { StageConfig } from "./stages.ts";

const projectRoot = join(import.meta.dirname, "../..");

/** Functions that are fed by a queue and answer no route. */
export type QueueFunctionName = "render" | "webhook";

export interface ServiceFunctionProps extends Omit<NodejsFunctionProps, "functionName" | "role" | "logGroup"> {
  readonly stage: StageConfig;

  /** Name of the file in `functions/`, without its extension. */
  readonly file: FunctionName | QueueFunctionName;
}

/**
 * A function that may do nothing but write its log; tables and buckets grant the rest, together with the environment
 * variable that names them.
 */
export class ServiceFunction extends NodejsFunction {
  constructor(scope: Construct, id: string, { stage, file, ...props }: ServiceFunctionProps) {
    const logGroup = new LogGroup(scope, `${id}Log`, {
      retention: stage.logRetention,
      removalPolicy: stage.removalPolicy,
    });
    // CDK's default role has AWS's managed policy, which may write every log group of the account.
    const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
    logGroup.grantWrite(role);

    super(scope, id, {
      entry: join(projectRoot, "functions", `${file}.ts`),
      projectRoot,
      depsLockFilePath: join(projectRoot, "package-lock.json"),
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.X86_64,
      memorySize: 512,
      timeout: Duration.seconds(15),
      loggingFormat: LoggingFormat.JSON,
      ...props,
      role,
      logGroup,
      bundling: { ...bundling, ...props.bundling },
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

const bundling: BundlingOptions = {
  format: OutputFormat.ESM,
  target: "node24",
  mainFields: ["module", "main"],
  // Names stay as they are, so that stacks in logs can be read. A source map would say more, but Node holds it unpacked from
  // the first error on: 65 MB of a function that captures.
  esbuildArgs: { "--minify-whitespace": true, "--minify-syntax": true },
  // esbuild keeps names by wrapping functions in a helper of the bundle, which those sent into a page would miss.
  keepNames: false,
  // Bundled, the SDK is the pinned version and only the parts in use: the import takes half the time.
  externalModules: [],
  logLevel: LogLevel.WARNING,
  // Packages written in CommonJS still call require(), which modules do not have.
  // Under a name of its own, since packages declare that of Node's.
  banner: 'import { createRequire as requireOf } from "node:module"; const require = requireOf(import.meta.url);',
};
