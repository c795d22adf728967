// The result of a capture: picture, video, PDF, text, or JSON, with its size, phases, warnings, and headers.
import { useEffect, useState } from "preact/hooks";
import { apiBaseUrl } from "../service-address.ts";
import { JsonView, TextView } from "./highlight.tsx";
import { PdfView } from "./pdf-view.tsx";
import { ReportView } from "./report-view.tsx";
import type { RequestOptions } from "./request-options.ts";
import { ScrollRegion } from "./scroll-region.tsx";
import type { CaptureError, CaptureResponse } from "./send-capture.ts";
import type { TimedPhase } from "./server-timing.ts";

export type Outcome =
  | { readonly state: "idle" }
  | { readonly state: "running"; readonly startedAt: number }
  | { readonly state: "failed"; readonly error: CaptureError }
  | {
      readonly state: "done";
      readonly response: CaptureResponse;
      readonly sent: RequestOptions;
      readonly fileName: string;
    };

interface ResultViewProps {
  readonly outcome: Outcome;
  readonly onCancel: () => void;
  readonly onShowField: (name: string) => void;
}

export function ResultView({ outcome, onCancel, onShowField }: ResultViewProps) {
  return (
    <section class="pane result-pane" aria-labelledby="result-title" aria-busy={outcome.state === "running"}>
      <div class="pane-head">
        <h2 id="result-title">Result</h2>
        {outcome.state === "done" && <Facts response={outcome.response} />}
      </div>
      <div class="result-body" aria-live="polite">
        {outcome.state === "idle" && <Idle />}
        {outcome.state === "running" && <Progress startedAt={outcome.startedAt} onCancel={onCancel} />}
        {outcome.state === "failed" && <ErrorView error={outcome.error} onShowField={onShowField} />}
        {outcome.state === "done" &&
          (outcome.response.error ? (
            <ErrorView error={outcome.response.error} status={outcome.response.status} onShowField={onShowField} />
          ) : (
            <Body response={outcome.response} fileName={outcome.fileName} />
          ))}
      </div>
      {outcome.state === "done" && <Details response={outcome.response} />}
    </section>
  );
}

function Idle() {
  return (
    <div class="idle">
      <svg viewBox="0 0 24 24" width="56" height="56" aria-hidden="true" class="mark">
        <path d="M3 8.5V3h5.5M15.5 3H21v5.5M21 15.5V21h-5.5M8.5 21H3v-5.5" />
        <circle cx="12" cy="12" r="2.4" />
      </svg>
      <p>
        Your capture appears here. Choose a source, or press <kbd>Ctrl</kbd> <kbd>Enter</kbd>.
      </p>
    </div>
  );
}

function Progress({ startedAt, onCancel }: { startedAt: number; onCancel: () => void }) {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 100);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, now - startedAt) / 1000;
  return (
    <div class="idle">
      <progress aria-label="Capturing" />
      <p>
        <span>Capturing</span>{" "}
        <span class="figure" aria-hidden="true">
          {seconds.toFixed(1)} s
        </span>
      </p>
      <button type="button" onClick={onCancel}>
        Cancel
      </button>
    </div>
  );
}

function Facts({ response: { status, body, durationMs, error } }: { response: CaptureResponse }) {
  return (
    <p class="facts">
      <span class={error ? "status status-bad" : "status"}>{status}</span>
      <span>{formatSize(body.size)}</span>
      <span>{formatDuration(durationMs)}</span>
    </p>
  );
}

const formatDuration = (ms: number) => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`);

export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(2)} MB`;
}

interface ErrorViewProps {
  readonly error: CaptureError;
  readonly status?: number;
  readonly onShowField: (name: string) => void;
}

