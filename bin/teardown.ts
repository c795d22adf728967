// `npm run teardown`: lists what the deletion of a stage deletes and keeps, and deletes it when that is confirmed.
import { parseArgs } from "node:util";
import { withStatusLine } from "../clients/typescript/src/cli/status-line.ts";
import { stageConfig } from "../lib/infra/stages.ts";
import { deleteStack, emptyBucket, readStack } from "../lib/tools/operate/teardown/deployed-stacks.ts";
import { planTeardown } from "../lib/tools/operate/teardown/plan.ts";

const usage = `Usage:
  npm run teardown -- --stage <name>                    lists what would be deleted, and deletes nothing
  npm run teardown -- --stage <name> --confirm <name>   deletes it`;

try {
  const { stage, confirm } = parseArgs({ options: { stage: { type: "string" }, confirm: { type: "string" } } }).values;
  if (stage === undefined) throw new Error("The option --stage is missing.");
  const { name } = stageConfig(stage);
  // The service first, because it imports names from the data.
  const found = await Promise.all(["service", "data"].map((part) => readStack(`screen-capture-${name}-${part}`)));
  const stacks = found.filter((stack) => stack !== undefined);
  if (stacks.length === 0) throw new Error(`The stage ${name} is not deployed in this account and region.`);
  const { lines, protectedStacks, buckets } = planTeardown(stacks);
  for (const line of lines) console.log(line);
  for (const protectedStack of protectedStacks) {
    console.log(
      `${protectedStack} is protected. To allow its deletion:\n  aws cloudformation update-termination-protection ` +
        `--no-enable-termination-protection --stack-name ${protectedStack}`,
    );
  }
  if (confirm === undefined) console.log(`Nothing was deleted. To delete it, add: --confirm ${name}`);
  else if (confirm !== name) throw new Error(`--confirm must repeat the name of the stage, ${name}.`);
  else if (protectedStacks.length > 0) throw new Error("Nothing was deleted, because of the protection.");
  else {
    for (const bucket of buckets) {
      const count = await withStatusLine(`Emptying ${bucket}`, () => emptyBucket(bucket));
      console.log(`Deleted ${count} objects of ${bucket}.`);
    }
    for (const stack of stacks) {
      console.log(`Deleting ${stack.name}, which takes minutes ...`);
      await withStatusLine(`Deleting ${stack.name}`, () => deleteStack(stack.name));
    }
    console.log("The stage is gone, apart from what the list above keeps.");
  }
} catch (error) {
  console.error(`${(error as Error).message}\n\n${usage}`);
  process.exitCode = 1;
}
