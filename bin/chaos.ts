// `npm run chaos`: asynchronous captures while functions are killed and databases fail, and checks of every guarantee.
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { parseArgs } from "node:util";
import { runChaos } from "../lib/tools/stress/chaos/chaos.ts";

const { values: flags } = parseArgs({
  options: {
    jobs: { type: "string", default: "300" },
    seed: { type: "string", default: String(Date.now() % 100_000) },
  },
});
const [jobs, seed] = [Number(flags.jobs), Number(flags.seed)];
if (!(jobs >= 1) || !Number.isInteger(seed)) {
  console.error("Usage: npm run chaos -- [--jobs <number>] [--seed <whole number>]");
  process.exit(2);
}

const log = resolve(import.meta.dirname, `../.local/chaos-${seed}.log`);
mkdirSync(dirname(log), { recursive: true });
writeFileSync(log, "");
console.log(`${jobs} captures, seed ${seed}. The log of the functions is ${log}.`);
const { counts, problems } = await runChaos({
  jobs,
  seed,
  kills: { render: Math.ceil(jobs / 10), webhook: Math.ceil(jobs / 15) },
  mostFailures: 2,
  patienceMs: 5 * 60_000 + jobs * 3_000,
  onLog: (source, line) => appendFileSync(log, `${new Date().toISOString()} ${source} ${line}\n`),
});
for (const [name, count] of Object.entries(counts)) console.log(`${String(count).padStart(7)}  ${name}`);
for (const problem of problems) console.log(problem);
console.log(problems.length === 0 ? "All guarantees hold." : `${problems.length} problems.`);
process.exitCode = problems.length === 0 ? 0 : 1;
