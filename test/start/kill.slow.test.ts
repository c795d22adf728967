// A service that is killed with jobs whose messages are handed out: after a restart, none waits for its message.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { npmStart, type Started } from "../support/npm-start.ts";

let dataDir: string;
let service: Started;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "kill-test-"));
  service = await npmStart({ DATA_DIR: dataDir });
});
afterAll(async () => {
  await service.end("SIGTERM");
  rmSync(dataDir, { recursive: true, force: true });
});

const JOBS = 8;
/** A message that was handed out returns to the queue after 12 minutes, unless the restart sees to it. */
const CLAIMED_WITHIN_MS = 60_000;

const ask = (path: string, query: Record<string, string>) =>
  fetch(`${service.baseUrl}${path}?${new URLSearchParams(query)}`, {
    headers: { Authorization: `Bearer ${service.key}` },
  });

async function states(): Promise<string[]> {
  const { data } = await (await ask("/api/v1/jobs", { limit: "100" })).json();
  return data.map(({ status }: { status: string }) => status);
}

/** How long the service goes on after the jobs are accepted, in milliseconds: messages are handed out meanwhile. */
test.each([0, 30, 100, 300])(
  "kill: jobs that are accepted %i ms before the service is killed are claimed within a minute of its restart",
  async (delayMs) => {
    const capture = { html: `<h1>${delayMs}</h1>`, viewport_width: "200", viewport_height: "100", async: "true" };
    const accepted = await Promise.all(
      Array.from({ length: JOBS }, (_, job) =>
        ask("/api/v1/screenshot", { ...capture, external_identifier: `${job}` }),
      ),
    );
    expect(accepted.map(({ status }) => status)).toEqual(Array(JOBS).fill(202));
    await new Promise((resolve) => setTimeout(resolve, delayMs)); // the moment of the kill is what is tested
    await service.kill();
    service = await npmStart({ DATA_DIR: dataDir });
    await expect
      .poll(states, { timeout: CLAIMED_WITHIN_MS, interval: 1_000 })
      .toEqual(expect.not.arrayContaining(["queued"]));
  },
  240_000,
);

test("kill: every job that was accepted has ended with its result, once", async () => {
  await expect.poll(states, { timeout: CLAIMED_WITHIN_MS, interval: 1_000 }).toEqual(Array(4 * JOBS).fill("success"));
});
