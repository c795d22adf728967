// At which use of a quota its owner is notified, and what the mail says.

import { describe, expect, test } from "vitest";
import { plans } from "../../../lib/contract/plans.ts";
import { quotaAlertMail } from "../../../lib/service/billing/quota-alert-mail.ts";
import { dueAlerts, type PeriodUse } from "../../../lib/service/billing/quota-alerts.ts";
import { mailText } from "../../../lib/service/mail/mail-text.ts";

const used = (screenshots: number, parts: Partial<PeriodUse> = {}): PeriodUse => ({
  counts: { screenshots, videos: 0 },
  alerted: {},
  ...parts,
});
const due = (plan: keyof typeof plans, use: PeriodUse) =>
  dueAlerts(plans[plan], use).map(({ quota, percentage }) => `${quota.name} ${percentage}`);

describe("an alert is due", () => {
  test.each([
    [149, []],
    [150, ["screenshots 50"]],
    [239, ["screenshots 50"]],
    [240, ["screenshots 80"]],
    [300, ["screenshots 100"]],
    [301, ["screenshots 100"]],
  ])("after %i of 300 captures: %j", (screenshots, expected) => {
    expect(due("free", used(screenshots))).toEqual(expected);
  });

  test("once for each percentage, and never for a lower one", () => {
    expect(due("free", used(200, { alerted: { screenshots: 50 } }))).toEqual([]);
    expect(due("free", used(250, { alerted: { screenshots: 50 } }))).toEqual(["screenshots 80"]);
    expect(due("free", used(160, { alerted: { screenshots: 80 } }))).toEqual([]);
  });

  test("for each quota of a plan that has two", () => {
    expect(due("free", { counts: { screenshots: 150, videos: 50 }, alerted: {} })).toEqual([
      "screenshots 50",
      "videos 100",
    ]);
  });

  test("for screenshots and videos together where they share a quota", () => {
    expect(due("pro", { counts: { screenshots: 9_000, videos: 1_000 }, alerted: {} })).toEqual(["captures 50"]);
  });
});

describe("the mail of an alert", () => {
  const period = { start: "2026-01-31T00:00:00.000Z", end: "2026-02-28T00:00:00.000Z", month: 0 };
  const mail = (plan: keyof typeof plans, month: number | undefined = 0) =>
    quotaAlertMail(
      { quota: { name: "screenshots", limit: 5_000 }, used: 4_000, percentage: 80 },
      { account: { label: "Example Ltd", plan }, period: { ...period, month }, baseUrl: "https://api.example.com" },
    );

  test("says what is used, what comes next, and how to stop it", () => {
    const alert = mail("starter");
    const text = mailText(alert);
    expect(alert.subject).toBe("80 % of your screenshots are used");
    expect(text).toContain("The account Example Ltd has used 4,000 of the 5,000 screenshots of this billing period.");
    expect(text).toContain("at $0.005 each, until the next period begins on February 28, 2026.");
    expect(text).toContain("https://api.example.com/app/account");
  });

  test("says that a trial ends", () => {
    const alert = quotaAlertMail(
      { quota: { name: "screenshots", limit: 300 }, used: 300, percentage: 100 },
      {
        account: { label: "A", plan: "free" },
        period: { ...period, month: undefined },
        baseUrl: "https://a.example",
      },
    );
    expect(mailText(alert)).toContain("Your free trial ends on February 28, 2026, or when the quota is used up.");
  });
});
