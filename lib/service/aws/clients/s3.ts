import { S3Client } from "@aws-sdk/client-s3";
import { once } from "./once.ts";
import { requestTimeouts } from "./request-timeouts.ts";

/** An upload of a part has sent all of its bytes before S3 answers. */
const REQUEST_TIMEOUT_MS = 20_000;
/** A result is streamed as fast as its reader takes it, so a connection may be idle while that pauses. */
const SOCKET_TIMEOUT_MS = 60_000;

/**
 * S3. Checksums only where they are required: otherwise a presigned address carries the checksum of an empty body.
 * Path style, because an engine on loopback has no name per bucket, and AWS takes both.
 */
export const s3 = once(
  () =>
    new S3Client({
      requestChecksumCalculation: "WHEN_REQUIRED",
      forcePathStyle: true,
      requestHandler: requestTimeouts({ requestTimeout: REQUEST_TIMEOUT_MS, socketTimeout: SOCKET_TIMEOUT_MS }),
    }),
);
