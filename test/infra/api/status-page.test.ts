// The status page in the template: which objects API Gateway answers with, and what its role can read.
import { describe, expect, test } from "vitest";
import { stageConfig } from "../../../lib/infra/stages.ts";
import { evaluate } from "../../../lib/tools/local/iam/evaluate.ts";
import { policiesOf, statementsOf } from "../role-statements.ts";
import { functionsOf, readable, resources, templatesOf } from "../synthesized.ts";

const { service } = templatesOf(stageConfig("dev"));
const [[role = "", roleResource] = []] = resources(service, "AWS::IAM::Role").filter(([id]) =>
  id.startsWith("ApiStatus"),
);
const integrations = resources(service, "AWS::ApiGateway::Method")
  .map(([, { Properties }]) => Properties)
  .filter(({ Integration }) => Integration.Type === "AWS");

describe("status page: the role of API Gateway", () => {
  const may = (action: string, key: string) =>
    evaluate(
      { identity: statementsOf(service, role), resource: [] },
      {
        action: `s3:${action}`,
        resource: `arn:aws:reference:::<Results>/${key}`,
        context: { "aws:ResourceAccount": ["<AWS::AccountId>"] },
      },
    ).isAllowed;

  test("reads the objects of the status page, and nothing else of the bucket", () => {
    expect(may("GetObject", "status/index.html")).toBe(true);
    for (const prefix of ["1-day", "7-days", "30-days", "thumbnails", "exports", "answers", "options", "renderings"])
      expect([prefix, may("GetObject", `${prefix}/status/index.html`)]).toEqual([prefix, false]);
    for (const action of ["PutObject", "DeleteObject", "ListBucket", "GetObjectVersion"])
      expect([action, may(action, "status/index.html")]).toEqual([action, false]);
  });

  test("has that one statement, and is API Gateway's alone", () => {
    expect(policiesOf(service, role).flatMap(([, { Properties }]) => Properties.PolicyDocument.Statement)).toHaveLength(
      1,
    );
    expect(roleResource?.Properties.AssumeRolePolicyDocument.Statement[0].Principal).toEqual({
      Service: "apigateway.amazonaws.com",
    });
    for (const { Integration } of integrations)
      expect(Integration.Credentials).toEqual({ "Fn::GetAtt": [role, "Arn"] });
  });
});

test("status page: each path has a fixed object, with no part of the request in its address", () => {
  const addresses = integrations.map(({ HttpMethod, Integration }) => {
    expect(Integration.RequestParameters).toBeUndefined();
    return `${HttpMethod} ${Integration.IntegrationHttpMethod} ${readable(Integration.Uri).replace(/.*:s3:path\//, "")}`;
  });
  expect(addresses.toSorted()).toEqual(
    ["index.html", "status.atom", "status.json"]
      .flatMap((name) => [`GET GET <Results>/status/${name}`, `HEAD HEAD <Results>/status/${name}`])
      .toSorted(),
  );
});

test("status page: every header of a response is declared, and its constants have no quotation mark inside", () => {
  for (const { Integration, MethodResponses } of integrations) {
    const declared = new Map<string, object>(
      MethodResponses.map((each: { StatusCode: string; ResponseParameters: object }) => [
        each.StatusCode,
        each.ResponseParameters,
      ]),
    );
    for (const { StatusCode, ResponseParameters } of Integration.IntegrationResponses) {
      expect(Object.keys(declared.get(StatusCode) ?? {}).toSorted()).toEqual(
        Object.keys(ResponseParameters).toSorted(),
      );
      const constants = Object.values<string>(ResponseParameters).filter((value) => !value.startsWith("integration."));
      for (const value of constants) expect(value).toMatch(/^'[^']+'$/);
      expect(ResponseParameters["method.response.header.X-Content-Type-Options"]).toBe("'nosniff'");
      expect(Object.keys(ResponseParameters)).toContain("method.response.header.Content-Security-Policy");
    }
  }
});

test("status page: the role of the canary, which publishes it, reads nothing of an account", () => {
  const statements = statementsOf(service, functionsOf(service).get("canary")?.Properties.Role["Fn::GetAtt"][0]);
  const mayItems = (action: string, table: string, pk: string) =>
    evaluate(
      { identity: statements, resource: [] },
      {
        action: `dynamodb:${action}`,
        resource: `arn:aws:reference:::<${table}>`,
        context: { "dynamodb:LeadingKeys": [pk] },
      },
    ).isAllowed;
  expect(mayItems("Query", "Activity", "STATUS#INCIDENTS")).toBe(true);
  for (const [table, pk] of [
    ["Accounts", "ACCOUNT#7"],
    ["Accounts", "CALLER#internal-7"],
    ["Accounts", "DIRECTORY#ACCOUNTS"],
    ["Usage", "MONTHS#7"],
    ["Activity", "LOG#7#2026-01"],
    ["Activity", "JOBS#7"],
    ["Activity", "AUDIT#2026-01"],
  ] as const)
    for (const action of ["GetItem", "BatchGetItem", "Query"])
      expect([pk, action, mayItems(action, table, pk)]).toEqual([pk, action, false]);
  for (const action of ["PutItem", "UpdateItem"])
    expect([action, mayItems(action, "Activity", "STATUS#INCIDENTS")]).toEqual([action, false]);
});
