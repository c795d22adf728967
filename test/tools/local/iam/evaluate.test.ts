// The evaluation of IAM policies: what they allow, and what the local runner refuses to evaluate.
import { expect, test } from "vitest";
import { evaluate } from "../../../../lib/tools/local/iam/evaluate.ts";
import { type ConditionContext, parsePolicy } from "../../../../lib/tools/local/iam/policy.ts";

const OBJECT = "arn:aws:s3:::bucket/1-day/file";

interface Judged {
  readonly role?: readonly object[];
  readonly bucket?: readonly object[];
  readonly action?: string;
  readonly resource?: string;
  readonly context?: ConditionContext;
}

function decide({ role = [], bucket = [], action = "s3:GetObject", resource = OBJECT, context = {} }: Judged) {
  const identity = parsePolicy(policy(...role), "identity", "role");
  const attached = parsePolicy(policy(...bucket.map((each) => ({ Principal: "*", ...each }))), "resource", "bucket");
  return evaluate({ identity, resource: attached }, { action, resource, context });
}

const isAllowed = (judged: Judged) => decide(judged).isAllowed;
const policy = (...statements: readonly object[]) => ({ Version: "2012-10-17", Statement: statements });
const allow = (properties: object) => ({ Effect: "Allow", Action: "s3:GetObject", Resource: "*", ...properties });
const deny = (properties: object) => ({ Effect: "Deny", Action: "s3:GetObject", Resource: "*", ...properties });

test("evaluation: allows what a statement names, and denies all else", () => {
  const role = [allow({ Action: ["s3:PutObject", "s3:GetObject"], Resource: ["arn:aws:s3:::other/*", OBJECT] })];
  expect(isAllowed({ role })).toBe(true);
  expect(decide({ role, action: "s3:DeleteObject" })).toEqual({
    isAllowed: false,
    reason: "because no identity-based policy allows the s3:DeleteObject action",
  });
  expect(isAllowed({ role, resource: `${OBJECT}s` })).toBe(false);
  expect(isAllowed({})).toBe(false);
});

test("evaluation: a statement that denies wins over all that allow", () => {
  const role = [allow({}), deny({ Resource: "arn:aws:s3:::bucket/*" })];
  expect(decide({ role })).toEqual({ isAllowed: false, reason: "with an explicit deny in an identity-based policy" });
  expect(isAllowed({ role, resource: "arn:aws:s3:::other/file" })).toBe(true);
  expect(decide({ role: [allow({})], bucket: [deny({})] })).toEqual({
    isAllowed: false,
    reason: "with an explicit deny in a resource-based policy",
  });
});

test("evaluation: the policy of a resource can allow what no role does", () => {
  expect(isAllowed({ bucket: [allow({})] })).toBe(true);
  expect(isAllowed({ bucket: [allow({ Action: "s3:PutObject" })] })).toBe(false);
});

test.each<[pattern: string, arn: string, expected: boolean]>([
  ["arn:aws:s3:::bucket/*", "arn:aws:s3:::bucket/a/b.png", true],
  ["arn:aws:s3:::bucket/*", "arn:aws:s3:::bucket/", true],
  ["arn:aws:s3:::bucket/*", "arn:aws:s3:::bucket", false],
  ["arn:aws:s3:::bucket/*.facts", "arn:aws:s3:::bucket/a.facts", true],
  ["arn:aws:s3:::bucket/*.facts", "arn:aws:s3:::bucket/a.facts.png", false],
  ["arn:aws:s3:::bucket/a?c", "arn:aws:s3:::bucket/abc", true],
  ["arn:aws:s3:::bucket/a?c", "arn:aws:s3:::bucket/ac", false],
  ["arn:aws:s3:::bucket/a*b*c", "arn:aws:s3:::bucket/axxbxbxc", true],
  ["arn:aws:s3:::bucket/a*b*c", "arn:aws:s3:::bucket/axxbxbx", false],
  ["arn:aws:s3:::bucket/A", "arn:aws:s3:::bucket/a", false],
  ["arn:aws:s3:::bucket/a", "arn:aws:s3:::bucket/*", false],
  ["arn:aws:s3:::bucket/a.b", "arn:aws:s3:::bucket/axb", false],
  ["arn:aws:iam::*:role/cdk-*", "arn:aws:iam::123456789012:role/cdk-deploy", true],
  ["arn:aws:iam::*:role/cdk-*", "arn:aws:iam::1:x:role/cdk-deploy", false],
  ["arn:aws:sqs:*:1:queue", "arn:aws:sqs:eu-west-1:1:queue", true],
  ["*", "arn:aws:sqs:eu-west-1:1:queue", true],
])("evaluation: of the resource %s and %s: %s", (pattern, resource, expected) => {
  expect(isAllowed({ role: [allow({ Resource: pattern })], resource })).toBe(expected);
});

test("evaluation: a pattern of many wildcards is decided at once", () => {
  const startedAt = performance.now();
  const role = [allow({ Resource: `arn:aws:s3:::bucket/${"*a".repeat(40)}b` })];
  expect(isAllowed({ role, resource: `arn:aws:s3:::bucket/${"a".repeat(1_000)}` })).toBe(false);
  expect(performance.now() - startedAt).toBeLessThan(500);
});

