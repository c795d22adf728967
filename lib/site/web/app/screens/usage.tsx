// Usage: captures per day as a chart and a table, compared with the period before.
import type { Keys, UsageBreakdown, UsageStatistics } from "../../../../../clients/typescript/src/generated/types.ts";
import { csvHeader, csvLine } from "../../../../service/usage/csv.ts";
import { ScrollRegion } from "../../playground/scroll-region.tsx";
import { BarChart } from "../bar-chart.tsx";
import { BreakdownTables } from "../breakdown-tables.tsx";
import { dayBefore, formatCount, formatDay, formatMilliseconds } from "../format.ts";
import { Notice } from "../notice.tsx";
import { navigateTo, useAddress } from "../router.ts";
import type { ScreenProps } from "../screen.ts";
import { useResource } from "../use-resource.ts";

const SPANS = [7, 30, 90] as const;

export function UsageScreen(_: ScreenProps) {
  const { query } = useAddress();
  const days = SPANS.find((span) => String(span) === query.get("days")) ?? 30;
  const key = query.get("api_key_id") ?? "";
  const ofKey = key === "" ? "" : `&api_key_id=${encodeURIComponent(key)}`;
  const now = useResource<UsageStatistics>(`/api/v1/usage/stats?days=${days}${ofKey}`);
  const range = `from=${dayBefore(2 * days - 1)}&to=${dayBefore(days)}`;
  const before = useResource<UsageStatistics>(`/api/v1/usage/stats?${range}${ofKey}`);
  const breakdown = useResource<UsageBreakdown>(`/api/v1/usage/breakdown?days=${days}${ofKey}`);
  const keys = useResource<Keys>("/api/v1/keys");
  const show = (span: number, keyId: string) =>
    navigateTo(`usage?${new URLSearchParams({ days: String(span), ...(keyId !== "" && { api_key_id: keyId }) })}`);
  return (
    <>
      <form class="filters" aria-label="Range" onSubmit={(event) => event.preventDefault()}>
        <fieldset class="spans">
          <legend class="visually-hidden">Days</legend>
          {SPANS.map((span) => (
            <button key={span} type="button" aria-pressed={span === days} onClick={() => show(span, key)}>
              {span} days
            </button>
          ))}
        </fieldset>
        <div class="field">
          <label for="usage-key">API key</label>
          <select id="usage-key" value={key} onChange={(event) => show(days, event.currentTarget.value)}>
            <option value="">All</option>
            {keys.data?.data.map(({ id, label }) => (
              <option key={id} value={String(id)}>
                {label}
              </option>
            ))}
          </select>
        </div>
      </form>
      {now.error && <Notice problem={now.error} retry={now.reload} />}
      {!now.data && !now.error && <div class="placeholder placeholder-list" aria-busy={now.isSlow} />}
      {now.data && <Statistics statistics={now.data} before={before.data} days={days} breakdown={breakdown.data} />}
      {breakdown.error && <Notice problem={breakdown.error} retry={breakdown.reload} />}
      {breakdown.data && <BreakdownTables breakdown={breakdown.data} keys={keys.data} />}
    </>
  );
}

interface StatisticsProps {
  readonly statistics: UsageStatistics;
  readonly before: UsageStatistics | undefined;
  readonly days: number;
  readonly breakdown: UsageBreakdown | undefined;
}

function Statistics({ statistics, before, days, breakdown }: StatisticsProps) {
  const oldestFirst = statistics.series.toReversed();
  return (
    <>
      <section class="figures" aria-label="Totals">
        <Total
          label="Captures"
          value={formatCount(statistics.total)}
          change={changeOf(statistics.total, before?.total)}
        />
        <Total
          label="Failed"
          value={formatCount(statistics.total_failed)}
          change={changeOf(statistics.total_failed, before?.total_failed)}
        />
        <Total label="Succeeded" value={statistics.total === 0 ? "–" : `${statistics.success_rate} %`} />
        <Total
          label="Average time"
          value={statistics.total === 0 ? "–" : formatMilliseconds(statistics.avg_response_ms)}
          change={changeOf(statistics.avg_response_ms, before?.avg_response_ms)}
        />
        <Total label="95 % take at most" value={breakdown?.p95_ms ? formatMilliseconds(breakdown.p95_ms) : "–"} />
        <Total
          label="From the cache"
          value={breakdown?.total ? `${Math.round((breakdown.cached / breakdown.total) * 100)} %` : "–"}
        />
      </section>
      <BarChart days={oldestFirst} label={`Captures per day of the last ${days} days; the table has the numbers`} />
      <p class="legend">
        <span class="legend-success">succeeded</span> <span class="legend-failed">failed</span>
      </p>
      <button type="button" onClick={() => download(statistics)}>
        Download as CSV
      </button>
      <ScrollRegion class="table-scroll table-days" label="Captures per day">
        <table>
          <thead>
            <tr>
              <th scope="col">Day (UTC)</th>
              <th scope="col">Succeeded</th>
              <th scope="col">Failed</th>
              <th scope="col">Average time</th>
            </tr>
          </thead>
          <tbody>
            {statistics.series.map(({ date, success, failed, avg_ms }) => (
              <tr key={date}>
                <th scope="row">{formatDay(date)}</th>
                <td>{formatCount(success)}</td>
                <td>{formatCount(failed)}</td>
                <td>{success + failed === 0 ? "–" : formatMilliseconds(avg_ms)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </>
  );
}

function Total({ label, value, change }: { readonly label: string; readonly value: string; readonly change?: string }) {
  return (
    <p class="figure-card">
      <span>{label}</span>
      <strong>{value}</strong>
      {change !== undefined && <span class="change">{change}</span>}
    </p>
  );
}

function changeOf(now: number, before: number | undefined): string {
  if (before === undefined || before === 0) return "";
  const percent = Math.round(((now - before) / before) * 100);
  return `${percent > 0 ? "+" : ""}${percent} % on the period before`;
}

function download({ series }: UsageStatistics): void {
  const rows = series.map(({ date, success, failed, avg_ms }) => [date, success, failed, avg_ms]);
  const lines = [csvHeader(["date", "success", "failed", "avg_ms"]), ...rows.map(csvLine)];
  const url = URL.createObjectURL(new Blob(lines, { type: "text/csv" }));
  Object.assign(document.createElement("a"), { href: url, download: "usage.csv" }).click();
  URL.revokeObjectURL(url);
}
