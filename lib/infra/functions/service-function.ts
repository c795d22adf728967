// One Lambda function of the service: a bundled file of functions/, with its own role and its own log group.
import { join } from "node:path";
import { Duration, Validations } from "aws-cdk-lib";
import { Effect, PolicyStatement, Role, ServicePrincipal } from "aws-cdk-lib/aws-iam";
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
import { type IdentitySetting, identitySettings } from "../../contract/operator-identity.ts";
import { parseTrustedProxies } from "../../service/http/caller-address.ts";
import type { FunctionName } from "../../service/http/route.ts";
import type { EnvironmentVariable } from "../../service/platform/environment.ts";
import { type BundleOptions, bundledCode, isBundled, notBundledCode } from "../bundling/bundle.ts";
import { type StageConfig, stageIdentity } from "../stages.ts";
import { BROWSER_THREADS } from "./browser-threads.ts";

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
  | "renderer"
  | "dead-letters"
  | "webhook"
  | "account-data"
  | "quota-alert"
  | "canary"
  | "budget-guard"
  | "billing-run"
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
  /** What its code is bundled from. */
  readonly source: { readonly entry: string; readonly bundle: BundleOptions };

  constructor(
    scope: Construct,
    id: string,
    { stage, file, bundle = {}, isVersioned = true, ...props }: ServiceFunctionProps,
  ) {
    const logGroup = new LogGroup(scope, `${id}Log`, {
      retention: stage.logRetention,
      removalPolicy: stage.removalPolicy,
    });
    // CDK's default role has AWS's managed policy, which may write to every log group of the account.
    const role = new Role(scope, `${id}Role`, { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });
    logGroup.grantWrite(role);
    if (props.vpc) grantNetworkInterfaces(role);

    const entry = join(functionsFolder, `${file}.ts`);
    super(scope, id, {
      code: isBundled(scope, file) ? bundledCode(entry, bundle) : notBundledCode(),
      handler: "index.handler",
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.X86_64,
      memorySize: 512,
      timeout: Duration.seconds(15),
      loggingFormat: LoggingFormat.JSON,
      ...(stage.tracing && { tracing: Tracing.ACTIVE }),
      ...props,
      environment: {
        ...allocatorSettings,
        STAGE_NAME: stage.name,
        ...trustedProxies(stage),
        ...identityVariables(stage),
        ...props.environment,
      },
      role,
      logGroup,
    });
    this.source = { entry, bundle };
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

  /** Whether Chromium runs in it: a sandbox that a page may have tainted ends, which Lambda counts as an error. */
  get runsChromium(): boolean {
    return this.source.bundle.threads === BROWSER_THREADS;
  }

  /** Lets another function invoke what `target` is, by the variable of its environment that names it. */
  grantInvokeBy(fn: ServiceFunction, variable: EnvironmentVariable): void {
    // By name: the alias depends on the hook of its rollout, and the hook on the versions of its callers.
    const target = this.alias ? `${this.functionArn}:${this.alias.aliasName}` : this.functionArn;
    fn.addToRolePolicy(new PolicyStatement({ actions: ["lambda:InvokeFunction"], resources: [target] }));
    fn.setEnvironment(variable, target);
  }

  /** Sets a variable of the function's environment schema. */
  setEnvironment(variable: EnvironmentVariable, value: string): void {
    this.addEnvironment(variable, value);
  }

  /** Lets CloudFront, where the stage has it, answer links for a while without asking. */
  setEdgeCache({ domain }: StageConfig): void {
    if (domain?.edge) this.setEnvironment("EDGE_CACHE_SECONDS", String(domain.edge.cacheSeconds));
  }

  /** Tells the function how many synchronous captures the stage can run at the same time, of which an account has a share. */
  setCaptureCapacity({ browserConcurrency, maxConcurrentCaptures }: StageConfig): void {
    this.setEnvironment("MAX_CONCURRENT_CAPTURES", String(browserConcurrency ?? maxConcurrentCaptures));
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

/** Who runs the service, for errors, mails, and pages. */
function identityVariables(stage: StageConfig): { [Name in EnvironmentVariable]?: string } {
  return Object.fromEntries(
    Object.entries(stageIdentity(stage)).map(([name, address]) => [
      identitySettings[name as IdentitySetting].variable,
      address,
    ]),
  );
}

/** What Lambda does with the role of a function to connect it to a network. None of it can be restricted to resources. */
const NETWORK_INTERFACE_ACTIONS = [
  "CreateNetworkInterface",
  "DescribeNetworkInterfaces",
  "DescribeSubnets",
  "DeleteNetworkInterface",
  "AssignPrivateIpAddresses",
  "UnassignPrivateIpAddresses",
].map((action) => `ec2:${action}`);

/**
 * Lets Lambda connect a function with this role to a network, without which it refuses to create the function. The code of the function
 * can do nothing of it: `lambda:SourceFunctionArn` is only in requests that are made with the credentials in the sandbox. CDK adds AWS's
 * managed policy to no role but its own; that one also writes to every log group of the account.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-vpc.html#configuration-vpc-permissions
 */
function grantNetworkInterfaces(role: Role): void {
  const statement = { actions: NETWORK_INTERFACE_ACTIONS, resources: ["*"] };
  role.addToPolicy(new PolicyStatement(statement));
  role.addToPolicy(
    new PolicyStatement({
      ...statement,
      effect: Effect.DENY,
      conditions: { Null: { "lambda:SourceFunctionArn": "false" } },
    }),
  );
}

/** Findings about permissions that settings of a stage add. */
function acknowledgePolicies(role: Role, { tracing }: StageConfig, hasNetwork: boolean): void {
  if (!tracing && !hasNetwork) return;
  Validations.of(role).acknowledge({
    id: "AwsSolutions-IAM5[Resource::*]",
    reason: "Traces and network interfaces have no resource that a permission could name.",
  });
}
