// One capture of the playground, from its request to its end: it follows the state of the capture, and can cancel it.
import { type CaptureState, cancelCapture, pollCapture, receiveCapture, requestCapture } from "./async-capture.ts";
import type { Contract } from "./contract.ts";
import type { Credential } from "./credential.ts";
import { MIN_POLL_MS, pollDelayMs } from "./poll-delay.ts";
import { isCancellable, type RequestOptions } from "./request-options.ts";
import { storeRunningCapture } from "./running-capture.ts";
import { type CaptureResponse, type RateLimit, type ServiceError, sendCapture } from "./send-capture.ts";

/** Polls in a row without a response after which the service counts as unreachable. */
const MAX_LOST_POLLS = 5;

/** The state of a capture that runs; `sent` until the service has accepted it. */
export type RunningStatus = "sent" | CaptureState["status"];

export interface RunFacts {
  readonly sent: RequestOptions;
  readonly credential: Credential;
  /** When it was requested, in milliseconds since 1970. */
  readonly startedAt: number;
  /** The capture of an earlier page, which is followed and not requested again. */
  readonly requestId?: number;
}

interface RunProps extends Pick<Contract, "statusOf"> {
  readonly onChange: (run: CaptureRun) => void;
}

/** How a run ended: with a response, without one because of an error, or as the visitor wanted. */
export type RunEnd =
  | { readonly response: CaptureResponse }
  | { readonly error: ServiceError }
  | { readonly cancelled: string };

export class CaptureRun {
  readonly sent: RequestOptions;
  readonly startedAt: number;
  rateLimit: RateLimit | undefined;
  status: RunningStatus = "sent";
  /** What the browser does; undefined if the service doesn't say it. */
  phase: string | undefined;
  readonly #credential: Credential;
  readonly #props: RunProps;
  /** Ends the wait for a synchronous response, or the download of the result of an asynchronous capture. */
  #abandonment = new AbortController();
  #requestId: number | undefined;
  #cancelledAt: number | undefined;
  /** Resolves when the service has answered the cancellation; undefined if none was sent. */
  #cancellation: Promise<void> | undefined;
  #wake = () => {};

  constructor({ sent, credential, startedAt, requestId }: RunFacts, props: RunProps) {
    this.sent = sent;
    this.startedAt = startedAt;
    this.#credential = credential;
    this.#requestId = requestId;
    this.#props = props;
  }

  get isCancelling(): boolean {
    return this.#cancelledAt !== undefined;
  }

