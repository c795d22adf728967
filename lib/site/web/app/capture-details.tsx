// A capture of the log in full: its error, times, warnings, options, and its result while that is stored.
import { useRef, useState } from "preact/hooks";
import type { CaptureDetails, CaptureLog, CaptureResult } from "../../../../clients/typescript/src/generated/types.ts";
import { shareFragment } from "../playground/share-link.ts";
import { apiBaseUrl, publicBaseUrl } from "../service-address.ts";
import { send } from "./api.ts";
import { BreakableText } from "./breakable-text.tsx";
import { CopyButton } from "./copy-text.tsx";
import { formatBytes, formatMilliseconds } from "./format.ts";
import { Notice } from "./notice.tsx";
import { Time } from "./time.tsx";
import { useAction } from "./use-action.ts";
import { useResource } from "./use-resource.ts";

interface DetailsProps {
  readonly log: CaptureLog;
  readonly onCapturedAgain: () => void;
}

export function CaptureDetailsView({ log, onCapturedAgain }: DetailsProps) {
  const details = useResource<CaptureDetails>(`/api/v1/usage/${log.id}`);
  const { url, error_message, options, api_key, file_size_bytes, ip_address, http_status_code } = log;
  return (
    <div class="capture-details">
      {error_message !== null && <ErrorText text={error_message} />}
      {details.error && <Notice problem={details.error} retry={details.reload} />}
      <dl>
        {url !== "" && (
          <>
            <dt>Address</dt>
            <dd>
              <BreakableText text={url} /> <CopyButton text={url} label="the address" />
            </dd>
          </>
        )}
        <dt>Request number</dt>
        <dd>
          {log.id} <CopyButton text={String(log.id)} label="the request number" />
        </dd>
        <dt>API key</dt>
        <dd>
          <BreakableText text={api_key.label} /> <code>{api_key.key_prefix}</code>
        </dd>
        <dt>Size</dt>
        <dd>{formatBytes(file_size_bytes)}</dd>
        <dt>Requested from</dt>
        <dd>{ip_address}</dd>
        {http_status_code !== null && (
          <>
            <dt>Status of the page</dt>
            <dd>{http_status_code}</dd>
          </>
        )}
        {details.data?.final_url && (
          <>
            <dt>Redirected to</dt>
            <dd>
              <BreakableText text={details.data.final_url} />{" "}
              <CopyButton text={details.data.final_url} label="the address after redirects" />
            </dd>
          </>
        )}
      </dl>
      {details.data || details.error ? (
        <>
          {details.data && <Facts details={details.data} />}
          <h2>Options as sent</h2>
          <pre>{JSON.stringify(options, null, 2)}</pre>
          <Actions options={options} onCapturedAgain={onCapturedAgain} />
        </>
      ) : (
        <div class="placeholder placeholder-list" aria-busy={details.isSlow} />
      )}
    </div>
  );
}

/** In the order in which a capture goes through them. */
const PHASES = ["auth", "browser", "navigate", "settle", "capture", "encode", "store"];

