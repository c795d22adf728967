// What accompanies a result: what looks wrong in it, its phases, its report, and its headers or its state.
import { apiBaseUrl } from "../service-address.ts";
import { JsonView } from "../shared/highlight.tsx";
import { useLoaded } from "../shared/use-loaded.ts";
import { formatDuration } from "./format.ts";
import { outputsResult } from "./outputs-view.tsx";
import { Warning } from "./problems-view.tsx";
import { ReportView } from "./report-view.tsx";
import type { CaptureResponse } from "./send-capture.ts";
import type { TimedPhase } from "./server-timing.ts";

export function ResultDetails({ response }: { response: CaptureResponse }) {
  const { phases, warnings, blocked, problems, quality, loadReport, headers, state } = response;
  const json = state ?? outputsResult(response);
  return (
    <div class="details">
      {problems !== undefined && !state && (
        <p class="warning">
          The result looks wrong (quality {quality} of 100): {problems}.{" "}
          <a href={`${apiBaseUrl}/docs/guide/problems`} target="_blank" rel="noreferrer">
            What to do
          </a>
        </p>
      )}
      {warnings !== undefined && <Warning text={warnings} />}
      {blocked !== undefined && <p class="blocked">Blocked: {blocked}</p>}
      <Timing phases={phases} />
      {loadReport && <ReportView load={loadReport} />}
      {json && <CaptureJson capture={json} />}
      {!state && <HeadersView headers={headers} />}
    </div>
  );
}

/** The response with several results, or the state of an asynchronous capture. */
function CaptureJson({ capture }: { readonly capture: { readonly request_id: number } }) {
  return (
    <details class="headers">
      <summary>Capture {capture.request_id} as JSON</summary>
      <JsonView value={capture} />
    </details>
  );
}

function HeadersView({ headers }: Pick<CaptureResponse, "headers">) {
  return (
    <details class="headers">
      <summary>Headers of the response</summary>
      <dl>
        {headers.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

/** It has its place before the phases are known, so that nothing moves. */
function Timing({ phases }: Pick<CaptureResponse, "phases">) {
  const { value: known } = useLoaded(() => phases, [phases]);
  if (known?.length === 0) return null;
  return <div class="timing-place">{known && <TimingBar phases={known} />}</div>;
}

/** Server-Timing as one bar; the widths are attributes of SVG, because the page's policy allows no inline styles. */
function TimingBar({ phases }: { phases: readonly TimedPhase[] }) {
  const total = phases.reduce((sum, { milliseconds }) => sum + milliseconds, 0) || 1;
  let end = 0;
  return (
    <figure class="timing">
      <svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
        {phases.map(({ name, milliseconds }) => {
          const start = end;
          end += (milliseconds / total) * 1000;
          return <rect key={name} class={`phase phase-${name}`} x={start} y="0" width={end - start} height="10" />;
        })}
      </svg>
      <figcaption>
        {phases.map(({ name, milliseconds, description }) => (
          <span key={name} title={description}>
            <i class={`dot phase-${name}`} />
            {name} <b>{formatDuration(milliseconds)}</b>
          </span>
        ))}
      </figcaption>
    </figure>
  );
}
