// Signature Version 4 of AWS requests: who signed a request, and whether with the right secret.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
import { createHash, createHmac, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

export type SignedRequest = Pick<IncomingMessage, "method" | "url" | "headers">;

/** The signature of a request, from its `Authorization` header or, of a presigned URL, from its query. */
export interface Signature {
  readonly accessKeyId: string;
  readonly sessionToken: string | undefined;
  /** `20260102T030405Z`. */
  readonly time: string;
  /** Date, region, service and `aws4_request`. */
  readonly scope: readonly [date: string, region: string, service: string, end: string];
  /** Names in lower case, in order. */
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  /** Lifetime of a presigned URL in seconds; undefined for a header. */
  readonly expiresSeconds: number | undefined;
}

/** The signature of a request; undefined without a complete one. */
export function readSignature({ url = "/", headers }: SignedRequest): Signature | undefined {
  const authorization = /^AWS4-HMAC-SHA256 Credential=([^,]+), *SignedHeaders=([^,]+), *Signature=([0-9a-f]+)$/.exec(
    headers.authorization ?? "",
  );
  if (authorization) {
    const [, credential = "", names = "", signature = ""] = authorization;
    const sessionToken = single(headers["x-amz-security-token"]);
    return toSignature({ credential, names, signature, time: single(headers["x-amz-date"]), sessionToken });
  }
  const query = new URL(url, "http://aws").searchParams;
  const [credential, names, signature] = ["X-Amz-Credential", "X-Amz-SignedHeaders", "X-Amz-Signature"].map((name) =>
    query.get(name),
  );
  if (!credential || !names || !signature) return undefined;
  const found = toSignature({
    credential,
    names,
    signature,
    time: query.get("X-Amz-Date") ?? undefined,
    sessionToken: query.get("X-Amz-Security-Token") ?? undefined,
  });
  return found && { ...found, expiresSeconds: Number(query.get("X-Amz-Expires")) };
}

interface SignatureParts {
  readonly credential: string;
  readonly names: string;
  readonly signature: string;
  readonly time: string | undefined;
  readonly sessionToken: string | undefined;
}

function toSignature({ credential, names, signature, time, sessionToken }: SignatureParts): Signature | undefined {
  const [accessKeyId, date, region, service, end, ...others] = credential.split("/");
  if (!accessKeyId || !date || !region || !service || !end || others.length > 0 || !time) return undefined;
  const scope = [date, region, service, end] as const;
  return {
    ...{ accessKeyId, sessionToken, time, scope, signature, expiresSeconds: undefined },
    signedHeaders: names.split(";"),
  };
}

/**
 * Whether a request is signed with this secret. The hash of a body is taken as the request declares it; of a request that
 * declares none, it is that of `body`.
 */
export function isSignedWith(
  secret: string,
  signature: Signature,
  request: SignedRequest & { readonly body: Buffer | undefined },
): boolean {
  const { time, scope } = signature;
  const toSign = ["AWS4-HMAC-SHA256", time, scope.join("/"), sha256(canonicalRequest(signature, request))].join("\n");
  const [expected, actual] = [hmac(signingKey(secret, scope), toSign), Buffer.from(signature.signature, "hex")];
  return expected.length === actual.length && timingSafeEqual(expected, actual);
}

/** The key for all requests of a day to one service. It is kept, like in the SDK: it takes longer than the rest of a signature. */
function signingKey(secret: string, scope: Signature["scope"]): KeyObject {
  const id = [secret, ...scope].join("/");
  const known = signingKeys.get(id);
  if (known) return known;
  if (signingKeys.size >= MAX_SIGNING_KEYS) signingKeys.clear();
  const key = scope.reduce<Buffer | string>((previous, part) => hmac(previous, part), `AWS4${secret}`);
  const object = createSecretKey(key as Buffer);
  signingKeys.set(id, object);
  return object;
}

const signingKeys = new Map<string, KeyObject>();
const MAX_SIGNING_KEYS = 1_000;

/** Whether the time of a presigned URL is over at `now`, in milliseconds since 1970. */
export function isSignatureExpired({ time, expiresSeconds }: Signature, now: number): boolean {
  if (expiresSeconds === undefined) return false;
  const iso = time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z");
  return !(now < Date.parse(iso) + expiresSeconds * 1000);
}

function canonicalRequest(
  { scope: [, , service], signedHeaders, expiresSeconds }: Signature,
  { method = "GET", url = "/", headers, body }: SignedRequest & { readonly body: Buffer | undefined },
): string {
  const [path = "/", query = ""] = splitOnce(url, "?");
  // Every service but S3 encodes the path, which is encoded, once more.
  const canonicalPath = service === "s3" ? path : path.split("/").map(encode).join("/");
  const declaredHash = single(headers["x-amz-content-sha256"]);
  const bodyHash = expiresSeconds === undefined ? (declaredHash ?? sha256(body ?? "")) : "UNSIGNED-PAYLOAD";
  return [
    method,
    canonicalPath,
    canonicalQuery(query),
    ...signedHeaders.map((name) => `${name}:${single(headers[name])?.trim().replace(/ +/g, " ") ?? ""}`),
    "",
    signedHeaders.join(";"),
    bodyHash,
  ].join("\n");
}

function canonicalQuery(query: string): string {
  const parameters = query
    .split("&")
    .filter((parameter) => parameter !== "" && !parameter.startsWith("X-Amz-Signature="))
    .map((parameter) => splitOnce(parameter, "=").map((part) => encode(decodeURIComponent(part))));
  return parameters
    .toSorted(([one = "", first = ""], [other = "", second = ""]) => compare(one, other) || compare(first, second))
    .map((parameter) => parameter.join("="))
    .join("&");
}

/** The order of the bytes: what is encoded is ASCII. */
function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** RFC 3986, which leaves fewer characters as they are than `encodeURIComponent`. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
}

function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

function single(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === "string" ? value : value?.join(",");
}

function sha256(data: string | Buffer): string {
  return createHash("sha256").update(data).digest("hex");
}

function hmac(key: string | Buffer | KeyObject, data: string): Buffer {
  return createHmac("sha256", key).update(data).digest();
}