function Facts({ details }: { readonly details: CaptureDetails }) {
  const { phases, warnings, problems, blocked, report_url, result } = details;
  const times = PHASES.flatMap((phase) => (phases[phase] === undefined ? [] : [[phase, phases[phase]] as const]));
  return (
    <>
      {problems.length > 0 && <Problems problems={problems} />}
      {report_url !== null && (
        <p class="note">
          <a href={localAddress(report_url)} target="_blank" rel="noreferrer">
            Open the report
          </a>
          : how the capture came about, with a timeline
        </p>
      )}
      {times.length > 0 && (
        <>
          <h2>Times by phase</h2>
          <ul class="phases">
            {times.map(([phase, duration]) => (
              <li key={phase}>
                <span>{phase}</span>
                <meter min={0} max={Math.max(1, ...times.map(([, ms]) => ms))} value={duration}>
                  {duration}
                </meter>
                <span>{formatMilliseconds(duration)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {warnings.length > 0 && (
        <>
          <h2>Warnings</h2>
          <ul class="plain-list">
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </>
      )}
      {blocked && (
        <>
          <h2>Blocked</h2>
          <pre>{JSON.stringify(blocked, null, 2)}</pre>
        </>
      )}
      {result && <Preview result={result} />}
    </>
  );
}

function Problems({ problems }: Pick<CaptureDetails, "problems">) {
  return (
    <>
      <h2>Problems</h2>
      <ul class="plain-list">
        {problems.map(({ code, severity, message, fix }) => (
          <li key={code}>
            <strong>{code}</strong> ({severity}) {message}
            {fix && (
              <>
                {" "}
                Try <code>{JSON.stringify(fix)}</code>.
              </>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

/** The service's own address, where a session is known. */
function localAddress(url: string): string {
  return url.startsWith(publicBaseUrl) ? `${apiBaseUrl}${url.slice(publicBaseUrl.length)}` : url;
}

/** The service serves results at its own address, so that the page may show them; large ones lead to another host. */
function Preview({
  result: { url, mime_type, expires_at },
}: {
  readonly result: NonNullable<CaptureDetails["result"]>;
}) {
  const [isShown, setShown] = useState(mime_type.startsWith("image/"));
  const address = localAddress(url);
  return (
    <>
      <h2>Result</h2>
      {isShown && <Picture address={address} onError={() => setShown(false)} />}
      <p class="note">
        <a href={address} target="_blank" rel="noreferrer">
          Open the result
        </a>{" "}
        ({mime_type}), stored until <Time at={expires_at} /> <CopyButton text={url} label="the link to the result" />
      </p>
    </>
  );
}

/** The picture as wide as there is room. Of a tall one, such as a full page, the top is shown first. */
function Picture({ address, onError }: { readonly address: string; readonly onError: () => void }) {
  const frame = useRef<HTMLAnchorElement>(null);
  const [isLoaded, setLoaded] = useState(false);
  const [isCropped, setCropped] = useState(false);
  const [isWhole, setWhole] = useState(false);
  const onLoad = () => {
    setLoaded(true);
    setCropped((frame.current?.scrollHeight ?? 0) > (frame.current?.clientHeight ?? 0));
  };
  return (
    <>
      <a
        ref={frame}
        class={`preview-frame${isWhole ? " is-whole" : isCropped ? " is-cropped" : isLoaded ? "" : " is-loading"}`}
        href={address}
        target="_blank"
        rel="noreferrer"
      >
        <img class="preview" src={address} alt="The captured page" loading="lazy" onLoad={onLoad} onError={onError} />
      </a>
      {isCropped && (
        <button type="button" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? "Show the top only" : "Show the whole picture"}
        </button>
      )}
    </>
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

type Options = Readonly<Record<string, unknown>>;

/** The log has no secrets, and of long texts the beginning only: such a capture can't be repeated from it. */
function isRepeatable(options: Options): boolean {
  const text = JSON.stringify(options);
  return !text.includes("REDACTED") && !/\.\.\. \(\d+ characters in total\)/.test(text);
}

function Actions({ options, onCapturedAgain }: { readonly options: Options; readonly onCapturedAgain: () => void }) {
  const [repeated, setRepeated] = useState<CaptureResult>();
  const action = useAction();
  const canRepeat = isRepeatable(options);
  const repeat = () =>
    action.run(async () => {
      const { async: _, webhook_url: __, ...others } = options;
      setRepeated(await send<CaptureResult>("POST", "/api/v1/screenshot", { ...others, response_type: "json" }));
    });
  return (
    <>
      <div class="form-actions">
        <button type="button" onClick={() => void openInPlayground(options)}>
          Open in the playground
        </button>
        <button type="button" disabled={!canRepeat || action.isRunning} onClick={() => void repeat()}>
          {action.isRunning ? "Capturing…" : "Capture again"}
        </button>
      </div>
      <p class="note" role="status">
        {repeated ? (
          <>
            <a href={repeated.url} target="_blank" rel="noreferrer">
              Open the new result
            </a>{" "}
            <button type="button" class="quiet" onClick={onCapturedAgain}>
              Show it in the list
            </button>
          </>
        ) : canRepeat ? (
          "It counts as any capture."
        ) : (
          "The log has no secrets and no long texts, so this one can only be opened in the playground, and completed there."
        )}
      </p>
      {action.problem && <Notice problem={action.problem} />}
    </>
  );
}

/** The log has no secrets, so that none are in the link. */
async function openInPlayground(options: Options): Promise<void> {
  location.assign(`${apiBaseUrl}/playground${await shareFragment(options, () => false)}`);
}
