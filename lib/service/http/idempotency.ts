// Idempotency keys: a request with an `Idempotency-Key` runs once, and its response is replayed when it is sent again.
import { randomBytes } from "node:crypto";
import * as v from "valibot";
import { ApiError } from "../../contract/errors/api-error.ts";
import { isSuspended } from "../account/suspended-error.ts";
import { responseKey } from "../aws/table-keys.ts";
import {
  acquireLease,
  completeLease,
  heartbeat,
  type Lease,
  type LeaseState,
  releaseLease,
  waitForRelease,
} from "../captures/lease-store.ts";
import { hashApiKey } from "../keys/api-key.ts";
import type { Environment } from "../platform/environment.ts";
import { hashJson } from "../platform/hash-json.ts";
import { answerObject, DELETED_OUTCOME, RESPONSE_RETENTION_MS, type StoredAnswer } from "../results/stored-answer.ts";
import type { ApiRequest } from "./api-request.ts";
import { decryptResponse, type EncryptionSecrets, encryptResponse } from "./encrypted-response.ts";
import { idempotencyKey, isReplayable, replayableHeaders } from "./idempotency-key.ts";
import { type ApiResponse, errorResponse } from "./response.ts";

/** The bucket stores responses with bytes or long texts only. */
type IdempotencyResources = Pick<Environment, "ACTIVITY_TABLE"> & Partial<Pick<Environment, "RESULTS_BUCKET">>;

export interface IdempotentRequest<Json = unknown> {
  readonly request: ApiRequest;
  readonly key: string;
  readonly accountId: number;
  /** The options as they were sent: the same key with other options is a conflict. */
  readonly rawOptions: Readonly<Record<string, unknown>>;
  /** Until when it waits for the first request with its key, in milliseconds on the monotonic clock. */
  readonly deadline: number;
  /** Runs the request, unless the response of an earlier one is replayed. What has an idempotency key gets where its response will be. */
  readonly run: (answer?: StoredAnswer) => Promise<ApiResponse<Json>>;
  /** The stored results that the response is made of, once the request has run: it isn't replayed after one of them was deleted. */
  readonly results?: () => readonly AnsweredResult[];
  /** Text of the caller's API key, if the response has secrets: the stored response is encrypted with it. */
  readonly encryptionKey?: string;
  /** False when the request had no effect, so that its response is not stored. @default true */
  readonly hasEffect?: () => boolean;
}

/** A stored result that is part of a response. */
export interface AnsweredResult {
  readonly key: string;
  /** Until when its object exists unless it is deleted, in milliseconds since 1970. */
  readonly expiresAt: number;
  /** True if the body of the response is the bytes of the object. */
  readonly isBody: boolean;
}

/** How long a request that renders nothing waits for the first request with its key. */
const SHORT_WAIT_MS = 10_000;

/** Runs a request, once if it has an `Idempotency-Key`: see `runOnce`. The deadline is ten seconds ahead by default. */
export async function runIdempotent<Json>(
  {
    deadline,
    ...idempotent
  }: Omit<IdempotentRequest<Json>, "key" | "deadline"> & Partial<Pick<IdempotentRequest, "deadline">>,
  env: IdempotencyResources,
): Promise<ApiResponse<Json>> {
  const { request, run } = idempotent;
  const key = idempotencyKey(request);
  if (key === undefined) return run();
  return runOnce({ ...idempotent, key, deadline: deadline ?? request.startedAt + SHORT_WAIT_MS }, env);
}

/**
 * Runs a request, or replays the response to the first one with its key. Throws `CONFLICT` when the key was used for
 * another request, or when the first one is still running at the deadline.
 */
export async function runOnce<Json>(
  idempotent: IdempotentRequest<Json>,
  env: IdempotencyResources,
): Promise<ApiResponse<Json>> {
  const { request, key, accountId, rawOptions, deadline, encryptionKey } = idempotent;
  const keyHash = encryptionKey === undefined ? [] : [hashApiKey(encryptionKey)];
  const tag = hashJson([request.method, request.path, rawOptions, ...keyHash]);
  const holder = randomBytes(16).toString("hex");
  const lease = { table: env.ACTIVITY_TABLE, key: responseKey(accountId, hashJson(key)), holder };
  for (;;) {
    const first = await acquireLease(lease, { now: Date.now(), tag });
    if (!first) return runAndStore(idempotent, lease, env);
    if (first.tag !== tag) throw usedForAnother(idempotent);
    const outcome = await waitForOutcome(first, lease, deadline);
    if (outcome !== undefined) return replay(outcome, encryptionSecrets(idempotent), env);
  }
}

