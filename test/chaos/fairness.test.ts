// Accounts take turns: who asks for much in the background does not keep others waiting.
import { DeleteCommand } from "@aws-sdk/lib-dynamodb";
import { expect, test } from "vitest";
import { dynamodb } from "../../lib/aws/clients/dynamodb.ts";
import { requestsKey } from "../../lib/aws/table-keys.ts";
import { plans } from "../../lib/billing/plans.ts";
import { type Caller, openCaller } from "../../lib/chaos/callers.ts";
import { type ChaosService, startChaosService } from "../../lib/chaos/chaos-service.ts";
import { seededRandom } from "../../lib/fixtures/seeded-random.ts";

test("fair queues: two hundred captures of one account do not delay that of another", {
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
  const begun = () => chaos.site.requests.map(({ path }) => path).filter((path) => path.startsWith("/box?"));

  for (let bulks = 0; bulks < 10; bulks++) {
    if (bulks === 5) await forgetRequests(chaos, busy); // the rate limit would not let 200 in within a minute
    const { status } = await busy.post("/api/v1/bulk", { requests: Array(20).fill(capture("busy")), execute: false });
    expect(status).toBe(202);
  }
  await other.post("/api/v1/screenshot", { ...capture("other"), async: true });
  const before = begun().length;

  await expect.poll(begun, { timeout: 60_000, interval: 100 }).toContain("/box?of=other");
  // Of those that were asked for before it, no more begin than there is room for at a time.
  expect(begun().indexOf("/box?of=other") - before).toBeLessThanOrEqual(6);
  expect(before).toBeLessThan(150);
});

async function forgetRequests({ tables }: ChaosService, { account }: Caller): Promise<void> {
  const Key = requestsKey(account.id, plans[account.plan].requestsPerMinute);
  await dynamodb().send(new DeleteCommand({ TableName: tables.usage, Key }));
}
