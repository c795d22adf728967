// Accounts take turns: who asks for much in the background does not keep others waiting.
import { expect, test } from "vitest";
import { openCaller } from "../../../../lib/tools/stress/chaos/callers.ts";
import { startChaosService } from "../../../../lib/tools/stress/chaos/chaos-service.ts";
import { seededRandom } from "../../../fixtures/seeded-random.ts";

test("fair queues: a hundred captures of one account do not delay that of another", {
  timeout: 240_000,
}, async () => {
  await using chaos = await startChaosService({
    faultShare: 0,
    mostFailures: 0,
    signersOf: () => [],
    interrupt: () => false,
    random: seededRandom(1),
    onLog: () => {},
  });
  const [busy, other] = [await openCaller(chaos, { plan: "max" }), await openCaller(chaos, { plan: "max" })];
  const capture = (name: string) => ({ url: `${chaos.site.origin}/box?of=${name}`, delay: 0.5, javascript: false });
  const started = () => chaos.site.requests.map(({ path }) => path).filter((path) => path.startsWith("/box?"));

  for (let bulks = 0; bulks < 5; bulks++) {
    const { status } = await busy.post("/api/v1/bulk", { requests: Array(20).fill(capture("busy")), execute: false });
    expect(status).toBe(202);
  }
  await other.post("/api/v1/screenshot", { ...capture("other"), async: true });
  const before = started().length;

  await expect.poll(started, { timeout: 60_000, interval: 100 }).toContain("/box?of=other");
  // Of those that were requested before it, no more begin than there is room for at a time.
  expect(started().indexOf("/box?of=other") - before).toBeLessThanOrEqual(6);
  expect(before).toBeLessThan(75);
});