function ErrorView({ error: { error, code, details = {}, docs, retryable }, onShowField }: ErrorViewProps) {
  const fields = Object.entries(details).filter(([, messages]) => Array.isArray(messages));
  return (
    <div class="error" role="alert">
      {code && <p class="error-code">{code}</p>}
      <p class="error-text">{error}</p>
      {fields.length > 0 && (
        <ul>
          {fields.map(([name, messages]) => (
            <li key={name}>
              <button type="button" class="link" onClick={() => onShowField(name)}>
                {name}
              </button>{" "}
              {(messages as string[]).join("; ")}
            </li>
          ))}
        </ul>
      )}
      <p class="error-more">
        {retryable && "The same request can succeed later. "}
        {docs?.startsWith("http") && (
          <a href={docs} target="_blank" rel="noreferrer">
            Cause and fix
          </a>
        )}
      </p>
    </div>
  );
}

/** A `blob:` URL of the body, until another body takes its place. */
function useObjectUrl(body: Blob): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const created = URL.createObjectURL(body);
    setUrl(created);
    return () => URL.revokeObjectURL(created);
  }, [body]);
  return url;
}

interface BodyProps {
  readonly response: CaptureResponse;
  readonly fileName: string;
}

function Body({ response, fileName }: BodyProps) {
  const { body, type, text, status } = response;
  const url = useObjectUrl(body);
  if (body.size === 0) return <p class="idle">Status {status}: the response has headers only.</p>;
  if (url === undefined) return null;
  const download = (
    <a class="button" href={url} download={fileName}>
      Download {fileName}
    </a>
  );
  if (type === "application/pdf") {
    return (
      <div class="pdf">
        <PdfView body={body} />
        <div class="actions">
          {download}
          <a class="button" href={url} target="_blank" rel="noreferrer">
            Open in a new tab
          </a>
        </div>
      </div>
    );
  }
  return (
    <>
      {type.startsWith("image/") && <Picture url={url} type={type} />}
      {type.startsWith("video/") && (
        // biome-ignore lint/a11y/useMediaCaption: a capture has no sound
        <video class="video" src={url} controls loop playsInline />
      )}
      {text !== undefined &&
        (type === "application/json" ? <Json text={text} /> : <TextView text={text} type={type} />)}
      <div class="actions">{download}</div>
    </>
  );
}

function Json({ text }: { text: string }) {
  try {
    return (
      <div class="json-view">
        <JsonView value={JSON.parse(text)} />
      </div>
    );
  } catch {
    return <TextView text={text} type="text/plain" />;
  }
}

function Picture({ url, type }: { url: string; type: string }) {
  const [zoom, setZoom] = useState<"fit" | "real">("fit");
  const [size, setSize] = useState<{ width: number; height: number }>();
  const [isBroken, setBroken] = useState(false);
  if (isBroken) return <p class="idle">This browser can’t show {type}. Download the file instead.</p>;
  return (
    <div class="picture">
      <div class="picture-bar">
        <fieldset class="segments" aria-label="Zoom">
          {(["fit", "real"] as const).map((each) => (
            <button key={each} type="button" aria-pressed={zoom === each} onClick={() => setZoom(each)}>
              {each === "fit" ? "Fit" : "Real size"}
            </button>
          ))}
        </fieldset>
        {size && (
          <span class="figure">
            {size.width} × {size.height}
          </span>
        )}
      </div>
      <ScrollRegion class={`canvas canvas-${zoom}`} label="Captured picture">
        <img
          src={url}
          alt="The captured page"
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setSize({ width: naturalWidth, height: naturalHeight })
          }
          onError={() => setBroken(true)}
        />
      </ScrollRegion>
    </div>
  );
}

function Details({ response }: { response: CaptureResponse }) {
  const { phases, warnings, blocked, problems, quality, loadReport, headers } = response;
  return (
    <div class="details">
      {problems !== undefined && (
        <p class="warning">
          The result looks wrong (quality {quality} of 100): {problems}.{" "}
          <a href={`${apiBaseUrl}/docs/guide/problems`} target="_blank" rel="noreferrer">
            What to do
          </a>
        </p>
      )}
      {warnings !== undefined && <p class="warning">{warnings}</p>}
      {blocked !== undefined && <p class="blocked">Blocked: {blocked}</p>}
      {phases.length > 0 && <TimingBar phases={phases} />}
      {loadReport && <ReportView load={loadReport} />}
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
    </div>
  );
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
