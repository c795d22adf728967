// A capture in the list: a card of the grid, or a row of the table, by the styles of the list alone.
import type { CaptureLog, CaptureState } from "../../../../../clients/typescript/src/generated/types.ts";
import { BreakableText } from "../../ui/breakable-text.tsx";
import { formatMilliseconds } from "../../ui/format.ts";
import { addressOf } from "../../ui/router.ts";
import { Time } from "../time.tsx";
import { WebhookTargetText } from "../webhooks/webhook-target.tsx";
import {
  type CaptureStatus,
  capturePath,
  endTime,
  jobSource,
  sourceText,
  splitError,
  statusText,
} from "./capture-text.ts";
import { Thumbnail } from "./thumbnail.tsx";

interface CaptureItemProps {
  readonly log: CaptureLog;
  /** Opens its result large. */
  readonly onOpen: (id: number) => void;
}

/** What a page or a caller wrote is shown as text. */
export function CaptureItem({ log, onOpen }: CaptureItemProps) {
  const { id, status, url, format, cached, response_time_ms, created_at, error_message, asynchronous } = log;
  const { thumbnail_url, webhook_target, output_name } = log;
  return (
    <li class={`capture capture-${status}`}>
      <Thumbnail url={thumbnail_url} format={status === "failed" ? undefined : format} endedAt={endTime(log)} />
      {status === "success" && <OpenButton source={sourceText(log)} onOpen={() => onOpen(id)} />}
      <div class="capture-text">
        <CaptureLink id={id} source={sourceText(log)} title={url} />
        {output_name !== null && <OutputNote name={output_name} />}
        {error_message !== null && <Reason text={error_message} />}
        {webhook_target !== null && <WebhookNote target={webhook_target} />}
      </div>
      <Badge status={status} isCached={cached} />
      <span class="capture-format">
        {format}
        {asynchronous && <span class="capture-mode"> · async</span>}
      </span>
      <span class="capture-time">{formatMilliseconds(response_time_ms)}</span>
      <Time at={created_at} isShort />
    </li>
  );
}

function OpenButton({ source, onOpen }: { readonly source: string; readonly onOpen: () => void }) {
  return (
    <button type="button" class="capture-open" title="Open large" aria-label={`Open large: ${source}`} onClick={onOpen}>
      <svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
        <path d="M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10" />
      </svg>
    </button>
  );
}

/** An asynchronous capture that has no log yet. */
export function RunningItem({ job }: { readonly job: CaptureState }) {
  const { request_id: id, status, created_at, page_url, format, webhook_target, error } = job;
  return (
    <li class={`capture capture-${status}`}>
      {status === "queued" || status === "processing" ? (
        <span class="thumbnail">
          <span class="spinner" />
        </span>
      ) : (
        <Thumbnail url={null} format={status === "failed" ? undefined : format} endedAt={0} />
      )}
      <div class="capture-text">
        <CaptureLink id={id} source={jobSource(job)} title={page_url ?? ""} />
        {error && <Reason text={`${error.code}: ${error.error}`} />}
        {webhook_target !== null && <WebhookNote target={webhook_target} />}
      </div>
      <Badge status={status} />
      <span class="capture-format">{format} · async</span>
      <span class="capture-time" />
      <Time at={created_at} isShort />
    </li>
  );
}

interface LinkProps {
  readonly id: number;
  readonly source: string;
  /** In full, as the tooltip. */
  readonly title: string;
}

function CaptureLink({ id, source, title }: LinkProps) {
  return (
    <a class="capture-source" href={addressOf(capturePath(id))} title={title || source}>
      <BreakableText text={source} />
    </a>
  );
}

function Reason({ text }: { readonly text: string }) {
  const { code, message } = splitError(text);
  return (
    <p class="capture-reason">
      <strong>
        <BreakableText text={code} />
      </strong>{" "}
      {message}
    </p>
  );
}

/** The page of the capture lists the other results of its request. */
function OutputNote({ name }: { readonly name: string }) {
  return (
    <span class="capture-output">
      Result “<BreakableText text={name} />” of several
    </span>
  );
}

function WebhookNote({ target }: { readonly target: string }) {
  return (
    <span class="capture-target">
      Webhook to <WebhookTargetText target={target} />
    </span>
  );
}

interface BadgeProps {
  readonly status: CaptureStatus;
  readonly isCached?: boolean;
}

export function Badge({ status, isCached = false }: BadgeProps) {
  return <span class={`badge badge-${status}`}>{statusText(status, isCached)}</span>;
}
