// The single rights of a role: each action on each resource, and of a table with each pattern of partition keys. A statement
// grants many at once, and its function may need only some of them.
import type { Resource } from "../assembly/resources.ts";
import type { AccessRequest } from "./evaluate.ts";
import type { Pattern } from "./patterns.ts";
import type { Statement } from "./policy.ts";

export interface Right {
  /** Function, action, resource and partition key, such as `Api dynamodb:GetItem AccountsTable CALLER#*`. */
  readonly label: string;
  readonly action: Pattern;
  /** Undefined for all that the statement does not exclude. */
  readonly resource: Pattern | undefined;
  readonly leadingKey: Pattern | undefined;
}

/**
 * The rights of a statement that allows. Two kinds are left out: those about logs, which are files here, and those that only Lambda's
 * poller has, which the runner checks when it connects a queue.
 */
export function rightsOf(fn: Resource, statement: Statement, resources: readonly Resource[]): Right[] {
  const { effect, actions, resources: patterns, excludesResources, conditions } = statement;
  if (effect !== "Allow" || conditions.some(({ key }) => key === "lambda:SourceFunctionArn")) return [];
  const keys = conditions.find(({ key }) => key === "dynamodb:LeadingKeys")?.values ?? [undefined];
  const combinations = [...new Set(actions.map(merged))]
    .filter((action) => !action.text.startsWith("logs:"))
    .flatMap((action) => (excludesResources ? [undefined] : patterns).map((resource) => ({ action, resource })));
  return combinations.flatMap(({ action, resource }) =>
    keys.map((leadingKey) => {
      const where = resource === undefined ? "others" : nameOf(resource.text, resources);
      const label = [constructId(fn), action.text, where, leadingKey?.text]
        .filter((part) => part !== undefined)
        .join(" ");
      return { label, action, resource, leadingKey };
    }),
  );
}

/**
 * Writing to the items of a table is one right: the actions of a role share their partition keys, because AWS may judge those of a
 * transaction together.
 */
const WRITE: Pattern = {
  text: "dynamodb:write",
  matches: (action) => WRITING_ACTIONS.has(action),
};
const WRITING_ACTIONS: ReadonlySet<string> = new Set([
  "dynamodb:PutItem",
  "dynamodb:UpdateItem",
  "dynamodb:DeleteItem",
]);

const merged = (action: Pattern): Pattern => (WRITING_ACTIONS.has(action.text) ? WRITE : action);

/** Whether an allowed request needs the right. */
export function usesRight({ action, resource, leadingKey }: Right, request: AccessRequest): boolean {
  return (
    action.matches(request.action) &&
    (resource?.matches(request.resource) ?? true) &&
    (leadingKey === undefined || (request.context["dynamodb:LeadingKeys"] ?? []).some(leadingKey.matches))
  );
}

/** The construct id of the resource that an ARN pattern begins with, and the rest of the pattern. */
function nameOf(pattern: string, resources: readonly Resource[]): string {
  const owner = resources.find(({ attributes: { Arn = "-" } }) => pattern === Arn || pattern.startsWith(`${Arn}/`));
  return owner ? `${constructId(owner)}${pattern.slice(owner.attributes["Arn"]?.length)}` : pattern;
}

/** CDK adds eight hexadecimal digits to the names of constructs. */
function constructId({ logicalId }: Resource): string {
  return logicalId.replace(/[0-9A-F]{8}$/, "");
}
