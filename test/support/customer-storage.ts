// A customer's S3 storage on loopback, by a real engine, with a record of its requests.
import { once } from "node:events";
import {
  request as ask,
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { CreateBucketCommand, GetObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { startFauxqs } from "fauxqs";

export interface StorageRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

export interface CustomerStorage {
  readonly origin: string;
  /** `127.0.0.1:<port>`, as a list of allowed origins wants it. */
  readonly hostPort: string;
  /** Every request so far, oldest first. */
  readonly requests: readonly StorageRequest[];
  /** Forgets the requests so far. */
  forget(): void;
  close(): Promise<void>;
}

function bucketOf({ url = "" }: IncomingMessage): string {
  return url.split("/")[1] ?? "";
}

/**
 * Starts one on a free port of 127.0.0.1, which has a bucket of this name. Others fail as their names say: `no-bucket` is refused before
 * its bytes; `fails` answers 500 after them; `breaks` closes the connection with the first of them; `held-…` answers when it is told.
 */
export async function startCustomerStorage(bucket = "my-bucket"): Promise<CustomerStorage> {
  const engine = await startFauxqs({ port: 0, logger: false });
  const requests: StorageRequest[] = [];
  const held = new Map<string, () => void>();
  const scripts: Readonly<Record<string, RequestListener>> = {
    fails: (request, answer) => request.resume().on("end", () => answer.writeHead(500).end()),
    breaks: (request) => request.once("data", () => request.destroy()),
    held: (request, answer) =>
      request.resume().on("end", () => held.set(bucketOf(request), () => answer.writeHead(200).end())),
    /** Answers whether a bucket `held-…` holds an upload, and with POST ends that. */
    release: (request, answer) => {
      const bucket = request.url?.split("/")[2] ?? "";
      answer.writeHead(held.has(bucket) ? 200 : 404).end();
      if (request.method === "POST") held.get(bucket)?.();
    },
  };
  const server = createServer((request, answer) => {
    const { method = "", url: path = "", headers } = request;
    requests.push({ method, path, headers });
    const script = scripts[bucketOf(request).split("-")[0] ?? ""];
    if (script) return void script(request, answer);
    const upstream = ask({ host: "127.0.0.1", port: engine.port, method, path, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    upstream.on("error", () => answer.destroy());
    request.pipe(upstream);
  });
  // As Amazon S3 does, before it asks for the object.
  server.on("checkContinue", (request: IncomingMessage, answer: ServerResponse) => {
    if (bucketOf(request) === "no-bucket") {
      answer.writeHead(404).end('<?xml version="1.0"?><Error><Code>NoSuchBucket</Code></Error>');
    } else {
      answer.writeContinue();
      server.emit("request", request, answer);
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const hostPort = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const origin = `http://${hostPort}`;
  await createClient(origin).send(new CreateBucketCommand({ Bucket: bucket }));
  const forget = () => void requests.splice(0);
  forget();
  return {
    origin,
    hostPort,
    requests,
    forget,
    async close() {
      server.close();
      server.closeAllConnections();
      await engine.stop();
    },
  };
}

/** An object of the storage at `origin`: its bytes, and what is known of it. */
export async function getObject(origin: string, key: string, bucket = "my-bucket") {
  const { Body, ContentType, ContentDisposition } = await createClient(origin).send(
    new GetObjectCommand({ Bucket: bucket, Key: key }),
  );
  return { body: Buffer.from((await Body?.transformToByteArray()) ?? []), ContentType, ContentDisposition };
}

function createClient(endpoint: string): S3Client {
  const credentials = { accessKeyId: "owner", secretAccessKey: "owner" };
  return new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true, credentials });
}

/** Options that store a capture in `my-bucket` of a customer's storage, with an id that follows from the secret. */
export const storageOptions = (endpoint: string, path: string, secret = "s3cr3t-0123456789") => ({
  store: true,
  storage_path: path,
  storage_bucket: "my-bucket",
  storage_endpoint: endpoint,
  storage_access_key_id: `id-${secret}`,
  storage_secret_access_key: secret,
});
