// The evaluator against another one, `@cloud-copilot/iam-simulate`, over thousands of generated requests: with the roles and
// policies of the template, and with generated ones. That package is under the AGPL: it is only a test's judge, and never deployed.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runSimulation } from "@cloud-copilot/iam-simulate";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readAssembly } from "../../../../lib/tools/local/assembly/assembly.ts";
import { type Resource, resolveResources } from "../../../../lib/tools/local/assembly/resources.ts";
import { ACCOUNT_ID, REGION } from "../../../../lib/tools/local/engines/client-options.ts";
import { type AccessRequest, evaluate } from "../../../../lib/tools/local/iam/evaluate.ts";
import { permissionTypes, readPermissions } from "../../../../lib/tools/local/iam/permissions.ts";
import { type ConditionContext, parsePolicy } from "../../../../lib/tools/local/iam/policy.ts";
import { seededRandom } from "../../../fixtures/seeded-random.ts";
import { localAssembly } from "../../../support/local-assembly.ts";

const REQUESTS = 3_000;
const random = seededRandom(46);
const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
const maybe = <T>(share: number, value: T): T | undefined => (random() < share ? value : undefined);

const folder = mkdtempSync(join(tmpdir(), "oracle-"));
let resources: readonly Resource[];
beforeAll(async () => {
  const assembly = await localAssembly(join(folder, "assembly"));
  const cloud = { region: REGION, accountId: ACCOUNT_ID, sqsEndpoint: "http://queues.test" };
  ({ resources } = resolveResources(await readAssembly(assembly), new Set(permissionTypes), cloud));
}, 240_000);
afterAll(() => rmSync(folder, { recursive: true }));

/** Whether the other evaluator allows a request. Throws where it takes the request or a policy for invalid. */
async function isAllowedByOracle(
  identity: readonly unknown[],
  attached: unknown,
  request: AccessRequest,
): Promise<boolean> {
  const { action, resource, context } = request;
  const values = Object.entries(context).map(([key, each]) => [key, key.endsWith("Keys") ? each : each[0]]);
  const response = await runSimulation(
    {
      request: {
        principal: `arn:aws:iam::${ACCOUNT_ID}:role/function`,
        action,
        resource: { resource, accountId: ACCOUNT_ID },
        contextVariables: Object.fromEntries(values),
      },
      identityPolicies: identity.map((policy, index) => ({ name: `policy-${index}`, policy })),
      resourcePolicy: attached,
      serviceControlPolicies: [],
      resourceControlPolicies: [],
    },
    {},
  );
  if (response.resultType === "error") throw new Error(JSON.stringify(response.errors));
  return response.overallResult === "Allowed";
}

/** Requests that a function may send, or not: mostly on what exists, with keys that some role allows. */
function aRequest(known: readonly Resource[]): AccessRequest {
  const service = pick(["dynamodb", "dynamodb", "dynamodb", "s3", "s3", "sqs", "ses", "sts", "lambda"] as const);
  const arns = (...types: readonly string[]) =>
    known.filter(({ type }) => types.includes(type)).map(({ attributes }) => attributes["Arn"] ?? "");
  const isFunction = maybe(0.9, [`arn:aws:lambda:${REGION}:${ACCOUNT_ID}:function:works`]);
  const common: ConditionContext = {
    "aws:SecureTransport": [random() < 0.95 ? "true" : "false"],
    ...(isFunction && { "lambda:SourceFunctionArn": isFunction }),
  };
  switch (service) {
    case "dynamodb": {
      const action = pick([
        "GetItem",
        "PutItem",
        "UpdateItem",
        "DeleteItem",
        "Query",
        "ConditionCheckItem",
        "BatchGetItem",
      ]);
      const resource = pick(arns("AWS::DynamoDB::GlobalTable"));
      const keys = Array.from({ length: 1 + Math.floor(random() * 2.5) }, () => pick(partitionKeys));
      return { action: `dynamodb:${action}`, resource, context: { ...common, "dynamodb:LeadingKeys": keys } };
    }
    case "s3": {
      const action = pick(["GetObject", "PutObject", "DeleteObject", "AbortMultipartUpload"]);
      const resource = `${pick([...arns("AWS::S3::Bucket"), "arn:aws:s3:::elsewhere"])}/${pick(objectKeys)}`;
      const put = action === "PutObject" && {
        ...(random() < 0.5 && { "s3:if-none-match": ["*"] }),
        "s3:ObjectCreationOperation": [pick(["true", "false"])],
      };
      const owner = maybe(0.9, pick([ACCOUNT_ID, ACCOUNT_ID, "111111111111"]));
      return {
        action: `s3:${action}`,
        resource,
        context: { ...common, ...(owner && { "aws:ResourceAccount": [owner] }), ...put },
      };
    }
    case "sqs": {
      const action = pick(["SendMessage", "ReceiveMessage", "DeleteMessage", "ChangeMessageVisibility"]);
      return { action: `sqs:${action}`, resource: pick(arns("AWS::SQS::Queue")), context: common };
    }
    case "ses": {
      const from = pick(["screen-capture@localhost.invalid", "someone@else.test"]);
      const resource = `arn:aws:ses:${REGION}:${ACCOUNT_ID}:identity/${from}`;
      return { action: "ses:SendEmail", resource, context: { ...common, "ses:FromAddress": [from] } };
    }
    case "sts": {
      const role = pick(["uploads", "cdk-deploy", "OrganizationAccountAccessRole", "AWSControlTowerExecution"]);
      const resource = `arn:aws:iam::${pick([ACCOUNT_ID, "222222222222"])}:role/${role}`;
      const session = maybe(0.9, pick(["screen-capture", "other"]));
      return {
        action: "sts:AssumeRole",
        resource,
        context: { ...common, ...(session && { "sts:RoleSessionName": [session] }) },
      };
    }
    case "lambda":
      return { action: "lambda:InvokeFunction", resource: pick(arns("AWS::Lambda::Function")), context: common };
  }
}

