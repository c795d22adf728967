// The page of a capture: its result or error, how it came about, its request, and what can be done with it.
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type {
  CaptureDetails,
  CaptureLog,
  CaptureState,
} from "../../../../../clients/typescript/src/generated/types.ts";
import { localAddress } from "../../service-address.ts";
import { send } from "../../ui/api.ts";
import { BreakableText } from "../../ui/breakable-text.tsx";
import { CopyTextButton } from "../../ui/copy-text.tsx";
import { formatBytes, formatMilliseconds } from "../../ui/format.ts";
import { Heading } from "../../ui/heading.tsx";
import { Notice } from "../../ui/notice.tsx";
import { addressOf, useAddress } from "../../ui/router.ts";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useAction } from "../../ui/use-action.ts";
import { Waterfall } from "../../ui/waterfall.tsx";
import { CaptureActions } from "../captures/capture-actions.tsx";
import { CaptureDialog } from "../captures/capture-dialog.tsx";
import { GroupedCaptures } from "../captures/capture-group.tsx";
import { Badge } from "../captures/capture-item.tsx";
import { CaptureError, Problems, Warnings } from "../captures/capture-problems.tsx";
import { CaptureRequestDetails } from "../captures/capture-request.tsx";
import { jobSource, sourceText, splitError } from "../captures/capture-text.ts";
import { listPath } from "../captures/last-list.ts";
import { isRunning } from "../captures/running-capture.ts";
import { StoredResultSection } from "../captures/stored-result.tsx";
import { useCaptureDetails } from "../captures/use-capture-details.ts";
import { WebhookDeliveries } from "../captures/webhook-deliveries.tsx";
import type { ScreenProps } from "../screen.ts";
import { CAPTURE_PATH } from "../screens.ts";
import { CaptureBodySkeleton, SummarySkeleton } from "../skeletons.tsx";
import { Time } from "../time.tsx";
import { WebhookTargetText } from "../webhooks/webhook-target.tsx";

export function CaptureScreen({ session }: ScreenProps) {
  const id = Number(CAPTURE_PATH.exec(useAddress().path)?.[1]);
  return (
    <>
      <p class="back">
        <a href={addressOf(listPath(session.account.id))}>
          <span aria-hidden="true">←</span> Captures
        </a>
      </p>
      <CapturePage key={id} id={id} />
    </>
  );
}

function CapturePage({ id }: { readonly id: number }) {
  const { log, job, isUnknown, error, reload } = useCaptureDetails(id);
  return (
    <>
      <div class="capture-head">
        <Heading>{log ? sourceText(log) : job ? jobSource(job) : isUnknown ? "No such capture" : "Capture"}</Heading>
        {log ? <LogSummary log={log} /> : job ? <JobSummary job={job} /> : !isUnknown && !error && <SummarySkeleton />}
      </div>
      {log && log.group_id !== null && <GroupedCaptures groupId={log.group_id} id={id} />}
      {log ? (
        <LoggedCapture details={log} job={job} onChanged={reload} />
      ) : job ? (
        <UnloggedCapture job={job} onChanged={reload} />
      ) : isUnknown ? (
        <p>
          The account has no capture with the number {id}, or has none any more: the log is kept for a limited time.
        </p>
      ) : error ? (
        <Notice problem={error} retry={reload} />
      ) : (
        <Skeleton label="The capture is being read.">
          <CaptureBodySkeleton />
        </Skeleton>
      )}
    </>
  );
}

function LogSummary({ log }: { readonly log: CaptureLog }) {
  const { status, cached, format, file_size_bytes, response_time_ms, created_at } = log;
  return (
    <p class="capture-summary">
      <Badge status={status} isCached={cached} />
      <span>{format}</span>
      {status === "success" && <span>{formatBytes(file_size_bytes)}</span>}
      <span>{formatMilliseconds(response_time_ms)}</span>
      <Time at={created_at} />
    </p>
  );
}

function JobSummary({ job: { status, format, created_at } }: { readonly job: CaptureState }) {
  return (
    <p class="capture-summary">
      <Badge status={status} />
      <span>{format}</span>
      <span>
        requested <Time at={created_at} />
      </span>
    </p>
  );
}

interface LoggedCaptureProps {
  readonly details: CaptureDetails;
  /** Undefined for a synchronous capture, and for one whose state isn't kept any more or not loaded yet. */
  readonly job: CaptureState | undefined;
  readonly onChanged: () => void;
}

