// Limits of the PDFs of invoices, which take as much as captures: on real tables, without a browser.
import { afterAll, beforeAll, expect, test } from "vitest";
import { openAccount } from "../../../lib/service/account/open-account.ts";
import { runningCapturesKey } from "../../../lib/service/aws/table-keys.ts";
import { serveInvoicePdf } from "../../../lib/service/billing/invoice-pdf.ts";
import { authorizeCounted } from "../../../lib/service/http/authorize.ts";
import { writeItems } from "../../fixtures/usage-items.ts";
import { anApiRequest } from "../../support/builders.ts";
import { startTestResources, type TestResources } from "../../support/test-resources.ts";

let running: TestResources;
beforeAll(async () => {
  running = await startTestResources();
});
afterAll(() => running.close());

const createRenderer = () => {
  throw new Error("A renderer was started.");
};

async function anAccount() {
  const now = Date.now();
  const { key, ring } = await openAccount(running.env.ACCOUNTS_TABLE, { plan: "free", label: "A", now });
  const request = anApiRequest({
    method: "GET",
    headers: { authorization: `Bearer ${key}` },
    pathParameters: { start: ring.account.created_at },
    receivedAt: now,
  });
  const env = { ...running.env, BASE_URL: "https://api.example", MAX_CONCURRENT_CAPTURES: 1 };
  const ask = async () =>
    serveInvoicePdf(
      { ...(await authorizeCounted(request, "usage", env)), request, options: {}, rawOptions: {}, env },
      createRenderer,
    );
  return { accountId: ring.account.id, ask };
}

/** The item that counts captures that run in this minute and in the next. */
function runningItem(accountId: number, count: number) {
  const minute = Math.floor(Date.now() / 60_000);
  return {
    ...runningCapturesKey(accountId),
    [`b_${minute.toString(36)}`]: count,
    [`b_${(minute + 1).toString(36)}`]: count,
  };
}

test("invoice PDF: is not rendered while the account runs its share of captures, which is not reported to be asynchronous", async () => {
  const { accountId, ask } = await anAccount();
  await writeItems(running.env.USAGE_TABLE, [runningItem(accountId, 1)]);
  const refused = await ask().catch((error: unknown) => error);
  expect(refused).toMatchObject({
    code: "CAPACITY",
    message: "The account runs 1 synchronous captures, its share of the service. Try again in 3 s.",
  });
});

test("invoice PDF: counts as running until it is rendered, also when that fails", async () => {
  const { ask } = await anAccount();
  for (let count = 0; count < 3; count++) await expect(ask()).rejects.toThrow("A renderer was started.");
});

test("invoice PDF: is limited by the plan's rate", async () => {
  const { ask } = await anAccount();
  for (let count = 0; count < 10; count++) await expect(ask()).rejects.toThrow("A renderer was started.");
  await expect(ask()).rejects.toMatchObject({ code: "RATE_LIMITED" });
});