  /**
   * Cancels the capture, which `end` then reports: at once, or as soon as its id is known. A synchronous request is aborted, and so is the
   * download of the result of a capture that has ended.
   */
  cancel(): void {
    if (this.isCancelling) return;
    this.#cancelledAt = Date.now();
    this.#abandonment.abort();
    this.#props.onChange(this);
    if (this.#requestId !== undefined && !isEnd(this.status)) this.#sendCancellation(this.#requestId);
  }

  /** Resolves when the capture has ended. Never rejects. */
  async end(): Promise<RunEnd> {
    try {
      if (this.isCancelling && this.#requestId === undefined) return { cancelled: NOT_BILLED }; // nothing was sent
      if (isCancellable(this.sent)) return await this.#captureAsynchronously();
      return { response: await sendCapture(this.sent, this.#credential, this.#abandonment.signal) };
    } catch (error) {
      if (this.#abandonment.signal.aborted && !isCancellable(this.sent)) return { cancelled: NOT_CANCELLABLE };
      return { error: toServiceError(error) };
    } finally {
      storeRunningCapture();
    }
  }

  async #captureAsynchronously(): Promise<RunEnd> {
    const isResumed = this.#requestId !== undefined;
    if (this.#requestId === undefined) {
      const answer = await requestCapture(this.sent, this.#credential);
      if ("status" in answer) return { response: answer };
      this.#requestId = answer.requestId;
      if (this.#credential !== "session") this.rateLimit = answer.rateLimit; // a session has another limit for polls
      this.#enter("queued");
      if (this.isCancelling) this.#sendCancellation(answer.requestId);
    }
    storeRunningCapture({ requestId: this.#requestId, sent: this.sent, startedAt: this.startedAt });
    const state = await this.#waitForEnd(this.#requestId, isResumed ? 0 : MIN_POLL_MS);
    const cancelled = this.isCancelling ? cancellationText(state) : undefined;
    if (cancelled !== undefined) return { cancelled };
    this.#cancelledAt = undefined; // it came too late, and the result or the error is shown
    this.#abandonment = new AbortController();
    this.#props.onChange(this);
    const { sent, startedAt, rateLimit } = this;
    const received = { sent, startedAt, rateLimit, credential: this.#credential, signal: this.#abandonment.signal };
    const response = await receiveCapture(state, received, this.#props.statusOf);
    return this.isCancelling ? { cancelled: finishedText(state) } : { response };
  }

  /** Polls until the capture has ended, for the first time after `delayMs`. Throws `RefusedError`, and a `TypeError` without a response. */
  async #waitForEnd(requestId: number, delayMs: number): Promise<CaptureState> {
    let pauseMs = delayMs;
    for (let lostPolls = 0; ; ) {
      await this.#pause(pauseMs);
      const cancellation = this.#cancellation;
      await cancellation;
      const poll = await pollCapture(requestId, this.#credential).catch((error) => {
        if (++lostPolls > MAX_LOST_POLLS) throw error;
      });
      if (poll) {
        const { state, error, status, rateLimit } = poll;
        this.rateLimit = rateLimit;
        // A capture that is cancelled meanwhile can lose its result.
        const isCurrent = cancellation === this.#cancellation;
        if (state && (isCurrent || !isEnd(state.status))) this.#enter(state.status, phaseOf(state));
        if (state && isCurrent && isEnd(state.status)) return state;
        const isTemporary = status === 429 || status >= 500;
        if (error && (!isTemporary || (status >= 500 && ++lostPolls > MAX_LOST_POLLS))) throw new RefusedError(error);
        if (state) lostPolls = 0;
      }
      const elapsedMs = Date.now() - (this.#cancelledAt ?? this.startedAt);
      pauseMs = Math.max(pollDelayMs(elapsedMs, this.rateLimit), poll?.retryAfterMs ?? 0);
    }
  }

  /** Ends early when the capture is cancelled. */
  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #enter(status: RunningStatus, phase?: string): void {
    if (status === this.status && phase === this.phase) return;
    this.status = status;
    this.phase = phase;
    this.#props.onChange(this);
  }

  #sendCancellation(requestId: number): void {
    this.#cancellation = this.#cancelAccepted(requestId);
  }

  /** A request that was not taken leaves the capture as it is, and the visitor can cancel it again. */
  async #cancelAccepted(requestId: number): Promise<void> {
    if (!(await cancelCapture(requestId, this.#credential))) {
      this.#cancelledAt = undefined;
      this.#props.onChange(this);
    }
    this.#wake();
  }
}

/** The service knows no such capture of this caller, or doesn't let the caller read it. */
class RefusedError extends Error {
  readonly error: ServiceError;

  constructor(error: ServiceError) {
    super(error.error);
    this.error = error;
  }
}

/** Services of earlier versions don't say it. */
const phaseOf = (state: CaptureState) => (state as CaptureState & { readonly phase?: string }).phase;

const isEnd = (status: RunningStatus) => status === "success" || status === "failed";

const NOT_BILLED = "Cancelled. Nothing was billed.";

const NOT_CANCELLABLE =
  "You no longer wait for it, but the service finishes it, and a success is billed: its options need a synchronous request, which can’t be cancelled.";

/** How a cancelled capture ended; undefined for one whose result or own error is to be shown. */
function cancellationText(state: CaptureState): string | undefined {
  const hasResult = [state, ...(state.outputs ?? [])].some(({ url }) => typeof url === "string");
  if (hasResult) return undefined;
  if (state.error?.code === "CANCELLED") return NOT_BILLED;
  return state.status === "failed" ? undefined : finishedText(state);
}

/** What a capture has cost that was cancelled after its end. */
function finishedText({ from_cache, test }: CaptureState): string {
  if (test) return "It had finished already. Captures with a key for tests are free.";
  return from_cache
    ? "It had finished already. It came from the cache, so nothing was billed."
    : "It had finished already, so it was billed.";
}

function toServiceError(error: unknown): ServiceError {
  if (error instanceof RefusedError) return error.error;
  return { error: `The service didn’t respond: ${(error as Error).message}. Check that it runs, then try again.` };
}
