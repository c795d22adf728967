// Uploads a capture to the customer's own S3-compatible storage, over SSRF-checked connections.
import {
  PutObjectCommand,
  type PutObjectCommandInput,
  S3Client,
  type S3ClientConfig,
  type StorageClass,
} from "@aws-sdk/client-s3";
import type { ApiError } from "../../contract/errors/api-error.ts";
import type { Format } from "../../contract/options/formats.ts";
import { createDial, isRefusedUnresolved, knownAddresses } from "../../engine/egress/egress-dial.ts";
import { DialAgent } from "../../engine/egress/egress-forward.ts";
import { type AllowedOrigins, isAllowed } from "../../engine/egress/egress-policy.ts";
import { TlsDialAgent } from "../../engine/egress/egress-tls.ts";
import type { Resolve } from "../../engine/egress/name-resolver.ts";
import { untilAborted } from "../../engine/egress/until-aborted.ts";
import { assumeRole, type RoleCredentials } from "./assume-role.ts";
import { ContinueHandler } from "./continue-handler.ts";
import { type Destination, objectKey, objectLocation } from "./destination.ts";
import { endpointNotAllowed, StorageTimeoutError, toStorageError, unconfirmedUpload } from "./storage-errors.ts";

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
  /** Called before the first byte of the object is sent. If it rejects, none is sent, and the upload fails with its error. */
  readonly beforeBody?: () => Promise<void>;
}

/** Throws `URL_NOT_ALLOWED` for an endpoint that can be rejected before its host name is resolved. */
export function requireStorageAddress({ endpoint }: Pick<Destination, "endpoint">, allowed: AllowedOrigins): void {
  const { host, port, isSecure } = parseEndpoint(endpoint);
  const isAllowedOrigin = (knownAddresses(host) ?? []).some((address) => isAllowed(address, port, allowed));
  if ((!isSecure && !isAllowedOrigin) || isRefusedUnresolved(host, port, allowed)) throw endpointNotAllowed();
}

/** An object that was uploaded, or the error of an upload whose bytes the storage may have. */
export type Upload = { readonly location: string } | { readonly error: ApiError };

/**
 * Uploads an object. Throws `STORAGE_FAILED` when the storage refuses it before the first byte of the object is sent, and
 * `URL_NOT_ALLOWED` when the endpoint resolves to an address that is not public. From the first byte on, the upload counts as
 * delivered: it resolves, to `STORAGE_FAILED` if the storage does not confirm the object.
 */
export async function putObject(
  destination: Destination,
  object: CustomerObject,
  transport: StorageTransport,
): Promise<Upload> {
  const signal = AbortSignal.timeout(Math.max(0, transport.timeoutMs));
  const key = objectKey(destination, object.format);
  const credentials = await getCredentials(destination, key, signal);
  let isDelivered = false;
  let interruption: { readonly error: unknown } | undefined;
  const beforeBody = async () => {
    await transport.beforeBody?.().catch((error) => {
      interruption = { error };
      throw error;
    });
    signal.throwIfAborted();
    isDelivered = true;
  };
  const client = createClient(destination, { credentials, transport, signal, beforeBody });
  try {
    const put = new PutObjectCommand(putObjectInput(destination, key, object));
    await untilAborted(client.send(put, { abortSignal: signal }), signal);
    return { location: objectLocation(destination, key) };
  } catch (thrown) {
    const error = signal.aborted ? new StorageTimeoutError("the storage did not answer in time") : thrown;
    if (isDelivered) return { error: unconfirmedUpload(error) };
    throw interruption ? interruption.error : toStorageError(error);
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
  readonly beforeBody: () => Promise<void>;
}

/** Path-style addressing and checksums only where required: S3-compatible services support little else. */
function createClient(
  { endpoint, region }: Destination,
  { credentials, transport, signal, beforeBody }: ClientOptions,
): S3Client {
  const { isSecure } = parseEndpoint(endpoint);
  const dial = createDial({ ...transport, onlyAllowed: !isSecure, signal });
  return new S3Client({
    endpoint,
    region,
    credentials,
    forcePathStyle: true,
    requestChecksumCalculation: "WHEN_REQUIRED",
    expectContinueHeader: false, // the handler sets the header, for objects of any size
    maxAttempts: 2,
    requestHandler: new ContinueHandler({
      httpAgent: new DialAgent(dial),
      httpsAgent: new TlsDialAgent(dial),
      beforeBody,
    }) as unknown as NonNullable<S3ClientConfig["requestHandler"]>,
  });
}

function parseEndpoint(endpoint: string): { host: string; port: number; isSecure: boolean } {
  const { protocol, hostname, port } = new URL(endpoint);
  const isSecure = protocol === "https:";
  return { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port || (isSecure ? 443 : 80)), isSecure };
}
