// What the roles of a template allow its functions, with the policies of the tables, buckets and queues that they reach.
import type { Resource } from "../assembly/resources.ts";
import { ACCOUNT_ID, REGION } from "../engines/client-options.ts";
import { LocalServiceError } from "../local-service-error.ts";
import { type AccessRequest, type Decision, evaluate } from "./evaluate.ts";
import { delegatesToRoles, parsePolicy, type Statement } from "./policy.ts";
import type { KnownResources } from "./requests/aws-call.ts";
import { type Right, rightsOf, usesRight } from "./rights.ts";

export interface Permissions {
  readonly resources: KnownResources;
  /** Decides on a request of a function's role. */
  decide(functionName: string, request: AccessRequest): Decision;
  /** Decides on a request of a role that no function has, such as that of a schedule, by its ARN. */
  decideAs(roleArn: string, request: AccessRequest): Decision;
  /** ARN of a function's session of its role, by which AWS's messages name the caller. */
  principal(functionName: string): string;
  /** The rights of all roles that no request has needed so far, in order. */
  unusedRights(): string[];
}

/** The resources with policies, or that policies are about. */
export const permissionTypes = [
  "AWS::DynamoDB::GlobalTable",
  "AWS::DynamoDB::Table",
  "AWS::IAM::ManagedPolicy",
  "AWS::IAM::Policy",
  "AWS::IAM::Role",
  "AWS::IAM::RolePolicy",
  "AWS::KMS::Key",
  "AWS::Lambda::Function",
  "AWS::S3::Bucket",
  "AWS::S3::BucketPolicy",
  "AWS::SQS::Queue",
  "AWS::SQS::QueuePolicy",
];

interface Role {
  readonly name: string;
  readonly statements: readonly Statement[];
  /** Of each statement, for the function that has the role. */
  readonly rights: readonly (readonly [Statement, readonly Right[]])[];
}

/** Throws `LocalServiceError` for a role or policy with anything that the runner does not evaluate. */
export function readPermissions(resources: readonly Resource[]): Permissions {
  const ofType = (...types: readonly string[]) => resources.filter(({ type }) => types.includes(type));
  for (const { stack, logicalId, type } of ofType("AWS::IAM::ManagedPolicy", "AWS::IAM::RolePolicy")) {
    throw new LocalServiceError(`${stack.name}/${logicalId}: the local runner does not evaluate ${type}.`);
  }
  for (const { stack, logicalId, properties } of ofType("AWS::KMS::Key")) {
    if (delegatesToRoles(properties["KeyPolicy"], ACCOUNT_ID)) continue;
    throw new LocalServiceError(`${stack.name}/${logicalId}: the local runner evaluates no key policy but CDK's own.`);
  }
  const policies = ofType("AWS::IAM::Policy");
  const roles = new Map(
    ofType("AWS::Lambda::Function").map((fn) => {
      const role = ofType("AWS::IAM::Role").find(({ attributes }) => attributes["Arn"] === fn.properties["Role"]);
      return [fn.ref, readRole(fn, role, policies, resources)] as const;
    }),
  );
  const statementsByRole = new Map(
    ofType("AWS::IAM::Role").map((role) => [role.attributes["Arn"], statementsOf(role, policies)]),
  );
  const attached = new Map(resources.flatMap(readResourcePolicies));
  const policyOf = (resource: string) => attached.get(resource) ?? attached.get(ownerOf(resource)) ?? [];
  const partitionKeys = new Map(ofType(...tableTypes).flatMap(readPartitionKeys));
  const buckets = new Set(ofType("AWS::S3::Bucket").map(({ ref }) => ref));
  const rights = new Map([...roles.values()].flatMap((role) => role.rights));
  /** Labels of used rights: several statements can grant one right, each by some of its actions. */
  const used = new Set<string>();
  return {
    resources: {
      partitionKey: (table, index) => partitionKeys.get(indexName(table, index)),
      hasBucket: (name) => buckets.has(name),
    },
    decideAs: (roleArn, request) =>
      evaluate({ identity: statementsByRole.get(roleArn) ?? [], resource: policyOf(request.resource) }, request),
    decide(functionName, request) {
      const identity = roles.get(functionName)?.statements ?? [];
      const decision = evaluate({ identity, resource: policyOf(request.resource) }, request);
      if (decision.isAllowed) {
        for (const right of decision.by.flatMap((statement) => rights.get(statement) ?? []))
          if (usesRight(right, request)) used.add(right.label);
      }
      return decision;
    },
    principal: (functionName) =>
      `arn:aws:sts::${ACCOUNT_ID}:assumed-role/${roles.get(functionName)?.name ?? "none"}/${functionName}`,
    unusedRights: () => {
      const labels = new Set([...rights.values()].flat().map(({ label }) => label));
      return [...labels.difference(used)].toSorted();
    },
  };
}

