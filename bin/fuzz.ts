// `npm run fuzz`: the property tests of test/attacks with many more inputs, random on each run.
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: { runs: { type: "string", default: "10000" }, seed: { type: "string" } },
});
const seed = values.seed ?? String(randomInt(2 ** 31));
if (!(Number(values.runs) >= 1) || !Number.isSafeInteger(Number(seed))) {
  console.error("Usage: npm run fuzz -- [--runs <number>] [--seed <number>]");
  process.exit(2);
}
console.log(`Seed ${seed}`);
const tests = [
  "test/attacks/parsers.test.ts",
  "test/attacks/injection.test.ts",
  "test/attacks/regular-expressions.test.ts",
];
const vitest = ["vitest", "run", "--project", "units", "--testTimeout", String(24 * 60 * 60 * 1000), ...tests];
const env = { ...process.env, FUZZ_RUNS: values.runs, FUZZ_SEED: seed };
process.exitCode = spawnSync("npx", ["--no-install", ...vitest], { stdio: "inherit", env }).status ?? 1;
