// The REST API: has each request answered by the function of its prefix.
import { Aws, Duration, Stack, Validations } from "aws-cdk-lib";
import {
  AccessLogField,
  AccessLogFormat,
  CfnMethod,
  CfnResource,
  type CfnRestApi,
  EndpointType,
  LambdaIntegration,
  LogGroupLogDestination,
  MethodLoggingLevel,
  ResponseTransferMode,
  RestApi,
} from "aws-cdk-lib/aws-apigateway";
import { type Metric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import { LogGroup } from "aws-cdk-lib/aws-logs";
import { Construct } from "constructs";
import type { FunctionName } from "../../service/http/route.ts";
import type { ResultsBucket } from "../data/results-bucket.ts";
import type { ServiceFunction } from "../functions/service-function.ts";
import type { StageConfig } from "../stages.ts";
import { CustomDomain, TLS_SETTINGS } from "./custom-domain.ts";
import { addGatewayResponses } from "./gateway-responses.ts";
import { mounts } from "./mounts.ts";
import { StatusPage } from "./status-page.ts";
import { WebAcl } from "./web-acl.ts";

/** Those that a stage can lack. */
type OptionalFunctionName = "try" | "operator" | "billing";

/** The functions that answer requests. */
export type RoutedFunctions = Readonly<Record<Exclude<FunctionName, OptionalFunctionName>, ServiceFunction>> &
  Readonly<Partial<Record<OptionalFunctionName, ServiceFunction>>>;

/** API Gateway requires a stage name as the first part of the path at its own address. The version is in the routes. */
const STAGE_NAME = "live";

const SUM_OF_5_MINUTES = { period: Duration.minutes(5), statistic: Stats.SUM };

export interface CaptureApiProps {
  readonly stage: StageConfig;
}

/** Requests for captures without an API key that are answered in a second, of all visitors together. */
export const KEYLESS_REQUESTS_PER_SECOND = 5;

/**
 * The API is created before its functions, because their environment holds its address; `connect` adds the functions.
 *
 * It is a REST API because an HTTP API neither streams responses nor waits longer than 30 seconds, and regional because
 * an edge-optimized one closes a stream that is idle for 30 seconds.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/response-transfer-mode.html
 */
export class CaptureApi extends Construct {
  readonly baseUrl: string;
  /** Undefined in a stage without one. */
  readonly webAcl: WebAcl | undefined;
  private readonly api: RestApi;

  constructor(scope: Construct, id: string, { stage }: CaptureApiProps) {
    super(scope, id);

    const accessLog = new LogGroup(this, "AccessLog", {
      retention: stage.logRetention,
      removalPolicy: stage.removalPolicy,
    });
    this.api = new RestApi(this, "Rest", {
      restApiName: Stack.of(this).stackName,
      endpointTypes: [EndpointType.REGIONAL],
      cloudWatchRole: false, // the account stack has it
      deployOptions: {
        stageName: STAGE_NAME,
        throttlingRateLimit: stage.throttling.requestsPerSecond,
        throttlingBurstLimit: stage.throttling.burst,
        // Visitors need no key, and each of their requests starts a function with Chromium's memory.
        ...(stage.keylessCaptures.perDay > 0 && {
          methodOptions: {
            "/try/POST": {
              throttlingRateLimit: KEYLESS_REQUESTS_PER_SECOND,
              throttlingBurstLimit: 10,
              loggingLevel: MethodLoggingLevel.OFF,
              dataTraceEnabled: false,
            },
          },
        }),
        accessLogDestination: new LogGroupLogDestination(accessLog),
        accessLogFormat,
        // Execution logs show query strings and bodies, and with them API keys and what callers capture.
        loggingLevel: MethodLoggingLevel.OFF,
        dataTraceEnabled: false,
        tracingEnabled: false,
      },
    });
    requireModernTls(this.api);
    if (stage.domain) new CustomDomain(this, "Domain", { api: this.api, domain: stage.domain });
    addGatewayResponses(this.api, stage);
    this.webAcl =
      stage.webAcl && new WebAcl(this, "WebAcl", { stage, config: stage.webAcl, apiStage: this.api.deploymentStage });
    acknowledgeFindings(this.api, stage);

    // Not the URL of CDK's stage, a circular dependency: the stage needs the methods, they the functions, these the URL.
    this.baseUrl =
      stage.baseUrl ??
      (stage.domain && `https://${stage.domain.name}`) ??
      `https://${this.api.restApiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}/${STAGE_NAME}`;
  }

  /**
   * Has requests answered by the functions of their prefixes. In a stage without captures for visitors, or without operators, their paths
   * are ones that no route has.
   */
  connect(functions: RoutedFunctions): void {
    const absent = new Set(mounts.filter(({ functionName }) => !functions[functionName]).map(({ path }) => path));
    for (const { path, methods, functionName } of mounts) {
      const fn = functions[functionName];
      if (!fn || absent.has(path)) continue;
      const resource = this.api.root.resourceForPath(path);
      const integration = streamedIntegration(fn);
      for (const method of methods) resource.addMethod(method, integration);
    }
    // Errors link to their description.
    for (const fn of Object.values(functions)) fn.setEnvironment("BASE_URL", this.baseUrl);
  }

  /** Has the status page answered by the bucket, without a function. Called last: it creates the resources of the API in order. */
  serveStatus(results: ResultsBucket): void {
    new StatusPage(this, "Status", { api: this.api, results });
    createInLanes(this.api);
  }

  /** Requests, and those answered with a status from 400 and from 500, in five minutes. */
  requests = (): Metric => this.api.metricCount({ period: Duration.minutes(5), label: "Requests" });
  clientErrors = (): Metric => this.api.metricClientError({ ...SUM_OF_5_MINUTES, label: "4xx" });
  serverErrors = (): Metric => this.api.metricServerError({ ...SUM_OF_5_MINUTES, label: "5xx" });
}

/** API Gateway lets an account create five resources a second, and CloudFormation would create all of a level at the same time. */
const CREATION_LANES = 4;

/**
 * Has CloudFormation create the resources and methods in lanes, each one after the one before it, because API Gateway refuses those that
 * come too fast with 429, which can fail the first deployment.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html
 */
function createInLanes(api: RestApi): void {
  const created = api.node.findAll().filter((each) => each instanceof CfnResource || each instanceof CfnMethod);
  for (const [index, each] of created.entries()) {
    const before = created[index - CREATION_LANES];
    if (before) each.addResourceDependency(before);
  }
}

/** A streamed response can have 200 MB and take 15 minutes, a buffered one 6 MB and 29 seconds. */
function streamedIntegration(fn: ServiceFunction): LambdaIntegration {
  return new LambdaIntegration(fn.target, {
    scopePermissionToMethod: false, // one permission for each function: its resource policy is limited to 20 KB
    responseTransferMode: ResponseTransferMode.STREAM,
    timeout: integrationTimeout(fn),
  });
}

/** Longer than the function's own timeout, whose error says more. */
function integrationTimeout(fn: ServiceFunction): Duration {
  if (!fn.timeout) throw new Error(`${fn.node.path} needs a timeout`);
  return fn.timeout.plus(Duration.seconds(5));
}

/**
 * Without this a regional API accepts TLS 1.0. The L2 construct lacks the two properties.
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/apigateway-security-policies-list.html
 */
function requireModernTls(api: RestApi): void {
  const cfnApi = api.node.defaultChild as CfnRestApi;
  Object.assign(cfnApi, TLS_SETTINGS);
}

/**
 * Logs the resource, never the path or the query string, which can hold an API key; the function logs the route. API Gateway replaces the variables as text,
 * so that a quotation mark or the length of a caller's header could break the JSON: the functions log the user agent.
 */
const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
    time: AccessLogField.contextRequestTime(),
    requestId: AccessLogField.contextRequestId(),
    ip: AccessLogField.contextIdentitySourceIp(),
    method: AccessLogField.contextHttpMethod(),
    route: AccessLogField.contextResourcePath(),
    status: AccessLogField.contextStatus(),
    errorType: AccessLogField.contextErrorResponseType(),
    responseBytes: AccessLogField.contextResponseLength(),
    responseMs: AccessLogField.contextResponseLatency(),
    integrationError: AccessLogField.contextIntegrationErrorMessage(),
  }),
);

function acknowledgeFindings(api: RestApi, { webAcl }: StageConfig): void {
  if (!webAcl) {
    Validations.of(api).acknowledge({
      id: "AwsSolutions-APIG3",
      reason: "A web ACL has a monthly price, so it is a setting of the stage, which `prod` has.",
    });
  }
  Validations.of(api).acknowledge(
    {
      id: "AwsSolutions-APIG2",
      reason: "Each function checks its input by its own schema, whose messages name every wrong option.",
    },
    {
      id: "AwsSolutions-APIG4",
      reason:
        "API keys are checked in code, which also accepts them in the query string and answers in the API's own error shape.",
    },
    {
      id: "AwsSolutions-APIG6",
      reason: "Execution logs would keep query strings, where callers may have put their API key.",
    },
    {
      id: "AwsSolutions-COG4",
      reason:
        "API keys and sessions are checked in code. A Cognito user pool would be a second store of accounts in addition to the " +
        "service's own, and cannot sign in by an API key or an operator's link.",
    },
  );
}
