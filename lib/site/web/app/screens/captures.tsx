// Captures: the log as pictures or as a table, the newest first and kept up to date, with filters that are part of the address.
import { useEffect, useRef } from "preact/hooks";
import type { UsagePage } from "../../../../../clients/typescript/src/generated/types.ts";
import { apiBaseUrl } from "../../service-address.ts";
import { Segments } from "../../shared/segments.tsx";
import { countText, formatCount } from "../../ui/format.ts";
import { Notice } from "../../ui/notice.tsx";
import { addressOf, navigateTo, useAddress } from "../../ui/router.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { CaptureFilters, captureFilters, capturesPath } from "../captures/capture-filters.tsx";
import { CaptureItem, RunningItem } from "../captures/capture-item.tsx";
import { type CaptureView, captureViews, useCaptureView } from "../captures/capture-view.ts";
import { rememberList } from "../captures/last-list.ts";
import { ExportLinks, ListExportState, useListExport } from "../captures/list-export.tsx";
import { useCaptureDialog } from "../captures/use-capture-dialog.tsx";
import { type CaptureFeed, type CaptureList, useCaptureFeed } from "../captures/use-capture-feed.ts";
import type { ScreenProps } from "../screen.ts";
import { CaptureListSkeleton } from "../skeletons.tsx";
import { markStepSeen } from "../steps.ts";
import { Time, ZoneNote } from "../time.tsx";

/** Further down than this, in CSS pixels, a visitor reads the list. */
const READING_SCROLL = 60;
/** For so long after the pointer has moved over the list, the visitor may be about to click. */
const POINTING_MS = 5_000;

export function CapturesScreen({ session }: ScreenProps) {
  const { id: accountId } = session.account;
  const { query } = useAddress();
  const filters = captureFilters(query);
  const { path, isNewest } = capturesPath(query);
  const [view, setView] = useCaptureView();
  const items = useRef<HTMLUListElement>(null);
  const pointedAt = useRef(Number.NEGATIVE_INFINITY);
  const isReading = () =>
    scrollY > READING_SCROLL ||
    performance.now() - pointedAt.current < POINTING_MS ||
    (items.current?.matches(":focus-within") ?? false);
  const feed = useCaptureFeed({ accountId, path, filters, isNewest, isReading });
  useEffect(markStepSeen, []);
  useEffect(() => {
    rememberList(accountId, query.size === 0 ? "captures" : `captures?${query}`);
  }, [accountId, query]);
  const addressWith = (changes: Readonly<Record<string, string>>) => {
    const next = new URLSearchParams(filters);
    for (const [name, value] of Object.entries(changes)) {
      if (value === "") next.delete(name);
      else next.set(name, value);
    }
    return next.size === 0 ? "captures" : `captures?${next}`;
  };
  const goTo = (changes: Readonly<Record<string, string>>) => {
    navigateTo(addressWith(changes));
    scrollTo(0, 0);
  };
  const { list } = feed;
  const { open, dialog } = useCaptureDialog(openableIds(feed));
  return (
    <>
      {dialog}
      <CaptureFilters
        filters={filters}
        onChange={(name, value, isNewStep) => navigateTo(addressWith({ [name]: value }), { replace: !isNewStep })}
        onClear={() => navigateTo("captures")}
      />
      {feed.error && <Notice problem={feed.error} retry={feed.refresh} />}
      {!list && !feed.error && (
        <Skeleton label="The captures are being read.">
          <CaptureListSkeleton />
        </Skeleton>
      )}
      {list && (
        <section aria-label="List of captures">
          <ListHead feed={feed} list={list} filters={filters} view={view} onView={setView} />
          <NewCaptures feed={feed} />
          {isBeyondEnd(list) ? (
            <NoSuchPage page={list} address={addressOf(addressWith({ page: String(list.last_page) }))} />
          ) : (
            <ul
              class={`captures captures-${view}`}
              ref={items}
              onPointerMove={() => {
                pointedAt.current = performance.now();
              }}
            >
              {feed.running.map(({ job, log }) =>
                log ? (
                  <CaptureItem key={log.id} log={log} onOpen={open} />
                ) : (
                  <RunningItem key={job.request_id} job={job} />
                ),
              )}
              {list.data.map((log) => (
                <CaptureItem key={log.id} log={log} onOpen={open} />
              ))}
            </ul>
          )}
        </section>
      )}
      {list && "current_page" in list && list.data.length > 0 && list.last_page > 1 && (
        <Pages page={list} onChange={(page) => goTo({ page: String(page) })} />
      )}
      {list && "next_before" in list && list.next_before !== null && (
        <button type="button" onClick={() => goTo({ before: String(list.next_before) })}>
          Search older captures
        </button>
      )}
    </>
  );
}

