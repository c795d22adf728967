// The settings of payments of the local service, from environment variables.
import { expect, test } from "vitest";
import { readBillingSettings } from "../../../../lib/tools/local/cli/billing-settings.ts";

test("payments: none are recorded without a setting", () => {
  expect(readBillingSettings({})).toEqual({
    BILLING_URL: "",
    OVERDUE_AFTER_DAYS: "",
    SUSPEND_OVERDUE_AFTER_DAYS: "",
  });
});

test("payments: with a page, an invoice is overdue after two weeks, unless a setting says otherwise", () => {
  const page = { BILLING_URL: "https://pay.example.com/plans" };
  expect(readBillingSettings(page)).toMatchObject({ ...page, OVERDUE_AFTER_DAYS: "14" });
  const days = { OVERDUE_AFTER_DAYS: "7", SUSPEND_OVERDUE_AFTER_DAYS: "30" };
  expect(readBillingSettings({ ...page, ...days })).toEqual({ ...page, ...days });
  expect(readBillingSettings({ BILLING_URL: "http://127.0.0.1:9000/plans" }).BILLING_URL).toContain("127.0.0.1");
});

test.each([
  [{ BILLING_URL: "http://pay.example.com" }, "BILLING_URL must be"],
  [{ BILLING_URL: "https://pay.example.com/?plan=pro" }, "BILLING_URL must be"],
  [{ BILLING_URL: "javascript:alert(1)" }, "BILLING_URL must be"],
  [{ OVERDUE_AFTER_DAYS: "soon" }, "OVERDUE_AFTER_DAYS must be"],
  [{ SUSPEND_OVERDUE_AFTER_DAYS: "30" }, "needs OVERDUE_AFTER_DAYS"],
  [{ OVERDUE_AFTER_DAYS: "14", SUSPEND_OVERDUE_AFTER_DAYS: "7" }, "at least as large"],
])("payments: %j is refused by name", (variables, message) => {
  expect(() => readBillingSettings(variables)).toThrow(message);
});