function LoggedCapture({ details, job, onChanged }: LoggedCaptureProps) {
  const { status, response_time_ms, error_message, problems, options, warnings, blocked, report_url, phases } = details;
  const [isLarge, setLarge] = useState(false);
  return (
    <div class="capture-columns">
      <div class="capture-main">
        <CaptureActions details={details} onDeleted={onChanged} />
        {error_message !== null && <CaptureError {...splitError(error_message)} />}
        {status === "success" && <StoredResultSection details={details} onOpen={() => setLarge(true)} />}
        <Problems problems={problems} options={options} />
        <Warnings warnings={warnings} />
        <Waterfall phases={phases} totalMs={response_time_ms} />
        {report_url !== null && (
          <p>
            <a href={localAddress(report_url)} target="_blank" rel="noreferrer">
              Open the report
            </a>
            : how the capture came about, with a timeline of its requests
          </p>
        )}
        {blocked && <Blocked blocked={blocked} />}
        {job && <WebhookDeliveries job={job} onChanged={onChanged} />}
        <CaptureRequestDetails details={details} />
      </div>
      <CaptureFacts details={details} />
      {isLarge && <CaptureDialog id={details.id} onClose={() => setLarge(false)} />}
    </div>
  );
}

function Blocked({ blocked }: { readonly blocked: NonNullable<CaptureDetails["blocked"]> }) {
  return (
    <section>
      <h2>Blocked</h2>
      <pre>{JSON.stringify(blocked, null, 2)}</pre>
    </section>
  );
}

function CaptureFacts({ details }: { readonly details: CaptureDetails }) {
  const { id, url, final_url, api_key, asynchronous, ip_address, http_status_code, webhook_target } = details;
  return (
    <aside aria-label="Facts">
      <dl class="capture-facts">
        {url !== "" && (
          <Fact name="Address">
            <BreakableText text={url} /> <CopyTextButton text={url} label="the address" />
          </Fact>
        )}
        {final_url !== null && (
          <Fact name="Redirected to">
            <BreakableText text={final_url} /> <CopyTextButton text={final_url} label="the address after redirects" />
          </Fact>
        )}
        <Fact name="Request number">
          {id} <CopyTextButton text={String(id)} label="the request number" />
        </Fact>
        {http_status_code !== null && <Fact name="Status of the page">{http_status_code}</Fact>}
        <Fact name="API key">
          <BreakableText text={api_key.label} /> <code>{api_key.key_prefix}</code>
        </Fact>
        <Fact name="Mode">{asynchronous ? "Asynchronous" : "Synchronous"}</Fact>
        {webhook_target !== null && (
          <Fact name="Webhook to">
            <WebhookTargetText target={webhook_target} />
          </Fact>
        )}
        <Fact name="Requested from">{ip_address}</Fact>
      </dl>
    </aside>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** An asynchronous capture that runs, or that was cancelled or given up before there was a log. */
function UnloggedCapture({ job, onChanged }: { readonly job: CaptureState; readonly onChanged: () => void }) {
  const { request_id: id, status, error, page_url, external_identifier } = job;
  return (
    <>
      {error && <CaptureError code={error.code} message={error.error} />}
      {isRunning(job) && (
        <section class="capture-progress">
          <p role="status">
            <span class="spinner" />{" "}
            {status === "queued" ? "It waits in the queue for its turn." : "The page is being captured."} This page
            shows the result by itself.
          </p>
          <CancelButton id={id} onCancelled={onChanged} />
        </section>
      )}
      <dl class="capture-facts">
        {page_url !== null && (
          <Fact name="Address">
            <BreakableText text={page_url} /> <CopyTextButton text={page_url} label="the address" />
          </Fact>
        )}
        <Fact name="Request number">
          {id} <CopyTextButton text={String(id)} label="the request number" />
        </Fact>
        {external_identifier !== null && <Fact name="Your identifier">{external_identifier}</Fact>}
      </dl>
      <WebhookDeliveries job={job} onChanged={onChanged} />
    </>
  );
}

function CancelButton({ id, onCancelled }: { readonly id: number; readonly onCancelled: () => void }) {
  const action = useAction();
  const cancel = () => action.run(() => send("DELETE", `/api/v1/screenshot/${id}`), onCancelled);
  return (
    <>
      <p class="form-actions">
        <button type="button" disabled={action.isRunning} onClick={() => void cancel()}>
          Cancel the capture
        </button>
      </p>
      {action.problem && <Notice problem={action.problem} />}
    </>
  );
}
