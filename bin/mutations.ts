// `npm run test:mutations`: breaks rules of the product on purpose, one after the other, and says which test notices.
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { selectMutations } from "../lib/tools/measure/mutations/mutation.ts";
import { mutations } from "../lib/tools/measure/mutations/mutations.ts";
import { areAllCaught, type MutationOutcome, runMutations } from "../lib/tools/measure/mutations/run-mutations.ts";
import type { FailedTest } from "../lib/tools/measure/mutations/run-tests.ts";

const USAGE = `Usage: npm run test:mutations -- [<options>]

  --only <name>   a mutation by its name; repeatable
  --list          the mutations, and the rules that they break`;

const command = readCommand();
if (!command) {
  console.error(USAGE);
  process.exit(2);
}
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1)); // removes the copy, too
if (command.lists) for (const { name, breaks } of command.selected) console.log(`${name}: ${breaks}`);
else {
  const outcomes = await runMutations(resolve(import.meta.dirname, ".."), command.selected, print);
  printTable(outcomes);
  process.exitCode = areAllCaught(outcomes) ? 0 : 1;
}

function readCommand() {
  try {
    const { values } = parseArgs({
      options: { only: { type: "string", multiple: true, default: [] }, list: { type: "boolean", default: false } },
    });
    return { selected: selectMutations(mutations, values.only), lists: values.list };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return undefined;
  }
}

function print({ mutation, verdict, test, seconds }: MutationOutcome): void {
  console.log(`${mutation.name}: ${verdict} (${seconds.toFixed(0)} s)`);
  console.log(`  rule: ${mutation.breaks}`);
  if (test) console.log(`  test: ${describeTest(test)}\n  its error: ${test.error}`);
}

function describeTest({ file, name }: FailedTest): string {
  return name === undefined ? file : `${file} > ${name}`;
}

function printTable(outcomes: readonly MutationOutcome[]): void {
  console.log("\n| Mutation | File | Verdict | Test | Seconds |\n|---|---|---|---|---:|");
  for (const { mutation, verdict, test, seconds } of outcomes) {
    const found = test ? describeTest(test).replaceAll("|", "\\|") : "-";
    console.log(`| ${mutation.name} | ${mutation.file} | ${verdict} | ${found} | ${seconds.toFixed(0)} |`);
  }
  const caught = outcomes.filter(({ verdict }) => verdict === "caught").length;
  console.log(`\n${caught} of ${outcomes.length} mutations caught`);
}
