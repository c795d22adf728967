// Uploads to the bucket, whose policy requires conditional writes.
import { createServer } from "node:http";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { hasResult, putResult, readResult } from "../../../lib/service/results/result-store.ts";
import { listen, stopListening } from "../../../lib/tools/local/loopback.ts";

/** The recorded S3 requests: operation by method and parameters, and the request's condition. */
let requested: { readonly operation: string; readonly condition: string | undefined }[] = [];
let isTaken = false;
/** How many writes are refused because another one of the key is in progress. */
let conflicts = 0;
/** The text of the refusal of reads, if they are refused. */
let denial: string | undefined;

/** Responds like S3 when an object exists, or does not. Stores nothing. */
const storage = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? "/", "http://storage");
  const isNew = request.method === "POST" && searchParams.has("uploads");
  const operation = [request.method, ...[...searchParams.keys()].filter((name) => name !== "x-id")].join(" ");
  requested.push({ operation, condition: request.headers["if-none-match"] });
  request.resume().once("end", () => {
    if (denial !== undefined) {
      const xml = `<Error><Code>AccessDenied</Code><Message>${denial}</Message></Error>`;
      response.writeHead(403, { "Content-Type": "application/xml" }).end(request.method === "HEAD" ? "" : xml);
      return;
    }
    if (request.headers["if-none-match"] === "*" && conflicts-- > 0) {
      response.writeHead(409).end("<Error><Code>ConditionalRequestConflict</Code></Error>");
      return;
    }
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
  conflicts = 0;
  denial = undefined;
});

const put = (bytes: number) =>
  putResult("results", "1-day/name.png", Buffer.alloc(bytes), { mimeType: "image/png", disposition: "inline" });

test("result store: an upload is a conditional write of a new key", async () => {
  await put(10);
  expect(requested).toEqual([{ operation: "PUT", condition: "*" }]);
});

test.each([
  ["while an earlier attempt is still running", 10, 2],
  ["in parts, while an earlier completion is still running", 9 * 2 ** 20, 1],
])("result store: an upload is repeated %s, and no more than three times", async (_, bytes, refused) => {
  conflicts = refused;
  await put(bytes);
  expect(requested.filter(({ condition }) => condition === "*")).toHaveLength(refused + 1);
  requested = [];
  conflicts = Number.POSITIVE_INFINITY;
  await expect(put(10)).rejects.toMatchObject({ $metadata: { httpStatusCode: 409 } });
  expect(requested).toHaveLength(4);
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

test("result store: an object that S3 denies is absent; the first denial is logged that is not for an object that is not there", async () => {
  using logged = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const read = async (text: string) => {
    denial = text;
    return [await readResult("results", "1-day/name.png"), logged.mock.calls.length];
  };
  const lacks = "User: role is not authorized to perform: s3:ListBucket on resource: results";
  const denied =
    "User: role is not authorized to perform: s3:GetObject with an explicit deny in a resource-based policy";
  expect([await read(lacks), await read(denied), await read(denied)]).toEqual([
    [undefined, 0],
    [undefined, 1],
    [undefined, 1],
  ]);
  expect(await hasResult("results", "1-day/name.png")).toBe(false);
  expect(logged.mock.calls).toEqual([
    [
      expect.objectContaining({
        event: "read of the bucket denied",
        error: expect.objectContaining({ message: denied }),
      }),
    ],
  ]);
});
