// Alarms with their runbook, the dashboard, and the budget.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { slug } from "github-slugger";
import { expect, test } from "vitest";
import { type StageConfig, stageConfig } from "../../../lib/infra/stages.ts";
import { METRIC_NAMESPACE, metricNames, STAGE_DIMENSION } from "../../../lib/service/platform/metrics.ts";
import { prices } from "../../../lib/tools/measure/prices.ts";
import { everySetting } from "../every-setting.ts";
import { functionsOf, only, readable, resources, templatesOf } from "../synthesized.ts";

const { service, data } = templatesOf("prod");
const alarmsOf = (template: typeof service) =>
  resources(template, "AWS::CloudWatch::Alarm").map(([, { Properties }]) => Properties);
const alarms = alarmsOf(service);
/** With those of a stage that sends mail. */
const allAlarms = alarmsOf(templatesOf(everySetting).service);
const readme = readFileSync(join(import.meta.dirname, "../../../README.md"), "utf8");
const operations = readFileSync(join(import.meta.dirname, "../../../docs/operations.md"), "utf8");
const headings = new Map(
  [...operations.matchAll(/^#+ (.+)\n([^#]*)/gm)].map(([, title = "", text = ""]) => [slug(title), text]),
);

test.each(allAlarms.map((alarm) => [alarm.AlarmName.replace("screen-capture-prod-", ""), alarm]))(
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
    allAlarms.map(({ AlarmName }) => AlarmName.replace("screen-capture-prod-", "alarm-")).toSorted(),
  );
});

test("alarms: each shows the topic when it fires and when it is over", () => {
  const [[topic] = []] = resources(service, "AWS::SNS::Topic");
  for (const { AlarmActions, OKActions } of alarms) {
    expect([AlarmActions, OKActions]).toEqual([[{ Ref: topic }], [{ Ref: topic }]]);
  }
});

test("alarms: those of the stage go to its e-mail address and its webhook", () => {
  const reported = templatesOf(everySetting).service;
  const subscriptions = (template: typeof service) =>
    resources(template, "AWS::SNS::Subscription")
      .map(([, { Properties }]) => [Properties.Protocol, Properties.Endpoint])
      .filter(([protocol]) => protocol !== "lambda");
  expect(subscriptions(reported)).toEqual([
    ["email", everySetting.alarms.email],
    ["https", everySetting.alarms.webhook],
  ]);
  expect(subscriptions(service)).toEqual([]);
});

