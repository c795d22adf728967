// One Lambda function of the service: a bundled file of functions/, with its own role and its own log group.
import { join } from "node:path";
import { Duration, Validations } from "aws-cdk-lib";
import { Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
import {
  Alias,
  Architecture,
  type FunctionProps,
  type IFunction,
  type IVersion,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  Tracing,
} from "aws-cdk-lib/aws-lambda";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import type { Construct } from "constructs";
import { parseTrustedProxies } from "../../service/http/caller-address.ts";
import type { FunctionName } from "../../service/http/route.ts";
import type { EnvironmentVariable } from "../../service/platform/environment.ts";
import { type BundleOptions, bundledCode } from "../bundling/bundle.ts";
import type { StageConfig } from "../stages.ts";

/**
 * Settings of glibc's allocator, see mallopt(3). By default it keeps freed memory in one arena per thread: a long-lived
 * function held 100 MB more than it used, from pictures and from data that hostile pages send. So there is one arena, and
 * blocks of 7.5 KB and more are returned to the kernel when they are freed: what is read from connections and pipes comes
 * in blocks of 8 KB and more, thousands at once. The heap grows by one page more than requested, or those blocks would
 * be placed in the part by which it has just grown.
 */
const allocatorSettings = { MALLOC_ARENA_MAX: "1", MALLOC_MMAP_THRESHOLD_: "7680", MALLOC_TOP_PAD_: "4096" };

const functionsFolder = join(import.meta.dirname, "../../../functions");

/** Functions that answer no route: they are invoked by a queue, a schedule, a topic, or a deployment. */
export type BackgroundFunctionName =
  | "render"
  | "dead-letters"
  | "webhook"
  | "account-data"
  | "quota-alert"
  | "canary"
  | "brake"
  | "pre-traffic";

export interface ServiceFunctionProps
  extends Partial<Omit<FunctionProps, "functionName" | "code" | "handler" | "role" | "logGroup">> {
  readonly stage: StageConfig;

  /** Name of the file in `functions/`, without its extension. */
  readonly file: FunctionName | BackgroundFunctionName;

  readonly bundle?: BundleOptions;

  /**
   * False for a function that a rollout replaces directly.
   * @default true
   */
  readonly isVersioned?: boolean;
}

/**
 * A function that may only write its own log. Tables, bucket and queues grant the rest, together with the environment
 * variable that names them.
 */
export class ServiceFunction extends LambdaFunction {
  /** The alias that callers invoke; undefined where the function is replaced directly. */
  readonly alias: Alias | undefined;

  constructor(
    scope: Construct,
    id: string,
    { stage, file, bundle, isVersioned = true, ...props }: ServiceFunctionProps,
  ) {
    const logGroup = new LogGroup(scope, `${id}Log`, {
      retention: stage.logRetention,
      removalPolicy: stage.removalPolicy,
    });
    // CDK's default role has AWS's managed policy, which may write to every log group of the account.
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
      ...(stage.tracing && { tracing: Tracing.ACTIVE }),
      ...props,
      environment: { ...allocatorSettings, STAGE_NAME: stage.name, ...trustedProxies(stage), ...props.environment },
      role,
      logGroup,
    });
    acknowledgePolicies(role, stage, props.vpc !== undefined);
    this.alias =
      stage.rollout === "direct" || !isVersioned
        ? undefined
        : new Alias(scope, `${id}Live`, { aliasName: "live", version: this.currentVersion as IVersion });
  }

  /** What routes, queues, and schedules invoke: the live version, or the function itself where it has no versions. */
  get target(): IFunction {
    return (this.alias ?? this) as IFunction;
  }

  /** Sets a variable of the function's environment schema. */
  setEnvironment(variable: EnvironmentVariable, value: string): void {
    this.addEnvironment(variable, value);
  }

  /** Lets CloudFront, where the stage has it, answer links for a while without asking. */
  setEdgeCache({ domain }: StageConfig): void {
    if (domain?.edge) this.setEnvironment("EDGE_CACHE_SECONDS", String(domain.edge.cacheSeconds));
  }

  /** Lets the function connect to the non-public addresses that the stage lists. */
  allowOrigins({ allowOrigins }: StageConfig): void {
    if (allowOrigins.length === 0) return;
    this.setEnvironment("CAPTURE_ALLOW_ORIGINS", allowOrigins.join(","));
    this.setEnvironment("CAPTURE_ALLOW_ORIGINS_PERMITTED", "true");
  }
}

/** What shows functions behind reverse proxies where their callers are. */
function trustedProxies({ trustedProxies: proxies = [] }: StageConfig): { [Name in EnvironmentVariable]?: string } {
  const setting = proxies.join(",");
  parseTrustedProxies(setting); // a wrong one must not be deployed
  return setting === "" ? {} : { TRUSTED_PROXIES: setting };
}

/** Findings about permissions that CDK adds for settings of a stage. */
function acknowledgePolicies(role: Role, { tracing }: StageConfig, hasNetwork: boolean): void {
  if (tracing)
    Validations.of(role).acknowledge({
      id: "AwsSolutions-IAM5[Resource::*]",
      reason: "Traces have no resource that a permission could name.",
    });
  if (hasNetwork)
    Validations.of(role).acknowledge({
      id: "AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSLambdaVPCAccessExecutionRole]",
      reason: "Lambda needs it to connect a function to a network. It is about network interfaces, and about logs.",
    });
}
