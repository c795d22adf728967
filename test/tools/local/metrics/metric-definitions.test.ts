// The names of the metrics: in the documentation, on the dashboard, and for Prometheus' own checks.
import { execFileSync, spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { errorKinds } from "../../../../lib/contract/errors/error-kinds.ts";
import { formats } from "../../../../lib/contract/options/formats.ts";
import { phases } from "../../../../lib/engine/pipeline/phase-clock.ts";
import { metricNames } from "../../../../lib/service/platform/metrics.ts";
import { createMetricCounts } from "../../../../lib/tools/local/metrics/metric-counts.ts";
import {
  cloudWatchSources,
  type MetricDefinition,
  metricDefinitions,
  metricTable,
} from "../../../../lib/tools/local/metrics/metric-definitions.ts";
import { canRun, skipWithout } from "../../../support/runtimes.ts";
import { temporaryFolder } from "../support.ts";

const definitions: Readonly<Record<string, MetricDefinition>> = metricDefinitions;
const docs = join(import.meta.dirname, "../../../../docs");
const hasPromtool = canRun("promtool", ["--version"]);

test("metrics: each metric of CloudWatch has its place", () => {
  expect(Object.keys(cloudWatchSources).toSorted()).toEqual(metricNames.toSorted());
});

test("metrics: the table in docs/operations.md is that of the code (npm run docs writes it)", () => {
  expect(readFileSync(join(docs, "operations.md"), "utf8")).toContain(
    `<!-- metrics -->\n${metricTable()}\n<!-- /metrics -->`,
  );
});

/** The expressions of all panels of the dashboard, with an interval in place of Grafana's variable. */
function dashboardExpressions(): string[] {
  const { panels } = JSON.parse(readFileSync(join(docs, "grafana-dashboard.json"), "utf8")) as {
    readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
  };
  return panels.flatMap(({ targets }) => targets.map(({ expr }) => expr.replaceAll("$__rate_interval", "5m")));
}

test("metrics: the dashboard shows each metric, and no name or label that is not exported", () => {
  const shown = new Set<string>();
  for (const expression of dashboardExpressions()) {
    const [series = "", ...more] = expression.match(/screen_capture_\w+/g) ?? [];
    const names = [series, ...more].map((name) =>
      name in definitions ? name : name.replace(/_(bucket|sum|count)$/, ""),
    );
    for (const name of names) {
      expect(definitions, expression).toHaveProperty(name);
      shown.add(name);
    }
    const labels = new Set(names.flatMap((name) => [...(definitions[name]?.labels ?? []), "le"]));
    const grouped = [...expression.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(", "));
    const matched = [...expression.matchAll(/(\w+)[!=]~?"/g)].map(([, label = ""]) => label);
    for (const label of [...grouped, ...matched]) expect([...labels], expression).toContain(label);
  }
  expect([...shown].toSorted()).toEqual(Object.keys(definitions).toSorted());
});

test("metrics: the dashboard's legends name labels of their expressions", () => {
  const { panels } = JSON.parse(readFileSync(join(docs, "grafana-dashboard.json"), "utf8"));
  for (const { targets } of panels) {
    for (const { expr, legendFormat } of targets) {
      const [, list = ""] = /sum by \(([^)]*)\)/.exec(expr) ?? [];
      const kept = [
        ...list.split(", "),
        ...(list === "" ? (definitions[expr.match(/screen_capture_\w+/)[0]]?.labels ?? []) : []),
      ];
      for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g)) expect(kept, expr).toContain(label);
    }
  }
});

/** All metrics, each with a value. */
async function everyMetric(): Promise<string> {
  const counts = createMetricCounts({ formats, codes: Object.keys(errorKinds), phases });
  const values = Object.fromEntries(metricNames.map((name) => [name, 1]));
  const times = Object.fromEntries(phases.map((phase) => [`${phase}_ms`, "20"]));
  counts.count("Screenshot", JSON.stringify({ _aws: {}, ...values, ...times, format: "png", bytes: "2000" }));
  counts.count(
    "Screenshot",
    JSON.stringify({ _aws: {}, Captures: 1, format: "png", code: "PAGE_CRASHED", blame: "target" }),
  );
  counts.count("api", "GET /health 200 3 ms");
  for (const [name, { type, labels = [] }] of Object.entries(metricDefinitions) as [
    keyof typeof metricDefinitions,
    MetricDefinition,
  ][]) {
    if (type === "gauge")
      counts.setGauge(name, [{ labels: Object.fromEntries(labels.map((label) => [label, "a"])), value: 1 }]);
  }
  return counts.text();
}

test("metrics: each definition is exported with its type", async () => {
  const types = Object.fromEntries(
    [...(await everyMetric()).matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name, type]),
  );
  expect(types).toEqual(Object.fromEntries(Object.entries(definitions).map(([name, { type }]) => [name, type])));
});

test("metrics: promtool finds no error in their names, types, and text", async (context) => {
  skipWithout(hasPromtool, context, "the text format of the metrics", "promtool");
  const { status, stdout, stderr } = spawnSync("promtool", ["check", "metrics"], {
    input: await everyMetric(),
    encoding: "utf8",
  });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "", stderr: "" });
});

test("metrics: promtool reads the dashboard's expressions and the scrape configuration of the documentation", async (context) => {
  skipWithout(hasPromtool, context, "the dashboard's expressions", "promtool");
  const folder = await temporaryFolder(context);
  const rules = dashboardExpressions().map((expr, index) => ({ record: `panel_${index}`, expr }));
  writeFileSync(join(folder, "rules.yml"), JSON.stringify({ groups: [{ name: "dashboard", rules }] })); // JSON is YAML
  const [, configuration = ""] =
    /```yaml\n(scrape_configs:[\s\S]*?)```/.exec(readFileSync(join(docs, "operations.md"), "utf8")) ?? [];
  const token = join(folder, "token");
  writeFileSync(token, "a token");
  writeFileSync(join(folder, "prometheus.yml"), configuration.replace("/etc/prometheus/screen-capture-token", token));
  execFileSync("promtool", ["check", "rules", join(folder, "rules.yml")], { stdio: "pipe" });
  execFileSync("promtool", ["check", "config", join(folder, "prometheus.yml")], { stdio: "pipe" });
});
