// A short chaos: what is promised about captures in the background holds.
import { expect, test } from "vitest";
import { runChaos } from "../../../../lib/tools/stress/chaos/chaos.ts";

test("chaos: asynchronous captures survive killed functions and failing databases", { timeout: 240_000 }, async () => {
  const { counts, problems } = await runChaos({
    jobs: 12,
    seed: 7,
    kills: { render: 1, renderer: 1, webhook: 1 },
    mostFailures: 1,
    patienceMs: 180_000,
    onLog: () => {},
  });
  expect(problems, JSON.stringify(counts)).toEqual([]);
  expect(counts).toMatchObject({ orders: 12, "killed render": 1, "killed renderer": 1, "killed webhook": 1 });
});
