// The REST API: routes, TLS, stage settings and gateway responses.

import { describe, expect, test } from "vitest";
import { requestMethods } from "../../../lib/service/http/path-templates.ts";
import { endpoints, knownPaths, routes } from "../../../lib/service/routes.ts";
import type { ApiMethod } from "../../../lib/tools/local/api-gateway/api-definition.ts";
import { matchRoute } from "../../../lib/tools/local/api-gateway/route-match.ts";
import { fieldsOf } from "../../support/logs-insights.ts";
import { isOfAccessLog, runbookQueries } from "../../support/runbook-queries.ts";
import { dependenciesOf, needsOf } from "../dependencies.ts";
import { everySetting } from "../every-setting.ts";
import { fileOf, only, resources, templatesOf } from "../synthesized.ts";

const { service } = templatesOf("local"); // it has the routes for visitors, too
const methods = apiMethods();

/** The function that API Gateway invokes for a request, by the precedence of its resources. */
function invokedBy(httpMethod: string, path: string): string | undefined {
  const resourceMethods = methods.map((each) => ({ ...each, httpMethod: each.method })) as unknown as ApiMethod[];
  const found = matchRoute(resourceMethods, httpMethod, path)?.method;
  return (found as unknown as DeployedMethod | undefined)?.file;
}

test.each(endpoints.flatMap((endpoint) => requestMethods(endpoint).map((method) => ({ ...endpoint, method }))))(
  "API: $method $path invokes $functionName",
  ({ method, path, functionName }) => {
    expect(invokedBy(method, path.replace(/\{\w+\+\}/, "a/b").replaceAll(/\{\w+\}/g, "7"))).toBe(functionName);
  },
);

test("API: every other method of a path, CORS preflights included, is answered without Chromium", () => {
  const others = knownPaths.flatMap(([path, known]) =>
    ["OPTIONS", "PUT", "POST", "GET"]
      .filter((method) => !known.some((each) => each === method))
      .map((method) => [method, path] as const),
  );
  const invoked = new Set(others.map(([method, path]) => invokedBy(method, path.replace("+}", "}"))));
  expect([...invoked].toSorted()).toEqual(["api", "identity", "web"]);
});

test.each([
  ["/none", "web"],
  ["/api/v1/none", "api"],
  ["/api/v1/keys/7/none", "api"],
  ["/session/none", "identity"],
  ["/operator/api/none", "operator"],
  ["/operator/api", "web"],
])("API: the unknown path %s is refused by %s", (path, functionName) => {
  expect(invokedBy("GET", path)).toBe(functionName);
});

test("API: a resource with single methods has one for all others, because API Gateway would respond 403", () => {
  const withMethods = new Set(methods.map(({ path }) => path));
  const withAny = new Set(methods.filter(({ method }) => method === "ANY").map(({ path }) => path));
  expect(withAny).toEqual(withMethods);
});

/** True for what API Gateway answers with an object; `status-page.test.ts` is about it. */
const isStatusObject = (path: string, method: string) => path.startsWith("/status") && method !== "ANY";

test("API: every response of a function is streamed, for longer than the deadline of any route, whose error explains a timeout", () => {
  const answered = methods.filter(({ path, method }) => !isStatusObject(path, method));
  expect(answered.filter(({ integration }) => integration["ResponseTransferMode"] !== "STREAM")).toEqual([]);
  const timeouts = Object.fromEntries(answered.map(({ file, integration }) => [file, integration["TimeoutInMillis"]]));
  expect(timeouts).toEqual({
    api: 305_000,
    identity: 35_000,
    web: 20_000,
    screenshot: 125_000,
    "invoice-pdf": 65_000,
    try: 50_000,
    mcp: 155_000,
    operator: 70_000,
    billing: 20_000,
  });
  for (const { functionName, deadlineSeconds } of routes)
    expect(deadlineSeconds * 1000).toBeLessThan(timeouts[functionName] as number);
});

test("API: the REST API keeps its logical id, because a new one has another address", () => {
  expect(resources(service, "AWS::ApiGateway::RestApi").map(([id]) => id)).toEqual(["ApiRest4DEC74FE"]);
});

