// Today: what was captured, what failed and whose failure it was, what waits, and how old the parts are.
import type { ComponentChildren } from "preact";
import { BreakableText } from "../../ui/breakable-text.tsx";
import { Figure } from "../../ui/figure.tsx";
import { countText, formatCount, formatMilliseconds } from "../../ui/format.ts";
import { Notice } from "../../ui/notice.tsx";
import { addressOf } from "../../ui/router.ts";
import { ListSkeleton } from "../../ui/skeleton.tsx";
import { useResource } from "../../ui/use-resource.ts";
import type { Today } from "../answers.ts";
import { BlameBadge } from "../badges.tsx";
import { API } from "../requests.ts";
import { Age, UtcTime } from "../time.tsx";

export function TodayScreen() {
  const today = useResource<Today>(`${API}/today`);
  if (!today.data) {
    return today.error ? (
      <Notice problem={today.error} retry={today.reload} />
    ) : (
      <ListSkeleton rows={8} label="Today is being read." />
    );
  }
  const { data } = today;
  return (
    <>
      {today.error && <Notice problem={today.error} retry={today.reload} />}
      <p class="list-line note">
        <span>
          Since <UtcTime at={data.since} />
        </span>
        <button type="button" disabled={today.isSlow} onClick={today.refresh}>
          Refresh
        </button>
      </p>
      <section class="figures" aria-label="Captures">
        <Figure label="Captures" value={formatCount(data.captures)} />
        <Figure label="Succeeded" value={share(data.succeeded, data.captures)} />
        <Figure label="Median time" value={duration(data.p50_ms)} />
        <Figure label="95th percentile (p95)" value={duration(data.p95_ms)} />
        <Figure label="Starts of the renderer" value={formatCount(data.renderer_starts)} />
      </section>
      <div class="two-columns">
        <Failures failures={data.failures} captures={data.captures} />
        <div class="column">
          <Waiting today={data} />
          <Parts today={data} />
        </div>
      </div>
    </>
  );
}

const share = (part: number, whole: number): string =>
  whole === 0 ? "–" : `${Math.round((part / whole) * 1000) / 10} %`;

const duration = (ms: number | null): string => (ms === null ? "–" : formatMilliseconds(ms));

function Failures({ failures, captures }: Pick<Today, "failures" | "captures">) {
  const total = failures.reduce((sum, { count }) => sum + count, 0);
  const most = Math.max(1, ...failures.map(({ count }) => count));
  return (
    <section>
      <h2>Failures</h2>
      {failures.length === 0 ? (
        <p class="note">{captures === 0 ? "Nothing was captured yet." : "No capture has failed."}</p>
      ) : (
        <table class="dense failures">
          <thead>
            <tr>
              <th scope="col">Code</th>
              <th scope="col">Caused by</th>
              <th scope="col" class="number">
                Captures
              </th>
            </tr>
          </thead>
          <tbody>
            {failures.map(({ code, blame, count }) => (
              <tr key={`${code} ${blame}`}>
                <th scope="row">
                  <code>
                    <BreakableText text={code} />
                  </code>
                  <meter min={0} max={most} value={count} aria-hidden="true" />
                </th>
                <td>
                  <BlameBadge blame={blame} />
                </td>
                <td class="number">{formatCount(count)}</td>
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr class="total">
              <th scope="row">Failed</th>
              <td>{share(total, captures)}</td>
              <td class="number">{formatCount(total)}</td>
            </tr>
          </tfoot>
        </table>
      )}
    </section>
  );
}

function Waiting({ today: { jobs_waiting, webhooks_waiting, dead_letters } }: { readonly today: Today }) {
  const dead = dead_letters.renders + dead_letters.webhooks;
  return (
    <section>
      <h2>Queues</h2>
      <dl class="facts numbers">
        <Fact name="Jobs waiting">{formatCount(jobs_waiting)}</Fact>
        <Fact name="Webhooks waiting">{formatCount(webhooks_waiting)}</Fact>
        <Fact name="Failed for good">
          {dead === 0 ? (
            "0"
          ) : (
            <a href={addressOf("failed")}>
              {countText(dead_letters.renders, "job")}, {countText(dead_letters.webhooks, "webhook")}
            </a>
          )}
        </Fact>
      </dl>
    </section>
  );
}

const canaryStates = { success: "succeeded", failed: "failed", unknown: "unknown" } as const;

function Parts({ today: { chromium, filter_lists, canary } }: { readonly today: Today }) {
  return (
    <section>
      <h2>Parts</h2>
      <dl class="facts numbers">
        <Fact name="Chromium">
          {chromium.version}, {countText(chromium.age_days, "day")} old
        </Fact>
        <Fact name="Filter lists">
          {filter_lists.date === null || filter_lists.age_days === null
            ? "unknown"
            : `${filter_lists.date.slice(0, 10)}, ${countText(filter_lists.age_days, "day")} old`}
        </Fact>
        <Fact name="Canary">
          <span class={`badge badge-${canary.outcome}`}>{canaryStates[canary.outcome]}</span>{" "}
          {canary.at === null ? "It has not run." : <Age at={canary.at} />}
        </Fact>
      </dl>
    </section>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
