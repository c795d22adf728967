// Overview: the steps of a new account, or today's captures, what is left, and recent problems.
import type {
  Account,
  Keys,
  UsageBreakdown,
  UsagePage,
  UsageStatistics,
} from "../../../../../clients/typescript/src/generated/types.ts";
import { apiBaseUrl } from "../../service-address.ts";
import { BreakableText } from "../../ui/breakable-text.tsx";
import { Figure } from "../../ui/figure.tsx";
import { countText, dayBefore, formatCount, formatMilliseconds, formatMoney, formatUtcDate } from "../../ui/format.ts";
import { Meter } from "../../ui/meter.tsx";
import { Notice } from "../../ui/notice.tsx";
import { addressOf } from "../../ui/router.ts";
import { useResource } from "../../ui/use-resource.ts";
import { todayLabels } from "../figure-labels.ts";
import { listQuotas } from "../quotas.ts";
import type { ScreenProps } from "../screen.ts";
import { Overview as Skeleton } from "../skeletons.tsx";
import { hasSeenCaptures } from "../steps.ts";

export function OverviewScreen(_: ScreenProps) {
  const account = useResource<Account>("/api/v1/account");
  const today = useResource<UsageStatistics>("/api/v1/usage/stats?days=1");
  const latest = useResource<UsagePage>("/api/v1/usage?per_page=1");
  const yesterday = dayBefore(1);
  const failures = useResource<UsagePage>(`/api/v1/usage?status=failed&per_page=${MAX_FAILURES}&from=${yesterday}`);
  const breakdown = useResource<UsageBreakdown>("/api/v1/usage/breakdown?days=1");
  const problem = account.error ?? today.error ?? latest.error;
  if (problem) return <Notice problem={problem} retry={account.reload} />;
  if (!account.data || !today.data || !latest.data) {
    return <Skeleton />;
  }
  const { p50_ms, p95_ms } = breakdown.data ?? {};
  const timeText = (ms: number | null | undefined) =>
    breakdown.data ? (ms ? formatMilliseconds(ms) : "–") : undefined;
  const figures = [
    formatCount(today.data.total),
    today.data.total === 0 ? "–" : `${today.data.success_rate} %`,
    timeText(p50_ms),
    timeText(p95_ms),
    formatMoney(account.data.total),
  ];
  const hasCaptured = latest.data.total > 0;
  const isNew = !hasCaptured || (!hasSeenCaptures() && latest.data.total < 10);
  return (
    <>
      {isNew && <FirstSteps hasCaptured={hasCaptured} />}
      <section class="figures" aria-label="Today">
        {todayLabels.map((label, index) => (
          <Figure key={label} label={label} value={figures[index]} />
        ))}
      </section>
      <QuotaMeters account={account.data} />
      {failures.data && <RecentProblems failures={failures.data} since={yesterday} />}
    </>
  );
}

/** The steps tick themselves. */
function FirstSteps({ hasCaptured }: { readonly hasCaptured: boolean }) {
  const keys = useResource<Keys>("/api/v1/keys");
  const hasKey = keys.data?.data.some(({ revoked_at }) => revoked_at === null) ?? false;
  return (
    <section class="first-steps">
      <h2>Three steps to the first capture</h2>
      <ol>
        <li class={hasKey ? "is-done" : ""}>
          <a href={addressOf("keys")}>Make an API key</a>
          {hasKey && <span class="done"> Done</span>}
        </li>
        <li class={hasCaptured ? "is-done" : ""}>
          <a href={`${apiBaseUrl}/playground`}>Capture a page in the playground</a>
          {hasCaptured && <span class="done"> Done</span>}
        </li>
        <li>
          <a href={addressOf("captures")}>See it in the list of captures</a>
        </li>
      </ol>
    </section>
  );
}

