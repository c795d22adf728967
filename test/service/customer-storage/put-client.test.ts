// Uploads to customer storage: what arrives, and what is never sent.
import { once } from "node:events";
import { createServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { ApiError } from "../../../lib/contract/errors/api-error.ts";
import { parseAllowedOrigins } from "../../../lib/engine/egress/egress-policy.ts";
import type { Resolve } from "../../../lib/engine/egress/name-resolver.ts";
import type { Destination } from "../../../lib/service/customer-storage/destination.ts";
import {
  putObject,
  requireStorageAddress,
  type StorageTransport,
  type Upload,
} from "../../../lib/service/customer-storage/put-client.ts";
import { selfSigned } from "../../fixtures/self-signed.ts";
import { closedPort, startTcp, startTrap } from "../../fixtures/site.ts";
import { apiErrorOf } from "../../support/builders.ts";
import { type CustomerStorage, getObject, startCustomerStorage } from "../../support/customer-storage.ts";

const SECRET = "s3cr3t-0123456789";

let storage: CustomerStorage;
beforeAll(async () => {
  storage = await startCustomerStorage();
});
afterAll(() => storage.close());

const toClose: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of toClose.splice(0)) await close();
});

/** A server on a free port of 127.0.0.1 that asks for the body of each request, and then answers as scripted. */
const serverThat = (answers: RequestListener): Promise<string> => listening(createServer(answers));

/** A server that answers as scripted to the headers of a request, before it asks for the body. */
const serverThatRefuses = (answers: RequestListener): Promise<string> =>
  listening(createServer().on("checkContinue", answers));

async function listening(server: Server): Promise<string> {
  toClose.push(
    () => server.close(),
    () => server.closeAllConnections(),
  );
  await once(server.listen(0, "127.0.0.1"), "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const destination = (parts: Partial<Destination> = {}): Destination => ({
  endpoint: storage.origin,
  region: "eu-central-1",
  bucket: "my-bucket",
  path: "shots/home",
  access: { accessKeyId: "AKIAEXAMPLE", secretAccessKey: SECRET },
  isPublic: false,
  storageClass: undefined,
  ...parts,
});

const picture = {
  body: Buffer.from("a picture"),
  format: "png",
  mimeType: "image/png",
  disposition: "inline",
} as const;

/** Uploads an image to an allowed origin. */
function put(parts: Partial<Destination> = {}, way: Partial<StorageTransport> = {}): Promise<Upload> {
  const to = destination(parts);
  const allowed = way.allowed ?? parseAllowedOrigins(new URL(to.endpoint).host);
  return putObject(to, picture, { timeoutMs: 10_000, ...way, allowed });
}

/** The error of an upload of which the storage has got no byte. */
async function failureOf(putting: Promise<unknown>): Promise<ApiError> {
  return withoutSecret(await putting.catch((thrown) => thrown));
}

/** The error of an upload of which bytes were sent. */
async function unconfirmed(putting: Promise<Upload>): Promise<ApiError> {
  const upload = await putting;
  return withoutSecret("error" in upload ? upload.error : upload);
}

function withoutSecret(error: unknown): ApiError {
  if (!(error instanceof ApiError)) throw new Error("It did not fail as it should", { cause: error });
  expect(JSON.stringify([error.message, error.stack, error.cause])).not.toContain("s3cr3t");
  return error;
}

const FAILED = "The capture could not be uploaded to the bucket: ";
const UNCONFIRMED = "The capture was sent to the bucket, but the upload failed: ";
const COUNTS = "It counts, because the storage may have its bytes. The result is available as without `store`.";

