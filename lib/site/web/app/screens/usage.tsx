// Usage: captures per day as a chart and a table, compared with the period before.

import { useState } from "preact/hooks";
import type {
  Account,
  Keys,
  UsageBreakdown,
  UsageStatistics,
} from "../../../../../clients/typescript/src/generated/types.ts";
import { csvHeader, csvLine } from "../../../../service/usage/csv.ts";
import { apiBaseUrl } from "../../service-address.ts";
import { Figure } from "../../ui/figure.tsx";
import { SelectField } from "../../ui/form.tsx";
import { countText, dayBefore, formatCount, formatDay, formatMilliseconds } from "../../ui/format.ts";
import { LimitTable } from "../../ui/limit-table.tsx";
import { Meter } from "../../ui/meter.tsx";
import { Notice } from "../../ui/notice.tsx";
import { addressOf, navigateTo, useAddress } from "../../ui/router.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useResource } from "../../ui/use-resource.ts";
import { BarChart } from "../bar-chart.tsx";
import { BreakdownTables } from "../breakdown-tables.tsx";
import { usageLabels } from "../figure-labels.ts";
import type { ScreenProps } from "../screen.ts";
import { StatisticsSkeleton } from "../skeletons.tsx";
import { Time } from "../time.tsx";

const SPANS = [7, 30, 90] as const;

export function UsageScreen(_: ScreenProps) {
  const { query } = useAddress();
  const days = SPANS.find((span) => String(span) === query.get("days")) ?? 30;
  const key = query.get("api_key_id") ?? "";
  const filter = key === "" ? {} : { api_key_id: key };
  const ofKey = key === "" ? "" : `&${new URLSearchParams(filter)}`;
  const now = useResource<UsageStatistics>(`/api/v1/usage/stats?days=${days}${ofKey}`);
  const range = `from=${dayBefore(2 * days - 1)}&to=${dayBefore(days)}`;
  const before = useResource<UsageStatistics>(`/api/v1/usage/stats?${range}${ofKey}`);
  const breakdown = useResource<UsageBreakdown>(`/api/v1/usage/breakdown?days=${days}${ofKey}`);
  const keys = useResource<Keys>("/api/v1/keys");
  const account = useResource<Account>("/api/v1/account");
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
        <SelectField
          id="usage-key"
          label="API key"
          value={key}
          options={[["", "All"], ...(keys.data?.data ?? []).map(({ id, label }) => [String(id), label] as const)]}
          onChoose={(id) => show(days, id)}
        />
      </form>
      {now.error && <Notice problem={now.error} retry={now.reload} />}
      {!now.data && !now.error && (
        <Skeleton label="The usage is being read.">
          <StatisticsSkeleton />
        </Skeleton>
      )}
      {now.data && (
        <Statistics
          statistics={now.data}
          before={before.data}
          days={days}
          breakdown={breakdown.data}
          capturesOf={(day) => `captures?${new URLSearchParams({ ...filter, from: day, to: day })}`}
        />
      )}
      {breakdown.error && <Notice problem={breakdown.error} retry={breakdown.reload} />}
      {breakdown.data && (
        <BreakdownTables
          breakdown={breakdown.data}
          keys={keys.data}
          filter={{ ...filter, from: dayBefore(days - 1) }}
        />
      )}
      {account.data && <FreeFailures {...account.data.free_failures} />}
      {account.data && (
        <section>
          <h2>Limits</h2>
          <LimitTable limits={account.data.limits} endText={(until) => <Time at={until} />} />
        </section>
      )}
    </>
  );
}

function FreeFailures({ used, limit }: Account["free_failures"]) {
  return (
    <section aria-labelledby="free-failures">
      <h2 id="free-failures">Failures that you cause</h2>
      <Meter label="Free failures in this billing period" used={used} limit={limit} />
      <p class="note">
        No failure is billed. Those that your own rules, scripts, storage, or cancellations cause are limited to the
        number of captures that succeed, and to at least 100.{" "}
        <a href={`${apiBaseUrl}/docs/errors#FREE_FAILURES_USED`}>How it works</a>
      </p>
    </section>
  );
}

