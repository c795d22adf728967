// Waits that end with an abort signal.
import { expect, test } from "vitest";
import { untilAborted } from "../../../lib/engine/egress/until-aborted.ts";

const never = new Promise<never>(() => undefined);

test("until aborted: a promise that never settles is rejected with the reason of the abort", async () => {
  const end = new AbortController();
  const waiting = untilAborted(never, end.signal);
  end.abort(new Error("too late"));
  await expect(waiting).rejects.toThrow("too late");
  await expect(untilAborted(never, end.signal)).rejects.toThrow("too late");
});

test("until aborted: a promise that settles first keeps its outcome, and leaves no listener", async () => {
  const { signal } = new AbortController();
  expect(await untilAborted(Promise.resolve("done"), signal)).toBe("done");
  await expect(untilAborted(Promise.reject(new Error("failed")), signal)).rejects.toThrow("failed");
});
