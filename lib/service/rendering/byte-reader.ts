// Reads an exact number of bytes at a time from a stream of chunks.

/** The response of a renderer is incomplete, or is none. */
export class UnreadableResponse extends Error {}

export class ByteReader {
  readonly #chunks: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** Bytes that lie in one chunk aren't copied. Throws `UnreadableResponse` when the stream ends before. */
  async read(length: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    let missing = length;
    while (missing > this.#rest.length) {
      if (this.#rest.length > 0) parts.push(this.#rest);
      missing -= this.#rest.length;
      const { value, done } = await this.#chunks.next();
      if (done) throw new UnreadableResponse("The response ended early.");
      this.#rest = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    }
    const last = this.#rest.subarray(0, missing);
    this.#rest = this.#rest.subarray(missing);
    return parts.length === 0 ? last : Buffer.concat([...parts, last], length);
  }
}