interface StatisticsProps {
  readonly statistics: UsageStatistics;
  readonly before: UsageStatistics | undefined;
  readonly days: number;
  readonly breakdown: UsageBreakdown | undefined;
  /** The path of the captures of a day. */
  readonly capturesOf: (day: string) => string;
}

function Statistics({ statistics, before, days, breakdown, capturesOf }: StatisticsProps) {
  if (statistics.total === 0) {
    return (
      <p role="status">
        Nothing was captured in these {days} days. Try it in the <a href={`${apiBaseUrl}/playground`}>playground</a>.
      </p>
    );
  }
  const { total, total_failed, success_rate, avg_response_ms } = statistics;
  const { p95_ms, cached, total: listed } = breakdown ?? {};
  const ofBreakdown = (text: string) => (breakdown ? text : undefined);
  const figures = [
    { value: formatCount(total), change: changeOf(total, before?.total) },
    { value: formatCount(total_failed), change: changeOf(total_failed, before?.total_failed) },
    { value: `${success_rate} %` },
    { value: formatMilliseconds(avg_response_ms), change: changeOf(avg_response_ms, before?.avg_response_ms) },
    { value: ofBreakdown(p95_ms ? formatMilliseconds(p95_ms) : "–") },
    { value: ofBreakdown(cached !== undefined && listed ? `${Math.round((cached / listed) * 100)} %` : "–") },
  ];
  return (
    <>
      <section class="figures" aria-label="Totals">
        {usageLabels.map((label, index) => (
          <Figure key={label} label={label} {...figures[index]} />
        ))}
      </section>
      <section>
        <h2>Captures per day (UTC)</h2>
        <BarChart
          days={statistics.series.toReversed()}
          label="Captures per day; the table has the numbers"
          onChoose={(day) => navigateTo(capturesOf(day))}
        />
        <p class="legend">
          <span class="legend-success">succeeded</span> <span class="legend-failed">failed</span>
        </p>
      </section>
      <DayTable key={days} statistics={statistics} capturesOf={capturesOf} />
    </>
  );
}

/** Rows that are shown before the visitor asks for all. */
const FIRST_ROWS = 10;

/** From the newest day to the first one with a capture: the days before it have nothing to say. */
function DayTable({ statistics, capturesOf }: Pick<StatisticsProps, "statistics" | "capturesOf">) {
  const { series } = statistics;
  const firstUsed = series.findLastIndex(({ success, failed }) => success + failed > 0);
  const used = series.slice(0, firstUsed + 1);
  const [isWhole, setWhole] = useState(used.length <= FIRST_ROWS);
  return (
    <section>
      <table class="days">
        <caption class="visually-hidden">Captures per day</caption>
        <thead>
          <tr>
            <th scope="col">Day (UTC)</th>
            <th scope="col">Succeeded</th>
            <th scope="col">Failed</th>
            <th scope="col">Average time</th>
          </tr>
        </thead>
        <tbody>
          {(isWhole ? used : used.slice(0, FIRST_ROWS)).map(({ date, success, failed, avg_ms }) => (
            <tr key={date}>
              <th scope="row">
                {success + failed === 0 ? formatDay(date) : <a href={addressOf(capturesOf(date))}>{formatDay(date)}</a>}
              </th>
              <td>{formatCount(success)}</td>
              <td>{formatCount(failed)}</td>
              <td>{success + failed === 0 ? "–" : formatMilliseconds(avg_ms)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {isWhole && used.length < series.length && (
        <p class="note">Nothing was captured in the {countText(series.length - used.length, "day")} before.</p>
      )}
      <p class="form-actions">
        {!isWhole && (
          <button type="button" onClick={() => setWhole(true)}>
            Show all {used.length} days
          </button>
        )}
        <button type="button" onClick={() => download(statistics)}>
          Download as CSV
        </button>
      </p>
    </section>
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
