// The REST API: routes, TLS, stage settings and gateway responses.

import { describe, expect, test } from "vitest";
import { requestMethods } from "../../../lib/api/http/path-templates.ts";
import type { FunctionName } from "../../../lib/api/http/route.ts";
import { endpoints, fallbackFunction, routes } from "../../../lib/api/routes.ts";
import { fileOf, only, resources, templatesOf } from "../synthesized.ts";

const { service } = templatesOf("dev");
const methods = apiMethods();

test.each(endpoints.flatMap((endpoint) => requestMethods(endpoint).map((method) => ({ ...endpoint, method }))))(
  "API: $method $path invokes $functionName",
  ({ method, path, functionName }) => {
    expect(methods.find((candidate) => candidate.method === method && candidate.path === path)?.file).toBe(
      functionName,
    );
  },
);

test("API: every path invokes the fallback for all other methods, including CORS preflights", () => {
  const paths = ["/", ...resources(service, "AWS::ApiGateway::Resource").map(([id]) => pathOf(id))];
  const fallbacks = methods.filter(({ method, file }) => method === "ANY" && file === fallbackFunction);
  expect(fallbacks.map(({ path }) => path).toSorted()).toEqual(paths.toSorted());
});

test("API: unknown paths invoke the fallback", () => {
  expect(methods).toContainEqual(expect.objectContaining({ path: "/{proxy+}", method: "ANY", file: fallbackFunction }));
});

test("API: there is no method that no route has", () => {
  const named = endpoints.flatMap(requestMethods);
  expect(methods.filter(({ method }) => method !== "ANY")).toHaveLength(named.length);
});

test("API: captures, what may be large, codes by e-mail, and the website are streamed, but no API keys", () => {
  const streamed = methods.filter(({ integration }) => integration["ResponseTransferMode"] === "STREAM");
  const ofApi = streamed.filter(({ file }) => file !== "web");
  expect(methods.filter(({ file }) => file === "web").every((each) => streamed.includes(each))).toBe(true);
  expect(ofApi.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual([
    "DELETE /api/v1/screenshot/{id}",
    "DELETE /session/account",
    "GET /api/v1/account/invoices",
    "GET /api/v1/account/invoices/{start}/pdf",
    "GET /api/v1/jobs",
    "GET /api/v1/openapi.json",
    "GET /api/v1/screenshot",
    "GET /api/v1/screenshot/{id}",
    "GET /api/v1/usage",
    "GET /api/v1/usage/breakdown",
    "GET /api/v1/usage/export",
    "GET /api/v1/usage/search",
    "GET /api/v1/usage/stats",
    "GET /api/v1/usage/{id}",
    "GET /session/account/export",
    "GET /storage/{key+}",
    "HEAD /api/v1/account/invoices",
    "HEAD /api/v1/account/invoices/{start}/pdf",
    "HEAD /api/v1/jobs",
    "HEAD /api/v1/openapi.json",
    "HEAD /api/v1/screenshot",
    "HEAD /api/v1/screenshot/{id}",
    "HEAD /api/v1/usage",
    "HEAD /api/v1/usage/breakdown",
    "HEAD /api/v1/usage/export",
    "HEAD /api/v1/usage/search",
    "HEAD /api/v1/usage/stats",
    "HEAD /api/v1/usage/{id}",
    "HEAD /session/account/export",
    "HEAD /storage/{key+}",
    "POST /api/v1/bulk",
    "POST /api/v1/screenshot",
    "POST /mcp",
    "POST /session/account/email",
    "POST /session/account/email/current",
    "POST /session/account/email/current/verify",
    "POST /session/account/email/undo",
    "POST /session/account/email/verify",
    "POST /sign-in/code",
    "POST /sign-in/code/verify",
  ]);
});

test("API: the integration timeout of a streamed route is longer than its deadline, whose error explains a timeout", () => {
  const deadlines = new Map(routes.map(({ functionName, deadlineSeconds }) => [functionName, deadlineSeconds]));
  const streamed = methods.filter(({ integration }) => integration["ResponseTransferMode"]);
  const timeouts = Object.fromEntries(streamed.map(({ file, integration }) => [file, integration["TimeoutInMillis"]]));
  const { web, ...others } = timeouts;
  expect(others).toEqual(
    Object.fromEntries(
      Object.keys(others).map((file) => [file, ((deadlines.get(file as FunctionName) ?? 0) + 5) * 1000]),
    ),
  );
  expect({ web, slow: others["account-data"] }).toEqual({ web: 20_000, slow: 845_000 });
});

test("API: TLS below 1.2 is rejected", () => {
  expect(only(service, "AWS::ApiGateway::RestApi")).toMatchObject({
    SecurityPolicy: "SecurityPolicy_TLS13_1_2_PFS_PQ_2025_09",
    EndpointAccessMode: "STRICT",
    EndpointConfiguration: { Types: ["REGIONAL"] },
  });
});

describe("API: API stage", () => {
  const stage = only(service, "AWS::ApiGateway::Stage");

  test("throttles all callers together", () => {
    expect(stage.MethodSettings).toMatchObject([
      { HttpMethod: "*", ResourcePath: "/*", ThrottlingRateLimit: 20, ThrottlingBurstLimit: 40 },
    ]);
  });

  test("logs no text of a caller, whose quotation marks or length could break the JSON of a line", () => {
    const fromCaller = /identity\.userAgent|requestOverride|\.header\.|authorizer|\$context\.path|domain/;
    expect(stage.AccessLogSetting.Format).not.toMatch(fromCaller);
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
      MethodSettings: [{ LoggingLevel: "OFF", DataTraceEnabled: false }],
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

interface ApiMethod {
  readonly path: string;
  readonly method: string;
  readonly file: string;
  readonly integration: Record<string, unknown>;
}

function apiMethods(): ApiMethod[] {
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
