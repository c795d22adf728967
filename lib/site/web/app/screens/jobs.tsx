// Asynchronous captures: their states, results, and the deliveries of their webhooks.
import { useState } from "preact/hooks";
import type { CaptureState, CaptureStates } from "../../../../../clients/typescript/src/generated/types.ts";
import { apiBaseUrl } from "../../service-address.ts";
import { send } from "../api.ts";
import { formatMilliseconds } from "../format.ts";
import { Notice } from "../notice.tsx";
import { type OpenRow, useOpenRow } from "../open-row.ts";
import { navigateTo, useAddress } from "../router.ts";
import type { ScreenProps } from "../screen.ts";
import { Time, ZoneNote } from "../time.tsx";
import { useAction } from "../use-action.ts";
import { useResource } from "../use-resource.ts";

const STATUSES = ["queued", "processing", "success", "failed"] as const;

export function JobsScreen(_: ScreenProps) {
  const { query } = useAddress();
  const filters = new URLSearchParams(
    ["status", "before"].flatMap((name) => {
      const value = query.get(name);
      return value ? [[name, value] as [string, string]] : [];
    }),
  );
  const list = useResource<CaptureStates>(`/api/v1/jobs?${filters}`);
  const show = (changes: Readonly<Record<string, string>>) =>
    navigateTo(Object.keys(changes).length === 0 ? "jobs" : `jobs?${new URLSearchParams(changes)}`);
  const rows = useOpenRow();
  const jobs = list.data?.data ?? [];
  const status = query.get("status") ?? "";
  return (
    <>
      <form class="filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
        <div class="field">
          <label for="job-status">Status</label>
          <select
            id="job-status"
            value={status}
            onChange={({ currentTarget: { value } }) => show(value === "" ? {} : { status: value })}
          >
            <option value="">All</option>
            {STATUSES.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </div>
        <button type="button" onClick={list.refresh}>
          Refresh
        </button>
      </form>
      {list.error && <Notice problem={list.error} retry={list.reload} />}
      {!list.data && !list.error && <div class="placeholder placeholder-list" aria-busy={list.isSlow} />}
      {list.data?.data.length === 0 && (
        <p>
          {filters.size > 0
            ? "No asynchronous capture matches."
            : "There are no asynchronous captures of the last 30 days."}{" "}
          <a href={`${apiBaseUrl}/docs/guide/async`}>How they work</a>
        </p>
      )}
      {jobs.length > 0 && (
        <p class="note">
          <ZoneNote />
        </p>
      )}
      {list.data && (
        <ul class="captures jobs">
          {rows.openId !== undefined && jobs.every(({ request_id }) => request_id !== rows.openId) && (
            <LinkedJob id={rows.openId} rows={rows} onChanged={list.reload} />
          )}
          {jobs.map((job) => (
            <JobRow key={job.request_id} job={job} rows={rows} onChanged={list.reload} />
          ))}
        </ul>
      )}
      {list.data?.next_before != null && (
        <button
          type="button"
          onClick={() => show({ ...(status !== "" && { status }), before: String(list.data?.next_before) })}
        >
          Older
        </button>
      )}
    </>
  );
}

/** True for a capture that the service gave up, which is no fault of the page or of the request. */
function isDead({ status, error }: CaptureState): boolean {
  return status === "failed" && error?.code === "INTERNAL_ERROR";
}

interface JobRowProps {
  readonly job: CaptureState;
  readonly rows: OpenRow;
  readonly onChanged: () => void;
}

/** The capture that the address opens, above a list that has moved on since. */
function LinkedJob({ id, ...row }: Omit<JobRowProps, "job"> & { readonly id: number }) {
  const found = useResource<CaptureStates>(`/api/v1/jobs?before=${id + 1}&limit=1`);
  const [job] = found.data?.data ?? [];
  return job?.request_id === id ? <JobRow job={job} {...row} /> : null;
}

function JobRow({ job, rows, onChanged }: JobRowProps) {
  const { request_id, status, created_at, external_identifier, webhook, error, url, response_time_ms } = job;
  return (
    <li>
      <details {...rows.row(request_id)}>
        <summary>
          <span class={`badge badge-${status}`}>{isDead(job) ? "dead" : status === "success" ? "ok" : status}</span>
          <span class="capture-source">{external_identifier ?? request_id}</span>
          <span class="capture-format">{webhook && `webhook ${webhook.status}`}</span>
          <span class="capture-time">{response_time_ms !== undefined && formatMilliseconds(response_time_ms)}</span>
          <Time at={created_at} />
        </summary>
        <div class="capture-details">
          {isDead(job) && (
            <p>
              The service gave this capture up after several attempts, and billed nothing. The operator can repeat it,
              or send it again yourself.
            </p>
          )}
          {error && (
            <p class="capture-error">
              <strong>{error.code}</strong> {error.error}{" "}
              <a href={`${apiBaseUrl}/docs/errors#${encodeURIComponent(error.code)}`}>How to fix it</a>
            </p>
          )}
          <p>
            Request number {request_id}.{" "}
            {url != null && (
              <a href={url} target="_blank" rel="noreferrer">
                Open the result
              </a>
            )}
          </p>
          {webhook && <Deliveries id={request_id} webhook={webhook} onChanged={onChanged} />}
        </div>
      </details>
    </li>
  );
}

interface DeliveriesProps {
  readonly id: number;
  readonly webhook: NonNullable<CaptureState["webhook"]>;
  readonly onChanged: () => void;
}

function Deliveries({ id, webhook, onChanged }: DeliveriesProps) {
  const { deliveries, next_attempt_at } = webhook;
  const [isSent, setSent] = useState(false);
  const action = useAction();
  const redeliver = async () => {
    const isDone = await action.run(() => send("POST", `/api/v1/screenshot/${id}/webhook/redeliver`));
    setSent(isDone);
    if (isDone) onChanged();
  };
  return (
    <>
      <h2>Webhook</h2>
      {deliveries.length === 0 && <p>It was not sent yet.</p>}
      <ul class="plain-list">
        {deliveries.map(({ at, http_status_code, error, duration_ms, response_excerpt }) => (
          <li key={at}>
            <Time at={at} />: {http_status_code ?? "no response"} in {formatMilliseconds(duration_ms)}
            {error !== null && `. ${error}`}
            {response_excerpt !== undefined && <pre>{response_excerpt}</pre>}
          </li>
        ))}
      </ul>
      {next_attempt_at !== null && (
        <p>
          Next attempt: <Time at={next_attempt_at} />
        </p>
      )}
      <button type="button" disabled={action.isRunning} onClick={() => void redeliver()}>
        {isSent ? "Sent again" : "Send again"}
      </button>
      {action.problem && <Notice problem={action.problem} />}
    </>
  );
}
