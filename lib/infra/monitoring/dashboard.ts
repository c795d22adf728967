// The dashboard of a stage in CloudWatch: alarms, captures, times, queues, functions and tables on one page.
import { Duration } from "aws-cdk-lib";
import { type Alarm, AlarmStatusWidget, Dashboard, GraphWidget, type IMetric, Stats } from "aws-cdk-lib/aws-cloudwatch";
import type { Construct } from "constructs";
import type { Watched } from "./alarm-definitions.ts";
import { conflictPercentage, regionConcurrency, serviceMetric, sumOf, throttledEvents } from "./metrics.ts";

export interface ServiceDashboardProps extends Watched {
  readonly alarms: readonly Alarm[];
}

const MINUTES_5 = { period: Duration.minutes(5) };

export class ServiceDashboard extends Dashboard {
  constructor(
    scope: Construct,
    id: string,
    { stage, data, api, routed, background, browsers, capturing, alarms }: ServiceDashboardProps,
  ) {
    super(scope, id, { dashboardName: `screen-capture-${stage.name}`, defaultInterval: Duration.days(1) });
    const { queues } = data;
    const tables = [data.accounts.table, data.usage.table, data.activity.table];
    const captureTime = (statistic: string) => serviceMetric(stage, "CaptureTime", { statistic, label: statistic });

    this.addWidgets(new AlarmStatusWidget({ title: "Alarms", width: 24, height: 3, alarms: [...alarms] }));
    this.addWidgets(
      graph("Captures", [
        serviceMetric(stage, "Captures"),
        serviceMetric(stage, "CacheHits"),
        serviceMetric(stage, "CaptureRejections"),
        serviceMetric(stage, "CaptureFaults"),
      ]),
      graph("Time of a rendered capture, ms", [
        captureTime(Stats.p(50)),
        captureTime(Stats.p(95)),
        captureTime(Stats.p(99)),
      ]),
      graph("Estimated cost of computing, dollars", [serviceMetric(stage, "ComputeCost")]),
    );
    this.addWidgets(
      graph("Requests", [api.requests(), api.clientErrors(), api.serverErrors()]),
      graph(
        "Cold starts, starts and throttles of the renderer, tainted or unprotected sandboxes, refused requests of pages, throttled counters",
        [
          serviceMetric(stage, "ColdStarts"),
          serviceMetric(stage, "RendererStarts"),
          serviceMetric(stage, "RendererThrottles"),
          serviceMetric(stage, "TaintedSandboxes"),
          serviceMetric(stage, "MissingProtections"),
          serviceMetric(stage, "EgressRefusals"),
          serviceMetric(stage, "ThrottledCounters"),
        ],
      ),
      graph("Functions", [
        sumOf([...routed, ...background, ...browsers], (fn) => fn.metricErrors(MINUTES_5), "Errors"),
        sumOf(capturing, (fn) => fn.metricThrottles(MINUTES_5), "Throttled captures"),
      ]),
    );
    this.addWidgets(
      graph("Age of the oldest asynchronous capture, s", [
        queues.render.metricApproximateAgeOfOldestMessage({ ...MINUTES_5, statistic: Stats.MAXIMUM }),
      ]),
      graph("Webhooks", [
        serviceMetric(stage, "WebhookDeliveries"),
        serviceMetric(stage, "WebhookFailures"),
        serviceMetric(stage, "WebhooksNotScheduled"),
        serviceMetric(stage, "PausedReceivers"),
      ]),
      graph("Throttled reads and writes of tables", [throttledEvents(tables)]),
    );
    this.addWidgets(
      graph("Age of the oldest webhook message, s", [
        queues.webhook.metricApproximateAgeOfOldestMessage({ ...MINUTES_5, statistic: Stats.MAXIMUM }),
      ]),
      graph("Conflicts of transactions for each 100 captures", [conflictPercentage(stage, tables, 1)]),
      graph("Concurrent executions of the region", [regionConcurrency()]),
    );
    if (api.webAcl) this.addWidgets(graph("Requests that AWS WAF blocked", api.webAcl.blockedByRule()));
  }
}

function graph(title: string, left: IMetric[]): GraphWidget {
  return new GraphWidget({ title, left, width: 8, height: 6 });
}
