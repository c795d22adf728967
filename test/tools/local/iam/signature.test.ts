// Signature Version 4, as the SDK's clients sign.
import { DynamoDBClient, GetItemCommand } from "@aws-sdk/client-dynamodb";
import { InvokeCommand, LambdaClient } from "@aws-sdk/client-lambda";
import { GetObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { expect, test } from "vitest";
import {
  isSignatureExpired,
  isSignedWith,
  readSignature,
  type SignedRequest,
} from "../../../../lib/tools/local/iam/signature.ts";

const SECRET = "the secret/of+this=function";
const credentials = { accessKeyId: "ASIAFUNCTION", secretAccessKey: SECRET, sessionToken: "token/+=" };
const settings = { region: "us-east-1", endpoint: "http://127.0.0.1:9", credentials, maxAttempts: 1 };

interface Sent extends SignedRequest {
  readonly body: Buffer;
}

/** The request that a client would send. */
async function sentBy(client: { config: { requestHandler: unknown } }, send: () => Promise<unknown>): Promise<Sent> {
  let sent: Sent | undefined;
  client.config.requestHandler = {
    metadata: {},
    handle({ method, path, query, headers, body }: HttpRequest) {
      const parameters = Object.entries(query).map(([name, value]) => `${encode(name)}=${encode(value)}`);
      const url = parameters.length > 0 ? `${path}?${parameters.join("&")}` : path;
      sent = {
        method,
        url,
        headers: lowerCase(headers),
        body: body instanceof Uint8Array ? Buffer.concat([body]) : Buffer.from(body ?? ""),
      };
      throw new Error("not sent");
    },
  };
  await send().catch(() => {});
  if (!sent) throw new Error("The client sent nothing.");
  return sent;
}

interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

const encode = (text: string) => encodeURIComponent(text);
const lowerCase = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

async function presigned(): Promise<Sent> {
  const command = new GetObjectCommand({ Bucket: "bucket", Key: "1-day/a b(c).png", ResponseContentType: "image/png" });
  const client = new S3Client({ ...settings, forcePathStyle: true });
  const url = new URL(await getSignedUrl(client, command, { expiresIn: 60 }));
  return { method: "GET", url: `${url.pathname}${url.search}`, headers: { host: url.host }, body: Buffer.alloc(0) };
}

const getItem = () => {
  const client = new DynamoDBClient(settings);
  return sentBy(client, () => client.send(new GetItemCommand({ TableName: "Items", Key: { pk: { S: "1" } } })));
};

/** Whether a request is signed with the secret of its function, and with another. */
const verified = (sent: Sent) => {
  const signature = readSignature(sent);
  if (!signature) throw new Error("The request is not signed.");
  return [isSignedWith(SECRET, signature, sent), isSignedWith(`${SECRET}!`, signature, sent)];
};

test("signature: accepts the requests of clients of DynamoDB, Lambda and S3 with their own secret alone", async () => {
  expect(verified(await getItem())).toEqual([true, false]);
  const lambda = new LambdaClient(settings);
  const FunctionName = "arn:aws:lambda:us-east-1:000000000000:function:work:live";
  expect(verified(await sentBy(lambda, () => lambda.send(new InvokeCommand({ FunctionName }))))).toEqual([true, false]);
  const s3 = new S3Client({ ...settings, forcePathStyle: true, requestChecksumCalculation: "WHEN_REQUIRED" });
  const put = new PutObjectCommand({ Bucket: "bucket", Key: "1-day/ä b*'.png", Body: "x", IfNoneMatch: "*" });
  expect(verified(await sentBy(s3, () => s3.send(put)))).toEqual([true, false]);
  expect(verified(await presigned())).toEqual([true, false]);
});

test("signature: names the key, the token and the service of the caller", async () => {
  for (const sent of [await getItem(), await presigned()]) {
    const signature = readSignature(sent);
    expect([signature?.accessKeyId, signature?.sessionToken]).toEqual(["ASIAFUNCTION", "token/+="]);
    expect(signature?.scope.slice(1)).toEqual(["us-east-1", expect.stringMatching(/^(dynamodb|s3)$/), "aws4_request"]);
  }
});

test("signature: does not hold for another method, path, query, signed header or declared body", async () => {
  const url = await presigned();
  expect(verified({ ...url, method: "PUT" })).toEqual([false, false]);
  expect(verified({ ...url, url: url.url?.replace("/1-day/", "/7-days/") ?? "" })).toEqual([false, false]);
  expect(verified({ ...url, url: url.url?.replace("Expires=60", "Expires=61") ?? "" })).toEqual([false, false]);
  const item = await getItem();
  expect(verified({ ...item, headers: { ...item.headers, "x-amz-target": "DynamoDB_20120810.Scan" } })).toEqual([
    false,
    false,
  ]);
  const { "x-amz-content-sha256": _, ...undeclared } = item.headers;
  const signedHeaders = readSignature(item)?.signedHeaders ?? [];
  expect(signedHeaders).toContain("x-amz-content-sha256");
  expect(verified({ ...item, headers: undeclared })).toEqual([false, false]);
});

test("signature: a presigned URL ends with its time, and other requests do not", async () => {
  const [url, item] = [readSignature(await presigned()), readSignature(await getItem())];
  if (!url || !item) throw new Error("The requests are not signed.");
  expect([isSignatureExpired(url, Date.now() + 50_000), isSignatureExpired(url, Date.now() + 61_000)]).toEqual([
    false,
    true,
  ]);
  expect(isSignatureExpired({ ...url, expiresSeconds: Number.NaN }, Date.now())).toBe(true);
  expect(isSignatureExpired(item, Date.now() + 1e9)).toBe(false);
});

test.each<[what: string, request: SignedRequest]>([
  ["no signature", { method: "GET", url: "/bucket/key", headers: {} }],
  ["another scheme", { method: "GET", url: "/bucket/key", headers: { authorization: "AWS key:signature" } }],
  [
    "a scope without a service",
    {
      method: "GET",
      url: "/bucket/key?X-Amz-Credential=key%2F20260101&X-Amz-SignedHeaders=host&X-Amz-Signature=00&X-Amz-Date=1",
      headers: {},
    },
  ],
])("signature: a request with %s has none", (_, request) => {
  expect(readSignature(request)).toBeUndefined();
});