function QuotaMeters({ account }: { readonly account: Account }) {
  const { quotas, overage, rate_limit, limits } = account;
  return (
    <section>
      <h2>This billing period</h2>
      {listQuotas(quotas).map(({ name, used, limit }) => (
        <Meter key={name} label={name} used={used} limit={limit} />
      ))}
      <p class="note">
        {periodEnd(account)}{" "}
        {overage.units > 0 &&
          `${countText(overage.units, "capture")} beyond the quota: ${formatMoney(overage.amount)}.`}{" "}
        {limits.requests_per_minute.is_override ? "The operator of the service" : "The plan"} allows{" "}
        {countText(rate_limit.limit, "request")} a minute.
        {limits.captures_per_day.value !== null &&
          ` The operator of the service allows ${countText(limits.captures_per_day.value, "capture")} a day.`}
      </p>
    </section>
  );
}

function periodEnd(account: Account): string {
  const { trial, plan_ended_at, scheduled_plan, billing_period } = account;
  if (plan_ended_at !== null) return `Your plan ended on ${formatUtcDate(plan_ended_at)}: captures are refused.`;
  if (trial) return `The free trial ${trial.is_over ? "ended" : "ends"} on ${formatUtcDate(trial.ends_at)}.`;
  const end = formatUtcDate(billing_period.end);
  const ending = scheduled_plan?.plan === null ? "Your plan ends with the period, on" : "The period ends on";
  return `${ending} ${end}. ${forecast(account)}`;
}

/** What the captures so far come to at the end of the period, if they go on like this. */
function forecast({ quotas, billing_period, overage, price }: Account): string {
  const [start, end] = [Date.parse(billing_period.start), Date.parse(billing_period.end)];
  const elapsed = (Date.now() - start) / (end - start);
  if (elapsed < 0.05) return "";
  const expected = listQuotas(quotas).map(({ used, limit }) => ({ captures: Math.round(used / elapsed), limit }));
  const captures = expected.reduce((sum, each) => sum + each.captures, 0);
  const beyond = expected.reduce((sum, each) => sum + Math.max(0, each.captures - each.limit), 0);
  const overageCost = beyond * Number(overage.unit_price ?? 0);
  const total = formatMoney((Number(price) + overageCost).toFixed(2));
  const pace = `At this pace it comes to ${countText(captures, "capture")} and ${total}`;
  if (beyond === 0) return `${pace}, without overage.`;
  return `${pace}, of which ${formatMoney(overageCost.toFixed(2))} is for ${countText(beyond, "capture")} beyond the quota.`;
}

/** The most that a page of the list has. */
const MAX_FAILURES = 100;

interface ProblemsProps {
  readonly failures: UsagePage;
  /** The first day of the failures, which is one of UTC. */
  readonly since: string;
}

/** Failures since yesterday by their code, each with a link to exactly its captures. */
function RecentProblems({ failures: { data, total }, since }: ProblemsProps) {
  const byCode = Map.groupBy(data, ({ error_message }) => error_message?.split(":")[0] ?? "UNKNOWN");
  if (byCode.size === 0) return null;
  const groups = [...byCode].toSorted(([, a], [, b]) => b.length - a.length);
  return (
    <section>
      <h2>Problems since yesterday (UTC)</h2>
      {total > data.length && (
        <p class="note">
          The newest {formatCount(data.length)} of {countText(total, "failed capture")}, by their errors.
        </p>
      )}
      <ul class="problems">
        {groups.map(([code, [first, ...others]]) => (
          <li key={code}>
            <strong>
              <BreakableText text={code} />
            </strong>{" "}
            <span class="count">{formatCount(1 + others.length)}</span>
            <p>{first?.error_message?.slice(code.length + 2)}</p>
            <p class="problem-links">
              <a href={`${apiBaseUrl}/docs/errors#${encodeURIComponent(code)}`}>How to fix it</a>
              <a href={addressOf(`captures?${new URLSearchParams({ error_code: code, from: since })}`)}>
                Show the captures
              </a>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
