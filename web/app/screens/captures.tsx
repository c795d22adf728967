// Captures: the log, newest first, with filters that are part of the address.
import type { CaptureLog, Keys, UsagePage } from "../../../clients/typescript/src/generated/types.ts";
import { shareFragment } from "../../playground/share-link.ts";
import { apiBaseUrl } from "../../service-address.ts";
import { formatBytes, formatCount, formatMilliseconds } from "../format.ts";
import { Notice } from "../notice.tsx";
import { navigate, useAddress } from "../router.ts";
import type { ScreenProps } from "../screen.ts";
import { Time } from "../time.tsx";
import { useResource } from "../use-resource.ts";

const FILTERS = ["status", "api_key_id", "from", "to", "page"] as const;

export function CapturesScreen(_: ScreenProps) {
  const { query } = useAddress();
  const filters = new URLSearchParams(
    FILTERS.flatMap((name) => {
      const value = query.get(name);
      return value ? [[name, value] as [string, string]] : [];
    }),
  );
  const page = useResource<UsagePage>(`/api/v1/usage?${filters}`);
  const keys = useResource<Keys>("/api/v1/keys");
  const change = (name: string, value: string) => {
    const next = new URLSearchParams(filters);
    if (value === "") next.delete(name);
    else next.set(name, value);
    if (name !== "page") next.delete("page");
    navigate(next.size === 0 ? "captures" : `captures?${next}`);
  };
  return (
    <>
      <form class="filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
        <Select label="Status" name="status" value={query.get("status")} onChange={change}>
          <option value="">All</option>
          <option value="success">Succeeded</option>
          <option value="failed">Failed</option>
        </Select>
        <Select label="API key" name="api_key_id" value={query.get("api_key_id")} onChange={change}>
          <option value="">All</option>
          {keys.data?.data.map(({ id, label }) => (
            <option key={id} value={String(id)}>
              {label}
            </option>
          ))}
        </Select>
        {(["from", "to"] as const).map((name) => (
          <div class="field" key={name}>
            <label for={`filter-${name}`}>{name === "from" ? "From" : "To"} (UTC)</label>
            <input
              id={`filter-${name}`}
              type="date"
              value={query.get(name) ?? ""}
              onChange={(event) => change(name, event.currentTarget.value)}
            />
          </div>
        ))}
      </form>
      {page.error && <Notice problem={page.error} retry={page.reload} />}
      {page.data && <CaptureList page={page.data} isFiltered={filters.size > 0} />}
      {page.data && page.data.last_page > 1 && <Pages page={page.data} onChange={(to) => change("page", String(to))} />}
    </>
  );
}

interface SelectProps {
  readonly label: string;
  readonly name: string;
  readonly value: string | null;
  readonly onChange: (name: string, value: string) => void;
  readonly children: preact.ComponentChildren;
}

function Select({ label, name, value, onChange, children }: SelectProps) {
  return (
    <div class="field">
      <label for={`filter-${name}`}>{label}</label>
      <select id={`filter-${name}`} value={value ?? ""} onChange={(event) => onChange(name, event.currentTarget.value)}>
        {children}
      </select>
    </div>
  );
}

function CaptureList({ page, isFiltered }: { readonly page: UsagePage; readonly isFiltered: boolean }) {
  if (page.total === 0) {
    return isFiltered ? (
      <p>No capture matches the filters.</p>
    ) : (
      <p>
        Nothing was captured yet. Try it in the <a href={`${apiBaseUrl}/playground`}>playground</a>.
      </p>
    );
  }
  return (
    <>
      <p class="note" role="status">
        {formatCount(page.from ?? 0)}–{formatCount(page.to ?? 0)} of {formatCount(page.total)} captures
      </p>
      <ul class="captures">
        {page.data.map((log) => (
          <CaptureRow key={log.id} log={log} />
        ))}
      </ul>
    </>
  );
}

/** What a page or a caller wrote is shown as text. */
function CaptureRow({ log }: { readonly log: CaptureLog }) {
  const { status, url, format, cached, response_time_ms, file_size_bytes, created_at, options } = log;
  const source = url !== "" ? url : "html" in options ? "HTML" : "Markdown";
  return (
    <li>
      <details>
        <summary>
          <span class={`badge badge-${status}`}>{status === "success" ? (cached ? "cached" : "ok") : "failed"}</span>
          <span class="capture-source">{source}</span>
          <span class="capture-format">{format}</span>
          <span class="capture-time">{formatMilliseconds(response_time_ms)}</span>
          <Time at={created_at} />
        </summary>
        <div class="capture-details">
          {log.error_message !== null && <ErrorText text={log.error_message} />}
          <dl>
            <dt>Request number</dt>
            <dd>{log.id}</dd>
            <dt>API key</dt>
            <dd>
              {log.api_key.label} <code>{log.api_key.key_prefix}</code>
            </dd>
            <dt>Size</dt>
            <dd>{formatBytes(file_size_bytes)}</dd>
            <dt>Requested from</dt>
            <dd>{log.ip_address}</dd>
          </dl>
          <h2>Options</h2>
          <pre>{JSON.stringify(options, null, 2)}</pre>
          <button type="button" onClick={() => void openInPlayground(options)}>
            Open in the playground
          </button>
        </div>
      </details>
    </li>
  );
}

function ErrorText({ text }: { readonly text: string }) {
  const [code = "", ...rest] = text.split(": ");
  return (
    <p class="capture-error">
      <strong>{code}</strong> {rest.join(": ")}{" "}
      <a href={`${apiBaseUrl}/docs/errors#${encodeURIComponent(code)}`}>How to fix it</a>
    </p>
  );
}

/** The log has no secrets, so that none are in the link. */
async function openInPlayground(options: Readonly<Record<string, unknown>>): Promise<void> {
  location.assign(`${apiBaseUrl}/playground${await shareFragment(options, () => false)}`);
}

function Pages({ page, onChange }: { readonly page: UsagePage; readonly onChange: (page: number) => void }) {
  const { current_page: current, last_page: last } = page;
  return (
    <nav class="pages" aria-label="Pages">
      <button type="button" disabled={current === 1} onClick={() => onChange(current - 1)}>
        Newer
      </button>
      <span>
        Page {formatCount(current)} of {formatCount(last)}
      </span>
      <button type="button" disabled={current >= last} onClick={() => onChange(current + 1)}>
        Older
      </button>
    </nav>
  );
}
