// A short chaos of synchronous captures: killing either of their functions loses, doubles, and bills nothing wrongly.
import { expect, test } from "vitest";
import { runSynchronousChaos } from "../../../../lib/tools/stress/chaos/synchronous-chaos.ts";

test("chaos: synchronous captures are answered, recorded once, and billed when they succeed, whichever function is killed", {
  timeout: 240_000,
}, async () => {
  const { counts, problems } = await runSynchronousChaos({
    captures: 24,
    seed: 7,
    kills: { screenshot: 3, renderer: 3 },
    onLog: () => {},
  });
  expect(problems, JSON.stringify(counts)).toEqual([]);
  expect(counts).toMatchObject({ captures: 24, "killed screenshot": 3, "killed renderer": 3 });
});
