// The link secret: created with the first account, and constant.
import { GetCommand } from "@aws-sdk/lib-dynamodb";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openAccount } from "../../../lib/service/account/open-account.ts";
import { dynamodb } from "../../../lib/service/aws/clients/dynamodb.ts";
import { linkSecretKey } from "../../../lib/service/aws/table-keys.ts";
import { createLinkSecret, linkSecret } from "../../../lib/service/results/link-secret.ts";
import { type RunningTables, startTables } from "../../support/tables.ts";

let running: RunningTables;
beforeAll(async () => {
  running = await startTables();
});
afterAll(() => running.close());

const open = (label: string) => openAccount(running.tables.accounts, { plan: "pro", label, now: Date.now() });

async function stored(): Promise<unknown> {
  const command = new GetCommand({ TableName: running.tables.accounts, Key: linkSecretKey });
  return (await dynamodb().send(command)).Item?.["value"];
}

test("link secret: does not exist before the first account, so no function can sign a link", async () => {
  await expect(linkSecret(running.tables.accounts)).rejects.toThrow("There is no link secret");
  expect(await stored()).toBeUndefined();
});

test("link secret: is created once with the first account, also when several are opened at once", async () => {
  await Promise.all([open("One"), open("Another"), open("A third")]);
  const secret = await stored();
  expect(secret).toMatch(/^[\w-]{43}$/);
  await createLinkSecret(running.tables.accounts);
  await open("A later one");
  expect(await stored()).toBe(secret);
  expect(await linkSecret(running.tables.accounts)).toBe(secret);
});
