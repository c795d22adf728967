// What the playground shows of its captures: the one that runs, and the last outcome with the picture before it.
import { useEffect, useRef, useState } from "preact/hooks";
import type { CaptureRun, RunFacts } from "./capture-run.ts";
import type { Contract } from "./contract.ts";
import type { Credential } from "./credential.ts";
import type { Outcome } from "./outcome.ts";
import { measurePicture } from "./picture-size.ts";
import type { Picture } from "./picture-view.tsx";
import { isCancellable, type RequestOptions } from "./request-options.ts";
import { readRunningCapture } from "./running-capture.ts";
import type { RateLimit } from "./send-capture.ts";

interface CaptureProps {
  readonly contract: Contract;
  readonly credential: Credential | undefined;
  /** Called when a request has ended, with its HTTP status; 0 if there was no response. */
  readonly onEnd: (sent: RequestOptions, status: number) => void;
}

export interface CaptureControl {
  readonly outcome: Outcome;
  readonly rateLimit: RateLimit | undefined;
  readonly start: (sent: RequestOptions, credential: Credential) => void;
  readonly cancel: () => void;
}

export function useCaptureRun({ contract, credential, onEnd }: CaptureProps): CaptureControl {
  const [outcome, setOutcome] = useState<Outcome>(() => ({
    state: "idle",
    hasLeftCapture: readRunningCapture() !== undefined,
  }));
  const [rateLimit, setRateLimit] = useState<RateLimit>();
  const running = useRef<Pick<CaptureRun, "cancel"> | undefined>(undefined);
  const lastPicture = useRef<Picture | undefined>(undefined);

  const follow = async (facts: RunFacts) => {
    const { startedAt, sent } = facts;
    const isSynchronous = !isCancellable(sent);
    const show = ({ status, phase, isCancelling }: Pick<CaptureRun, "status" | "isCancelling"> & Partial<CaptureRun>) =>
      setOutcome({ state: "running", startedAt, status, phase, isSynchronous, isCancelling });
    let isCancelling = false;
    const showStart = () => show({ status: "sent", isCancelling });
    running.current = {
      cancel: () => {
        isCancelling = true;
        showStart();
      },
    };
    showStart();
    const loaded = await loadCaptureRun();
    running.current = undefined;
    if ("error" in loaded) return setOutcome({ state: "failed", error: loaded, sent });
    const run = new loaded.CaptureRun(facts, { statusOf: contract.statusOf, onChange: show });
    running.current = run;
    if (isCancelling) run.cancel();
    show(run);
    const end = await run.end();
    running.current = undefined;
    if ("cancelled" in end) return setOutcome({ state: "cancelled", text: end.cancelled });
    if ("error" in end) {
      setOutcome({ state: "failed", error: end.error, sent });
      return onEnd(run.sent, 0);
    }
    const { response } = end;
    const before = lastPicture.current;
    const isPicture = !response.error && response.type.startsWith("image/");
    const size = isPicture ? await measurePicture(response.body) : undefined;
    if (size) lastPicture.current = { body: response.body, size };
    const fileName = `capture.${contract.extension({ ...(response.state ?? run.sent) })}`;
    setRateLimit(response.rateLimit);
    setOutcome({ state: "done", response, sent: run.sent, fileName, size, before });
    onEnd(run.sent, response.status);
  };

  // A capture that ran when the page was left is followed as soon as there is a credential for it.
  const resume = useRef(follow);
  resume.current = follow;
  useEffect(() => {
    const left = credential && isWhole(credential) ? readRunningCapture() : undefined;
    if (credential && left && running.current === undefined) void resume.current({ ...left, credential });
  }, [credential]);

  return {
    outcome,
    rateLimit,
    start: (sent, by) => void follow({ sent, credential: by, startedAt: Date.now() }),
    cancel: () => running.current?.cancel(),
  };
}

/** What captures is loaded with the first capture, so that the page has less to load. */
function loadCaptureRun() {
  return import("./capture-run.ts").catch(() => ({
    error: "Nothing was captured: a file of this page couldn’t be loaded. Reload the page.",
  }));
}

/** False for a key that is being typed. */
function isWhole(credential: Credential): boolean {
  return credential === "session" || /^cap_(test_)?[0-9A-Za-z]{46}$/.test(credential.apiKey);
}