/** The outcome of the first request; undefined when it has none, so that this one may run. Throws `CONFLICT`. */
async function waitForOutcome(first: LeaseState, lease: Lease, deadline: number): Promise<string | undefined> {
  if (first.outcome !== undefined) return first.outcome;
  const end = await waitForRelease({ ...lease, holder: first.holder }, deadline);
  if (end === "late") throw stillRunning();
  return end === "gone" ? undefined : end.outcome;
}

function usedForAnother({ encryptionKey }: IdempotentRequest): ApiError {
  const other = encryptionKey === undefined ? "for another request" : "for another request or with another API key";
  return new ApiError(
    "CONFLICT",
    `This Idempotency-Key was used ${other} within 24 hours. Use a new Idempotency-Key for this request.`,
  );
}

function encryptionSecrets({ key, encryptionKey }: IdempotentRequest): EncryptionSecrets | undefined {
  return encryptionKey === undefined ? undefined : { apiKey: encryptionKey, idempotencyKey: key };
}

const RETRY_AFTER_S = 5;

function stillRunning(): ApiError {
  const message = "The first request with this Idempotency-Key is still running. Send it again a little later.";
  return new ApiError("CONFLICT", message, { headers: { "Retry-After": String(RETRY_AFTER_S) } });
}

/** Runs a request under its lease. The response is stored after it was sent. */
async function runAndStore<Json>(
  idempotent: IdempotentRequest<Json>,
  lease: Lease,
  env: IdempotencyResources,
): Promise<ApiResponse<Json>> {
  const { request, run } = idempotent;
  const beating = heartbeat(lease);
  // The client has its response even if it cannot be stored; the lease expires by itself then.
  const store = (response: ApiResponse<unknown>) =>
    request.afterResponse(
      () => storeOrRelease(response, { idempotent, lease, beating }, env),
      "response not stored for its idempotency key",
    );
  try {
    const response = await run({ key: lease.key.sk, holder: lease.holder });
    store(response);
    return response;
  } catch (error) {
    // The same request succeeds once the account is resumed.
    const isLasting = error instanceof ApiError && !error.retryable && !isSuspended(error);
    store(isLasting ? storableError(error, request) : { status: 500 });
    throw error;
  }
}

interface StoreParts {
  readonly idempotent: IdempotentRequest;
  readonly lease: Lease;
  readonly beating: Disposable;
}

/** Stores a response for replays, or releases the lease when it is not to be replayed. */
async function storeOrRelease(
  response: ApiResponse<unknown>,
  { idempotent, lease, beating }: StoreParts,
  env: IdempotencyResources,
): Promise<void> {
  using _ = beating;
  const { hasEffect = () => true, results = () => [] } = idempotent;
  if (isReplayable(response.status) && hasEffect())
    await storeResponse(response, { lease, secrets: encryptionSecrets(idempotent), results: results() }, env);
  else await releaseLease(lease);
}

/** A replayed error states the id of the request that failed. */
function storableError(error: ApiError, { requestId }: ApiRequest): ApiResponse<unknown> {
  const { headers, ...response } = errorResponse(error, requestId);
  return { ...response, headers: { ...headers, "X-Request-Id": String(requestId) } };
}

const StoredResponseSchema = v.object({
  status: v.number(),
  headers: v.record(v.string(), v.string()),
  /**
   * Short text is inline, encrypted (`sealed`) if it has secrets; bytes and long text are an object of the bucket: the stored result
   * itself, or a copy.
   */
  body: v.union([v.object({ text: v.string() }), v.object({ sealed: v.string() }), v.object({ object: v.string() })]),
  results: v.optional(v.array(v.object({ key: v.string(), expiresAt: v.number() })), []),
});
type StoredBody = v.InferOutput<typeof StoredResponseSchema>["body"];

const MAX_INLINE_CHARACTERS = 60_000;

