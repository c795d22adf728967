// Puts a capture into the caller's own storage, by connections to checked addresses only.
import { Readable } from "node:stream";
import { PutObjectCommand, type PutObjectCommandInput, S3Client, type StorageClass } from "@aws-sdk/client-s3";
import { createDial, isRefusedUnresolved, knownAddresses, type Resolve } from "../egress/egress-dial.ts";
import { DialAgent } from "../egress/egress-forward.ts";
import { type AllowedOrigins, isAllowed } from "../egress/egress-policy.ts";
import { TlsDialAgent } from "../egress/egress-tls.ts";
import type { Format } from "../options/formats.ts";
import { assumeRole, type RoleCredentials } from "./assume-role.ts";
import { type Destination, objectKey, objectLocation } from "./destination.ts";
import { endpointNotAllowed, StorageTimeoutError, toStorageError } from "./storage-errors.ts";

export interface StoredObject {
  readonly body: Buffer;
  readonly format: Format;
  readonly mimeType: string;
  /** The Content-Disposition with which it is handed out. */
  readonly disposition: string;
}

export interface StorageTransport {
  /** Where captures may go although it is not the public internet; plain http may go there alone. */
  readonly allowed: AllowedOrigins;
  /** @default the machine's own resolver */
  readonly resolve?: Resolve;
  /** Milliseconds for everything, from the role to the storage's answer. */
  readonly timeoutMs: number;
}

/** Throws `URL_NOT_ALLOWED` for a storage that is known to be refused before its name is looked up. */
export function requireStorageAddress({ endpoint }: Pick<Destination, "endpoint">, allowed: AllowedOrigins): void {
  const { host, port, isSecure } = partsOf(endpoint);
  const isOrigin = (knownAddresses(host) ?? []).some((address) => isAllowed(address, port, allowed));
  if ((!isSecure && !isOrigin) || isRefusedUnresolved(host, port, allowed)) throw endpointNotAllowed();
}

/**
 * Puts an object there; resolves to its address. Throws `STORAGE_FAILED`, or `URL_NOT_ALLOWED` where the name of the
 * storage leads to an address that is not public.
 */
export async function putObject(
  destination: Destination,
  object: StoredObject,
  way: StorageTransport,
): Promise<string> {
  const signal = AbortSignal.timeout(Math.max(0, way.timeoutMs));
  const key = objectKey(destination, object.format);
  const credentials = await credentialsOf(destination, key, signal);
  const client = clientFor(destination, { credentials, way, signal });
  try {
    await client.send(new PutObjectCommand(inputOf(destination, key, object)), { abortSignal: signal });
    return objectLocation(destination, key);
  } catch (error) {
    throw toStorageError(signal.aborted ? new StorageTimeoutError("the storage did not answer in time") : error);
  } finally {
    client.destroy();
  }
}

function credentialsOf({ access, bucket }: Destination, key: string, signal: AbortSignal): Promise<RoleCredentials> {
  return "roleArn" in access ? assumeRole(access, { bucket, key, signal }) : Promise.resolve(access);
}

function inputOf(
  { bucket, isPublic, storageClass }: Destination,
  key: string,
  { body, mimeType, disposition }: StoredObject,
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

interface Connecting {
  readonly credentials: RoleCredentials;
  readonly way: StorageTransport;
  readonly signal: AbortSignal;
}

/** Path style and no checksums but where they are required: services other than Amazon's know little else. */
function clientFor({ endpoint, region }: Destination, { credentials, way, signal }: Connecting): S3Client {
  const { isSecure } = partsOf(endpoint);
  const dial = createDial({ ...way, onlyAllowed: !isSecure, signal });
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
      const response = result.response as { body?: unknown };
      if (response.body instanceof Readable) response.body = Readable.from(withinBounds(response.body));
      return result;
    },
    { step: "deserialize", priority: "low", name: "withinBounds" },
  );
  return client;
}

/** Bytes that a storage may answer; an error of S3 has less than one of these kilobytes. */
const MAX_ANSWER_BYTES = 64 * 1024;

async function* withinBounds(answer: Readable): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of answer) {
    bytes += chunk.length;
    if (bytes > MAX_ANSWER_BYTES) throw new StorageTimeoutError("the answer of the storage is too long to be one");
    yield chunk;
  }
}

function partsOf(endpoint: string): { host: string; port: number; isSecure: boolean } {
  const { protocol, hostname, port } = new URL(endpoint);
  const isSecure = protocol === "https:";
  return { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || (isSecure ? 443 : 80)), isSecure };
}