/** The captures with a result, from top to bottom. */
function openableIds({ running, list }: CaptureFeed): readonly number[] {
  const logs = [...running.flatMap(({ log }) => log ?? []), ...(list?.data ?? [])];
  return logs.filter(({ status }) => status === "success").map(({ id }) => id);
}

interface ListHeadProps {
  readonly feed: CaptureFeed;
  readonly list: CaptureList;
  readonly filters: URLSearchParams;
  readonly view: CaptureView;
  readonly onView: (view: CaptureView) => void;
}

const viewNames: Readonly<Record<CaptureView, string>> = { grid: "Grid", table: "Table" };

function ListHead({ feed, list, filters, view, onView }: ListHeadProps) {
  const isEmpty = list.data.length === 0;
  const exported = useListExport(filters);
  return (
    <div class="list-head">
      <div class="list-count">
        {isEmpty && feed.running.length === 0 ? (
          <NothingFound list={list} isFiltered={filters.size > 0} />
        ) : (
          <p class="note" role="status">
            {isEmpty ? "No capture has ended yet" : describeRange(list)}
          </p>
        )}
        {!isEmpty && (
          <p class="note">
            <ZoneNote />
          </p>
        )}
        <ListExportState exported={exported} total={"total" in list ? list.total : undefined} />
      </div>
      <div class="list-actions">
        {!isEmpty && <ExportLinks filters={filters} exported={exported} />}
        <button type="button" onClick={feed.refresh}>
          Refresh
        </button>
        <Segments
          label="View"
          options={captureViews.map((each) => [each, viewNames[each]] as const)}
          value={view}
          onChange={onView}
        />
      </div>
    </div>
  );
}

/** The captures that have arrived while the visitor reads: a click shows them. */
function NewCaptures({ feed: { newCount, showNew } }: Pick<ListHeadProps, "feed">) {
  const show = () => {
    showNew();
    scrollTo(0, 0);
  };
  return (
    <div class="new-captures" role="status">
      {newCount > 0 && (
        <button type="button" class="button-primary" onClick={show}>
          {countText(newCount, "new capture")}
        </button>
      )}
    </div>
  );
}

function describeRange(list: CaptureList): string {
  if ("total" in list) {
    return `${formatCount(list.from ?? 0)}–${formatCount(list.to ?? 0)} of ${countText(list.total, "capture")}`;
  }
  return `${countText(list.data.length, "capture")}${list.next_before === null ? "" : ", and perhaps older ones"}`;
}

function isBeyondEnd(list: CaptureList): list is UsagePage {
  return "total" in list && list.current_page > list.last_page && list.total > 0;
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

function NothingFound({ list, isFiltered }: { readonly list: CaptureList; readonly isFiltered: boolean }) {
  if ("total" in list && list.total > 0) return null; // a page beyond the end
  if (!isFiltered) {
    return (
      <p>
        Nothing was captured yet. Try it in the <a href={`${apiBaseUrl}/playground`}>playground</a>.
      </p>
    );
  }
  const until = "searched_until" in list ? list.searched_until : null;
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
