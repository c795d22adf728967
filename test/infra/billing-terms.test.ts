// The settings of payments: functions get what the stage says, and what contradicts itself is refused when a stage is synthesized.
import { expect, test } from "vitest";
import { setPaymentTerms } from "../../lib/infra/functions/billing-terms.ts";
import type { ServiceFunction } from "../../lib/infra/functions/service-function.ts";
import { type BillingConfig, stageConfig } from "../../lib/infra/stages.ts";

/** The variables that a function gets of these settings. */
function variablesOf(billing: BillingConfig): Record<string, string> {
  const variables: Record<string, string> = {};
  const fn = { setEnvironment: (name: string, value: string) => Object.assign(variables, { [name]: value }) };
  setPaymentTerms(fn as unknown as ServiceFunction, { ...stageConfig("dev"), billing });
  return variables;
}

test("payments: functions know when an invoice is due, and when its account is suspended", () => {
  expect(variablesOf({ overdueAfterDays: 14 })).toEqual({ OVERDUE_AFTER_DAYS: "14" });
  expect(variablesOf({ url: "https://pay.example.com/plans", overdueAfterDays: 14, suspendAfterDays: 30 })).toEqual({
    OVERDUE_AFTER_DAYS: "14",
    SUSPEND_OVERDUE_AFTER_DAYS: "30",
  });
});

test.each<[BillingConfig, string]>([
  [{ overdueAfterDays: 0 }, "billing.overdueAfterDays"],
  [{ overdueAfterDays: 14, suspendAfterDays: 13 }, "billing.suspendAfterDays"],
  [{ overdueAfterDays: 14, url: "http://pay.example.com" }, "billing.url"],
  [{ overdueAfterDays: 14, url: "https://pay.example.com/?a=b" }, "billing.url"],
  [{ overdueAfterDays: 14, url: "pay.example.com" }, "billing.url"],
])("payments: %j is refused by the name of the setting", (billing, setting) => {
  expect(() => variablesOf(billing)).toThrow(setting);
});