const partitionKeys = [
  ...[
    "ACCOUNT#1",
    "CALLER#a",
    "LINK#1",
    "SECRET#result-links",
    "SESSIONS#1",
    "CODE#1",
    "EMAIL#a",
    "PERIODS#1",
    "SLOTS#1",
  ],
  ...[
    "LOG#1#2",
    "JOBS#1",
    "CACHE#1",
    "FLIGHTS#1",
    "ANSWERS#1",
    "REFERENCES#1",
    "REQUESTS#1",
    "caller#a",
    "OTHER#1",
    "CALLER",
  ],
];
const objectKeys = [
  "1-day/a.png",
  "7-days/a.facts",
  "30-days/b",
  "options/1",
  "answers/2",
  "options",
  "1-day",
  "other/1-day/x",
];

test("evaluation: decides as another evaluator does on requests of the template's functions", {
  timeout: 300_000,
}, async () => {
  const permissions = readPermissions(resources);
  const functions = resources.filter(({ type }) => type === "AWS::Lambda::Function");
  const policies = resources.filter(({ type }) => type === "AWS::IAM::Policy");
  const counts = { allowed: 0, denied: 0 };
  for (let count = 0; count < REQUESTS; count++) {
    const fn = pick(functions);
    const role = resources.find(({ attributes }) => attributes["Arn"] === fn.properties["Role"])?.ref ?? "";
    const identity = policies
      .filter(({ properties }) => (properties["Roles"] as readonly string[]).includes(role))
      .map(({ properties }) => properties["PolicyDocument"]);
    const request = random() < 0.5 ? aRequest(resources) : towards(aRequest(resources), pick(identity));
    const { isAllowed } = permissions.decide(fn.ref, request);
    counts[isAllowed ? "allowed" : "denied"]++;
    const expected = await isAllowedByOracle(identity, policyOf(request.resource), request);
    expect(isAllowed, `${fn.ref} ${JSON.stringify(request)}`).toBe(expected);
  }
  expect(counts.allowed).toBeGreaterThan(REQUESTS / 20);
  expect(counts.denied).toBeGreaterThan(REQUESTS / 20);
});

/** The request with the action, resource and partition keys that a statement of the policy is about. */
function towards(request: AccessRequest, policy: unknown): AccessRequest {
  const { Statement: statements } = policy as { readonly Statement: readonly NamedStatement[] };
  const service = request.action.split(":")[0] ?? "";
  const near = statements.filter(({ Action, Resource }) => Resource && [Action].flat()[0]?.startsWith(`${service}:`));
  if (near.length === 0) return request;
  const { Action, Resource = "", Condition } = pick(near);
  const action = pick([Action].flat());
  const leadingKeys = Condition?.["ForAllValues:StringLike"]?.["dynamodb:LeadingKeys"];
  const filled = (pattern: string) => pattern.replaceAll("*", "1");
  const keys = leadingKeys && { "dynamodb:LeadingKeys": [pick(leadingKeys), pick(leadingKeys)].map(filled) };
  if (action !== request.action && service === "s3") return request; // its conditions are those of another action
  return { action, resource: filled(pick([Resource].flat())), context: { ...request.context, ...keys } };
}

