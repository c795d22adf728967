// The client of the Screen Capture API. It needs fetch and Web Crypto alone.
import { ScreenCaptureError } from "./api-error.ts";
import { type Capture, type CaptureInfo, createCapture, readCaptureInfo } from "./capture.ts";
import { writeWholeFile } from "./capture-file.ts";
import { withDeadline } from "./deadline.ts";
import { errorFromBody } from "./error-from.ts";
import { RateLimitedError } from "./generated/error-classes.ts";
import type {
  Account,
  AccountSettings,
  AsyncCaptureFilter,
  BreakdownFilter,
  Bulk,
  BulkCaptures,
  CaptureAccepted,
  CaptureDetails,
  CaptureFilter,
  CaptureLog,
  CaptureReport,
  CaptureResult,
  CaptureState,
  CaptureValidation,
  DataExport,
  ExportFilter,
  ExportRequest,
  Invoice,
  Invoices,
  OutputsResult,
  SearchFilter,
  StatisticsFilter,
  UsageBreakdown,
  UsageStatistics,
  WebhookRedelivery,
  WebhookTest,
  WebhookTestRequest,
} from "./generated/types.ts";
import { KeyCollection } from "./keys.ts";
import type { CaptureOptions, OutputsOptions } from "./options.ts";
import { ReceiverCollection } from "./receivers.ts";
import { pollDelayMs, retryDelayMs, sleep } from "./retry-delay.ts";
import { signLink } from "./signed-link.ts";
import { type CallOptions, decode, parseJson, Transport, type TransportSettings } from "./transport.ts";
import { type Day, listCaptures, listDays, listOlder } from "./usage.ts";
import { verifyWebhook, type WebhookHeaders } from "./webhook.ts";
import type { SucceededCapture, WebhookEvent } from "./webhook-event.ts";

/** Settings of a call that waits for an asynchronous capture. */
export interface WaitOptions extends CallOptions {
  /** Called with each status that is read, the last one included: its `status`, and its `phase` once that is known. */
  readonly onStatus?: ((state: CaptureState) => void) | undefined;
}

export interface ClientSettings extends TransportSettings {
  /** `id` of the API key that signs links. */
  readonly keyId?: number | undefined;
  /** Its signing secret, `whsec_…`, for links and webhooks. Keep it on your server. */
  readonly signingSecret?: string | undefined;
}

const CAPTURES = "/api/v1/screenshot";
const INVOICES = "/api/v1/account/invoices";
const EXPORTS = "/api/v1/usage/exports";
const SETTINGS = "/api/v1/account/settings";
const MAX_LINK_LIFETIME_S = 366 * 24 * 60 * 60;
const DEFAULT_LINK_LIFETIME_S = 30 * 24 * 60 * 60;
/** The service answers a bulk request after at most 240 seconds. */
const BULK_TIMEOUT_MS = 300_000;
const DEFAULT_WAIT_MS = 600_000;
const DEFAULT_EXPORT_WAIT_MS = 60 * 60 * 1000;
/** Longest pause before an export is looked at again. */
const MAX_EXPORT_DELAY_MS = 15_000;

export class ScreenCapture {
  /** URL of the service, without a slash at the end. */
  readonly baseUrl: string;
  /** The API keys of the account. */
  readonly keys: KeyCollection;
  /** The saved receivers of webhooks. */
  readonly receivers: ReceiverCollection;
  readonly #transport: Transport;
  readonly #signer: Pick<ClientSettings, "keyId" | "signingSecret">;

