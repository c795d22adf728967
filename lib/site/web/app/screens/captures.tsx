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
import { BreakableText } from "../breakable-text.tsx";
import { CaptureDetailsView } from "../capture-details.tsx";
import { DateFilter, Filters, SelectFilter, TextFilter } from "../filters.tsx";
import { countText, formatCount, formatMilliseconds } from "../format.ts";
import { loggedErrorCodes } from "../logged-errors.ts";
import { Notice } from "../notice.tsx";
import { type OpenRow, useOpenRow } from "../open-row.ts";
import { addressOf, navigateTo, useAddress } from "../router.ts";
import type { ScreenProps } from "../screen.ts";
import { markStepSeen } from "../steps.ts";
import { Time, ZoneNote } from "../time.tsx";
import { useResource } from "../use-resource.ts";

const LIST_FILTERS = ["status", "api_key_id", "from", "to"] as const;
/** Filters that no counter knows: with one of them the log is searched, and has no page numbers. */
const SEARCH_FILTERS = ["error_code", "format", "cached", "url"] as const;

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
  const addressWith = (changes: Readonly<Record<string, string>>) => {
    const next = new URLSearchParams(filters);
    for (const [name, value] of Object.entries(changes)) {
      if (value === "") next.delete(name);
      else next.set(name, value);
    }
    return next.size === 0 ? "captures" : `captures?${next}`;
  };
  const go = (changes: Readonly<Record<string, string>>, replace = false) =>
    navigateTo(addressWith(changes), { replace });
  const select = (name: string, label: string, options: SelectOptions) => (
    <SelectFilter
      name={name}
      label={label}
      value={query.get(name) ?? ""}
      options={options}
      onChange={(value) => go({ [name]: value })}
    />
  );
  return (
    <>
      <Filters count={filters.size}>
        {select("status", "Status", [
          ["success", "Succeeded"],
          ["failed", "Failed"],
        ])}
        {select("error_code", "Error", errorOptions(query.get("error_code")))}
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
          <DateFilter
            key={name}
            name={name}
            label={`${name === "from" ? "From" : "To"} (UTC)`}
            value={query.get(name) ?? ""}
            onChange={(value) => go({ [name]: value }, true)}
          />
        ))}
        <TextFilter
          name="url"
          label="Address contains"
          value={query.get("url") ?? ""}
          onChange={(url) => go({ url }, true)}
        />
      </Filters>
      {found.error && <Notice problem={found.error} retry={found.reload} />}
      {!found.data && !found.error && <div class="placeholder placeholder-list" aria-busy={found.isSlow} />}
      {found.data && (
        <CaptureList
          found={found.data}
          filters={filters}
          rows={rows}
          addressWith={addressWith}
          onChanged={found.reload}
          onRefresh={found.refresh}
        />
      )}
      {found.data && "current_page" in found.data && found.data.data.length > 0 && found.data.last_page > 1 && (
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

type SelectOptions = readonly (readonly [value: string, text: string])[];

/** The codes of captures, and that of the address, which can be another. */
function errorOptions(current: string | null): SelectOptions {
  return [...new Set([...(current ? [current] : []), ...loggedErrorCodes])].toSorted().map((code) => [code, code]);
}

interface ListProps {
  readonly found: UsagePage | UsageSearch;
  readonly filters: URLSearchParams;
  readonly rows: OpenRow;
  /** The path of this screen with other values in its query; empty ones are left out. */
  readonly addressWith: (changes: Readonly<Record<string, string>>) => string;
  readonly onChanged: () => void;
  readonly onRefresh: () => void;
}

function CaptureList({ found, filters, rows, addressWith, onChanged, onRefresh }: ListProps) {
  const { data } = found;
  if ("total" in found && found.current_page > found.last_page && found.total > 0) {
    return <NoSuchPage page={found} address={addressOf(addressWith({ page: String(found.last_page) }))} />;
  }
  return (
    <>
      <div class="list-head">
        <div>
          {data.length === 0 ? (
            <NothingFound found={found} isFiltered={filters.size > 0} />
          ) : (
            <>
              <p class="note" role="status">
                {describeRange(found)}
              </p>
              <p class="note">
                <ZoneNote />
              </p>
            </>
          )}
        </div>
        <p class="list-actions">
          {data.length > 0 && (
            <span class="note">
              Export{" "}
              {(["csv", "ndjson"] as const).map((output) => (
                <a key={output} href={exportAddress(filters, output)} download>
                  {output.toUpperCase()}
                </a>
              ))}
            </span>
          )}
          <button type="button" onClick={onRefresh}>
            Refresh
          </button>
        </p>
      </div>
      {(data.length > 0 || rows.openId !== undefined) && (
        <ul class="captures">
          {rows.openId !== undefined && data.every(({ id }) => id !== rows.openId) && (
            <LinkedCapture id={rows.openId} rows={rows} onChanged={onChanged} />
          )}
          {data.map((log) => (
            <CaptureRow key={log.id} log={log} rows={rows} onChanged={onChanged} />
          ))}
        </ul>
      )}
    </>
  );
}

type RowProps = Pick<ListProps, "rows" | "onChanged">;

function describeRange(found: UsagePage | UsageSearch): string {
  if ("total" in found) {
    return `${formatCount(found.from ?? 0)}–${formatCount(found.to ?? 0)} of ${countText(found.total, "capture")}`;
  }
  return `${countText(found.data.length, "capture")}${found.next_before === null ? "" : ", and perhaps older ones"}`;
}

function NoSuchPage({ page, address }: { readonly page: UsagePage; readonly address: string }) {
  const { current_page: current, last_page: last } = page;
  return (
    <p role="status">
      Page {formatCount(current)} does not exist; there {last === 1 ? "is" : "are"} {countText(last, "page")}.{" "}
      <a href={address}>Show page {formatCount(last)}</a>
    </p>
  );
}

/** The capture that the address opens, above a list that has moved on since. */
function LinkedCapture({ id, ...row }: RowProps & { readonly id: number }) {
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
function CaptureRow({ log, rows, onChanged }: RowProps & { readonly log: CaptureLog }) {
  const { id, status, url, format, cached, response_time_ms, created_at, options } = log;
  const row = rows.row(id);
  const source = url !== "" ? url : "html" in options ? "HTML" : "Markdown";
  return (
    <li>
      <details {...row}>
        <summary>
          <span class={`badge badge-${status}`}>{status === "success" ? (cached ? "cached" : "ok") : "failed"}</span>
          <span class="capture-source" title={source}>
            <BreakableText text={source} />
          </span>
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
