// Answers a signed result link: streams the stored bytes or, above a size, redirects to the bucket.
import { ApiError } from "../../contract/errors/api-error.ts";
import { isAccountSuspended } from "../account/suspension.ts";
import type { ApiRequest } from "../http/api-request.ts";
import { notModified } from "../http/conditional-response.ts";
import type { RouteCall } from "../http/define-route.ts";
import { edgeCacheControl } from "../http/edge-cache.ts";
import { redirectResponse } from "../http/redirect-response.ts";
import type { StreamedResponse } from "../http/response.ts";
import { askOperator } from "../platform/operator-identity.ts";
import { internalPrefixes } from "./lifetime-class.ts";
import { verifyingLinkSecrets } from "./link-secret.ts";
import { checkLink } from "./result-link.ts";
import { describeResult, openResult, RangeNotSatisfiable, type StoredObject } from "./result-reader.ts";
import { PRESIGNED_S, presignResult } from "./result-store.ts";

type ResultCall = RouteCall<"public", unknown, "ACCOUNTS_TABLE" | "RESULTS_BUCKET" | "MAX_STREAMED_RESULT_BYTES">;
type ResultResources = ResultCall["env"];

/**
 * The stored result of a signed link, or the file of an export. Images, videos, PDFs, and files of exports of more than MAX_STREAMED_RESULT_BYTES are answered by a redirect to
 * the bucket. Throws `GONE`, `NOT_FOUND`, `ACCOUNT_SUSPENDED` or `RANGE_NOT_SATISFIABLE`.
 */
export async function getResult({ request, env }: ResultCall): Promise<StreamedResponse> {
  const { key = "" } = request.pathParameters;
  await requireValidLink(request, key, env);
  const response = await (request.method === "HEAD" ? describe(request, key, env) : send(request, key, env));
  return withEdgeCache(response, request);
}

/** CloudFront may answer for a while, but not after the link has expired, and not with a redirect, which expires sooner. */
function withEdgeCache(response: StreamedResponse, { query, receivedAt }: ApiRequest): StreamedResponse {
  const { status, headers } = response;
  const cacheControl = edgeCacheControl(Number(only(query, "e")) * 1000, receivedAt);
  if (cacheControl === undefined || ![200, 206, 304].includes(status)) return response;
  return { ...response, headers: { ...headers, "Cache-Control": cacheControl } };
}

async function requireValidLink(
  { query, receivedAt }: ApiRequest,
  key: string,
  { ACCOUNTS_TABLE }: ResultResources,
): Promise<void> {
  const [e, s] = [only(query, "e"), only(query, "s")];
  const secrets = await verifyingLinkSecrets(ACCOUNTS_TABLE);
  const state = checkLink({ key, e, s }, { secrets, now: receivedAt });
  if (state === "expired") throw expired(key);
  if (state === "forged") throw notFound();
}

function expired(key: string): ApiError {
  const isExport = key.startsWith(`${internalPrefixes.exports.name}/`);
  const message = isExport
    ? "This link has expired. Get the export again for a new one."
    : "This result has expired. Capture the page again.";
  return new ApiError("GONE", message);
}

/** Never redirects: without a body there is nothing that could be too large. */
async function describe(
  { headers }: ApiRequest,
  key: string,
  { RESULTS_BUCKET, ACCOUNTS_TABLE }: ResultResources,
): Promise<StreamedResponse> {
  const found = await describeResult(RESULTS_BUCKET, key);
  if (!found) throw notFound();
  await requireActive(found, ACCOUNTS_TABLE);
  return notModified(found.etag, headers["if-none-match"])
    ? { status: 304, headers: { "Content-Type": found.mimeType, ...validators(found) } }
    : { status: 200, headers: facts(found) };
}

