// What IAM judges of a call to S3, which says by method, path and query what it is. Buckets are in the path.
// https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-with-s3-policy-actions.html
import { ACCOUNT_ID } from "../../engines/client-options.ts";
import type { AccessRequest } from "../evaluate.ts";
import type { ConditionContext } from "../policy.ts";
import { type AwsCall, accessRequest, type KnownResources, UnreadableCall } from "./aws-call.ts";

export function readS3Call(call: AwsCall, resources: KnownResources): AccessRequest[] {
  const { bucket, key, query } = parseObjectUrl(call.url);
  const context = ownerOf(bucket, resources);
  return key === ""
    ? bucketRequests(call, bucket, query, context)
    : objectRequests(call, `arn:aws:s3:::${bucket}/${key}`, query, context);
}

/** Bucket, object key (empty for the bucket itself) and query of a path-style address. */
function parseObjectUrl(url: string): { bucket: string; key: string; query: URLSearchParams } {
  const [path = "/", ...query] = url.split("?");
  const [, bucket = "", ...key] = path.split("/");
  return { bucket, key: decodeURIComponent(key.join("/")), query: new URLSearchParams(query.join("?")) };
}

/** The request that S3 adds when an object is not there: without that permission, the caller must not learn it. */
export function readAbsence(call: AwsCall, resources: KnownResources): AccessRequest[] {
  const { bucket, key } = parseObjectUrl(call.url);
  const isRead = key !== "" && (call.method === "GET" || call.method === "HEAD");
  return isRead ? [bucketRequest("ListBucket", bucket, { ...ownerOf(bucket, resources), "s3:prefix": [key] })] : [];
}

function bucketRequests(
  call: AwsCall,
  bucket: string,
  query: URLSearchParams,
  owner: ConditionContext,
): AccessRequest[] {
  if (call.method === "POST" && query.has("delete")) {
    return deletedKeys(call).map((key) => accessRequest("s3:DeleteObject", `arn:aws:s3:::${bucket}/${key}`, owner));
  }
  const subresource = [...query.keys()].find((name) => !listParameters.has(name));
  const isList = call.method === "GET" || call.method === "HEAD";
  if (bucket === "" || !isList || (subresource !== undefined && subresource !== "uploads")) throw unreadable(call);
  if (subresource === "uploads") return [bucketRequest("ListBucketMultipartUploads", bucket, owner)];
  const prefix = query.get("prefix");
  return [bucketRequest("ListBucket", bucket, { ...owner, ...(prefix !== null && { "s3:prefix": [prefix] }) })];
}

/** Parameters of a list of objects. Any other is a part of the bucket, with an action of its own. */
const listParameters = new Set([
  ...["continuation-token", "delimiter", "encoding-type", "fetch-owner", "list-type", "marker", "max-keys", "prefix"],
  ...["start-after", "x-id"],
]);

function bucketRequest(action: string, bucket: string, context: ConditionContext): AccessRequest {
  return accessRequest(`s3:${action}`, `arn:aws:s3:::${bucket}`, context);
}

function objectRequests(
  call: AwsCall,
  resource: string,
  query: URLSearchParams,
  owner: ConditionContext,
): AccessRequest[] {
  const request = (action: string, context: ConditionContext = {}) =>
    accessRequest(`s3:${action}`, resource, { ...owner, ...context });
  const isPart = query.has("uploadId");
  if (
    ["acl", "attributes", "legal-hold", "retention", "restore", "torrent", "versionId"].some((each) => query.has(each))
  )
    throw unreadable(call);
  if (call.headers["x-amz-copy-source"] !== undefined) throw unreadable(call);
  const tagging = query.has("tagging") ? "Tagging" : "";
  switch (call.method) {
    case "GET":
    case "HEAD":
      return [request(isPart ? "ListMultipartUploadParts" : `GetObject${tagging}`)];
    case "DELETE":
      return [request(isPart ? "AbortMultipartUpload" : `DeleteObject${tagging}`)];
    case "PUT":
      if (tagging) return [request("PutObjectTagging")];
      return putRequests(call, request, !isPart);
    case "POST":
      if (!isPart && !query.has("uploads")) throw unreadable(call);
      return putRequests(call, request, isPart);
    default:
      throw unreadable(call);
  }
}

/**
 * An object is created by a single upload or by the completion of one in parts: only these state conditions on what is there.
 * Tags and access control lists that come with an upload need permissions of their own.
 * https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes-enforce.html
 */
function putRequests(
  { headers }: AwsCall,
  request: (action: string, context?: ConditionContext) => AccessRequest,
  createsObject: boolean,
): AccessRequest[] {
  const ifNoneMatch = headers["if-none-match"];
  const put = request("PutObject", {
    "s3:ObjectCreationOperation": [String(createsObject)],
    ...(ifNoneMatch !== undefined && { "s3:if-none-match": [ifNoneMatch] }),
  });
  return [
    put,
    ...(headers["x-amz-tagging"] === undefined ? [] : [request("PutObjectTagging")]),
    ...(headers["x-amz-acl"] === undefined ? [] : [request("PutObjectAcl")]),
  ];
}

/** The owner of a bucket that is not in the template is not known here. */
function ownerOf(bucket: string, resources: KnownResources): ConditionContext {
  return resources.hasBucket(bucket) ? { "aws:ResourceAccount": [ACCOUNT_ID] } : {};
}

function deletedKeys({ body }: AwsCall): string[] {
  const keys = [...body.toString("utf8").matchAll(/<Key>([^<]*)<\/Key>/g)];
  return keys.map(([, key = ""]) => key.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => entities[name] ?? ""));
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function unreadable({ method, url }: AwsCall): UnreadableCall {
  return new UnreadableCall(`the operation ${method} ${url.replace(/X-Amz-[^&]*/g, "…")} is unknown`);
}