interface NamedStatement {
  readonly Action: string | readonly string[];
  readonly Resource?: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
}

/** The policy document of the table, bucket or queue that a request is about. */
function policyOf(arn: string): unknown {
  const owner = resources.find(({ attributes: { Arn = "-" } }) => arn === Arn || arn.startsWith(`${Arn}/`));
  const attachedTo = (name: string) =>
    resources.find(({ properties }) => [properties[name]].flat().includes(owner?.ref));
  switch (owner?.type) {
    case "AWS::DynamoDB::GlobalTable": {
      const [replica] = owner.properties["Replicas"] as readonly { ResourcePolicy: { PolicyDocument: unknown } }[];
      return replica?.ResourcePolicy.PolicyDocument;
    }
    case "AWS::S3::Bucket":
      return attachedTo("Bucket")?.properties["PolicyDocument"];
    case "AWS::SQS::Queue":
      return attachedTo("Queues")?.properties["PolicyDocument"];
    default:
      return undefined;
  }
}

/** Statements of every element, operator and wildcard that the evaluator knows. */
function aStatement(): object {
  const table = `arn:aws:dynamodb:${REGION}:${ACCOUNT_ID}:table/`;
  const resource = () =>
    pick([`${table}items`, `${table}*`, `${table}it?ms`, `${table}other`, `arn:aws:dynamodb:*:*:table/items`, "*"]);
  const conditions = [
    {},
    { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": pick([["A#*"], ["A#*", "B#?"], ["*"], ["A#1"]]) } },
    { StringEquals: { "aws:ResourceAccount": pick([[ACCOUNT_ID], ["1", "2"]]) } },
    { Null: { "aws:ResourceAccount": pick(["true", "false"]) } },
    { Bool: { "aws:SecureTransport": pick(["true", "false"]) } },
  ];
  return {
    Effect: pick(["Allow", "Allow", "Allow", "Deny"]),
    Action: pick(["dynamodb:GetItem", "dynamodb:*", ["dynamodb:PutItem", "dynamodb:GetItem"], "dynamodb:?etItem", "*"]),
    [pick(["Resource", "Resource", "NotResource"])]: random() < 0.5 ? resource() : [resource(), resource()],
    Condition: { ...pick(conditions), ...pick(conditions) },
  };
}

test("evaluation: decides as another evaluator does on generated policies", { timeout: 300_000 }, async () => {
  const policy = (...Statement: readonly object[]) => ({ Version: "2012-10-17", Statement });
  const counts = { allowed: 0, denied: 0 };
  for (let count = 0; count < REQUESTS; count++) {
    const role = policy(...Array.from({ length: 1 + Math.floor(random() * 3) }, aStatement));
    const attached = maybe(0.3, policy({ ...aStatement(), Principal: { AWS: "*" } }));
    const owner = maybe(0.8, pick([ACCOUNT_ID, "1"]));
    const request = {
      action: pick(["dynamodb:GetItem", "dynamodb:PutItem"]),
      resource: `arn:aws:dynamodb:${REGION}:${ACCOUNT_ID}:table/${pick(["items", "other"])}`,
      context: {
        "aws:SecureTransport": [pick(["true", "true", "false"])],
        "dynamodb:LeadingKeys": Array.from({ length: 1 + Math.floor(random() * 2.5) }, () =>
          pick(["A#1", "A#2", "B#1", "B#22", "a#1"]),
        ),
        ...(owner && { "aws:ResourceAccount": [owner] }),
      },
    };
    const { isAllowed } = evaluate(
      {
        identity: parsePolicy(role, "identity", "role"),
        resource: attached ? parsePolicy(attached, "resource", "table") : [],
      },
      request,
    );
    counts[isAllowed ? "allowed" : "denied"]++;
    const expected = await isAllowedByOracle([role], attached, request);
    expect(isAllowed, JSON.stringify({ role, attached, request })).toBe(expected);
  }
  expect(counts.allowed).toBeGreaterThan(REQUESTS / 10);
  expect(counts.denied).toBeGreaterThan(REQUESTS / 10);
});
