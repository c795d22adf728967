// Addresses of accounts: an account that is being deleted gives its address up before it is gone.
import { afterAll, beforeAll, expect, test } from "vitest";
import { findAccountByEmail, releaseEmail } from "../../../lib/service/account/account-email.ts";
import { AddressTaken, setAddress } from "../../../lib/service/account/address-change.ts";
import { openAccount } from "../../../lib/service/account/open-account.ts";
import { type RunningTables, startTables } from "../../support/tables.ts";

const EMAIL = "owner@example.com";

let running: RunningTables;
let table: string;
beforeAll(async () => {
  running = await startTables();
  table = running.tables.accounts;
});
afterAll(() => running.close());

async function anAccount(): Promise<number> {
  const { ring } = await openAccount(table, { plan: "pro", label: "A customer", now: Date.now() });
  return ring.account.id;
}

test("an address that an account has given up is another one's, which the first one can't take from it any more", async () => {
  const [first, second] = [await anAccount(), await anAccount()];
  await setAddress(table, first, EMAIL);
  expect(await findAccountByEmail(table, EMAIL)).toBe(first);
  await releaseEmail(table, { email: EMAIL, accountId: first });
  expect(await findAccountByEmail(table, EMAIL)).toBeUndefined();

  await setAddress(table, second, EMAIL);
  await releaseEmail(table, { email: EMAIL, accountId: first });
  await expect(setAddress(table, first, "new@example.com")).rejects.toThrow(AddressTaken);
  expect(await findAccountByEmail(table, EMAIL)).toBe(second);
});
