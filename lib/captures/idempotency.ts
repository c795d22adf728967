// Requests with an `Idempotency-Key`: carried out once, and answered the same again when they are repeated.
import { randomBytes } from "node:crypto";
import * as v from "valibot";
import { hashApiKey } from "../accounts/api-key.ts";
import type { ApiRequest } from "../api/http/api-request.ts";
import { type ApiResponse, errorResponse } from "../api/http/response.ts";
import { responseKey } from "../aws/table-keys.ts";
import { ApiError } from "../errors/api-error.ts";
import type { Environment } from "../platform/environment.ts";
import { logError } from "../platform/log.ts";
import { resultPrefixes } from "../results/expiry.ts";
import { decryptResponse, type EncryptionSecrets, encryptResponse } from "./encrypted-response.ts";
import { fingerprint } from "./fingerprint.ts";
import { idempotencyKey, isKept, keptHeaders, RESPONSE_RETENTION_MS } from "./idempotency-key.ts";
import {
  acquireLease,
  completeLease,
  heartbeat,
  type Lease,
  type LeaseState,
  releaseLease,
  waitForRelease,
} from "./lease-store.ts";

/** The bucket is for answers with bytes or long texts alone. */
type Places = Pick<Environment, "ACTIVITY_TABLE"> & Partial<Pick<Environment, "RESULTS_BUCKET">>;

export interface Repeatable<Json = unknown> {
  readonly request: ApiRequest;
  readonly key: string;
  readonly accountId: number;
  /** Its options as they were sent, by which it is known again. */
  readonly sent: Readonly<Record<string, unknown>>;
  /** Until when it waits for the same request, on the monotonic clock in milliseconds. */
  readonly deadline: number;
  /** Carries it out. */
  readonly serve: () => Promise<ApiResponse<Json>>;
  /** Gives back what was reserved for it, where it is not carried out. */
  readonly forgo?: () => Promise<void>;
  /**
   * Text of the caller's API key, where the answer has secrets: it is then stored encrypted under this key, and repeated
   * to nobody else.
   */
  readonly sealingKey?: string;
  /** False where the request has made nothing, so that its answer is not kept. */
  readonly hasMade?: () => boolean;
}

/** Time for which a request that waits for no capture waits for the same request, in milliseconds. */
const SHORT_WAIT_MS = 10_000;

/**
 * Carries a request out, once only where it has an `Idempotency-Key`. See `answerOnce`; without a `deadline` it waits for
 * ten seconds.
 */
export async function runOnce<Json>(
  { deadline, ...repeatable }: Omit<Repeatable<Json>, "key" | "deadline"> & Partial<Pick<Repeatable, "deadline">>,
  places: Places,
): Promise<ApiResponse<Json>> {
  const { request, serve } = repeatable;
  const key = idempotencyKey(request);
  if (key === undefined) return serve();
  return respondOnce({ ...repeatable, key, deadline: deadline ?? request.startedAt + SHORT_WAIT_MS }, places);
}

/**
 * Carries a request out, or repeats the answer that the same one had before. Throws `CONFLICT` where the key was used
 * for another request, or where the first one is still under way at the deadline.
 */
export async function respondOnce<Json>(repeatable: Repeatable<Json>, places: Places): Promise<ApiResponse<Json>> {
  const { request, key, accountId, sent, deadline, sealingKey, forgo = async () => undefined } = repeatable;
  const mark = fingerprint([request.method, request.path, sent, ...(sealingKey ? [hashApiKey(sealingKey)] : [])]);
  const holder = randomBytes(16).toString("hex");
  const lease = { table: places.ACTIVITY_TABLE, key: responseKey(accountId, fingerprint(key)), holder };
  try {
    for (;;) {
      const other = await acquireLease(lease, { now: Date.now(), mark });
      if (!other) break;
      if (other.mark !== mark) throw usedForAnother(repeatable);
      const outcome = await outcomeOf(other, lease, deadline);
      if (outcome === undefined) continue;
      await forgo();
      return await repeated(outcome, sealOf(repeatable), places);
    }
  } catch (error) {
    await forgo();
    throw error;
  }
  return carryOut(repeatable, lease, places);
}

/** The outcome of the request before this one; undefined when it has none and this one may try. */
async function outcomeOf(other: LeaseState, lease: Lease, deadline: number): Promise<string | undefined> {
  if (other.outcome !== undefined) return other.outcome;
  const ended = await waitForRelease({ ...lease, holder: other.holder }, deadline);
  if (ended === "late") throw stillUnderWay();
  return ended === "gone" ? undefined : ended.outcome;
}

function usedForAnother({ sealingKey }: Repeatable): ApiError {
  const another = sealingKey === undefined ? "for another request" : "for another request or with another API key";
  return new ApiError(
    "CONFLICT",
    `This Idempotency-Key was used ${another} within 24 hours. Use a new Idempotency-Key for this request.`,
  );
}