const tableTypes = ["AWS::DynamoDB::GlobalTable", "AWS::DynamoDB::Table"];

/** The properties of a role that do not change what it allows. */
const indifferentProperties = new Set([
  ...["AssumeRolePolicyDocument", "Description", "MaxSessionDuration", "Path", "RoleName", "Tags"],
]);

/** A function without a role may do nothing. */
function readRole(
  fn: Resource,
  role: Resource | undefined,
  policies: readonly Resource[],
  resources: readonly Resource[],
): Role {
  if (!role) return { name: "none", statements: [], rights: [] };
  const statements = statementsOf(role, policies);
  const rights = statements.map((each) => [each, rightsOf(fn, each, resources)] as const);
  return { name: role.ref, statements, rights };
}

/** What the policies of a role say. Throws `LocalServiceError` for what the runner does not evaluate. */
function statementsOf(role: Resource, policies: readonly Resource[]): Statement[] {
  const where = `${role.stack.name}/${role.logicalId}`;
  const { Policies: inline = [], ...others } = role.properties as { readonly Policies?: readonly Inline[] };
  const unknown = Object.keys(others).find((name) => !indifferentProperties.has(name));
  if (unknown !== undefined) {
    throw new LocalServiceError(`${where}: the local runner does not evaluate ${unknown} of a role.`);
  }
  const attached = policies.filter(({ properties }) => (properties["Roles"] as readonly string[]).includes(role.ref));
  const documents = [...inline, ...attached.map(({ properties }) => properties as unknown as Inline)];
  return documents.flatMap(({ PolicyDocument }) => parsePolicy(PolicyDocument, "identity", where));
}

interface Inline {
  readonly PolicyDocument: unknown;
}

/** The statements of its policy by the ARN of the resource that has it. */
type ResourcePolicy = readonly [arn: string, statements: readonly Statement[]];

function readResourcePolicies(policy: Resource, _: number, resources: readonly Resource[]): ResourcePolicy[] {
  const { type, properties, attributes, stack, logicalId } = policy;
  const attach = (document: unknown, arn: string): ResourcePolicy[] =>
    document === undefined ? [] : [[arn, parsePolicy(document, "resource", `${stack.name}/${logicalId}`)]];
  const arnOf = (ref: unknown) => resources.find((each) => each.ref === ref)?.attributes["Arn"] ?? "";
  switch (type) {
    case "AWS::S3::BucketPolicy":
      return attach(properties["PolicyDocument"], arnOf(properties["Bucket"]));
    case "AWS::SQS::QueuePolicy":
      return (properties["Queues"] as string[]).flatMap((url) => attach(properties["PolicyDocument"], arnOf(url)));
    case "AWS::DynamoDB::GlobalTable":
      return (properties["Replicas"] as readonly Replica[])
        .filter(({ Region }) => Region === REGION)
        .flatMap(({ ResourcePolicy: own }) => attach(own?.PolicyDocument, attributes["Arn"] ?? ""));
    case "AWS::DynamoDB::Table":
      return attach((properties as Partial<Replica>).ResourcePolicy?.PolicyDocument, attributes["Arn"] ?? "");
    default:
      return [];
  }
}

interface Replica {
  readonly Region: string;
  readonly ResourcePolicy?: Inline;
}

/** The ARN of the table of an index, or of the bucket of an object. */
function ownerOf(arn: string): string {
  const table = arn.indexOf(":table/");
  const end = arn.indexOf("/", table < 0 ? 0 : table + ":table/".length);
  return end < 0 ? arn : arn.slice(0, end);
}

interface KeySchema {
  readonly KeySchema: readonly { readonly AttributeName: string; readonly KeyType: "HASH" | "RANGE" }[];
}

interface IndexSchema extends KeySchema {
  readonly IndexName: string;
}

function readPartitionKeys({ ref, properties }: Resource): [name: string, key: string][] {
  const {
    GlobalSecondaryIndexes = [],
    LocalSecondaryIndexes = [],
    ...table
  } = properties as unknown as KeySchema & {
    readonly GlobalSecondaryIndexes?: readonly IndexSchema[];
    readonly LocalSecondaryIndexes?: readonly IndexSchema[];
  };
  const keyOf = ({ KeySchema: keys }: KeySchema) => keys.find(({ KeyType }) => KeyType === "HASH")?.AttributeName ?? "";
  const indexes = [...GlobalSecondaryIndexes, ...LocalSecondaryIndexes];
  return [
    [ref, keyOf(table)],
    ...indexes.map((each): [string, string] => [indexName(ref, each.IndexName), keyOf(each)]),
  ];
}

function indexName(table: string, index: string | undefined): string {
  return index === undefined ? table : `${table}/index/${index}`;
}
