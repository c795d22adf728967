// How long sessions last: 30 days after their last use, and 90 days at most.
import { UpdateCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { dynamodb } from "../../../lib/service/aws/clients/dynamodb.ts";
import { sessionKey } from "../../../lib/service/aws/table-keys.ts";
import { hashSecret } from "../../../lib/service/sessions/secret-token.ts";
import { createSession, extendSession, findSession } from "../../../lib/service/sessions/session-store.ts";
import { type RunningTables, startTables } from "../../support/tables.ts";

let running: RunningTables;
beforeAll(async () => {
  running = await startTables();
});
afterAll(() => running.close());

const NOW = Date.parse("2026-03-01T12:00:00Z");
const days = (count: number) => NOW + count * 24 * 60 * 60 * 1000;
const accountId = 7;
const facts = {
  account_id: accountId,
  signed_in_with: "email",
  api_key_hash: null,
  user_agent: null,
  network: "203.0.113.x",
} as const;
const table = () => running.tables.accounts;
const find = (token: string, now: number) => findSession(table(), { accountId, token }, now);

/** Uses a session, as the dashboard does when it is opened. */
async function use(token: string, now: number) {
  const session = await find(token, now);
  return session && extendSession(table(), { session, token }, now);
}

test("session: ends 30 days after its last use", async () => {
  const { token, session } = await createSession(table(), facts, NOW);
  expect(session.expires_at).toBe(days(30));
  expect((await use(token, days(20)))?.expires_at).toBe(days(50));
  expect(await find(token, days(50) - 1)).toBeDefined();
  expect(await find(token, days(50))).toBeUndefined();
});

test("session: ends 90 days after it began, however often it is used", async () => {
  const { token } = await createSession(table(), facts, NOW);
  for (const day of [25, 50, 75]) await use(token, days(day));
  expect((await use(token, days(89)))?.expires_at).toBe(days(90));
  expect(await find(token, days(90) - 1)).toBeDefined();
  expect(await find(token, days(90))).toBeUndefined();
});

test("session: one from before there was a longest duration ends with it, too", async () => {
  const { token } = await createSession(table(), facts, NOW);
  const command = new UpdateCommand({
    TableName: table(),
    Key: sessionKey(accountId, hashSecret(token)),
    UpdateExpression: "SET expires_at = :later",
    ExpressionAttributeValues: { ":later": days(365) },
  });
  await dynamodb().send(command);
  expect(await find(token, days(90) - 1)).toBeDefined();
  expect(await find(token, days(90))).toBeUndefined();
});
