// `npm run logs` on the lines of the running service: what an operator finds of a customer's request.
import { beforeAll, describe, expect, inject, test, vi } from "vitest";
import { type Client, endOf, openClient } from "../support/client.ts";
import { npmRun } from "../support/operator-command.ts";

const { dataDir, site, receiver } = inject("service");
const host = new URL(site).host;
const page = { url: `${site}/box`, viewport_width: "100", viewport_height: "100" };
const show = async (...args: string[]) => (await npmRun("logs", args, { DATA_DIR: dataDir })).lines;

let own: Client;
let secret: string;
/** Of a request that failed, and of an asynchronous one with a webhook. */
let [failed, queued] = ["", ""];

beforeAll(async () => {
  own = await openClient();
  secret = `secret-${own.accountId}`;
  const missing = await own.capture({ ...page, url: `${site}/missing?token=${secret}`, cookies: `session=${secret}` });
  failed = missing.headers.get("x-request-id") ?? "";
  const requested = await own.capture({ ...page, async: "true", webhook_url: `${receiver}/logs` });
  const { request_id: id } = await requested.json();
  queued = String(id);
  await endOf(id, own);
  await vi.waitFor(async () => expect((await show("--request", queued)).join("\n")).toContain("WebhookDeliveries=1"), {
    timeout: 30_000,
    interval: 1_000,
  });
});

describe("logs: a request", () => {
  test("that failed is a line of its capture and one of its response, with account, host, code, blame, and times", async () => {
    const lines = await show("--request", failed);
    const capture = lines.find((line) => line.includes(" capture "));
    const facts = `request_id=${failed} account_id=${own.accountId} host=${host}`;
    expect(capture).toMatch(
      new RegExp(
        `^\\S+Z Screenshot capture ${facts} code=TARGET_HTTP_ERROR blame=target milliseconds=\\d+ .*\\bauth_ms=\\d+`,
      ),
    );
    expect(lines.filter((line) => line.includes(" request "))).toEqual([
      expect.stringMatching(
        new RegExp(
          `^\\S+Z Screenshot request ${facts} status=422 code=TARGET_HTTP_ERROR blame=target milliseconds=\\d+ `,
        ),
      ),
    ]);
    for (const line of lines) expect(line).toContain(`account_id=${own.accountId}`);
  });

  test("that is asynchronous has the lines of all functions, in their order", async () => {
    const lines = await show("--request", queued);
    const events = lines.map((line) => line.split(" ").slice(1, 3).join(" "));
    expect(events.filter((event) => !event.endsWith(" metrics"))).toEqual([
      "Screenshot request",
      "Render capture",
      "Webhook webhook",
    ]);
    for (const line of lines) expect(line).toContain(`account_id=${own.accountId}`);
    expect(lines.find((line) => line.includes("Render capture"))).toMatch(new RegExp(` host=${host} .*capture_ms=`));
  });

  test("has its lines as they were written with --json, and no secret in any form", async () => {
    const lines = await show("--json", "--account", String(own.accountId));
    expect(lines.length).toBeGreaterThan(4);
    for (const line of lines) expect(() => JSON.parse(line)).not.toThrow();
    for (const text of [...lines, ...(await show("--account", String(own.accountId)))]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(own.key);
    }
  });
});

test("logs: a wrong command line is refused with the usage, and nothing that matches is said", async () => {
  const wrong = await npmRun("logs", ["--request", "x"], { DATA_DIR: dataDir });
  expect(wrong.code).toBe(1);
  expect(wrong.lines[0]).toBe("--request must be the id of the request, not 'x'.");
  expect(wrong.lines).toContain(
    "Usage: npm run logs -- [--request <id>] [--account <id>] [--since <30m|12h|7d|timestamp>] [--follow] [--json]",
  );
  expect(await npmRun("logs", [], { DATA_DIR: `${dataDir}/missing` })).toEqual({
    code: 1,
    lines: [expect.stringMatching(/^The data folder '.*' has no logs\. /)],
  });
});
