// Uploads a capture to the customer's own S3-compatible storage, over SSRF-checked connections.
import { Readable } from "node:stream";
import { PutObjectCommand, type PutObjectCommandInput, S3Client, type StorageClass } from "@aws-sdk/client-s3";
import type { Format } from "../../contract/options/formats.ts";
import { createDial, isRefusedUnresolved, knownAddresses } from "../../engine/egress/egress-dial.ts";
import { DialAgent } from "../../engine/egress/egress-forward.ts";
import { type AllowedOrigins, isAllowed } from "../../engine/egress/egress-policy.ts";
import { TlsDialAgent } from "../../engine/egress/egress-tls.ts";
import type { Resolve } from "../../engine/egress/name-resolver.ts";
import { untilAborted } from "../../engine/egress/until-aborted.ts";
import { assumeRole, type RoleCredentials } from "./assume-role.ts";
import { type Destination, objectKey, objectLocation } from "./destination.ts";
import { endpointNotAllowed, StorageTimeoutError, toStorageError } from "./storage-errors.ts";

export interface CustomerObject {
  readonly body: Buffer;
  readonly format: Format;
  readonly mimeType: string;
  /** Content-Disposition of the object. */
  readonly disposition: string;
}

export interface StorageTransport {
  /** Private origins that captures may be sent to; plain http is allowed to these only. */
  readonly allowed: AllowedOrigins;
  /** @default a name resolver of its own */
  readonly resolve?: Resolve;
  /** Milliseconds for the whole upload, from assuming the role to the response. */
  readonly timeoutMs: number;
}

/** Throws `URL_NOT_ALLOWED` for an endpoint that can be rejected before its host name is resolved. */
export function requireStorageAddress({ endpoint }: Pick<Destination, "endpoint">, allowed: AllowedOrigins): void {
  const { host, port, isSecure } = parseEndpoint(endpoint);
  const isAllowedOrigin = (knownAddresses(host) ?? []).some((address) => isAllowed(address, port, allowed));
  if ((!isSecure && !isAllowedOrigin) || isRefusedUnresolved(host, port, allowed)) throw endpointNotAllowed();
}

/**
 * Uploads an object; resolves to its URL. Throws `STORAGE_FAILED`, or `URL_NOT_ALLOWED` when the endpoint resolves to
 * an address that is not public.
 */
export async function putObject(
  destination: Destination,
  object: CustomerObject,
  transport: StorageTransport,
): Promise<string> {
  const signal = AbortSignal.timeout(Math.max(0, transport.timeoutMs));
  const key = objectKey(destination, object.format);
  const credentials = await getCredentials(destination, key, signal);
  const client = createClient(destination, { credentials, transport, signal });
  try {
    const put = new PutObjectCommand(putObjectInput(destination, key, object));
    await untilAborted(client.send(put, { abortSignal: signal }), signal);
    return objectLocation(destination, key);
  } catch (error) {
    throw toStorageError(signal.aborted ? new StorageTimeoutError("the storage did not answer in time") : error);
  } finally {
    client.destroy();
  }
}

function getCredentials({ access, bucket }: Destination, key: string, signal: AbortSignal): Promise<RoleCredentials> {
  return "roleArn" in access ? assumeRole(access, { bucket, key, signal }) : Promise.resolve(access);
}

function putObjectInput(
  { bucket, isPublic, storageClass }: Destination,
  key: string,
  { body, mimeType, disposition }: CustomerObject,
): PutObjectCommandInput {
  return {
    Bucket: bucket,
    Key: key,
    Body: body,
    ContentType: mimeType,
    ContentDisposition: disposition,
    ...(isPublic && { ACL: "public-read" }),
    ...(storageClass && { StorageClass: storageClass.toUpperCase() as StorageClass }),
  };
}

interface ClientOptions {
  readonly credentials: RoleCredentials;
  readonly transport: StorageTransport;
  readonly signal: AbortSignal;
}

/** Path-style addressing and checksums only where required: S3-compatible services support little else. */
function createClient({ endpoint, region }: Destination, { credentials, transport, signal }: ClientOptions): S3Client {
  const { isSecure } = parseEndpoint(endpoint);
  const dial = createDial({ ...transport, onlyAllowed: !isSecure, signal });
  const client = new S3Client({
    endpoint,
    region,
    credentials,
    forcePathStyle: true,
    requestChecksumCalculation: "WHEN_REQUIRED",
    maxAttempts: 2,
    requestHandler: { httpAgent: new DialAgent(dial), httpsAgent: new TlsDialAgent(dial) },
  });
  client.middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const response = result.response as { statusCode: number; body?: unknown };
      // To the SDK every status below 300 is a success.
      if (response.statusCode < 200) throw new StorageTimeoutError("the storage switched protocols");
      if (response.body instanceof Readable) response.body = Readable.from(limitSize(response.body));
      return result;
    },
    { step: "deserialize", priority: "low", name: "checkResponse" },
  );
  return client;
}

/** Maximum size of a response in bytes; an S3 error has less than a kilobyte. */
const MAX_RESPONSE_BYTES = 64 * 1024;

async function* limitSize(response: Readable): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of response) {
    bytes += chunk.length;
    if (bytes > MAX_RESPONSE_BYTES) throw new StorageTimeoutError("the response of the storage is too long");
    yield chunk;
  }
}

function parseEndpoint(endpoint: string): { host: string; port: number; isSecure: boolean } {
  const { protocol, hostname, port } = new URL(endpoint);
  const isSecure = protocol === "https:";
  return { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || (isSecure ? 443 : 80)), isSecure };
}
