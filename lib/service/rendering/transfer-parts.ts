// Sends a response in parts to presigned addresses, and reads options from one: the renderer has no other access to the bucket.
import { once } from "node:events";
import { request as requestHttp } from "node:http";
import { type RequestOptions, request as requestHttps } from "node:https";
import { buffer } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";

/** Bytes of each part but the last one. The local S3 refuses more than 11 MiB in one PUT. */
export const PART_BYTES = 10 * 2 ** 20;
/** Parts that are sent at a time. */
const CONCURRENT_PARTS = 4;
const MAX_ATTEMPTS = 3;
/** Longest wait for an answer, in milliseconds. */
const REQUEST_TIMEOUT_MS = 20_000;
const RETRY_DELAY_MS = 100;

/** Puts what these chunks have one after the other, in parts, to as many of the addresses as it takes. Throws when one is refused. */
export async function putParts(chunks: readonly Buffer[], addresses: readonly string[]): Promise<void> {
  const parts = splitParts(chunks);
  if (parts.length > addresses.length)
    throw new Error(`There are ${addresses.length} addresses for ${parts.length} parts.`);
  const next = parts.entries();
  const putNext = async () => {
    for (const [index, part] of next) await put(addresses[index] as string, part);
  };
  await Promise.all(Array.from({ length: CONCURRENT_PARTS }, putNext));
}

/** The same bytes in parts of `PART_BYTES`, each in one piece or more. Nothing is copied. */
function splitParts(chunks: readonly Buffer[]): Buffer[][] {
  const parts: Buffer[][] = [];
  let room = 0;
  for (const chunk of chunks) {
    for (let offset = 0; offset < chunk.length; ) {
      if (room === 0) {
        parts.push([]);
        room = PART_BYTES;
      }
      const piece = chunk.subarray(offset, offset + room);
      parts.at(-1)?.push(piece);
      offset += piece.length;
      room -= piece.length;
    }
  }
  return parts;
}

/**
 * Repeats what fails on the way or by a fault of S3, and what conflicts with an attempt that is still running. A part that is there already
 * was put by an attempt whose answer was lost.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutObject.html
 */
async function put(address: string, pieces: readonly Buffer[]): Promise<void> {
  const length = pieces.reduce((sum, { length: bytes }) => sum + bytes, 0);
  const headers = { "If-None-Match": "*", "Content-Length": length };
  for (let attempt = 1; ; attempt++) {
    const status = await send(address, { method: "PUT", headers }, pieces).then(
      (answer) => answer.status,
      (error) => {
        if (attempt === MAX_ATTEMPTS) throw error;
        return undefined;
      },
    );
    if (status === 200 || (status === 412 && attempt > 1)) return;
    if (attempt === MAX_ATTEMPTS || (status !== undefined && status < 500 && status !== 409))
      throw new Error(`The upload of a part was answered with ${status}.`);
    await setTimeout(RETRY_DELAY_MS * 2 ** attempt);
  }
}

/** Reads an object. Throws when it is refused. */
export async function getObject(address: string): Promise<Buffer> {
  const { status, body } = await send(address, { method: "GET" }, []);
  if (status !== 200) throw new Error(`The options were answered with ${status}.`);
  return body;
}

async function send(
  address: string,
  options: RequestOptions,
  pieces: readonly Buffer[],
): Promise<{ readonly status: number | undefined; readonly body: Buffer }> {
  const sendRequest = address.startsWith("https:") ? requestHttps : requestHttp;
  const sent = sendRequest(address, { ...options, signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
  for (const piece of pieces) sent.write(piece);
  sent.end();
  const [response] = await once(sent, "response");
  return { status: response.statusCode, body: await buffer(response) };
}