test("evaluation: actions have no case, and can be patterns", () => {
  expect(isAllowed({ role: [allow({ Action: "S3:getobject" })] })).toBe(true);
  expect(isAllowed({ role: [allow({ Action: "s3:*" })] })).toBe(true);
  expect(isAllowed({ role: [allow({ Action: "s3:Get?bject" })] })).toBe(true);
  expect(isAllowed({ role: [allow({ Action: "s3:Put*" })] })).toBe(false);
});

test("evaluation: NotResource is all resources but those", () => {
  const role = [allow({ Resource: undefined, NotResource: ["arn:aws:s3:::bucket/1-day/*", "arn:aws:s3:::secret/*"] })];
  expect(isAllowed({ role })).toBe(false);
  expect(isAllowed({ role, resource: "arn:aws:s3:::bucket/7-days/file" })).toBe(true);
});

test.each<[condition: object, context: ConditionContext, expected: boolean]>([
  [{ StringEquals: { "aws:ResourceAccount": "1" } }, { "aws:ResourceAccount": ["1"] }, true],
  [{ StringEquals: { "aws:ResourceAccount": ["2", "1"] } }, { "aws:ResourceAccount": ["1"] }, true],
  [{ StringEquals: { "aws:ResourceAccount": "1" } }, { "aws:ResourceAccount": ["2"] }, false],
  [{ StringEquals: { "aws:ResourceAccount": "*" } }, { "aws:ResourceAccount": ["2"] }, false],
  [{ StringEquals: { "aws:ResourceAccount": "1" } }, {}, false],
  [{ Bool: { "aws:SecureTransport": "false" } }, { "aws:SecureTransport": ["false"] }, true],
  [{ Bool: { "aws:SecureTransport": false } }, { "aws:SecureTransport": ["false"] }, true],
  [{ Bool: { "aws:SecureTransport": "false" } }, { "aws:SecureTransport": ["true"] }, false],
  [{ Bool: { "aws:SecureTransport": "false" } }, {}, false],
  [{ Null: { "s3:if-none-match": "true" } }, {}, true],
  [{ Null: { "s3:if-none-match": "true" } }, { "s3:if-none-match": ["*"] }, false],
  [{ Null: { "s3:if-none-match": "false" } }, { "s3:if-none-match": ["*"] }, true],
  [{ Null: { "s3:if-none-match": "false" } }, {}, false],
  [
    { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["A#*"] } },
    { "dynamodb:LeadingKeys": ["A#1", "A#2"] },
    true,
  ],
  [
    { "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["A#*"] } },
    { "dynamodb:LeadingKeys": ["A#1", "B#2"] },
    false,
  ],
  [{ "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["A#*"] } }, { "dynamodb:LeadingKeys": ["a#1"] }, false],
  [{ "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["A#*"] } }, { "dynamodb:LeadingKeys": [] }, true],
  [{ "ForAllValues:StringLike": { "dynamodb:LeadingKeys": ["A#*"] } }, {}, true],
  [
    { Null: { "s3:if-none-match": "true" }, Bool: { "s3:ObjectCreationOperation": "true" } },
    { "s3:ObjectCreationOperation": ["false"] },
    false,
  ],
])("evaluation: the condition %j holds for %j: %s", (Condition, context, expected) => {
  expect(isAllowed({ role: [allow({ Condition })], context })).toBe(expected);
});

test.each<[what: string, statement: object, message: string]>([
  ["an element", { NotAction: "s3:GetObject" }, "the element NotAction"],
  [
    "an operator",
    { Condition: { StringNotLike: { "aws:ResourceAccount": "1" } } },
    "the condition operator StringNotLike",
  ],
  [
    "an operator of Object",
    { Condition: { toString: { "aws:ResourceAccount": "1" } } },
    "the condition operator toString",
  ],
  [
    "an operator that passes when the key is missing",
    { Condition: { StringEqualsIfExists: { "aws:ResourceAccount": "1" } } },
    "the condition operator StringEqualsIfExists",
  ],
  ["a condition key", { Condition: { StringEquals: { "aws:SourceIp": "1" } } }, "the condition key aws:SourceIp"],
  ["a variable", { Resource: `arn:aws:s3:::bucket/${"$"}{aws:username}` }, "the variable in"],
  ["both kinds of resources", { NotResource: "*" }, "other than one of Resource and NotResource"],
  ["a resource that is no ARN", { Resource: "bucket/*" }, "the resource bucket/*"],
  ["an effect", { Effect: "Maybe" }, 'the effect "Maybe"'],
  ["a principal in the policy of a role", { Principal: "*" }, 'the principal "*"'],
])("policy: refuses %s that it does not know", (_, properties, message) => {
  expect(() => parsePolicy(policy(allow(properties)), "identity", "Stack/Role")).toThrow(
    `Stack/Role: the local runner does not evaluate ${message}`,
  );
});

test("policy: refuses a policy of a resource for others than everyone, and another version of the language", () => {
  const principal = { Service: "sns.amazonaws.com" };
  expect(() => parsePolicy(policy(allow({ Principal: principal })), "resource", "Queue")).toThrow(
    `the principal ${JSON.stringify(principal)}`,
  );
  expect(() => parsePolicy({ Version: "2008-10-17", Statement: [] }, "identity", "Role")).toThrow("the version");
  expect(() => parsePolicy({ Version: "2012-10-17", Id: "x", Statement: [] }, "identity", "Role")).toThrow(
    "the element Id",
  );
  expect(parsePolicy(policy({ ...allow({}), Principal: { AWS: "*" } }), "resource", "Queue")).toHaveLength(1);
});
