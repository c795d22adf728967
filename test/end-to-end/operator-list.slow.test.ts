// How long the lists of an operator take with 10,000 accounts, while the service is busy with other requests.
import { beforeAll, expect, inject, test } from "vitest";
import { writeManyAccounts } from "../fixtures/many-accounts.ts";
import { openClient } from "../support/client.ts";
import { type SignedInOperator, signInOperator } from "../support/operator.ts";

const ACCOUNTS = 10_000;
const LIMIT_MS = 300;
const REQUESTS = 21;

let operator: SignedInOperator;
let busy: AbortController;
beforeAll(async () => {
  const client = await openClient();
  await writeManyAccounts(inject("service").accountsTable, { count: ACCOUNTS, now: Date.now() });
  operator = await signInOperator();
  busy = new AbortController();
  const keepBusy = async () => {
    while (!busy.signal.aborted) await (await client.get("/api/v1/usage/stats")).arrayBuffer();
  };
  const working = [keepBusy(), keepBusy()];
  return async () => {
    busy.abort();
    await Promise.all(working);
  };
});

/** The times of requests one after the other, in milliseconds, fastest first. */
async function timesOf(path: string, expected: number): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < REQUESTS; count++) {
    const startedAt = performance.now();
    const { data } = await (await operator.request("GET", path)).json();
    times.push(performance.now() - startedAt);
    expect(data).toHaveLength(expected);
  }
  return times.toSorted((a, b) => a - b);
}

test.each([
  ["the newest", "accounts", 25],
  [
    "a page in the middle",
    async (): Promise<string> => {
      const { next } = await (await operator.request("GET", "accounts?search=customer-5")).json();
      return `accounts?search=customer-5&after=${encodeURIComponent(next)}`;
    },
    25,
  ],
  ["a search by address", "accounts?search=customer-77", 25],
  ["a search by the start of all keys", "accounts?search=cap_", 25],
] as const)(`operator: with ${ACCOUNTS} accounts, %s are listed within ${LIMIT_MS} ms`, async (_, path, expected) => {
  const times = await timesOf(typeof path === "string" ? path : await path(), expected);
  const median = times[Math.floor(REQUESTS / 2)] ?? Infinity;
  console.log(
    `${_}: median ${Math.round(median)} ms, ${Math.round(times[0] ?? 0)} to ${Math.round(times.at(-1) ?? 0)} ms`,
  );
  expect(median).toBeLessThan(LIMIT_MS);
});