  /**
   * Without `key` and `baseUrl`, the client takes `SCREEN_CAPTURE_KEY` and `SCREEN_CAPTURE_URL` from the environment, where there is one.
   * Throws a `ScreenCaptureError` that says what is missing.
   */
  constructor({ keyId, signingSecret, ...settings }: ClientSettings = {}) {
    this.#transport = new Transport(settings);
    this.baseUrl = this.#transport.baseUrl;
    this.#signer = { keyId, signingSecret };
    this.keys = new KeyCollection(this.#transport);
    this.receivers = new ReceiverCollection(this.#transport);
  }

  /** Captures a page and returns the bytes of the result. */
  async capture(options: CaptureOptions, call?: CallOptions): Promise<Capture> {
    return createCapture(await this.#transport.send({ ...call, ...captureCall(options) }));
  }

  /**
   * Captures a page into a file, piece by piece, so that a large result needs no memory. The file is complete or, after an error, as it
   * was before. Needs a runtime with the file system of Node.js.
   */
  captureToFile(options: CaptureOptions, path: string, call?: CallOptions): Promise<CaptureInfo> {
    return writeWholeFile(path, async (readBody) =>
      readCaptureInfo(await this.#transport.send({ ...call, ...captureCall(options), readBody })),
    );
  }

  /** Captures a page and stores the result, which has a link and the metadata that you request. */
  store(options: CaptureOptions, call?: CallOptions): Promise<CaptureResult> {
    return this.#transport.json({ ...call, ...captureCall({ ...options, response_type: "json" }) });
  }

  /**
   * Captures several results of a page and stores each one, which has a link. Throws if all of them fail; one that fails alone has an
   * `error` in its place.
   */
  storeOutputs(options: OutputsOptions, call?: CallOptions): Promise<OutputsResult> {
    return this.#transport.json({ ...call, ...captureCall(options) });
  }

  /** Checks a request without a capture: returns all options that apply, or throws the error that the capture would get. */
  validate(options: CaptureOptions, call?: CallOptions): Promise<CaptureValidation> {
    return this.#transport.json({ ...call, method: "POST", path: CAPTURES, body: { ...options, validate: true } });
  }

  /** Queues an asynchronous capture. `wait` returns its result. */
  enqueue(options: CaptureOptions, call?: CallOptions): Promise<CaptureAccepted> {
    return this.#transport.json({ ...call, method: "POST", path: CAPTURES, body: { ...options, async: true } });
  }

  /** The status of an asynchronous capture. */
  get(id: number, call?: CallOptions): Promise<CaptureState> {
    return this.#transport.json({ ...call, method: "GET", path: `${CAPTURES}/${id}` });
  }

  /**
   * Waits for an asynchronous capture, at most 10 minutes unless `timeoutMs` says otherwise. Throws the error of a capture that
   * failed.
   */
  async wait(capture: number | { readonly request_id: number }, call: WaitOptions = {}): Promise<SucceededCapture> {
    const state = await this.#waitForEnd(typeof capture === "number" ? capture : capture.request_id, call);
    if (state.error) throw errorFromBody(state.error);
    return state as SucceededCapture;
  }

  /**
   * Cancels an asynchronous capture, and waits until it has ended, which takes at most two seconds. Resolves to its status: `failed` with
   * the code `CANCELLED`, or `success` if it had ended before. A success is billed, and its result is deleted.
   */
  async cancel(capture: number | { readonly request_id: number }, call: WaitOptions = {}): Promise<CaptureState> {
    const id = typeof capture === "number" ? capture : capture.request_id;
    const { onStatus: _, ...sent } = call;
    await this.deleteResult(id, sent);
    return this.#waitForEnd(id, call);
  }

  async #waitForEnd(id: number, { onStatus, ...call }: WaitOptions): Promise<CaptureState> {
    const { timeoutMs = DEFAULT_WAIT_MS } = call;
    return withDeadline({ task: `Capture ${id}`, timeoutMs, signal: call.signal }, async (signal) => {
      for (let attempt = 0; ; attempt++) {
        const [state, delayMs] = await this.#poll(id, attempt, { ...call, timeoutMs, signal });
        if (state) onStatus?.(state);
        if (state?.status === "success" || state?.status === "failed") return state;
        await sleep(delayMs, signal);
      }
    });
  }

  /** The status, unless the rate limit refuses the request, and milliseconds to wait before the next one. */
  async #poll(id: number, attempt: number, call: CallOptions): Promise<[CaptureState | undefined, number]> {
    try {
      const received = await this.#transport.send({ ...call, method: "GET", path: `${CAPTURES}/${id}` });
      return [parseJson(received), pollDelayMs(received.headers, attempt)];
    } catch (error) {
      if (!(error instanceof RateLimitedError)) throw error;
      return [undefined, retryDelayMs(error, attempt)];
    }
  }

  /** The asynchronous captures of the last 30 days, newest first. */
  jobs(filter: AsyncCaptureFilter = {}, call?: CallOptions): AsyncGenerator<CaptureState, void, undefined> {
    return listOlder(this.#transport, "/api/v1/jobs", filter, call);
  }

  /** Deletes the result of an asynchronous capture, or cancels one that hasn't ended; `cancel` also waits for its end. */
  async deleteResult(id: number, call?: CallOptions): Promise<void> {
    await this.#transport.send({ ...call, method: "DELETE", path: `${CAPTURES}/${id}` });
  }

  /** Sends the webhook of an asynchronous capture again. */
  redeliverWebhook(id: number, call?: CallOptions): Promise<WebhookRedelivery> {
    return this.#transport.json({ ...call, method: "POST", path: `${CAPTURES}/${id}/webhook/redeliver` });
  }

  /** Sends a test event to the receiver of your webhooks, signed with the secret of the key, and returns what it answered. */
  testWebhook(request: WebhookTestRequest, call?: CallOptions): Promise<WebhookTest> {
    return this.#transport.json({ ...call, method: "POST", path: "/api/v1/webhooks/test", body: request });
  }

  /**
   * Makes up to 20 captures, and waits for them unless `execute` is false. While too many other bulk requests wait, the captures
   * are returned as they are: `wait` for those whose `status` is `queued` or `processing`.
   */
  async bulk(requests: Bulk, call?: CallOptions): Promise<BulkCaptures["data"]> {
    const request = {
      timeoutMs: BULK_TIMEOUT_MS,
      ...call,
      method: "POST",
      path: "/api/v1/bulk",
      body: requests,
    } as const;
    return (await this.#transport.json<BulkCaptures>(request)).data;
  }

  /**
   * A link that shows a capture to everyone who opens it, such as the `src` of an `<img>`. It is made without a request, and
   * needs `keyId` and `signingSecret`. `expiresInS` is its lifetime in seconds: 30 days, at most 366.
   */
  link(options: CaptureOptions, { expiresInS = DEFAULT_LINK_LIFETIME_S } = {}): Promise<string> {
    const { keyId, signingSecret } = this.#signer;
    if (keyId === undefined || signingSecret === undefined) throw missing("'keyId' and 'signingSecret'");
    if (options.webhook_url !== undefined || options.webhook_receiver !== undefined) {
      throw new ScreenCaptureError(
        "A link is a synchronous capture, which has no webhook. Remove it from the options.",
      );
    }
    if (!(expiresInS > 0 && expiresInS <= MAX_LINK_LIFETIME_S)) {
      throw new ScreenCaptureError("'expiresInS' must be more than 0 and at most 366 days, in seconds.");
    }
    const expires = Date.now() + expiresInS * 1000;
    return signLink(this.baseUrl, options, { keyId, signingSecret, expires });
  }

  /** The event of a webhook, verified with `signingSecret`. `body` is the raw body of the request. */
  verifyWebhook(headers: WebhookHeaders, body: string | Uint8Array): Promise<WebhookEvent> {
    const { signingSecret } = this.#signer;
    if (signingSecret === undefined) throw missing("'signingSecret'");
    return verifyWebhook(headers, body, { signingSecret });
  }

  /** The captures of the account, newest first. */
  captures(filter: CaptureFilter = {}, call?: CallOptions): AsyncGenerator<CaptureLog, void, undefined> {
    return listCaptures(this.#transport, filter, call);
  }

  /** The captures of the account that match, newest first, also by error code, format, cache, and address. */
  search(filter: SearchFilter = {}, call?: CallOptions): AsyncGenerator<CaptureLog, void, undefined> {
    return listOlder(this.#transport, "/api/v1/usage/search", filter, call);
  }

  /** A capture of the account with its times by phase, its warnings, and the link to its result. `id` is its `request_id`. */
  details(id: number, call?: CallOptions): Promise<CaptureDetails> {
    return this.#transport.json({ ...call, method: "GET", path: `/api/v1/usage/${id}` });
  }

  /** The thumbnail of a capture, as WebP. Throws `NotFoundError` for a capture without one. `id` is its `request_id`. */
  async thumbnail(id: number, call?: CallOptions): Promise<Uint8Array<ArrayBuffer>> {
    return (await this.#transport.send({ ...call, method: "GET", path: `/api/v1/usage/${id}/thumbnail` })).bytes;
  }

  /** Deletes the result, the report, and the thumbnail of a capture, which stays in the list. `id` is its `request_id`. */
  async deleteCapture(id: number, call?: CallOptions): Promise<void> {
    await this.#transport.send({ ...call, method: "DELETE", path: `/api/v1/usage/${id}` });
  }

  /** How a capture with `metadata_report` came about. `id` is its `request_id`. */
  report(id: number, call?: CallOptions): Promise<CaptureReport> {
    return this.#transport.json({ ...call, method: "GET", path: `${CAPTURES}/${id}/report` });
  }

  /** The captures of the account that match, as CSV, or as NDJSON with `output: "ndjson"`. */
  async exportCaptures(filter: ExportFilter = {}, call?: CallOptions): Promise<string> {
    const path = "/api/v1/usage/export";
    return decode((await this.#transport.send({ ...call, method: "GET", path, query: filter })).bytes);
  }

  /**
   * Starts an export of any number of captures that match, as CSV, or as NDJSON with `output: "ndjson"`. `waitForExport` returns the link
   * to its file.
   */
  startExport(filter: ExportRequest = {}, call?: CallOptions): Promise<DataExport> {
    return this.#transport.json({ ...call, method: "POST", path: EXPORTS, body: filter });
  }

  /** The state of an export, with a new link to its file. */
  getExport(id: number, call?: CallOptions): Promise<DataExport> {
    return this.#transport.json({ ...call, method: "GET", path: `${EXPORTS}/${id}` });
  }

  /**
   * Waits until an export has ended, at most an hour unless `timeoutMs` says otherwise. Download `download_url`, a gzip file, within an
   * hour. Throws if the export failed: start another one then.
   */
  async waitForExport({ id }: Pick<DataExport, "id">, call: CallOptions = {}): Promise<DataExport> {
    const { timeoutMs = DEFAULT_EXPORT_WAIT_MS } = call;
    return withDeadline({ task: `Export ${id}`, timeoutMs, signal: call.signal }, async (signal) => {
      for (let delayMs = 500; ; delayMs = Math.min(2 * delayMs, MAX_EXPORT_DELAY_MS)) {
        const state = await this.getExport(id, { ...call, timeoutMs, signal });
        if (state.status === "failed") throw new ScreenCaptureError(`Export ${id} failed. Start another one.`);
        if (state.status === "ready") return state;
        await sleep(delayMs, signal);
      }
    });
  }

  /** The days of the account with their captures, newest first; the last 7 unless the filter says otherwise. */
  usage(filter: StatisticsFilter = {}, call?: CallOptions): AsyncGenerator<Day, void, undefined> {
    return listDays(this.#transport, filter, call);
  }

  /** Statistics of up to 90 days, with totals. */
  statistics(filter: StatisticsFilter = {}, call?: CallOptions): Promise<UsageStatistics> {
    return this.#transport.json({ ...call, method: "GET", path: "/api/v1/usage/stats", query: filter });
  }

  /** The newest 2,000 captures of up to 90 days by format, host, and API key, with percentiles. */
  breakdown(filter: BreakdownFilter = {}, call?: CallOptions): Promise<UsageBreakdown> {
    return this.#transport.json({ ...call, method: "GET", path: "/api/v1/usage/breakdown", query: filter });
  }

  /** Plan, billing period, quotas, and cost. */
  account(call?: CallOptions): Promise<Account> {
    return this.#transport.json({ ...call, method: "GET", path: "/api/v1/account" });
  }

  /** Name, e-mail address, and plan. */
  settings(call?: CallOptions): Promise<AccountSettings> {
    return this.#transport.json({ ...call, method: "GET", path: SETTINGS });
  }

  /** The invoices of all billing periods, newest first. */
  async invoices(call?: CallOptions): Promise<readonly Invoice[]> {
    return (await this.#transport.json<Invoices>({ ...call, method: "GET", path: INVOICES })).data;
  }

  /** An invoice as a PDF. */
  async invoicePdf({ period }: Pick<Invoice, "period">, call?: CallOptions): Promise<Uint8Array<ArrayBuffer>> {
    const path = `${INVOICES}/${encodeURIComponent(period.start)}/pdf`;
    return (await this.#transport.send({ ...call, method: "GET", path })).bytes;
  }
}

/** A capture for whose result the call waits: its `timeout` is the time for all attempts together. */
function captureCall(body: { readonly timeout?: number; readonly response_type?: string }) {
  return { method: "POST", path: CAPTURES, body, captureTimeoutS: Number(body.timeout ?? Number.NaN) } as const;
}

function missing(settings: string): ScreenCaptureError {
  return new ScreenCaptureError(`Pass ${settings} of an API key to the client.`);
}
