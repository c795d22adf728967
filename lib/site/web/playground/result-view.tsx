// The result pane of the playground: the running capture over the result before, then its own result or error in the same place.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Fix } from "./fix.ts";
import { formatDuration, formatSize } from "./format.ts";
import { type Ended, hasResult, type Outcome } from "./outcome.ts";
import { Progress } from "./progress-view.tsx";
import type { CaptureResponse, ServiceError } from "./send-capture.ts";

interface ResultViewProps {
  readonly outcome: Outcome;
  readonly onCancel: () => void;
  readonly onShowField: (name: string) => void;
  readonly onFix: (fix: Fix, output?: number) => void;
}

export function ResultView({ outcome, onCancel, ...actions }: ResultViewProps) {
  const views = useViews(outcome.state !== "idle");
  const previous = usePrevious(outcome);
  const [recalledBy, setRecalledBy] = useState<Outcome>();
  const { state } = outcome;
  const isFailure = state === "failed" || (state === "done" && !hasResult(outcome));
  const isRecalled = recalledBy === outcome;
  const shown = isFailure && !isRecalled ? undefined : state === "done" && !isFailure ? outcome : previous;
  const isPrevious = shown !== undefined && shown !== outcome;
  const facts = state === "done" && !isRecalled ? outcome : shown;
  return (
    <section class="pane result-pane" aria-labelledby="result-title" aria-busy={state === "running"}>
      <div class="pane-head">
        <h2 id="result-title">Result</h2>
        {isPrevious && <span class="previous-label">Previous result</span>}
        {facts && !isPrevious && <Facts response={facts.response} />}
      </div>
      <div class={`result-body${isPrevious ? " is-previous" : ""}`} aria-live="polite">
        {state === "idle" && <Idle {...outcome} />}
        {state === "running" && (
          <div class={shown ? "over" : "idle"}>
            <Progress {...outcome} onCancel={onCancel} />
          </div>
        )}
        {state === "cancelled" && <p class={shown ? "warning" : "idle"}>{outcome.text}</p>}
        {isRecalled && (
          <p class="recall">
            <button type="button" onClick={() => setRecalledBy(undefined)}>
              Back to the error
            </button>
          </p>
        )}
        {isFailure && !isRecalled && <Failure outcome={outcome} views={views} {...actions} />}
        {isFailure && !isRecalled && previous && (
          <p class="recall">
            <button type="button" onClick={() => setRecalledBy(outcome)}>
              Show the previous result
            </button>
          </p>
        )}
        {shown && <Shown outcome={shown} views={views} {...actions} />}
      </div>
      {facts && typeof views === "object" && <views.ResultDetails response={facts.response} />}
    </section>
  );
}

/** The last result, which stays while the next capture runs and can be recalled after an error; undefined for none. */
function usePrevious(outcome: Outcome): Ended | undefined {
  const last = useRef<Ended | undefined>(undefined);
  if (outcome.state === "done" && hasResult(outcome)) last.current = outcome;
  return last.current;
}

interface EndedProps extends Pick<ResultViewProps, "onShowField" | "onFix"> {
  readonly views: Views | "missing" | undefined;
}

function Failure({ outcome, views, ...actions }: EndedProps & { readonly outcome: Outcome }) {
  const failure = outcome.state === "done" ? { ...outcome, error: outcome.response.error } : outcome;
  if (!("error" in failure) || failure.error === undefined) return null;
  if (typeof views === "object") return <views.ErrorView error={failure.error} sent={failure.sent} {...actions} />;
  return views === "missing" ? <PlainError error={failure.error} /> : null;
}

function PlainError({ error: { error } }: { readonly error: ServiceError }) {
  return (
    <p class="error" role="alert">
      {error}
    </p>
  );
}

function Shown({ outcome, views, ...actions }: EndedProps & { readonly outcome: Ended }) {
  if (typeof views === "object") return <views.EndedBody outcome={outcome} {...actions} />;
  if (views === undefined) return null;
  return <p class="idle">The result can’t be shown: a file of this page couldn’t be loaded. Reload the page.</p>;
}

type Views = Awaited<ReturnType<typeof loadViews>>;

/** The views of a result are loaded when a capture starts, so that the page has less to load. */
async function loadViews() {
  const [{ EndedBody }, { ErrorView }, { ResultDetails }] = await Promise.all([
    import("./ended-body.tsx"),
    import("./error-view.tsx"),
    import("./result-details.tsx"),
  ]);
  return { EndedBody, ErrorView, ResultDetails };
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

function Facts({ response: { status, body, durationMs, error } }: { response: CaptureResponse }) {
  return (
    <p class="facts">
      <span class={error ? "status status-bad" : "status"}>{status}</span>
      {!error && <span>{formatSize(body.size)}</span>}
      <span>{formatDuration(durationMs)}</span>
    </p>
  );
}