test("alarms: a budget shows the topic at 80 % and when the forecast exceeds it", () => {
  const [[, budget] = []] = resources(templatesOf(everySetting).service, "AWS::Budgets::Budget");
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

/** A metric that an alarm or a graph names; references of the template are names in angle brackets. */
interface WatchedMetric {
  readonly by: string;
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
}

interface AlarmMetric {
  readonly Namespace: string;
  readonly MetricName: string;
  readonly Dimensions?: readonly { readonly Name: string; readonly Value: unknown }[];
}

const alarmMetrics: readonly WatchedMetric[] = alarms.flatMap(({ AlarmName: by, Metrics, ...single }) => {
  const metrics: AlarmMetric[] = Metrics?.flatMap(
    ({ MetricStat }: { MetricStat?: { Metric: AlarmMetric } }) => MetricStat?.Metric ?? [],
  ) ?? [single];
  return metrics.map(({ Namespace: namespace, MetricName: name, Dimensions }) => ({
    by,
    namespace,
    name,
    dimensions: Object.fromEntries((Dimensions ?? []).map(({ Name, Value }) => [Name, readable(Value)])),
  }));
});

test("alarms: what a page or a caller causes is no server error, and the time of a page is no time of the service", () => {
  const find = (name: string) => alarms.find(({ AlarmName }) => AlarmName === `screen-capture-prod-${name}`);
  const [percentage] = find("server-errors")?.Metrics ?? [];
  expect(percentage.Expression).toContain("errors - FILL(excused, 0)");
  const names = (alarm: string) => alarmMetrics.filter(({ by }) => by.endsWith(`-${alarm}`)).map(({ name }) => name);
  expect(names("server-errors").toSorted()).toEqual(["5XXError", "Count", "ExcusedServerErrors"]);
  expect(names("capture-time")).toEqual(["ServiceTime"]);
});

test("alarms: those that stop a rollout count no sandboxes that ended because a page had tainted them", () => {
  for (const template of [service, templatesOf(everySetting).service, templatesOf("dev").service]) {
    const browsers = [...functionsOf(template).values()].filter(({ Properties }) => Properties.Layers !== undefined);
    const ids = browsers.map(({ id }) => id);
    expect(ids.length).toBeGreaterThan(0);
    const counting = alarmsOf(template).filter(({ Metrics }) =>
      Metrics?.some(
        ({
          MetricStat,
        }: {
          MetricStat?: { Metric: { MetricName: string; Dimensions?: { Value: { Ref?: string } }[] } };
        }) =>
          MetricStat?.Metric.MetricName === "Errors" &&
          ids.includes(MetricStat.Metric.Dimensions?.[0]?.Value.Ref ?? ""),
      ),
    );
    expect(counting.map(({ AlarmName }) => AlarmName.replace(/^screen-capture-\w+-/, ""))).toEqual(["browser-errors"]);
    const [{ Expression }] = counting[0].Metrics;
    expect(Expression).toMatch(/ - FILL\(tainted, 0\)$/);
    expect(JSON.stringify(counting[0].Metrics)).toContain('"TaintedSandboxes"');
  }
});

test.each<[captures: number, faults: number, fires: boolean]>([
  [0, 0, false],
  [2, 2, false], // one customer's, which is repeated
  [3, 3, true],
  [5, 3, true],
  [7, 3, false], // less than half
  [400, 250, true],
])("alarms: of %i captures in half an hour, %i faults fire persistent-faults: %s", (captures, faults, fires) => {
  const alarm = alarms.find(({ AlarmName }) => AlarmName.endsWith("-persistent-faults"));
  const [{ Expression }] = alarm?.Metrics ?? [];
  const [, minimum = "", ...rest] = /^IF\(faults >= (\d+), 100 \* faults \/ captures, 0\)$/.exec(Expression) ?? [];
  expect(rest).toEqual([]);
  const percentage = faults >= Number(minimum) ? (100 * faults) / captures : 0;
  expect(percentage >= alarm?.Threshold).toBe(fires);
  const periods = alarm?.Metrics.flatMap(
    ({ MetricStat }: { MetricStat?: { Period: number } }) => MetricStat?.Period ?? [],
  );
  expect([alarm?.EvaluationPeriods, ...periods]).toEqual([1, 1_800, 1_800]);
});

const [[, dashboard] = []] = resources(service, "AWS::CloudWatch::Dashboard");
const graphs: { properties: { title: string; metrics?: unknown[][] } }[] = JSON.parse(
  readable(dashboard?.Properties.DashboardBody),
).widgets;
const graphMetrics: readonly WatchedMetric[] = graphs.flatMap(({ properties: { title: by, metrics = [] } }) =>
  metrics
    .filter(([first]) => typeof first === "string")
    .map((metric) => {
      const [namespace = "", name = "", ...pairs] = metric.filter((part) => typeof part === "string");
      const dimensions = Object.fromEntries(
        pairs.flatMap((part, index) => (index % 2 === 0 ? [[part, pairs[index + 1] ?? ""]] : [])),
      );
      return { by, namespace, name, dimensions };
    }),
);

const watched = [...alarmMetrics, ...graphMetrics];

test("metrics: those of the service that alarms and graphs name have a name, a namespace, and a dimension that functions emit", () => {
  const own = watched.filter(({ namespace }) => !namespace.startsWith("AWS/"));
  for (const { by, namespace, name, dimensions } of own) {
    expect([by, namespace, dimensions]).toEqual([by, METRIC_NAMESPACE, { [STAGE_DIMENSION]: "prod" }]);
    expect(metricNames).toContain(name);
  }
  // The dimension is the function's variable.
  const stages = [...functionsOf(service).values()].map(
    ({ Properties }) => Properties.Environment.Variables.STAGE_NAME,
  );
  expect(new Set(stages)).toEqual(new Set(["prod"]));
  const shown = new Set(own.map(({ name }) => name));
  expect(metricNames.filter((name) => !shown.has(name))).toEqual([]);
});

/** The metrics of AWS's services that are watched, and the dimension that each has, with what a resource of the template is called. */
const awsMetrics: Readonly<Record<string, { names: readonly string[]; dimension: string; values: readonly string[] }>> =
  {
    // https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html
    "AWS/Lambda": {
      names: ["Errors", "Throttles"],
      dimension: "FunctionName",
      values: [...functionsOf(service).values()].map(({ id }) => `<${id}>`),
    },
    // https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-metrics-and-dimensions.html
    "AWS/ApiGateway": {
      names: ["Count", "4XXError", "5XXError"],
      dimension: "ApiName",
      values: resources(service, "AWS::ApiGateway::RestApi").map(([, { Properties }]) => Properties.Name),
    },
    // https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html
    "AWS/SQS": {
      names: [
        "ApproximateAgeOfOldestMessage",
        "ApproximateNumberOfMessagesNotVisible",
        "ApproximateNumberOfMessagesVisible",
      ],
      dimension: "QueueName",
      values: resources(data, "AWS::SQS::Queue").map(([id]) => `<${id.slice(0, -8)}>`),
    },
    // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/metrics-dimensions.html
    "AWS/DynamoDB": {
      names: ["ReadThrottleEvents", "WriteThrottleEvents", "TransactionConflict"],
      dimension: "TableName",
      values: resources(data, "AWS::DynamoDB::GlobalTable").map(([id]) => `<${id.slice(0, -"Table".length - 8)}>`),
    },
  };

const isOfRegion = ({ name }: WatchedMetric) => name === "ConcurrentExecutions";
const isOfFirewall = ({ namespace }: WatchedMetric) => namespace === "AWS/WAFV2";

test("metrics: the concurrency of the region has no dimension, and a rule of the web ACL has those of AWS WAF", () => {
  const region = watched.filter(isOfRegion).map(({ namespace, dimensions }) => [namespace, dimensions]);
  expect(region).toEqual([
    ["AWS/Lambda", {}],
    ["AWS/Lambda", {}],
  ]);
  // https://docs.aws.amazon.com/waf/latest/developerguide/waf-metrics.html
  const acl = only(service, "AWS::WAFv2::WebACL");
  const rules = acl.Rules.map((rule: { VisibilityConfig: { MetricName: string } }) => rule.VisibilityConfig.MetricName);
  const { MetricName: WebACL } = acl.VisibilityConfig;
  expect(watched.filter(isOfFirewall).map(({ name, dimensions }) => [name, dimensions])).toEqual(
    expect.arrayContaining(rules.map((Rule: string) => ["BlockedRequests", { WebACL, Region: "<AWS::Region>", Rule }])),
  );
});

test("alarms: the one on concurrency fires at 80 % of the quota, and only where the stage knows that", () => {
  const find = (some: typeof alarms) => some.find(({ AlarmName }) => AlarmName.endsWith("-concurrency"));
  expect(find(alarms)).toMatchObject({ Threshold: 800, Statistic: "Maximum" });
  expect(find(alarmsOf(templatesOf("dev").service))).toBeUndefined();
});

test("metrics: those of AWS that alarms and graphs name are of resources of the stage", () => {
  const ofAws = watched
    .filter(({ namespace }) => namespace.startsWith("AWS/"))
    .filter((metric) => !isOfRegion(metric) && !isOfFirewall(metric));
  expect(new Set(ofAws.map(({ namespace }) => namespace))).toEqual(new Set(Object.keys(awsMetrics)));
  for (const { by, namespace, name, dimensions } of ofAws) {
    const { names = [], dimension = "", values = [] } = awsMetrics[namespace] ?? {};
    expect(names).toContain(name);
    expect([by, Object.keys(dimensions)]).toEqual([by, [dimension]]);
    expect(values).toContain(dimensions[dimension]);
  }
});

test("alarms: no expression has more metrics than the ten that CloudWatch allows an alarm", () => {
  for (const { Metrics = [] } of allAlarms)
    expect(Metrics.filter(({ MetricStat }: { MetricStat?: object }) => MetricStat).length).toBeLessThanOrEqual(10);
});

test("alarms: a sum counts a metric without data as 0, because it would have no value itself", () => {
  const expressions: string[] = alarms.flatMap(({ Metrics = [] }) =>
    Metrics.flatMap(({ Expression }: { Expression?: string }) => Expression ?? []),
  );
  const sums = expressions.flatMap((expression) => expression.match(/\w+\([^()]+\)(?: \+ \w+\([^()]+\))+/g) ?? []);
  expect(sums).toHaveLength(5);
  for (const sum of sums)
    expect(sum.split(" + ")).toEqual(sum.split(" + ").map(() => expect.stringMatching(/^FILL\(\w+, 0\)$/)));
});

test("monitoring: the dashboard shows every alarm", () => {
  const body = JSON.stringify(dashboard?.Properties.DashboardBody);
  const ids = resources(service, "AWS::CloudWatch::Alarm").map(([id]) => id);
  expect(ids.filter((id) => !body.includes(id))).toEqual([]);
  expect(ids.length).toBeGreaterThan(8);
});

test("budget guard: a budget that is used up pauses trials, unless the stage does not want it", () => {
  const lambdas = (template: typeof service) =>
    resources(template, "AWS::SNS::Subscription").filter(([, { Properties }]) => Properties.Protocol === "lambda");
  const [[, subscription] = []] = lambdas(templatesOf(everySetting).service);
  expect(readable(subscription?.Properties.Endpoint)).toMatch(/^<Brake[0-9A-F]{8}\.Arn>$/);
  expect(
    lambdas(templatesOf({ ...stageConfig("prod"), monthlyBudget: 50, pausesTrialsAboveBudget: false }).service),
  ).toEqual([]);
});

/**
 * 8,640 captures of 1.5 s with 2 GB a month, cold starts included, at $0.0000166667 for each gigabyte-second, and where the renderer is
 * separate, the 512 MB of its caller. They come every five minutes, so an environment of their own stays. A third as many captures come
 * through the API, and as many through the queue, for which the canary waits two seconds, with 20,160 requests in all.
 */
const CANARY_DOLLARS = { embedded: 1.02, separate: 1.07 };
/** Four objects of the status page after each of 8,640 runs, at $5 for a million PUTs, and 0.03 for the items that it reads and counts. */
const STATUS_DOLLARS = 0.2;
/** Five pollers of a queue, each with a request every 20 seconds: https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html */
const POLLER_DOLLARS = 5 * 3 * 60 * 24 * 30 * prices.sqsRequest;

const toTheCent = (dollars: number) => `$${dollars.toFixed(2)}`;

test.each([
  ["dev", "| `dev` |", "| Without any capture, a month"],
  ["prod", "| `prod` |", "| The same with AWS WAF, which `prod` has"],
] as const)(
  "costs: a stage %s without traffic pays as much a month as the documentation says",
  (stage, row, inReadme) => {
    const { data, service: template } = templatesOf(stage);
    const metricsOf = ({ Metrics }: { Metrics?: readonly { MetricStat?: object }[] }) =>
      Metrics?.filter(({ MetricStat }) => MetricStat).length ?? 1;
    const alarmMetrics = alarmsOf(template).reduce((sum, alarm) => sum + metricsOf(alarm), 0);
    // https://aws.amazon.com/cloudwatch/pricing/: each metric of an alarm, and the canary's two metrics.
    const canary = CANARY_DOLLARS[stageConfig(stage).renderer] + STATUS_DOLLARS;
    const monitoring = 0.1 * alarmMetrics + 0.6 + canary;
    const queues = POLLER_DOLLARS * resources(template, "AWS::Lambda::EventSourceMapping").length;
    const [[, acl] = []] = resources(template, "AWS::WAFv2::WebACL");
    const firewall = acl ? prices.wafWebAclMonth + prices.wafRuleMonth * acl.Properties.Rules.length : 0;
    const keys = prices.kmsKeyMonth * resources(data, "AWS::KMS::Key").length;
    const cells = [monitoring, queues, keys, firewall, monitoring + queues + keys + firewall].map(toTheCent);
    const line = operations.split("\n").find((each) => each.startsWith(row) && each.includes("metrics"));
    expect(readme).toContain(`${inReadme} | ${cells.at(-1)} |`);
    expect(line).toBe(`${row} ${alarmsOf(template).length} alarms on ${alarmMetrics} metrics | ${cells.join(" | ")} |`);
  },
);

test("costs: operators add one metric to those that alarms watch, as the documentation says", () => {
  const watched = (stage: StageConfig) =>
    alarmsOf(templatesOf(stage).service)
      .flatMap(({ Metrics }: { Metrics?: readonly { MetricStat?: object }[] }) => Metrics ?? [{ MetricStat: {} }])
      .filter(({ MetricStat }) => MetricStat).length;
  const { operators } = everySetting;
  expect(watched({ ...stageConfig("prod"), operators }) - watched(stageConfig("prod"))).toBe(1);
  expect(operations).toContain("With `operators`, $0.10 for a metric more that an alarm watches.");
});
