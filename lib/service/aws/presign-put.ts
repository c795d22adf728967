// Presigned addresses of conditional PUTs to S3, by Signature Version 4. The SDK takes half a millisecond for each, this a fiftieth of it,
// and most of those that a capture gets are never used.
// https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-query-string-auth.html
import { createHash, createHmac } from "node:crypto";
import { optionalVariable } from "../platform/environment.ts";
import { s3 } from "./clients/s3.ts";

const ALGORITHM = "AWS4-HMAC-SHA256";
/** A request without `If-None-Match: *` doesn't match the signature, so that no object can be overwritten. */
const SIGNED_HEADERS = "host;if-none-match";

/** Addresses to which an object of each of these keys can be put once, for `expiresS` seconds. Keys have no character to encode. */
export async function presignPuts(
  bucket: string,
  keys: readonly string[],
  { expiresS, now = new Date() }: { readonly expiresS: number; readonly now?: Date },
): Promise<string[]> {
  const { config } = s3();
  const [credentials, region] = await Promise.all([config.credentials(), config.region()]);
  const { origin, host, pathname } = bucketUrl(bucket, region);
  const time = now.toISOString().replace(/[-:]|\.\d+/g, "");
  const scope = [time.slice(0, 8), region, "s3", "aws4_request"];
  const signingKey = scope.reduce<string | Buffer>(hmac, `AWS4${credentials.secretAccessKey}`);
  const parameters: [string, string | undefined][] = [
    ["X-Amz-Algorithm", ALGORITHM],
    ["X-Amz-Credential", [credentials.accessKeyId, ...scope].join("/")],
    ["X-Amz-Date", time],
    ["X-Amz-Expires", String(expiresS)],
    ["X-Amz-Security-Token", credentials.sessionToken],
    ["X-Amz-SignedHeaders", SIGNED_HEADERS],
  ];
  const query = parameters
    .flatMap(([name, value]) => (value ? [`${name}=${encodeURIComponent(value)}`] : []))
    .join("&");
  return keys.map((key) => {
    const path = `${pathname}/${key}`;
    const request = ["PUT", path, query, `host:${host}`, "if-none-match:*", "", SIGNED_HEADERS, "UNSIGNED-PAYLOAD"];
    const hash = createHash("sha256").update(request.join("\n")).digest("hex");
    const signature = hmac(signingKey, [ALGORITHM, time, scope.join("/"), hash].join("\n")).toString("hex");
    return `${origin}${path}?${query}&X-Amz-Signature=${signature}`;
  });
}

/** In path style, as the client has it. */
function bucketUrl(Bucket: string, Region: string): URL {
  const custom = optionalVariable("AWS_ENDPOINT_URL_S3") ?? optionalVariable("AWS_ENDPOINT_URL");
  const endpoint = { Bucket, Region, ForcePathStyle: true, ...(custom !== undefined && { Endpoint: custom }) };
  return s3().config.endpointProvider(endpoint, {}).url;
}

function hmac(key: string | Buffer, data: string): Buffer {
  return createHmac("sha256", key).update(data).digest();
}