describe("customer storage: an object", () => {
  test("arrives with its bytes, type and disposition, and its URL is returned", async () => {
    expect(await put({ path: "a b/ü" })).toEqual({ location: `${storage.origin}/my-bucket/a%20b/%C3%BC.png` });
    expect(await getObject(storage.origin, "a b/ü.png")).toEqual({
      body: picture.body,
      ContentType: "image/png",
      ContentDisposition: "inline",
    });
  });

  test("is private and of the bucket's default class by default", async () => {
    await put({ path: "plain" });
    const headers = storage.requests.at(-1)?.headers;
    expect([headers?.["x-amz-acl"], headers?.["x-amz-storage-class"]]).toEqual([undefined, undefined]);
  });

  test("has the requested ACL and storage class", async () => {
    await put({ path: "told", isPublic: true, storageClass: "standard_ia" });
    expect(storage.requests.at(-1)).toMatchObject({
      method: "PUT",
      path: "/my-bucket/told.png?x-id=PutObject",
      headers: { "x-amz-acl": "public-read", "x-amz-storage-class": "STANDARD_IA" },
    });
  });

  test("is signed with the customer's key for their region, and the secret is not sent", async () => {
    await put({ path: "signed" });
    const { headers } = storage.requests.at(-1) ?? {};
    expect(headers?.authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKIAEXAMPLE\/\d{8}\/eu-central-1\/s3\//);
    expect(JSON.stringify(storage.requests)).not.toContain(SECRET);
  });

  test("can be larger than a multipart upload's part", async () => {
    const body = Buffer.alloc(9_000_000, 7);
    const allowed = parseAllowedOrigins(storage.hostPort);
    await putObject(destination({ path: "large" }), { ...picture, body }, { allowed, timeoutMs: 20_000 });
    expect((await getObject(storage.origin, "large.png")).body.equals(body)).toBe(true);
  });
});

const xml = (code: string) =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${SECRET}</Message><AWSSecret>${SECRET}</AWSSecret></Error>`;

/** Statuses and bodies of a storage's errors, and what is reported of them. */
const answers: readonly [string, number, string, string][] = [
  ["with an error of its own", 403, xml("InvalidAccessKeyId"), "the storage answered InvalidAccessKeyId (403)"],
  ["with a code that is no name", 403, xml(`${SECRET} b`), "the storage answered an error (403)"],
  ["with a code that is a text", 403, xml("a".repeat(70)), "the storage answered an error (403)"],
  ["without a body", 400, "", "the storage answered an error (400)"],
  ["with a page", 400, "<html><h1>Bad Request</h1>", "the storage answered an error (400)"],
  ["with a redirect", 307, xml("TemporaryRedirect"), "the storage answered TemporaryRedirect (307)"],
  ["by being unavailable", 503, xml("SlowDown"), "the storage answered SlowDown (503)"],
];

describe("customer storage: a storage that takes the bytes and then fails", () => {
  test.each(answers)("%s is reported without its message, and the upload counts", async (_, status, body, why) => {
    const endpoint = await serverThat((request, answer) => {
      request.resume();
      answer.writeHead(status, { location: `${storage.origin}/my-bucket/elsewhere.png` }).end(body);
    });
    const before = storage.requests.length;
    const { code, message } = await unconfirmed(put({ endpoint }));
    expect([code, message]).toEqual(["STORAGE_FAILED", `${UNCONFIRMED}${why}. ${COUNTS}`]);
    expect(storage.requests).toHaveLength(before);
  });

  test("by never confirming them is limited by the deadline", async () => {
    const endpoint = await serverThat((request) => request.resume());
    const { message } = await unconfirmed(put({ endpoint }, { timeoutMs: 300 }));
    expect(message).toContain("the storage did not answer in time");
  });

  test("by closing the connection after the first of them counts", async () => {
    const endpoint = await serverThat((request) => request.once("data", () => request.destroy()));
    const { message } = await unconfirmed(put({ endpoint }));
    expect(message).toContain("the connection to the storage closed before it responded");
  });

  test("counts also where it ignores the expectation and never asks for them", async () => {
    const bytes: Buffer[] = [];
    const server = await startTcp((socket) =>
      socket.on("data", (chunk) => {
        bytes.push(chunk);
        if (!Buffer.concat(bytes).includes(picture.body)) return;
        socket.end("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
      }),
    );
    toClose.push(() => server.close());
    const { message } = await unconfirmed(put({ endpoint: `http://127.0.0.1:${server.port}` }));
    expect(message).toContain("the storage answered an error (500)");
  });

  test("by an endless response is disconnected", async () => {
    const endpoint = await serverThat((request, answer) => {
      request.resume();
      answer.writeHead(400);
      const more = () => {
        while (answer.write("x".repeat(65_536)));
      };
      answer.on("drain", more).on("error", () => undefined);
      more();
    });
    const { message } = await unconfirmed(put({ endpoint }));
    expect(message).toContain("the response of the storage is too long");
  });
});

