// Deleting a capture: what it has stored is gone, its cache entry too, and its log stays.
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { toCaller } from "../../../lib/service/account/account.ts";
import { rateLimitState } from "../../../lib/service/account/rate-limit.ts";
import { dynamodb } from "../../../lib/service/aws/clients/dynamodb.ts";
import { cacheKey, logKey } from "../../../lib/service/aws/table-keys.ts";
import { transact } from "../../../lib/service/aws/transaction.ts";
import { cacheWrite } from "../../../lib/service/captures/cache-store.ts";
import { createId } from "../../../lib/service/platform/ids.ts";
import { hasResult, putResult } from "../../../lib/service/results/result-store.ts";
import { logTime } from "../../../lib/service/usage/capture-log.ts";
import { deleteCapture } from "../../../lib/service/usage/delete-capture.ts";
import { logItems, writeItems } from "../../fixtures/usage-items.ts";
import { aCaptureLog, anAccount, anApiKey, anApiRequest } from "../../support/builders.ts";
import { startTestResources, type TestResources } from "../../support/test-resources.ts";

let running: TestResources;
let env: TestResources["env"];
beforeAll(async () => {
  running = await startTestResources();
  env = running.env;
});
afterAll(() => running.close());

const HOUR_MS = 60 * 60 * 1000;
const NOW = Date.now();

/** A logged capture whose result is stored and cached, as another capture of the same page may have replaced it. */
async function aCachedCapture(id: number, { cachedKey }: { readonly cachedKey?: string } = {}) {
  const [accountId, key] = [3, `1-day/${id}.png`];
  const attributes = { mimeType: "image/png", disposition: "inline" };
  await putResult(env.RESULTS_BUCKET, key, Buffer.from("picture"), attributes);
  const times = { until: NOW + HOUR_MS, staleUntil: NOW + HOUR_MS };
  const entry = { capture: { inline: "facts of the page" }, resultKey: cachedKey ?? key, isCounted: false, ...times };
  await transact([cacheWrite(env.ACTIVITY_TABLE, { accountId, key: `cache-${id}` }, entry)]);
  const [item = {}] = logItems([aCaptureLog({ id, user_id: accountId })]);
  const result = { key, mime_type: "image/png", expires_at: NOW + HOUR_MS, cached: { key: `cache-${id}` } };
  await writeItems(env.ACTIVITY_TABLE, [{ ...item, details: { result } }]);
  return { id, accountId, key };
}

const remove = (id: number, accountId: number) =>
  deleteCapture({
    request: anApiRequest({ method: "DELETE", pathParameters: { id: String(id) }, receivedAt: NOW }),
    caller: toCaller(anAccount({ id: accountId }), anApiKey({ account_id: accountId })),
    requests: rateLimitState({}, { limit: 60, now: NOW }),
    options: {},
    rawOptions: {},
    env,
  });

async function stored(Key: Readonly<Record<string, string>>) {
  return (await dynamodb().send(new GetCommand({ TableName: env.ACTIVITY_TABLE, Key }))).Item;
}

test("a deleted capture: its result and its cache entry are deleted, and its log stays without them", async () => {
  const { id, accountId, key } = await aCachedCapture(createId(NOW, 1));
  expect(await stored(cacheKey(accountId, `cache-${id}`))).toMatchObject({ result_key: key });
  expect((await remove(id, accountId)).status).toBe(204);
  expect(await stored(cacheKey(accountId, `cache-${id}`))).toBeUndefined();
  expect(await hasResult(env.RESULTS_BUCKET, key)).toBe(false);
  expect(await stored(logKey(accountId, logTime(id).month, id))).toMatchObject({ details: {}, status: "success" });
});

test("a deleted capture: the cache entry of a later capture of the same page stays", async () => {
  const { id, accountId } = await aCachedCapture(createId(NOW, 2), { cachedKey: "1-day/later.png" });
  await remove(id, accountId);
  expect(await stored(cacheKey(accountId, `cache-${id}`))).toMatchObject({ result_key: "1-day/later.png" });
});

test("a deleted capture: another account can't delete it", async () => {
  const { id, accountId, key } = await aCachedCapture(createId(NOW, 3));
  await expect(remove(id, accountId + 1)).rejects.toMatchObject({ code: "NOT_FOUND" });
  expect(await hasResult(env.RESULTS_BUCKET, key)).toBe(true);
});