test("API: variables that were in use keep their names, because their resources are made before the old ones are deleted", () => {
  const variables = new Map(
    methods.flatMap(({ path }) => (/\{/.test(path) ? [[path.replace(/\{.*/, ""), /\{[^}]+\}/.exec(path)?.[0]]] : [])),
  );
  expect(Object.fromEntries(variables)).toEqual({
    "/": "{proxy+}",
    "/api/v1/": "{proxy+}",
    "/api/v1/account/invoices/": "{start}",
    "/api/v1/keys/": "{id}",
    "/api/v1/webhooks/receivers/": "{id}",
    "/operator/api/": "{proxy+}",
    "/session/": "{proxy+}",
    "/sessions/": "{id}",
    "/sign-in/": "{proxy+}",
    "/storage/": "{key+}",
  });
});

test.each(["local", "prod"] as const)(
  "API of %s: at most four of its resources and methods are created at the same time, because API Gateway refuses more than five a second",
  (stage) => {
    const template = templatesOf(stage).service;
    const created = ["Resource", "Method"].flatMap((type) => resources(template, `AWS::ApiGateway::${type}`));
    const waits = created.flatMap(([, { DependsOn = [] }]) => [DependsOn].flat());
    expect(created.length - waits.length).toBe(4); // one at the head of each lane
    expect(new Set(waits).size).toBe(waits.length); // and one after each other
    const dependencies = dependenciesOf(template);
    for (const [id] of created) needsOf(id, dependencies); // throws for a cycle
  },
);

test("API: TLS below 1.2 is rejected", () => {
  expect(only(service, "AWS::ApiGateway::RestApi")).toMatchObject({
    SecurityPolicy: "SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09",
    EndpointAccessMode: "STRICT",
    EndpointConfiguration: { Types: ["REGIONAL"] },
  });
});

describe("API: API stage", () => {
  const stage = only(service, "AWS::ApiGateway::Stage");

  test("throttles all callers of a method together", () => {
    expect(stage.MethodSettings).toMatchObject([
      { HttpMethod: "*", ResourcePath: "/*", ThrottlingRateLimit: 20, ThrottlingBurstLimit: 40 },
      // Visitors need no key, and have few of the requests.
      { HttpMethod: "POST", ResourcePath: "/~1try", ThrottlingRateLimit: 5, ThrottlingBurstLimit: 10 },
    ]);
  });

  test("logs no text of a caller, whose quotation marks or length could break the JSON of a line", () => {
    const fromCaller = /identity\.userAgent|requestOverride|\.header\.|authorizer|\$context\.path|domain/;
    expect(stage.AccessLogSetting.Format).not.toMatch(fromCaller);
  });

  test("logs every field that the documented queries read", () => {
    const queries = runbookQueries().filter(isOfAccessLog);
    expect(queries.length).toBeGreaterThan(1);
    const logged = Object.keys(JSON.parse(stage.AccessLogSetting.Format));
    expect(queries.flatMap(fieldsOf).filter((field) => !logged.includes(field))).toEqual([]);
  });

  test("logs nothing that can contain an API key: no path, no query string, no bodies, no traces", () => {
    const logged = Object.values(JSON.parse(stage.AccessLogSetting.Format));
    expect(logged).toEqual([
      "$context.requestTime",
      "$context.requestId",
      "$context.identity.sourceIp",
      "$context.httpMethod",
      "$context.resourcePath",
      "$context.status",
      "$context.error.responseType",
      "$context.responseLength",
      "$context.responseLatency",
      "$context.integrationErrorMessage",
    ]);
    expect(stage).toMatchObject({
      TracingEnabled: false,
      MethodSettings: [{ LoggingLevel: "OFF", DataTraceEnabled: false }, { LoggingLevel: "OFF" }],
    });
  });
});

describe("gateway responses", () => {
  const answers = resources(service, "AWS::ApiGateway::GatewayResponse").map(([, { Properties }]) => Properties);

  test("cover all errors of API Gateway", () => {
    expect(answers.map(({ ResponseType }) => ResponseType)).toEqual(
      expect.arrayContaining(["DEFAULT_4XX", "DEFAULT_5XX"]),
    );
  });

  test.each(answers.map((answer) => ({ type: answer.ResponseType, answer })))(
    "$type has the shape of an API error",
    ({ answer }) => {
      // API Gateway fills the variable in with its quotes.
      const body = answer.ResponseTemplates["application/json"].replace("$context.error.messageString", '"Forbidden"');
      expect(JSON.parse(body)).toEqual({
        error: expect.stringMatching(/./),
        code: expect.stringMatching(/^[A-Z_]+$/),
        request_id: "$context.requestId",
        retryable: expect.any(Boolean),
      });
      expect(answer.ResponseParameters).toMatchObject({
        "gatewayresponse.header.Access-Control-Allow-Origin": "'*'",
        "gatewayresponse.header.Cache-Control": "'no-store'",
        "gatewayresponse.header.Content-Security-Policy": "'sandbox'",
        "gatewayresponse.header.X-Content-Type-Options": "'nosniff'",
      });
    },
  );
});

test("gateway responses: an error of the service names the support of the stage, with API Gateway's number of the request", () => {
  const { service: named } = templatesOf(everySetting);
  const answers = resources(named, "AWS::ApiGateway::GatewayResponse").map(([, { Properties }]) => [
    Properties.ResponseType,
    JSON.parse(Properties.ResponseTemplates["application/json"].replace("$context.error.messageString", '"x"')),
  ]);
  const { DEFAULT_5XX: failed, ...others } = Object.fromEntries(answers);
  expect(failed).toEqual({
    error:
      "The service failed. Try again. If it happens again, write to support@example.com with the request number $context.requestId.",
    code: "INTERNAL_ERROR",
    request_id: "$context.requestId",
    retryable: true,
    support: "support@example.com",
  });
  expect(JSON.stringify(others)).not.toContain("support@example.com");
});

interface DeployedMethod {
  readonly path: string;
  readonly method: string;
  readonly file: string;
  readonly integration: Record<string, unknown>;
}

function apiMethods(): DeployedMethod[] {
  return resources(service, "AWS::ApiGateway::Method").map(([, { Properties }]) => ({
    path: pathOf(Properties.ResourceId.Ref),
    method: Properties.HttpMethod,
    file: integrationFile(Properties.Integration),
    integration: Properties.Integration,
  }));
}

/** The URI of the integration contains the function's ARN. */
function integrationFile({ Uri }: { Uri: { "Fn::Join": [string, { "Fn::GetAtt"?: [string, string] }[]] } }): string {
  const reference = Uri["Fn::Join"][1].find((part) => part["Fn::GetAtt"])?.["Fn::GetAtt"];
  return fileOf(reference?.[0] ?? "");
}

function pathOf(logicalId: string | undefined): string {
  const [, resource] = resources(service, "AWS::ApiGateway::Resource").find(([id]) => id === logicalId) ?? [];
  if (!resource) return "/";
  return `${pathOf(resource.Properties.ParentId.Ref)}/${resource.Properties.PathPart}`.replace("//", "/");
}
