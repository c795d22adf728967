// Requests with an `Idempotency-Key`: carried out once, and answered the same again when they are repeated.
import { randomBytes } from "node:crypto";
import * as v from "valibot";
import { fingerprint } from "../cache/fingerprint.ts";
import { ANSWERS_KEPT_MS, isKept, keptHeaders } from "../cache/idempotency-key.ts";
import { awaitEnd, claim, end, giveUp, keepUp, type Lease, type Standing } from "../cache/lease-store.ts";
import { ApiError } from "../contract/errors.ts";
import type { Environment } from "../platform/environment.ts";
import { logError } from "../platform/log.ts";
import { answerKey } from "../platform/table-keys.ts";
import { ownPrefixes } from "../results/expiry.ts";
import { getResult, putResult } from "../results/result-store.ts";
import { type Answer, errorAnswer } from "./answer.ts";
import type { ApiRequest } from "./api-request.ts";

type Places = Pick<Environment, "ACTIVITY_TABLE" | "RESULTS_BUCKET">;

export interface Repeatable {
  readonly request: ApiRequest;
  readonly key: string;
  readonly accountId: number;
  /** Its options as they were sent, by which it is known again. */
  readonly sent: Readonly<Record<string, unknown>>;
  /** Until when it waits for the same request, on the monotonic clock in milliseconds. */
  readonly deadline: number;
  /** Carries it out. */
  readonly serve: () => Promise<Answer>;
  /** Gives back what was reserved for it, where it is not carried out. */
  readonly forgo: () => Promise<void>;
}

/**
 * Carries a request out, or repeats the answer that the same one had before. Throws `CONFLICT` where the key was used
 * for another request, or where the first one is still under way at the deadline.
 */
export async function answerOnce(repeatable: Repeatable, places: Places): Promise<Answer> {
  const { request, key, accountId, sent, deadline, forgo } = repeatable;
  const mark = fingerprint([request.method, request.path, sent]);
  const holder = randomBytes(16).toString("hex");
  const lease = { table: places.ACTIVITY_TABLE, key: answerKey(accountId, fingerprint(key)), holder };
  try {
    for (;;) {
      const other = await claim(lease, { now: Date.now(), mark });
      if (!other) break;
      if (other.mark !== mark) throw usedForAnother();
      const outcome = await outcomeOf(other, lease, deadline);
      if (outcome === undefined) continue;
      await forgo();
      return await repeated(outcome, places);
    }
  } catch (error) {
    await forgo();
    throw error;
  }
  return carryOut(repeatable, lease, places);
}

/** The outcome of the request before this one; undefined when it has none and this one may try. */
async function outcomeOf(other: Standing, lease: Lease, deadline: number): Promise<string | undefined> {
  if (other.outcome !== undefined) return other.outcome;
  const ended = await awaitEnd({ ...lease, holder: other.holder }, deadline);
  if (ended === "late") throw stillUnderWay();
  return ended === "gone" ? undefined : ended.outcome;
}

function usedForAnother(): ApiError {
  const message = "This Idempotency-Key was used for another request within 24 hours. Use a new key for this one.";
  return new ApiError("CONFLICT", message);
}

/** Whoever asks again so much later learns whether it goes on. */
const RETRY_AFTER_S = 5;

function stillUnderWay(): ApiError {
  const message = "The first request with this Idempotency-Key is still under way. Send it again a little later.";
  return new ApiError("CONFLICT", message, { headers: { "Retry-After": String(RETRY_AFTER_S) } });
}

async function carryOut({ request, serve }: Repeatable, lease: Lease, places: Places): Promise<Answer> {
  const keeping = keepUp(lease);
  const keep = async (answer: Answer) => {
    try {
      if (isKept(answer.status)) await keepAnswer(answer, lease, places);
      else await giveUp(lease);
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
function failed(error: ApiError, { requestId }: ApiRequest): Answer {
  const { headers, ...answer } = errorAnswer(error, requestId);
  return { ...answer, headers: { ...headers, "X-Request-Id": String(requestId) } };
}

const KeptSchema = v.object({
  status: v.number(),
  headers: v.record(v.string(), v.string()),
  /** Short text is kept with it; bytes, and text that an item of the table may not hold, are an object of the bucket. */
  body: v.union([v.object({ text: v.string() }), v.object({ object: v.string() })]),
});

const MAX_TEXT_CHARACTERS = 60_000;

async function keepAnswer({ status, headers = {}, body = "" }: Answer, lease: Lease, { RESULTS_BUCKET }: Places) {
  const kept: v.InferOutput<typeof KeptSchema> = {
    status,
    headers: keptHeaders(headers),
    body: await keptBody(body, RESULTS_BUCKET),
  };
  await end(lease, { outcome: JSON.stringify(kept), expiresAt: Date.now() + ANSWERS_KEPT_MS });
}

async function keptBody(body: Buffer | string, bucket: string): Promise<v.InferOutput<typeof KeptSchema>["body"]> {
  if (typeof body === "string" && body.length <= MAX_TEXT_CHARACTERS) return { text: body };
  const object = `${ownPrefixes.answers.name}/${randomBytes(24).toString("base64url")}`;
  const facts = { mimeType: "application/octet-stream", disposition: "attachment" };
  await putResult(bucket, object, Buffer.from(body), facts);
  return { object };
}

async function repeated(outcome: string, { RESULTS_BUCKET }: Places): Promise<Answer> {
  const { status, headers, body } = v.parse(KeptSchema, JSON.parse(outcome));
  const bytes = "text" in body ? body.text : await getResult(RESULTS_BUCKET, body.object);
  if (bytes === undefined) throw new Error("The body of an answer that is kept is missing.");
  return { status, headers: { ...headers, "Idempotent-Replayed": "true" }, body: bytes };
}
