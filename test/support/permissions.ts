// What the roles of a template allow its functions, by the policies as the local runner resolves them.
import { readAssembly } from "../../lib/tools/local/assembly/assembly.ts";
import { type Resource, resolveResources } from "../../lib/tools/local/assembly/resources.ts";
import { ACCOUNT_ID, REGION } from "../../lib/tools/local/engines/client-options.ts";

/** An action of a function's code on one resource. */
export interface AwsCall {
  /** Such as `dynamodb:GetItem`. */
  readonly action: string;
  /** ARN. */
  readonly resource: string;
  /** Of DynamoDB, the partition keys that the action touches. */
  readonly leadingKeys?: readonly string[];
}

export interface Permissions {
  /** Whether the role of a function allows its code to do this. */
  allows(functionName: string, call: AwsCall): boolean;
}

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource?: string | readonly string[];
  readonly NotResource?: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

const TYPES = new Set(["AWS::IAM::Policy", "AWS::Lambda::Function"]);

/** Reads the policies of a cloud assembly. `sqsEndpoint` is where the local runner has its queues. */
export async function readPermissions(assembly: string, sqsEndpoint: string): Promise<Permissions> {
  const cloud = { region: REGION, accountId: ACCOUNT_ID, sqsEndpoint };
  const { resources } = resolveResources(await readAssembly(assembly), TYPES, cloud);
  const policies = resources.filter(({ type }) => type === "AWS::IAM::Policy");
  const functions = resources.filter(({ type }) => type === "AWS::Lambda::Function");
  const byFunction = new Map(functions.map((fn) => [fn.ref, statementsOf(fn, policies)]));
  return {
    allows: (functionName, call) => byFunction.get(functionName)?.some((statement) => allows(statement, call)) ?? false,
  };
}

function statementsOf({ properties }: Resource, policies: readonly Resource[]): readonly Statement[] {
  const role = String(properties["Role"]).split(":").at(-1) ?? "";
  return policies
    .filter((policy) => (policy.properties["Roles"] as readonly string[]).includes(role))
    .flatMap((policy) => (policy.properties["PolicyDocument"] as { Statement: readonly Statement[] }).Statement);
}

function allows({ Effect, Action, Resource, NotResource, Condition = {} }: Statement, call: AwsCall): boolean {
  const isAbout = [Action].flat().includes(call.action);
  const named = [NotResource ?? Resource ?? []].flat().some((pattern) => matches(pattern, call.resource));
  const isNamed = NotResource === undefined ? named : !named;
  return Effect === "Allow" && isAbout && isNamed && Object.entries(Condition).every((each) => holds(each, call));
}

function holds(
  [operator, values]: readonly [string, Readonly<Record<string, string | readonly string[]>>],
  { leadingKeys = [] }: AwsCall,
): boolean {
  return Object.entries(values).every(([key, wanted]) => {
    const patterns = [wanted].flat();
    if (operator === "ForAllValues:StringLike" && key === "dynamodb:LeadingKeys") {
      return leadingKeys.every((leading) => patterns.some((pattern) => matches(pattern, leading)));
    }
    // Requests of a function's code have the key, those of Lambda's poller do not.
    if (operator === "Null" && key === "lambda:SourceFunctionArn") return patterns[0] === "false";
    // Here, everything belongs to one account.
    if (operator === "StringEquals" && key === "aws:ResourceAccount") return patterns[0] === ACCOUNT_ID;
    throw new Error(`No test evaluates the condition ${operator} ${key} yet.`);
  });
}

/** IAM's wildcards: `*` is any number of characters, and `?` is one. */
function matches(pattern: string, text: string): boolean {
  const expression = pattern
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${expression}$`, "s").test(text);
}
