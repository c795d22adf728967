// Objects of the bucket through which a call or a response passes that is too large for Lambda: the function that calls names them,
// presigns their addresses, and deletes them. The renderer can write each of them once, or read the one with its options.
import { randomBytes } from "node:crypto";
import { GetObjectCommand, S3ServiceException } from "@aws-sdk/client-s3";
import { getSignedUrl } from "@aws-sdk/s3-request-presigner";
import { s3 } from "../aws/clients/s3.ts";
import { presignPuts } from "../aws/presign-put.ts";
import { logError } from "../platform/log.ts";
import { internalPrefixes } from "../results/lifetime-class.ts";
import { deleteResult, putResult } from "../results/result-store.ts";
import { UnreadableResponse } from "./byte-reader.ts";
import { PART_BYTES } from "./transfer-parts.ts";

/** Parts that are read at a time. */
const CONCURRENT_READS = 4;

/** The objects of one invocation. */
export class TransferObjects {
  readonly #bucket: string;
  readonly #id = randomBytes(24).toString("base64url");
  readonly #used: string[] = [];

  constructor(bucket: string) {
    this.#bucket = bucket;
  }

  /** Stores the options of a call. Resolves to an address from which they can be read for `expiresS` seconds. */
  async putOptions(json: Buffer, expiresS: number): Promise<string> {
    const Key = this.#key("options");
    this.#used.push(Key);
    await putResult(this.#bucket, Key, json, { mimeType: "application/json", disposition: "attachment" });
    return getSignedUrl(s3(), new GetObjectCommand({ Bucket: this.#bucket, Key }), { expiresIn: expiresS });
  }

  /**
   * Addresses to which the parts of a response of at most `maxBytes` can be uploaded, each once, for `expiresS` seconds.
   */
  presignParts(maxBytes: number, expiresS: number): Promise<string[]> {
    const keys = Array.from({ length: Math.ceil(maxBytes / PART_BYTES) }, (_, part) => this.#key(part));
    return presignPuts(this.#bucket, keys, { expiresS });
  }

  /** Reads the parts of a response of so many bytes. Throws `UnreadableResponse` where a part is missing or has another length. */
  async readParts(bytes: number): Promise<Buffer> {
    const response = Buffer.allocUnsafe(bytes);
    const parts = Array.from({ length: Math.ceil(bytes / PART_BYTES) }, (_, part) => part);
    this.#used.push(...parts.map((part) => this.#key(part)));
    const next = parts.values();
    const readNext = async () => {
      for (const part of next)
        await this.#readPart(part, response.subarray(part * PART_BYTES, (part + 1) * PART_BYTES));
    };
    await Promise.all(Array.from({ length: CONCURRENT_READS }, readNext));
    return response;
  }

  async #readPart(part: number, target: Buffer): Promise<void> {
    const { Body, ContentLength } = await s3()
      .send(new GetObjectCommand({ Bucket: this.#bucket, Key: this.#key(part) }))
      .catch((cause) => {
        if (cause instanceof S3ServiceException && cause.$fault === "client")
          throw new UnreadableResponse("A part of the response is missing.", { cause });
        throw cause;
      });
    const chunks = Body as AsyncIterable<Uint8Array> & { destroy(): void };
    if (ContentLength !== target.length) {
      chunks.destroy();
      throw new UnreadableResponse(`A part of the response has ${ContentLength} instead of ${target.length} bytes.`);
    }
    let offset = 0;
    for await (const chunk of chunks) {
      target.set(chunk, offset);
      offset += chunk.length;
    }
    if (offset !== target.length) throw new Error("A part of the response was cut off.");
  }

  /** Deletes what was used. What can't be deleted expires after a day. Never rejects. */
  async delete(): Promise<void> {
    await Promise.all(
      this.#used
        .splice(0)
        .map((key) =>
          deleteResult(this.#bucket, key).catch((error) => logError("object of a renderer not deleted", error)),
        ),
    );
  }

  #key(name: string | number): string {
    return `${internalPrefixes.renderings.name}/${this.#id}/${name}`;
  }
}
