// `npm run chaos`: asynchronous captures while functions are killed and databases fail, and checks of every guarantee.
import { runChaos } from "../lib/tools/stress/chaos/chaos.ts";
import { freshSeed, openStressLog, parseNumbers, printCounts } from "../lib/tools/stress/stress-command.ts";

const { jobs, seed } = parseNumbers("chaos", { jobs: 300, seed: freshSeed() });
const log = openStressLog(`chaos-${seed}`);
console.log(`${jobs} captures, seed ${seed}. The log of the functions is ${log.path}.`);
const { counts, problems } = await runChaos({
  jobs,
  seed,
  kills: { render: Math.ceil(jobs / 10), renderer: Math.ceil(jobs / 10), webhook: Math.ceil(jobs / 15) },
  mostFailures: 2,
  patienceMs: 5 * 60_000 + jobs * 3_000,
  onLog: log.append,
});
printCounts(counts);
for (const problem of problems) console.log(problem);
console.log(problems.length === 0 ? "All guarantees hold." : `${problems.length} problems.`);
process.exitCode = problems.length === 0 ? 0 : 1;
