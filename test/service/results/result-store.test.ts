// Uploads to the bucket, whose policy requires conditional writes.
import { createServer } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { putResult } from "../../../lib/service/results/result-store.ts";
import { listen, stopListening } from "../../../lib/tools/local/loopback.ts";

/** The recorded S3 requests: operation by method and parameters, and the request's condition. */
let requested: { readonly operation: string; readonly condition: string | undefined }[] = [];
let isTaken = false;

/** Responds like S3 when an object exists, or does not. Stores nothing. */
const storage = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? "/", "http://storage");
  const isNew = request.method === "POST" && searchParams.has("uploads");
  const operation = [request.method, ...[...searchParams.keys()].filter((name) => name !== "x-id")].join(" ");
  requested.push({ operation, condition: request.headers["if-none-match"] });
  request.resume().once("end", () => {
    if (isTaken && request.headers["if-none-match"] === "*") {
      response.writeHead(412).end("<Error><Code>PreconditionFailed</Code></Error>");
      return;
    }
    const xml = isNew
      ? "<InitiateMultipartUploadResult><UploadId>1</UploadId></InitiateMultipartUploadResult>"
      : "<Done/>";
    response
      .writeHead(200, { ETag: '"1"', "Content-Type": "application/xml" })
      .end(request.method === "POST" ? xml : "");
  });
});

beforeAll(async () => {
  const address = `http://${await listen(storage)}`;
  Object.assign(process.env, { AWS_ENDPOINT_URL_S3: address, AWS_REGION: "us-east-1" });
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: "local", AWS_SECRET_ACCESS_KEY: "local" });
});
afterAll(() => stopListening(storage));

beforeEach(() => {
  requested = [];
  isTaken = false;
});

const put = (bytes: number) =>
  putResult("results", "1-day/name.png", Buffer.alloc(bytes), { mimeType: "image/png", disposition: "inline" });

test("result store: an upload is a conditional write of a new key", async () => {
  await put(10);
  expect(requested).toEqual([{ operation: "PUT", condition: "*" }]);
});

test("result store: a multipart upload is conditional when it is completed; its parts cannot be", async () => {
  await put(9 * 2 ** 20);
  expect(requested.toSorted((one, other) => one.operation.localeCompare(other.operation))).toEqual([
    { operation: "POST uploadId", condition: "*" },
    { operation: "POST uploads", condition: undefined },
    { operation: "PUT partNumber uploadId", condition: undefined },
    { operation: "PUT partNumber uploadId", condition: undefined },
  ]);
});

test("result store: an upload whose response was lost is repeated and succeeds", async () => {
  isTaken = true;
  await expect(put(10)).resolves.toBeUndefined();
});