async function storeResponse(
  { status, headers = {}, body = "" }: ApiResponse<unknown>,
  {
    lease,
    secrets,
    results,
  }: {
    readonly lease: Lease;
    readonly secrets: EncryptionSecrets | undefined;
    readonly results: readonly AnsweredResult[];
  },
  { RESULTS_BUCKET }: IdempotencyResources,
): Promise<void> {
  const expiresAt = Date.now() + RESPONSE_RETENTION_MS;
  const lasting = results.find(({ isBody, expiresAt: until }) => isBody && until + EXPIRY_MARGIN_MS >= expiresAt);
  const copy = answerObject(lease);
  const stored: v.InferOutput<typeof StoredResponseSchema> = {
    status,
    headers: replayableHeaders(headers),
    body: secrets
      ? { sealed: encryptResponse(String(body), secrets) }
      : lasting
        ? { object: lasting.key }
        : await storeBody(body, copy, RESULTS_BUCKET),
    results: results.map(({ key, expiresAt: until }) => ({ key, expiresAt: until })),
  };
  const isCompleted = await completeLease(lease, { outcome: JSON.stringify(stored), expiresAt });
  // The capture or its account was deleted meanwhile, or another request has the key.
  if (!isCompleted && "object" in stored.body && stored.body.object === copy) await deleteCopy(copy, RESULTS_BUCKET);
}

/** A result whose links expire in a day was stored some time before its response is. The bucket deletes it hours later. */
const EXPIRY_MARGIN_MS = 10 * 60 * 1000;

async function storeBody(body: Buffer | string, object: string, bucket: string | undefined): Promise<StoredBody> {
  if (typeof body === "string" && body.length <= MAX_INLINE_CHARACTERS) return { text: body };
  if (bucket === undefined) throw new Error("The function has no bucket for a response of this size.");
  const { putResult } = await import("../results/result-store.ts"); // short responses do without S3
  const facts = { mimeType: "application/octet-stream", disposition: "attachment" };
  await putResult(bucket, object, Buffer.from(body), facts);
  return { object };
}

async function deleteCopy(object: string, bucket: string | undefined): Promise<void> {
  const { deleteResult } = await import("../results/result-store.ts"); // short responses do without S3
  if (bucket !== undefined) await deleteResult(bucket, object);
}

async function replay(
  outcome: string,
  secrets: EncryptionSecrets | undefined,
  { RESULTS_BUCKET }: IdempotencyResources,
): Promise<ApiResponse> {
  if (outcome === DELETED_OUTCOME) throw captureDeleted();
  const { status, headers, body, results } = v.parse(StoredResponseSchema, JSON.parse(outcome));
  if (await isAnyDeleted(results, RESULTS_BUCKET)) throw captureDeleted();
  const stored = await readBody(body, secrets, RESULTS_BUCKET);
  if (stored === undefined) throw captureDeleted(); // at this moment
  return { status, headers: { ...headers, [REPLAYED]: "true" }, body: stored };
}

/** True if a result that hasn't expired is missing: the capture that made it was deleted, which can be another one that the cache has. */
async function isAnyDeleted(
  results: v.InferOutput<typeof StoredResponseSchema>["results"],
  bucket: string | undefined,
): Promise<boolean> {
  const lasting = results.filter(({ expiresAt }) => Date.now() < expiresAt);
  if (lasting.length === 0 || bucket === undefined) return false;
  const { hasResult } = await import("../results/result-store.ts"); // other responses do without S3
  return (await Promise.all(lasting.map(({ key }) => hasResult(bucket, key)))).includes(false);
}

function captureDeleted(): ApiError {
  const message =
    "The capture of the first request with this Idempotency-Key was deleted, and its response with it. To capture the page again, send " +
    "the request with a new Idempotency-Key.";
  return new ApiError("GONE", message);
}

async function readBody(
  body: StoredBody,
  secrets: EncryptionSecrets | undefined,
  bucket: string | undefined,
): Promise<Buffer | string | undefined> {
  if ("text" in body) return body.text;
  if ("sealed" in body) return secrets && decryptResponse(body.sealed, secrets);
  const { readResult } = await import("../results/result-store.ts"); // short responses do without S3
  return bucket === undefined ? undefined : readResult(bucket, body.object);
}

export const REPLAYED = "Idempotent-Replayed";

/** The header that marks a replayed response, for a response that is made of it; none if it is not replayed. */
export function replayHeader(headers: ApiResponse["headers"] = {}): Record<string, string> {
  const value = headers[REPLAYED];
  return value === undefined ? {} : { [REPLAYED]: value };
}
