// A capture that runs: its phase, after two seconds how long it takes, and a button that cancels it.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { RunningStatus } from "./capture-run.ts";
import type { Outcome } from "./outcome.ts";

/** Until then, seconds would only flicker. */
const SECONDS_AFTER_MS = 2_000;

const statusTexts: Readonly<Record<RunningStatus, string>> = {
  sent: "Sending",
  queued: "Waiting for a browser",
  processing: "Capturing",
  success: "Loading the result",
  failed: "Reading the error",
};

/** What the browser does, by the phase in the state of a capture. */
const phaseTexts: Readonly<Record<string, string>> = {
  browser: "starting the browser",
  navigate: "loading the page",
  settle: "waiting until the page is ready",
  capture: "taking the capture",
  encode: "encoding the file",
  store: "storing the result",
};

type ProgressProps = Outcome & { readonly state: "running" } & { readonly onCancel: () => void };

export function Progress({ startedAt, status, phase = "", isSynchronous, isCancelling, onCancel }: ProgressProps) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 100);
    return () => clearInterval(timer);
  }, []);
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => () => keepFocus(button.current), []);
  const elapsedMs = now - startedAt;
  const phaseText = status === "processing" ? phaseTexts[phase] : undefined;
  const text = isSynchronous ? "Capturing" : statusTexts[status];
  return (
    <div class="progress">
      <progress aria-label="Capturing" />
      <p>
        <span>{isCancelling ? "Cancelling" : phaseText === undefined ? text : `${text}: ${phaseText}`}</span>{" "}
        <span class="figure" aria-hidden="true">
          {elapsedMs >= SECONDS_AFTER_MS && `${(elapsedMs / 1000).toFixed(1)} s`}
        </span>
      </p>
      {isSynchronous && elapsedMs >= SECONDS_AFTER_MS && (
        <p class="note">These options need a synchronous response, which doesn’t say its phases.</p>
      )}
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
