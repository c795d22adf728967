// The file of an export in the results bucket: one gzip file, uploaded in parts by different steps.
//
// A part that a step uploads counts only once its ETag is stored with the position that follows it. A step that is repeated uploads
// the part of the same number again, which replaces the other one: nothing is missing, and nothing is there twice.
import { randomUUID } from "node:crypto";
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  NoSuchUpload,
  S3ServiceException,
  UploadPartCommand,
} from "@aws-sdk/client-s3";
import { s3 } from "../aws/clients/s3.ts";
import { contentDisposition } from "../results/content-disposition.ts";
import { putResult, readResult } from "../results/result-store.ts";
import { type DataExport, exportFileName } from "./data-export.ts";
import { compressPiece, endGzip } from "./gzip-parts.ts";

/** A part is uploaded when it has this size, in bytes. S3 takes no smaller parts than 5 MiB but the last, and at most 10,000. */
const PART_BYTES = 8 * 2 ** 20;

type StoredFile = DataExport["file"];

const MIME_TYPE = "application/gzip";

/** The file of an export, with what a step adds to it. */
export class ExportFile {
  readonly #bucket: string;
  readonly #data: DataExport;
  #stored: StoredFile;
  #pieces: Buffer[] = [];
  #pieceBytes = 0;

  private constructor(bucket: string, data: DataExport) {
    this.#bucket = bucket;
    this.#data = data;
    this.#stored = data.file;
  }

  /** Opens the file where the last step has left it. */
  static async open(bucket: string, data: DataExport): Promise<ExportFile> {
    const file = new ExportFile(bucket, data);
    const { rest } = data.file;
    if (rest === undefined) return file;
    const bytes = await readResult(bucket, rest);
    if (!bytes) throw new Error("The rest of an export is missing.");
    file.#addPiece(bytes);
    return file;
  }

  /** Adds a text. */
  add(text: string): void {
    if (text === "") return;
    const { crc, text_bytes: textBytes } = this.#stored;
    const { data, state } = compressPiece(text, { crc, textBytes });
    this.#addPiece(data);
    this.#stored = { ...this.#stored, crc: state.crc, text_bytes: state.textBytes };
  }

  /** True once there is enough for a part. */
  get hasPart(): boolean {
    return this.#pieceBytes >= PART_BYTES;
  }

  /** Uploads what was added as the next part. Resolves to what is to be stored of the file. */
  async uploadPart(): Promise<StoredFile> {
    const upload_id = this.#stored.upload_id ?? (await this.#createUpload());
    const { parts, bytes } = this.#stored;
    const { ETag = "" } = await s3().send(
      new UploadPartCommand({
        ...this.#object,
        UploadId: upload_id,
        PartNumber: parts.length + 1,
        Body: Buffer.concat(this.#pieces),
      }),
    );
    const { rest: _, ...stored } = this.#stored;
    this.#stored = { ...stored, upload_id, parts: [...parts, ETag], bytes: bytes + this.#pieceBytes };
    this.#pieces = [];
    this.#pieceBytes = 0;
    return this.#stored;
  }

  /** Keeps what was added since the last part, which is too little for one, for the next step. Resolves to what is to be stored of the file. */
  async suspend(): Promise<StoredFile> {
    const { key } = this.#stored;
    const rest = `${key}.rest-${randomUUID()}`; // the bucket lets no object be overwritten
    const facts = { mimeType: "application/octet-stream", disposition: "attachment" };
    await putResult(this.#bucket, rest, Buffer.concat(this.#pieces), facts);
    this.#stored = { ...this.#stored, rest };
    return this.#stored;
  }

  /** Adds the end of the file. */
  end(): void {
    const { crc, text_bytes: textBytes } = this.#stored;
    this.#addPiece(endGzip({ crc, textBytes }));
  }

  /** Size of the file so far, in bytes. */
  get bytes(): number {
    return this.#stored.bytes + this.#pieceBytes;
  }

  /** Makes the file, to which its end was added, an object of the bucket. */
  async complete(): Promise<void> {
    const { key, upload_id } = this.#stored;
    if (upload_id === undefined) {
      await putResult(this.#bucket, key, Buffer.concat(this.#pieces), {
        mimeType: MIME_TYPE,
        disposition: this.#disposition,
      });
      return;
    }
    const { parts } = await this.uploadPart();
    await s3().send(
      new CompleteMultipartUploadCommand({
        ...this.#object,
        UploadId: upload_id,
        IfNoneMatch: "*", // as the policy of the bucket requires
        MultipartUpload: { Parts: parts.map((ETag, index) => ({ ETag, PartNumber: index + 1 })) },
      }),
    );
  }

  #addPiece(data: Buffer): void {
    this.#pieces.push(data);
    this.#pieceBytes += data.length;
  }

  async #createUpload(): Promise<string | undefined> {
    const command = new CreateMultipartUploadCommand({
      ...this.#object,
      ContentType: MIME_TYPE,
      ContentDisposition: this.#disposition,
    });
    return (await s3().send(command)).UploadId;
  }

  get #object() {
    return { Bucket: this.#bucket, Key: this.#stored.key };
  }

  get #disposition(): string {
    return contentDisposition(exportFileName(this.#data));
  }
}

/** Ends the upload of an export that is given up, whose parts would be kept for another day. Does nothing without one. */
export async function abortUpload(bucket: string, { key, upload_id }: StoredFile): Promise<void> {
  if (upload_id === undefined) return;
  const command = new AbortMultipartUploadCommand({ Bucket: bucket, Key: key, UploadId: upload_id });
  await s3()
    .send(command)
    .catch((error) => {
      if (!(error instanceof NoSuchUpload) && !isMissing(error)) throw error;
    });
}

function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404;
}
