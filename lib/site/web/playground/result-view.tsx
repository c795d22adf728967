// The result pane of the playground: the running capture, then its result or error.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { RunningStatus } from "./capture-run.ts";
import { ErrorView } from "./error-view.tsx";
import { formatDuration, formatSize } from "./format.ts";
import type { Outcome } from "./outcome.ts";
import type { CaptureResponse } from "./send-capture.ts";

interface ResultViewProps {
  readonly outcome: Outcome;
  readonly onCancel: () => void;
  readonly onShowField: (name: string) => void;
}

export function ResultView({ outcome, onCancel, onShowField }: ResultViewProps) {
  const views = useViews(outcome.state !== "idle");
  return (
    <section class="pane result-pane" aria-labelledby="result-title" aria-busy={outcome.state === "running"}>
      <div class="pane-head">
        <h2 id="result-title">Result</h2>
        {outcome.state === "done" && <Facts response={outcome.response} />}
      </div>
      <div class="result-body" aria-live="polite">
        {outcome.state === "idle" && <Idle {...outcome} />}
        {outcome.state === "running" && <Progress {...outcome} onCancel={onCancel} />}
        {outcome.state === "cancelled" && <p class="idle">{outcome.text}</p>}
        {outcome.state === "failed" && <ErrorView error={outcome.error} onShowField={onShowField} />}
        {outcome.state === "done" &&
          (views === "missing" ? (
            <p class="idle">The result can’t be shown: a file of this page couldn’t be loaded. Reload the page.</p>
          ) : (
            views && <views.EndedBody outcome={outcome} onShowField={onShowField} />
          ))}
      </div>
      {outcome.state === "done" && typeof views === "object" && <views.ResultDetails response={outcome.response} />}
    </section>
  );
}

type Views = Awaited<ReturnType<typeof loadViews>>;

/** The views of a result are loaded when a capture starts, so that the page has less to load. */
async function loadViews() {
  const [{ EndedBody }, { ResultDetails }] = await Promise.all([
    import("./ended-body.tsx"),
    import("./result-details.tsx"),
  ]);
  return { EndedBody, ResultDetails };
}

function useViews(isNeeded: boolean): Views | "missing" | undefined {
  const [views, setViews] = useState<Views | "missing">();
  useEffect(() => {
    if (isNeeded) loadViews().then(setViews, () => setViews("missing"));
  }, [isNeeded]);
  return views;
}

function Idle({ hasLeftCapture }: { readonly hasLeftCapture: boolean }) {
  return (
    <div class="idle">
      <svg viewBox="0 0 24 24" width="56" height="56" aria-hidden="true" class="mark">
        <path d="M3 8.5V3h5.5M15.5 3H21v5.5M21 15.5V21h-5.5M8.5 21H3v-5.5" />
        <circle cx="12" cy="12" r="2.4" />
      </svg>
      <p>
        {hasLeftCapture ? (
          "A capture was running when you left this page. Enter its API key, or sign in, to see it."
        ) : (
          <>
            Your capture appears here. Choose a source, or press <kbd>Ctrl</kbd> <kbd>Enter</kbd>.
          </>
        )}
      </p>
    </div>
  );
}

/** What happens to a capture, by its status. */
const progressTexts: Readonly<Record<RunningStatus, string>> = {
  sent: "Sending",
  queued: "Waiting for a browser",
  processing: "Capturing",
  success: "Loading the result",
  failed: "Reading the error",
};

interface ProgressProps {
  readonly startedAt: number;
  readonly status: RunningStatus;
  readonly isCancelling: boolean;
  readonly onCancel: () => void;
}

function Progress({ startedAt, status, isCancelling, onCancel }: ProgressProps) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 100);
    return () => clearInterval(timer);
  }, []);
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => () => keepFocus(button.current), []);
  const seconds = Math.max(0, now - startedAt) / 1000;
  return (
    <div class="idle">
      <progress aria-label="Capturing" />
      <p>
        <span>{isCancelling ? "Cancelling" : progressTexts[status]}</span>{" "}
        <span class="figure" aria-hidden="true">
          {seconds.toFixed(1)} s
        </span>
      </p>
      <button type="button" ref={button} aria-disabled={isCancelling} onClick={onCancel}>
        Cancel
      </button>
    </div>
  );
}

/** Moves the focus of a button that disappears to the one that captures. */
function keepFocus(button: HTMLButtonElement | null): void {
  if (button === null || document.activeElement !== button) return;
  document.querySelector<HTMLElement>(".capture-button")?.focus({ preventScroll: true });
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
