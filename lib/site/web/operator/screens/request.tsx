// A request by its number, which customers see in each response: whose it was, what came of it, where the time went, and its lines of the log.
import { useState } from "preact/hooks";
import { ScrollRegion } from "../../shared/scroll-region.tsx";
import { BreakableText } from "../../ui/breakable-text.tsx";
import { handleSubmit, TextField } from "../../ui/form.tsx";
import { formatMilliseconds } from "../../ui/format.ts";
import { Notice } from "../../ui/notice.tsx";
import { addressOf, navigateTo, useAddress } from "../../ui/router.ts";
import { ListSkeleton } from "../../ui/skeleton.tsx";
import { useResource } from "../../ui/use-resource.ts";
import { Waterfall } from "../../ui/waterfall.tsx";
import { formatUtc } from "../ages.ts";
import type { RequestTrace } from "../answers.ts";
import { BlameBadge, StatusBadge } from "../badges.tsx";
import { API } from "../requests.ts";
import { UtcTime } from "../time.tsx";

export function RequestScreen() {
  const id = useAddress().path.split("/")[1] ?? "";
  const trace = useResource<RequestTrace>(`${API}/requests/${id}`, id !== "");
  const isUnknown = trace.error?.status === 404;
  return (
    <>
      <RequestForm id={id} />
      {id === "" && (
        <p class="note">
          Each response has its number in the header X-Request-Id, and each error in its field request_id. The number of
          a capture is that of its request. It is looked up in the log, which takes some seconds.
        </p>
      )}
      {id !== "" && !trace.data && !trace.error && <ListSkeleton rows={8} label="The log is being read." />}
      {isUnknown && <p role="status">{trace.error?.message}</p>}
      {trace.error && !isUnknown && <Notice problem={trace.error} retry={trace.reload} />}
      {trace.data && <Trace trace={trace.data} />}
    </>
  );
}

function RequestForm({ id }: { readonly id: string }) {
  const [text, setText] = useState(id);
  return (
    <form
      class="inline-form"
      aria-label="Find a request"
      onSubmit={handleSubmit(() => navigateTo(`requests/${text.trim()}`))}
    >
      <TextField
        id="request-id"
        label="Request number"
        inputMode="numeric"
        pattern="\s*[0-9]{1,16}\s*"
        title="A number of up to 16 digits"
        autocomplete="off"
        required
        value={text}
        onText={setText}
      />
      <button type="submit" class="button-primary">
        Trace
      </button>
    </form>
  );
}

function Trace({ trace }: { readonly trace: RequestTrace }) {
  const { status, code, blame, error, phases, milliseconds, options, lines } = trace;
  return (
    <>
      <section class="trace">
        <p class="badges">
          <StatusBadge status={status} />
          {blame !== null && <BlameBadge blame={blame} />}
          {code !== null && <code>{code}</code>}
        </p>
        {error !== null && <p class="trace-error">{error}</p>}
        <Facts trace={trace} />
      </section>
      <Waterfall phases={Object.fromEntries(phases.map(({ name, ms }) => [name, ms]))} totalMs={milliseconds ?? 0} />
      <section>
        <h2>Options</h2>
        {options === null ? (
          <p class="note">The log has no options of this request.</p>
        ) : (
          <>
            <ScrollRegion class="code" label="Options">
              <pre>
                <code>{JSON.stringify(options, null, 2)}</code>
              </pre>
            </ScrollRegion>
            <p class="note">Without secrets, without the content that was sent, and addresses without their queries.</p>
          </>
        )}
      </section>
      <section>
        <h2>Log</h2>
        <ol class="log-lines">
          {lines.map(({ at, source, text }, index) => (
            <li key={index}>
              <time dateTime={at} title={`${formatUtc(at, true)} UTC`}>
                {formatUtc(at, true).slice(11)}
              </time>
              <span class="log-source">{source}</span>
              <code>{text}</code>
            </li>
          ))}
        </ol>
      </section>
    </>
  );
}

function Facts({ trace: { id, at, account_id, host, format, milliseconds } }: { readonly trace: RequestTrace }) {
  return (
    <dl class="facts">
      <dt>Request</dt>
      <dd>{id}</dd>
      <dt>At</dt>
      <dd>
        <UtcTime at={at} />
      </dd>
      <dt>Account</dt>
      <dd>{account_id === null ? "none" : <a href={addressOf(`accounts/${account_id}`)}>{account_id}</a>}</dd>
      <dt>Host</dt>
      <dd>{host === null ? "none" : <BreakableText text={host} />}</dd>
      <dt>Format</dt>
      <dd>{format ?? "none"}</dd>
      <dt>Time</dt>
      <dd>{milliseconds === null ? "unknown" : formatMilliseconds(milliseconds)}</dd>
    </dl>
  );
}
