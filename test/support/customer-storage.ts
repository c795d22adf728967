// A customer's S3 storage on loopback, by a real engine, with a record of its requests.
import { once } from "node:events";
import { request as ask, createServer, type IncomingHttpHeaders } from "node:http";
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

/** Starts one on a free port of 127.0.0.1, which has a bucket of this name. */
export async function startCustomerStorage(bucket = "my-bucket"): Promise<CustomerStorage> {
  const engine = await startFauxqs({ port: 0, logger: false });
  const requests: StorageRequest[] = [];
  const server = createServer((request, answer) => {
    const { method = "", url: path = "", headers } = request;
    requests.push({ method, path, headers });
    const upstream = ask({ host: "127.0.0.1", port: engine.port, method, path, headers }, (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(answer);
    });
    upstream.on("error", () => answer.destroy());
    request.pipe(upstream);
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
