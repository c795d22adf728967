// The pictures of captures: where the stage shows them, where it doesn't, and what the audit log has of them.
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { s3 } from "../../../lib/service/aws/clients/s3.ts";
import type { RouteCall } from "../../../lib/service/http/define-route.ts";
import { readAudit } from "../../../lib/service/operator/audit-log.ts";
import { getPicture, listAccountCaptures } from "../../../lib/service/operator/serve-captures.ts";
import { createId } from "../../../lib/service/platform/ids.ts";
import { logItems, writeItems } from "../../fixtures/usage-items.ts";
import { aCaptureLog, anApiRequest } from "../../support/builders.ts";
import { startTestResources, type TestResources } from "../../support/test-resources.ts";

const NOW = Date.UTC(2026, 10, 30, 12);
const ID = createId(NOW - 60_000, 0);
const KEY = "thumbnails/picture.webp";

let running: TestResources;
beforeAll(async () => {
  running = await startTestResources();
  const thumbnail = { key: KEY, expires_at: NOW + 1 };
  await writeItems(running.tables.activity, logItems([aCaptureLog({ id: ID, user_id: 3, thumbnail })]));
  await s3().send(new PutObjectCommand({ Bucket: "results", Key: KEY, Body: "the picture" }));
});
afterAll(() => running.close());
afterEach(() => {
  delete process.env["OPERATOR_PICTURES"];
  delete process.env["RESULTS_BUCKET"];
});

/** A request of an operator, as a handler gets it. */
function aCall(pathParameters: Record<string, string>, receivedAt = NOW) {
  const session = { name: "ops@example.com", email: "ops@example.com", created_at: NOW, expires_at: NOW + 1 };
  const call = {
    request: anApiRequest({ pathParameters, receivedAt }),
    operator: { session, token: "" },
    env: { ACTIVITY_TABLE: running.tables.activity, USAGE_RETENTION_DAYS: 400 },
    options: {},
  };
  return call as unknown as RouteCall<"operator", Record<never, never>, "ACTIVITY_TABLE" | "USAGE_RETENTION_DAYS">;
}

const look = (id = String(ID), at = NOW) => getPicture(aCall({ id: "3", capture: id }, at));
const entries = async () => (await readAudit(running.tables.activity, { pageSize: 100, now: NOW })).entries;

test("operator's pictures: without them, a capture has none, and the audit log no entry", async () => {
  process.env["RESULTS_BUCKET"] = "results"; // even where the function could read it
  await expect(look()).rejects.toMatchObject({ code: "NOT_FOUND" });
  const { body } = await listAccountCaptures(aCall({ id: "3" }));
  expect(JSON.parse(String(body)).data).toEqual([expect.objectContaining({ id: ID, has_picture: false })]);
  expect(await entries()).toEqual([]);
});

test("operator's pictures: with them, each look has its entry, and one at nothing has none", async () => {
  Object.assign(process.env, { OPERATOR_PICTURES: "shown", RESULTS_BUCKET: "results" });
  const { status, body } = await look();
  expect([status, String(body)]).toEqual([200, "the picture"]);
  await look();
  for (const missing of [look("x"), look("7"), look(String(ID), NOW + 1)]) // it has expired by then
    await expect(missing).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await entries()).toHaveLength(2);
  expect((await entries())[0]).toMatchObject({ action: "picture.viewed", account_id: 3, details: { capture: ID } });
});

test("operator's pictures: none is sent if the look can't be stored", async () => {
  Object.assign(process.env, { OPERATOR_PICTURES: "shown", RESULTS_BUCKET: "results" });
  const call = aCall({ id: "3", capture: String(ID) });
  const table = running.tables.activity;
  let reads = 0;
  // The log is read from the table, and the entry is for one that doesn't exist.
  const env = {
    ...call.env,
    get ACTIVITY_TABLE() {
      return reads++ === 0 ? table : "Missing";
    },
  };
  await expect(getPicture({ ...call, env })).rejects.toThrow();
  expect(await entries()).toHaveLength(2);
});