describe("customer storage: a storage that refuses the upload before its bytes", () => {
  test.each(answers)("%s is reported without its message, and gets none", async (_, status, body, why) => {
    let bytes = 0;
    const endpoint = await serverThatRefuses((request, answer) => {
      request.on("data", (chunk) => {
        bytes += chunk.length;
      });
      answer.writeHead(status).end(body);
    });
    const { status: ours, code, message } = await failureOf(put({ endpoint }));
    expect({ ours, code, message }).toEqual({
      ours: 422,
      code: "STORAGE_FAILED",
      message: `${FAILED}${why}. Nothing was billed.`,
    });
    expect(bytes).toBe(0);
  });

  test("by not supporting the expectation gets the object without it", async () => {
    const bodies: string[] = [];
    const server = createServer((request, answer) => {
      request.on("data", (chunk) => bodies.push(String(chunk))).on("end", () => answer.end());
    });
    server.on("checkContinue", (_, answer) => answer.writeHead(417).end());
    const endpoint = await listening(server);
    expect(await put({ endpoint })).toEqual({ location: `${endpoint}/my-bucket/shots/home.png` });
    expect(bodies).toEqual(["a picture"]);
  });

  test("by not responding is limited by the deadline", async () => {
    const endpoint = await serverThatRefuses(() => undefined);
    const { message } = await failureOf(put({ endpoint }, { timeoutMs: 300 }));
    expect(message).toContain("the storage did not answer in time");
  });

  test.each([
    [
      "with its headers",
      "Upgrade: x\r\nConnection: Upgrade\r\n",
      "the connection to the storage closed before it responded",
    ],
    ["without them", "", "the storage switched protocols"],
  ])("by switching protocols, %s, is disconnected at once", async (_, headers, why) => {
    const server = await startTcp((socket) =>
      socket.once("data", () => socket.write(`HTTP/1.1 101 Switching Protocols\r\n${headers}\r\n`)),
    );
    toClose.push(() => server.close());
    const { code, message } = await failureOf(put({ endpoint: `http://127.0.0.1:${server.port}` }));
    expect([code, message]).toEqual(["STORAGE_FAILED", `${FAILED}${why}. Nothing was billed.`]);
  });

  test("by closing the connection is reported", async () => {
    const endpoint = await serverThatRefuses((request) => request.destroy());
    expect((await failureOf(put({ endpoint }))).message).toContain(
      "the connection to the storage closed before it responded",
    );
  });

  test("by not listening is reported", async () => {
    const endpoint = `http://127.0.0.1:${await closedPort()}`;
    expect((await failureOf(put({ endpoint }))).message).toContain("the storage cannot be connected to");
  });

  test("by an unknown host name is reported", async () => {
    const resolve: Resolve = () => Promise.reject(new Error("ENOTFOUND"));
    const way = { resolve, allowed: parseAllowedOrigins("") };
    const { message } = await failureOf(put({ endpoint: "https://storage.test" }, way));
    expect(message).toContain("the host name of the storage does not resolve");
  });

  test("by an untrusted certificate gets nothing", async () => {
    let requests = 0;
    const server = createTlsServer(selfSigned, (_, answer) => {
      requests++;
      answer.end();
    });
    toClose.push(
      () => server.close(),
      () => server.closeAllConnections(),
    );
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { port } = server.address() as AddressInfo;
    const way = { resolve: async () => ["127.0.0.1"], allowed: parseAllowedOrigins(`127.0.0.1:${port}`) };
    const { message } = await failureOf(put({ endpoint: `https://receiver.test:${port}` }, way));
    expect(message).toContain("the certificate of the storage, or its TLS, is not valid");
    expect(requests).toBe(0);
  });
});

describe("customer storage: what comes before the bytes", () => {
  test("is awaited, and its error ends the upload without any of them", async () => {
    let bytes = 0;
    const endpoint = await serverThat((request, answer) => {
      request.on("data", (chunk) => {
        bytes += chunk.length;
      });
      request.on("end", () => answer.end());
    });
    const cancelled = new ApiError("CANCELLED", "The capture was cancelled.");
    expect(await failureOf(put({ endpoint }, { beforeBody: () => Promise.reject(cancelled) }))).toBe(cancelled);
    expect(bytes).toBe(0);
    expect(await put({ endpoint }, { beforeBody: () => Promise.resolve() })).toHaveProperty("location");
    expect(bytes).toBe(picture.body.length);
  });
});

describe("customer storage: an address that is not public", () => {
  const allowed = parseAllowedOrigins("127.0.0.1:9000,[::1]:9001");

  test.each([
    "https://127.0.0.1",
    "https://127.0.0.1:9001",
    "https://localhost",
    "https://a.localhost:9002",
    "https://10.0.0.1",
    "https://169.254.169.254",
    "https://[::1]",
    "https://[::ffff:10.0.0.1]",
    "https://2130706433",
    "https://0x7f.1",
    "http://127.0.0.1:9001",
    "http://storage.example.com",
    "http://93.184.216.34",
  ])("is rejected before the capture: %s", (endpoint) => {
    expect(apiErrorOf(() => requireStorageAddress({ endpoint }, allowed))).toMatchObject({
      status: 403,
      code: "URL_NOT_ALLOWED",
      message: "The `storage_endpoint` is not allowed: it must be a public address, and https.",
    });
  });

  test.each([
    "https://storage.example.com",
    "https://93.184.216.34:9000/s3",
    "http://127.0.0.1:9000",
    "http://[::1]:9001",
  ])("is not: %s", (endpoint) => {
    expect(() => requireStorageAddress({ endpoint }, allowed)).not.toThrow();
  });

  test.each([
    ["https", ["127.0.0.1"]],
    ["https", ["10.0.0.1"]],
    ["https", ["93.184.216.34", "127.0.0.1"]],
    ["http", ["93.184.216.34"]],
    ["http", ["127.0.0.1"]],
  ])("is rejected when a name resolves to it: %s, %j", async (scheme, addresses) => {
    const trap = await startTrap();
    toClose.push(() => trap.close());
    const way = { resolve: async () => addresses, allowed };
    const { code, status } = await failureOf(put({ endpoint: `${scheme}://storage.test:${trap.port}` }, way));
    expect([code, status, trap.connections]).toEqual(["URL_NOT_ALLOWED", 403, 0]);
  });
});