function sealOf({ key, sealingKey }: Repeatable): EncryptionSecrets | undefined {
  return sealingKey === undefined ? undefined : { apiKey: sealingKey, idempotencyKey: key };
}

/** Whoever asks again so much later learns whether it goes on. */
const RETRY_AFTER_S = 5;

function stillUnderWay(): ApiError {
  const message = "The first request with this Idempotency-Key is still under way. Send it again a little later.";
  return new ApiError("CONFLICT", message, { headers: { "Retry-After": String(RETRY_AFTER_S) } });
}

async function carryOut<Json>(repeatable: Repeatable<Json>, lease: Lease, places: Places): Promise<ApiResponse<Json>> {
  const { request, serve, hasMade = () => true } = repeatable;
  const keeping = heartbeat(lease);
  const keep = async (answer: ApiResponse<unknown>) => {
    try {
      if (isKept(answer.status) && hasMade()) await keepAnswer(answer, { lease, secrets: sealOf(repeatable) }, places);
      else await releaseLease(lease);
    } catch (error) {
      // The caller has this answer all the same; the lease ends by itself.
      logError("an answer could not be kept for its idempotency key", error, { request_id: request.requestId });
    } finally {
      keeping[Symbol.dispose]();
    }
  };
  try {
    const answer = await serve();
    request.afterwards.push(keep(answer));
    return answer;
  } catch (error) {
    request.afterwards.push(keep(error instanceof ApiError ? failed(error, request) : { status: 500 }));
    throw error;
  }
}

/** Whoever repeats the request is told the number of the one that failed. */
function failed(error: ApiError, { requestId }: ApiRequest): ApiResponse<unknown> {
  const { headers, ...answer } = errorResponse(error, requestId);
  return { ...answer, headers: { ...headers, "X-Request-Id": String(requestId) } };
}

const KeptSchema = v.object({
  status: v.number(),
  headers: v.record(v.string(), v.string()),
  /**
   * Short text is kept with it, encrypted where it has secrets; bytes, and text that an item of the table may not hold, are
   * an object of the bucket.
   */
  body: v.union([v.object({ text: v.string() }), v.object({ sealed: v.string() }), v.object({ object: v.string() })]),
});
type KeptBody = v.InferOutput<typeof KeptSchema>["body"];

const MAX_TEXT_CHARACTERS = 60_000;

async function keepAnswer(
  { status, headers = {}, body = "" }: ApiResponse<unknown>,
  { lease, secrets }: { readonly lease: Lease; readonly secrets: EncryptionSecrets | undefined },
  { RESULTS_BUCKET }: Places,
) {
  const kept: v.InferOutput<typeof KeptSchema> = {
    status,
    headers: keptHeaders(headers),
    body: secrets ? { sealed: encryptResponse(String(body), secrets) } : await keptBody(body, RESULTS_BUCKET),
  };
  await completeLease(lease, { outcome: JSON.stringify(kept), expiresAt: Date.now() + RESPONSE_RETENTION_MS });
}

async function keptBody(body: Buffer | string, bucket: string | undefined): Promise<KeptBody> {
  if (typeof body === "string" && body.length <= MAX_TEXT_CHARACTERS) return { text: body };
  if (bucket === undefined) throw new Error("The function has no bucket for an answer of this size.");
  const { putResult } = await import("../results/result-store.ts"); // short answers do without S3
  const object = `${resultPrefixes.answers.name}/${randomBytes(24).toString("base64url")}`;
  const facts = { mimeType: "application/octet-stream", disposition: "attachment" };
  await putResult(bucket, object, Buffer.from(body), facts);
  return { object };
}

async function repeated(
  outcome: string,
  secrets: EncryptionSecrets | undefined,
  { RESULTS_BUCKET }: Places,
): Promise<ApiResponse> {
  const { status, headers, body } = v.parse(KeptSchema, JSON.parse(outcome));
  const text =
    "sealed" in body ? secrets && decryptResponse(body.sealed, secrets) : "text" in body ? body.text : undefined;
  const bytes = "object" in body ? await readBody(body.object, RESULTS_BUCKET) : text;
  if (bytes === undefined) throw new Error("The body of an answer that is kept is missing.");
  return { status, headers: { ...headers, [REPLAYED]: "true" }, body: bytes };
}

const REPLAYED = "Idempotent-Replayed";

/** The header by which an answer is known as that of an earlier request, for another answer; none where it is not. */
export function replayHeader(headers: ApiResponse["headers"] = {}): Record<string, string> {
  const value = headers[REPLAYED];
  return value === undefined ? {} : { [REPLAYED]: value };
}

async function readBody(object: string, bucket: string | undefined): Promise<Buffer | undefined> {
  const { getResult } = await import("../results/result-store.ts"); // short answers do without S3
  return bucket === undefined ? undefined : getResult(bucket, object);
}
