// Alarms with their runbook, the dashboard, and the budget.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { slug } from "github-slugger";
import { expect, test } from "vitest";
import { stageConfig } from "../../../lib/infra/stages.ts";
import { readable, resources, templatesOf } from "../synthesized.ts";

const { service } = templatesOf("prod");
const alarms = resources(service, "AWS::CloudWatch::Alarm").map(([, { Properties }]) => Properties);
const operations = readFileSync(join(import.meta.dirname, "../../../docs/operations.md"), "utf8");
const headings = new Map(
  [...operations.matchAll(/^#+ (.+)\n([^#]*)/gm)].map(([, title = "", text = ""]) => [slug(title), text]),
);

test.each(alarms.map((alarm) => [alarm.AlarmName.replace("screen-capture-prod-", ""), alarm]))(
  "alarm %s: its description has its severity and the address of its section in the runbook",
  (name, { AlarmDescription }) => {
    const description = readable(AlarmDescription);
    expect(description).toMatch(/^(page|ticket): [A-Z].+\. Runbook: https:\/\/\S+\/docs\/operations#alarm-/);
    const anchor = description.slice(description.indexOf("#") + 1);
    expect(anchor).toBe(`alarm-${name}`);
    expect(headings.get(anchor)).toMatch(/\*\*Look:\*\*[\s\S]+\*\*Do:\*\*/);
  },
);

test("alarms: the runbook has no section of an alarm that does not exist", () => {
  const sections = [...headings.keys()].filter((anchor) => anchor.startsWith("alarm-"));
  expect(sections.toSorted()).toEqual(
    alarms.map(({ AlarmName }) => AlarmName.replace("screen-capture-prod-", "alarm-")).toSorted(),
  );
});

test("alarms: each tells the topic when it fires and when it is over", () => {
  const [[topic] = []] = resources(service, "AWS::SNS::Topic");
  for (const { AlarmActions, OKActions } of alarms) {
    expect([AlarmActions, OKActions]).toEqual([[{ Ref: topic }], [{ Ref: topic }]]);
  }
});

test("alarms: those of the stage go to its e-mail address and its webhook", () => {
  const receivers = { email: "ops@example.com", webhook: "https://example.com/alarms" };
  const told = templatesOf({ ...stageConfig("prod"), alarms: receivers }).service;
  const subscriptions = (template: typeof service) =>
    resources(template, "AWS::SNS::Subscription").map(([, { Properties }]) => [
      Properties.Protocol,
      Properties.Endpoint,
    ]);
  expect(subscriptions(told)).toEqual([
    ["email", receivers.email],
    ["https", receivers.webhook],
  ]);
  expect(subscriptions(service)).toEqual([]);
});

test("alarms: a budget tells the topic at 80 % and when the forecast exceeds it", () => {
  const thrifty = templatesOf({ ...stageConfig("prod"), monthlyBudget: 50 }).service;
  const [[, budget] = []] = resources(thrifty, "AWS::Budgets::Budget");
  expect(budget?.Properties.Budget.BudgetLimit).toEqual({ Amount: 50, Unit: "USD" });
  expect(
    budget?.Properties.NotificationsWithSubscribers.map(({ Notification }: { Notification: object }) => Notification),
  ).toEqual([
    { NotificationType: "ACTUAL", ComparisonOperator: "GREATER_THAN", Threshold: 80 },
    { NotificationType: "FORECASTED", ComparisonOperator: "GREATER_THAN", Threshold: 100 },
    { NotificationType: "ACTUAL", ComparisonOperator: "GREATER_THAN", Threshold: 100 },
  ]);
  expect(resources(service, "AWS::Budgets::Budget")).toEqual([]);
});

test("monitoring: the local stage has none", () => {
  const local = templatesOf("local").service;
  expect(
    ["AWS::CloudWatch::Alarm", "AWS::CloudWatch::Dashboard", "AWS::SNS::Topic"].map((type) => resources(local, type)),
  ).toEqual([[], [], []]);
});

test("monitoring: the dashboard shows every alarm", () => {
  const [[, dashboard] = []] = resources(service, "AWS::CloudWatch::Dashboard");
  const body = JSON.stringify(dashboard?.Properties.DashboardBody);
  const ids = resources(service, "AWS::CloudWatch::Alarm").map(([id]) => id);
  expect(ids.filter((id) => !body.includes(id))).toEqual([]);
  expect(ids.length).toBeGreaterThan(8);
});

test("brake: a budget that is used up pauses trials, unless the stage does not want it", () => {
  const thrifty = { ...stageConfig("prod"), monthlyBudget: 50 };
  const lambdas = (template: typeof service) =>
    resources(template, "AWS::SNS::Subscription").filter(([, { Properties }]) => Properties.Protocol === "lambda");
  const [[, subscription] = []] = lambdas(templatesOf(thrifty).service);
  expect(readable(subscription?.Properties.Endpoint)).toMatch(/^<Brake[0-9A-F]{8}\.Arn>$/);
  expect(lambdas(templatesOf({ ...thrifty, pausesTrialsAboveBudget: false }).service)).toEqual([]);
});

test("monitoring: a stage without traffic pays less than $5 a month for it, and as much as the documentation says", () => {
  const metricsOf = ({ Metrics }: { Metrics?: readonly { MetricStat?: object }[] }) =>
    Metrics?.filter(({ MetricStat }) => MetricStat).length ?? 1;
  const alarmMetrics = alarms.reduce((sum, alarm) => sum + metricsOf(alarm), 0);
  // https://aws.amazon.com/cloudwatch/pricing/: each metric of an alarm, and the canary's metric.
  const dollars = 0.1 * alarmMetrics + 0.3 + CANARY_DOLLARS;
  expect(dollars).toBeLessThan(5);
  expect(operations).toContain(
    `about $${(Math.round(dollars * 20) / 20).toFixed(2)} a month: 11 alarms on ${alarmMetrics} metrics`,
  );
});

/** 8,640 captures of 1.5 s with 2 GB a month, cold starts included, at $0.0000166667 for each gigabyte-second. */
const CANARY_DOLLARS = 0.43;
