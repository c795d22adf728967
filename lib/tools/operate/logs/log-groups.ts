// Finds the log groups of a deployed stage.
import { readStack } from "../teardown/deployed-stacks.ts";

/** The log groups of a stage's functions, or of those alone that have one of the construct ids. */
export async function findLogGroups(stage: string, constructs?: readonly string[]): Promise<string[]> {
  const name = `screen-capture-${stage}-service`;
  const { physicalIds = {} } = (await readStack(name)) ?? {};
  const groups = Object.entries(physicalIds).flatMap(([id, group]) => {
    const [, construct = ""] = /^(\w+)Log[0-9A-F]{8}$/.exec(id) ?? [];
    const isOfFunction = construct !== "" && !construct.endsWith("Access"); // API Gateway's
    return isOfFunction && (constructs?.includes(construct) ?? true) ? [group] : [];
  });
  if (groups.length > 0) return groups;
  throw new Error(
    `The stack ${name} has no log group of ${constructs?.join(", ") ?? "a function"}. Deploy the stage first: npm run deploy.`,
  );
}
