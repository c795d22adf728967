// The IAM policies of a template, as far as the local runner evaluates them. It refuses a policy with anything else: a
// condition that it left out would allow here what AWS denies.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements.html
import { isDeepStrictEqual } from "node:util";
import { LocalServiceError } from "../local-service-error.ts";
import { actionPattern, arnPattern, caseSensitivePattern, type Pattern } from "./patterns.ts";

/** The facts of a request that conditions are about. A key that a request lacks is undefined. */
export type ConditionContext = Readonly<Partial<Record<ConditionKey, readonly string[]>>>;

export interface Condition {
  readonly operator: Operator;
  readonly key: ConditionKey;
  readonly values: readonly Pattern[];
}

export interface Statement {
  readonly effect: "Allow" | "Deny";
  readonly actions: readonly Pattern[];
  readonly resources: readonly Pattern[];
  /** Whether the statement is about all resources but these. */
  readonly excludesResources: boolean;
  readonly conditions: readonly Condition[];
}

/** Where a policy is attached. Only one of a resource names principals. */
export type PolicyKind = "identity" | "resource";

type Operator = keyof typeof operators;

type Test = (values: readonly Pattern[], actual: readonly string[] | undefined) => boolean;

/**
 * A condition on a key that the request lacks does not hold, except for `Null`, and for `ForAllValues`, which holds for an empty set.
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html
 */
const operators = {
  Bool: isOneOf,
  "ForAllValues:StringLike": (values, actual = []) =>
    actual.every((each) => values.some((pattern) => pattern.matches(each))),
  Null: ([isNull], actual) => (actual === undefined) === (isNull?.text === "true"),
  StringEquals: isOneOf,
} satisfies Record<string, Test>;

function isOneOf(values: readonly Pattern[], actual: readonly string[] | undefined): boolean {
  return actual?.some((each) => values.some(({ text }) => text === each)) ?? false;
}

/** The keys that the readers of requests provide wherever AWS does. */
const conditionKeys = [
  "aws:ResourceAccount",
  "aws:SecureTransport",
  "dynamodb:LeadingKeys",
  "iam:PassedToService",
  "kms:EncryptionContext:purpose",
  "lambda:SourceFunctionArn",
  "s3:ObjectCreationOperation",
  "s3:if-none-match",
  "s3:prefix",
  "ses:FromAddress",
  "sts:RoleSessionName",
] as const;

export type ConditionKey = (typeof conditionKeys)[number];

export function holds({ operator, key, values }: Condition, context: ConditionContext): boolean {
  return operators[operator](values, context[key]);
}

/**
 * The statements of a policy document whose intrinsic functions are evaluated. Throws `LocalServiceError`, which starts with
 * `where`, for an element, operator, condition key, principal or variable that the runner does not evaluate.
 */
export function parsePolicy(document: unknown, kind: PolicyKind, where: string): Statement[] {
  const refuse = (what: string): never => {
    throw new LocalServiceError(`${where}: the local runner does not evaluate ${what} in a policy.`);
  };
  const { Version, Statement: statements, ...others } = asObject(document, refuse);
  if (Version !== "2012-10-17") refuse(`the version ${JSON.stringify(Version)}`);
  for (const name of Object.keys(others)) refuse(`the element ${name}`);
  return [statements].flat().map((statement) => parseStatement(asObject(statement, refuse), kind, refuse));
}

type Refuse = (what: string) => never;

function parseStatement(statement: Readonly<Record<string, unknown>>, kind: PolicyKind, refuse: Refuse): Statement {
  const { Sid: _, Effect, Action, Resource, NotResource, Condition = {}, ...others } = statement;
  const { Principal, ...unknown } = others;
  if (kind === "resource" ? !isEveryone(Principal) : Principal !== undefined) {
    refuse(`the principal ${JSON.stringify(Principal)}`);
  }
  for (const name of Object.keys(unknown)) refuse(`the element ${name}`);
  if (Effect !== "Allow" && Effect !== "Deny") return refuse(`the effect ${JSON.stringify(Effect)}`);
  if ((Resource === undefined) === (NotResource === undefined)) refuse("other than one of Resource and NotResource");
  return {
    effect: Effect,
    actions: asStrings(Action, refuse).map(actionPattern),
    resources: asStrings(Resource ?? NotResource, refuse).map(
      (pattern) => arnPattern(pattern) ?? refuse(`the resource ${pattern}`),
    ),
    excludesResources: NotResource !== undefined,
    conditions: Object.entries(asObject(Condition, refuse)).flatMap(([operator, keys]) =>
      Object.entries(asObject(keys, refuse)).map(([key, values]) => parseCondition(operator, key, values, refuse)),
    ),
  };
}

function parseCondition(operator: string, key: string, values: unknown, refuse: Refuse): Condition {
  if (!Object.hasOwn(operators, operator)) refuse(`the condition operator ${operator}`);
  if (!(conditionKeys as readonly string[]).includes(key)) refuse(`the condition key ${key}`);
  return {
    operator: operator as Operator,
    key: key as ConditionKey,
    values: asStrings(values, refuse).map(caseSensitivePattern),
  };
}

/**
 * Whether a key policy is that of CDK, which leaves all decisions to the policies of the account's roles. A policy with anything else
 * is refused by a `LocalServiceError` of its reader.
 */
export function delegatesToRoles(document: unknown, accountId: string): boolean {
  const statement = {
    Action: "kms:*",
    Effect: "Allow",
    Principal: { AWS: `arn:aws:iam::${accountId}:root` },
    Resource: "*",
  };
  return isDeepStrictEqual(document, { Statement: [statement], Version: "2012-10-17" });
}

function isEveryone(principal: unknown): boolean {
  return principal === "*" || (JSON.stringify(principal) ?? "") === '{"AWS":"*"}';
}

function asObject(value: unknown, refuse: Refuse): Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return refuse(JSON.stringify(value));
  return value as Readonly<Record<string, unknown>>;
}

/** CDK writes one value as a string, and CloudFormation takes booleans for strings. */
function asStrings(value: unknown, refuse: Refuse): string[] {
  return [value].flat().map((each) => {
    const text = typeof each === "boolean" ? String(each) : each;
    if (typeof text !== "string") return refuse(JSON.stringify(each));
    return text.includes("${") ? refuse(`the variable in ${text}`) : text;
  });
}
