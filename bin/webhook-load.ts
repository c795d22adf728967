// `npm run webhook-load`: a model of the webhook queue under load, with and without dead receivers.
import { figureTable } from "../lib/tools/measure/figures.ts";
import { type LoadReport, modelLoad } from "../lib/tools/measure/webhook-load.ts";
import { parseNumbers } from "../lib/tools/stress/stress-command.ts";

const {
  "per-minute": perMinute,
  receivers,
  hours,
  workers,
} = parseNumbers("webhook-load", {
  "per-minute": 10_000,
  receivers: 1_000,
  hours: 24,
  workers: 50,
});
const options = { perMinute, receivers, hours, workers, random: Math.random };
console.log(`${perMinute} webhooks a minute to ${receivers} receivers for ${hours} hours, ${workers} workers.\n`);
const all = modelLoad({ ...options, deadShare: 0 });
const some = modelLoad({ ...options, deadShare: 0.25 });
const rows = (Object.keys(some) as (keyof LoadReport)[]).map((name) => [name, figure(all[name]), figure(some[name])]);
console.log(figureTable([["", "all well", "a quarter dead"], ...rows]));
process.exitCode = some.lost === 0 && some.longestKeptHours <= 7 * 24 && some.p95Ms <= all.p95Ms * 1.05 ? 0 : 1;

function figure(value: number): string {
  return (Math.round(value * 10) / 10).toLocaleString("en");
}
