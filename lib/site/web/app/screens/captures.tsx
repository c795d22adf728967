// Captures: the log, newest first, with filters that are part of the address, and an export of what they show.
import { useEffect } from "preact/hooks";
import type {
  CaptureLog,
  Keys,
  UsagePage,
  UsageSearch,
} from "../../../../../clients/typescript/src/generated/types.ts";
import { formats } from "../../../../contract/options/formats.ts";
import { apiBaseUrl } from "../../service-address.ts";
import { CaptureDetailsView } from "../capture-details.tsx";
import { formatCount, formatMilliseconds } from "../format.ts";
import { Notice } from "../notice.tsx";
import { type OpenRow, useOpenRow } from "../open-row.ts";
import { navigateTo, useAddress } from "../router.ts";
import type { ScreenProps } from "../screen.ts";
import { markStepSeen } from "../steps.ts";
import { Time } from "../time.tsx";
import { useResource } from "../use-resource.ts";

const LIST_FILTERS = ["status", "api_key_id", "from", "to"] as const;
/** Filters that no counter knows: with one of them the log is searched, and has no page numbers. */
const SEARCH_FILTERS = ["format", "cached", "url"] as const;

export function CapturesScreen(_: ScreenProps) {
  const { query } = useAddress();
  const pick = (names: readonly string[]) =>
    new URLSearchParams(names.flatMap((name) => (query.get(name) ? [[name, query.get(name) ?? ""]] : [])));
  const filters = pick([...LIST_FILTERS, ...SEARCH_FILTERS]);
  const isSearch = SEARCH_FILTERS.some((name) => filters.has(name));
  const place = pick(isSearch ? ["before"] : ["page"]);
  const path = isSearch ? "/api/v1/usage/search" : "/api/v1/usage";
  const found = useResource<UsagePage | UsageSearch>(`${path}?${new URLSearchParams([...filters, ...place])}`);
  const rows = useOpenRow();
  const keys = useResource<Keys>("/api/v1/keys");
  useEffect(markStepSeen, []);
  const go = (changes: Readonly<Record<string, string>>) => {
    const next = new URLSearchParams(filters);
    for (const [name, value] of Object.entries(changes)) {
      if (value === "") next.delete(name);
      else next.set(name, value);
    }
    navigateTo(next.size === 0 ? "captures" : `captures?${next}`);
  };
  const select = (name: string, label: string, options: readonly (readonly [string, string])[]) => (
    <Select label={label} name={name} value={query.get(name)} onChange={(value) => go({ [name]: value })}>
      <option value="">All</option>
      {options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </Select>
  );
  return (
    <>
      <form class="filters" aria-label="Filters" onSubmit={(event) => event.preventDefault()}>
        {select("status", "Status", [
          ["success", "Succeeded"],
          ["failed", "Failed"],
        ])}
        {select(
          "api_key_id",
          "API key",
          (keys.data?.data ?? []).map(({ id, label }) => [String(id), label]),
        )}
        {select(
          "format",
          "Format",
          formats.map((format) => [format, format]),
        )}
        {select("cached", "Cache", [
          ["true", "From the cache"],
          ["false", "Rendered"],
        ])}
        {(["from", "to"] as const).map((name) => (
          <div class="field" key={name}>
            <label for={`filter-${name}`}>{name === "from" ? "From" : "To"} (UTC)</label>
            <input
              id={`filter-${name}`}
              type="date"
              value={query.get(name) ?? ""}
              onChange={(event) => go({ [name]: event.currentTarget.value })}
            />
          </div>
        ))}
        <div class="field">
          <label for="filter-url">Address contains</label>
          <input
            id="filter-url"
            type="search"
            maxLength={500}
            value={query.get("url") ?? ""}
            onChange={(event) => go({ url: event.currentTarget.value.trim() })}
          />
        </div>
      </form>
      {found.error && <Notice problem={found.error} retry={found.reload} />}
      {!found.data && !found.error && <div class="placeholder placeholder-list" aria-busy={found.isSlow} />}
      {found.data && <CaptureList found={found.data} filters={filters} rows={rows} onChanged={found.reload} />}
      {found.data && "current_page" in found.data && found.data.last_page > 1 && (
        <Pages page={found.data} onChange={(page) => go({ page: String(page) })} />
      )}
      {found.data && "next_before" in found.data && found.data.next_before !== null && (
        <button type="button" onClick={() => go({ before: String((found.data as UsageSearch).next_before) })}>
          Search older captures
        </button>
      )}
    </>
  );
}

interface SelectProps {
  readonly label: string;
  readonly name: string;
  readonly value: string | null;
  readonly onChange: (value: string) => void;
  readonly children: preact.ComponentChildren;
}

function Select({ label, name, value, onChange, children }: SelectProps) {
  return (
    <div class="field">
      <label for={`filter-${name}`}>{label}</label>
      <select id={`filter-${name}`} value={value ?? ""} onChange={(event) => onChange(event.currentTarget.value)}>
        {children}
      </select>
    </div>
  );
}

interface ListProps {
  readonly found: UsagePage | UsageSearch;
  readonly filters: URLSearchParams;
  readonly rows: OpenRow;
  readonly onChanged: () => void;
}

function CaptureList({ found, filters, rows, onChanged }: ListProps) {
  const { data } = found;
  if (data.length === 0) return <NothingFound found={found} isFiltered={filters.size > 0} />;
  return (
    <>
      <div class="list-head">
        <p class="note" role="status">
          {"total" in found
            ? `${formatCount(found.from ?? 0)}–${formatCount(found.to ?? 0)} of ${formatCount(found.total)} captures`
            : `${formatCount(data.length)} captures${found.next_before === null ? "" : ", and perhaps older ones"}`}
        </p>
        <p class="note">
          Export{" "}
          {(["csv", "ndjson"] as const).map((output) => (
            <a key={output} href={exportAddress(filters, output)} download>
              {output.toUpperCase()}
            </a>
          ))}
        </p>
      </div>
      <ul class="captures">
        {rows.openId !== undefined && data.every(({ id }) => id !== rows.openId) && (
          <LinkedCapture id={rows.openId} rows={rows} onChanged={onChanged} />
        )}
        {data.map((log) => (
          <CaptureRow key={log.id} log={log} rows={rows} onChanged={onChanged} />
        ))}
      </ul>
    </>
  );
}

/** The capture that the address opens, above a list that has moved on since. */
function LinkedCapture({ id, ...row }: Pick<ListProps, "rows" | "onChanged"> & { readonly id: number }) {
  const found = useResource<UsageSearch>(`/api/v1/usage/search?before=${id + 1}&limit=1`);
  const [log] = found.data?.data ?? [];
  return log?.id === id ? <CaptureRow log={log} {...row} /> : null;
}

function NothingFound({ found, isFiltered }: { readonly found: ListProps["found"]; readonly isFiltered: boolean }) {
  if (!isFiltered) {
    return (
      <p>
        Nothing was captured yet. Try it in the <a href={`${apiBaseUrl}/playground`}>playground</a>.
      </p>
    );
  }
  const until = "searched_until" in found ? found.searched_until : null;
  return (
    <p role="status">
      No capture matches the filters
      {until !== null && (
        <>
          {" "}
          since <Time at={until} />
        </>
      )}
      .
    </p>
  );
}

function exportAddress(filters: URLSearchParams, output: string): string {
  return `${apiBaseUrl}/api/v1/usage/export?${new URLSearchParams([...filters, ["output", output]])}`;
}

/** What a page or a caller wrote is shown as text. */
function CaptureRow({ log, rows, onChanged }: Pick<ListProps, "rows" | "onChanged"> & { readonly log: CaptureLog }) {
  const { id, status, url, format, cached, response_time_ms, created_at, options } = log;
  const row = rows.row(id);
  const source = url !== "" ? url : "html" in options ? "HTML" : "Markdown";
  return (
    <li>
      <details {...row}>
        <summary>
          <span class={`badge badge-${status}`}>{status === "success" ? (cached ? "cached" : "ok") : "failed"}</span>
          <span class="capture-source">{source}</span>
          <span class="capture-format">{format}</span>
          <span class="capture-time">{formatMilliseconds(response_time_ms)}</span>
          <Time at={created_at} />
        </summary>
        {row.open && <CaptureDetailsView log={log} onCapturedAgain={onChanged} />}
      </details>
    </li>
  );
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