async function send({ headers }: ApiRequest, key: string, env: ResultResources): Promise<StreamedResponse> {
  const found = await open(headers, key, env.RESULTS_BUCKET);
  if (!found) throw notFound();
  const { body, ...object } = found;
  await requireActive(object, env.ACCOUNTS_TABLE).catch((error) => {
    body.destroy();
    throw error;
  });
  if (notModified(object.etag, headers["if-none-match"])) {
    body.destroy();
    return { status: 304, headers: { "Content-Type": object.mimeType, ...validators(object) } };
  }
  if (object.sizeBytes > env.MAX_STREAMED_RESULT_BYTES && !canBeSniffed(object)) {
    body.destroy();
    return redirect(await presignResult(env.RESULTS_BUCKET, key), object);
  }
  return { status: object.contentRange === undefined ? 200 : 206, headers: facts(object), body };
}

/** Throws `ACCOUNT_SUSPENDED` for a result of a suspended account: those who have the link aren't told the reason. */
async function requireActive({ accountId }: Pick<StoredObject, "accountId">, table: string): Promise<void> {
  if (accountId === undefined || !(await isAccountSuspended(table, accountId))) return;
  const message = `The account of this result is suspended. Its owner can ${askOperator()}.`;
  throw new ApiError("ACCOUNT_SUSPENDED", message);
}

async function open(headers: ApiRequest["headers"], key: string, bucket: string) {
  const range = singleRange(headers["range"]);
  const ifRange = headers["if-range"];
  const found = await openRange(bucket, key, range);
  // The range is wanted of another version of the result only: see RFC 9110, section 13.1.5.
  if (!found || range === undefined || ifRange === undefined || ifRange === found.etag) return found;
  found.body.destroy();
  return openResult(bucket, key);
}

async function openRange(bucket: string, key: string, range: string | undefined) {
  try {
    return await openResult(bucket, key, range);
  } catch (error) {
    if (!(error instanceof RangeNotSatisfiable)) throw error;
    const size = (await describeResult(bucket, key))?.sizeBytes ?? 0;
    throw new ApiError("RANGE_NOT_SATISFIABLE", `The result has ${size} bytes, and none in the range '${range}'.`, {
      headers: { "Content-Range": `bytes */${size}` },
    });
  }
}

/** A `Range` header of one range of bytes; any other is ignored, as RFC 9110, section 14.2, allows. */
function singleRange(header: string | undefined): string | undefined {
  return header !== undefined && /^bytes=(\d+-\d*|-\d+)$/.test(header) ? header : undefined;
}

/**
 * Redirected to the bucket, an answer has no `nosniff`, which S3 cannot send. Browsers take images, videos, PDFs, and gzip files for
 * nothing else: https://mimesniff.spec.whatwg.org/#mime-type-sniffing-algorithm
 */
function canBeSniffed({ mimeType }: StoredObject): boolean {
  return !/^(image|video)\/|^application\/(pdf|gzip)$/.test(mimeType);
}

function redirect(location: string, { sizeBytes }: StoredObject): StreamedResponse {
  return redirectResponse({
    status: 302,
    location,
    sizeBytes,
    validity: `for ${PRESIGNED_S} seconds`,
    advice: "Follow the redirect (with curl, add -L), or request the result in ranges of bytes.",
  });
}

/** Caches must ask each time, because a result can expire or be deleted. */
function validators({ etag }: StoredObject): Record<string, string> {
  return { ETag: etag, "Cache-Control": "private, no-cache" };
}

function facts(object: StoredObject): Record<string, string> {
  return {
    "Content-Type": object.mimeType,
    "Content-Length": String(object.sizeBytes),
    "Content-Disposition": object.disposition,
    "Accept-Ranges": "bytes",
    ...(object.contentRange !== undefined && { "Content-Range": object.contentRange }),
    ...validators(object),
  };
}

function notFound(): ApiError {
  return new ApiError("NOT_FOUND", "There is no result at this address. Use the address exactly as it was given.");
}

/** The value of a parameter, empty unless it is there exactly once: of two, somebody before us may have read the other. */
function only(query: ApiRequest["query"], name: string): string {
  const [first, ...others] = query.filter(([each]) => each === name);
  return first && others.length === 0 ? first[1] : "";
}
