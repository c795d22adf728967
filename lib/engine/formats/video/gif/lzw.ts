// LZW compression for GIF: variable-length codes for pixel sequences seen before.

/** Pixels as palette indices. */
export interface IndexedPixels {
  /** The index of each pixel. */
  readonly indices: Uint8Array;
  /**
   * An index that is equally acceptable for the pixel; the same where there is none. The encoder takes whichever
   * continues a known sequence.
   */
  readonly alternatives: Uint8Array;
  /** Bits per index, 2 to 8. */
  readonly depth: number;
}

const MAX_CODE_BITS = 12;
const MAX_CODES = 1 << MAX_CODE_BITS;

/** Bits of the dictionary's size: two slots per code. */
const SLOT_BITS = MAX_CODE_BITS + 1;

/** Returns GIF image data: the minimum code size, then sub-blocks of up to 255 bytes. */
export function compress({ indices, alternatives, depth }: IndexedPixels): Buffer {
  const out = new CodeWriter(indices.length, depth);
  const clearCode = 1 << depth;
  const endCode = clearCode + 1;
  const dictionary = new Dictionary();
  let next = endCode + 1;
  let bits = depth + 1;
  out.write(clearCode, bits);
  let prefix = indices[0] as number;
  for (let at = 1; at < indices.length; at++) {
    const index = indices[at] as number;
    const knownCode = dictionary.findCode(prefix, index);
    if (knownCode > 0) {
      prefix = knownCode;
      continue;
    }
    const alternative = alternatives[at] as number;
    const alternativeCode = alternative === index ? 0 : dictionary.findCode(prefix, alternative);
    if (alternativeCode > 0) {
      prefix = alternativeCode;
      continue;
    }
    out.write(prefix, bits);
    if (next < MAX_CODES) {
      dictionary.add(prefix, index, next);
      if (next === 1 << bits) bits++;
      next++;
    } else {
      out.write(clearCode, bits);
      dictionary.clear();
      next = endCode + 1;
      bits = depth + 1;
    }
    prefix = index;
  }
  out.write(prefix, bits);
  // The decoder adds a sequence for the last code, too, as if another one followed.
  if (next === 1 << bits && bits < MAX_CODE_BITS) bits++;
  out.write(endCode, bits);
  return out.end();
}

/** Hash table of sequences. A sequence is the code of all but its last pixel, and that pixel. */
class Dictionary {
  /** Each slot: the sequence in the upper 20 bits, its code in the lower 12; open addressing. */
  readonly #slots = new Int32Array(1 << SLOT_BITS);

  /** Returns 0 for an unknown sequence: codes of sequences come after those of pixels. */
  findCode(prefix: number, index: number): number {
    const sequence = (prefix << 8) | index;
    const slots = this.#slots;
    for (let slot = hashSlot(sequence); ; slot = (slot + 1) & (slots.length - 1)) {
      const entry = slots[slot] as number;
      if (entry === 0) return 0;
      if (entry >>> MAX_CODE_BITS === sequence) return entry & (MAX_CODES - 1);
    }
  }

  add(prefix: number, index: number, code: number): void {
    const sequence = (prefix << 8) | index;
    const slots = this.#slots;
    let slot = hashSlot(sequence);
    while (slots[slot] !== 0) slot = (slot + 1) & (slots.length - 1);
    slots[slot] = (sequence << MAX_CODE_BITS) | code;
  }

  clear(): void {
    this.#slots.fill(0);
  }
}

function hashSlot(sequence: number): number {
  return Math.imul(sequence, 0x9e3779b1) >>> (32 - SLOT_BITS);
}

const MAX_BLOCK_BYTES = 255;

/** Packs codes into bytes, lowest bit first, and bytes into sub-blocks that start with their length. */
class CodeWriter {
  readonly #bytes: Buffer;
  #length = 2;
  /** Offset of the current block's length. */
  #block = 1;
  #pending = 0;
  #pendingBits = 0;

  constructor(pixels: number, depth: number) {
    // At worst each pixel is a code of its own, plus a clear code every few thousand pixels.
    const maxBytes = Math.ceil((pixels * 1.001 * MAX_CODE_BITS) / 8) + 8;
    this.#bytes = Buffer.allocUnsafe(maxBytes + Math.ceil(maxBytes / MAX_BLOCK_BYTES) + 3);
    this.#bytes[0] = depth;
  }

  write(code: number, bits: number): void {
    this.#pending |= code << this.#pendingBits;
    this.#pendingBits += bits;
    while (this.#pendingBits >= 8) {
      this.#put(this.#pending & 255);
      this.#pending >>>= 8;
      this.#pendingBits -= 8;
    }
  }

  #put(byte: number): void {
    this.#bytes[this.#length++] = byte;
    if (this.#length - this.#block > MAX_BLOCK_BYTES) this.#closeBlock();
  }

  #closeBlock(): void {
    this.#bytes[this.#block] = this.#length - this.#block - 1;
    this.#block = this.#length++;
  }

  /** Returns a copy, so that the reserved memory is freed. */
  end(): Buffer {
    if (this.#pendingBits > 0) this.#put(this.#pending & 255);
    if (this.#length - this.#block > 1) this.#closeBlock();
    this.#bytes[this.#block] = 0;
    return Buffer.from(this.#bytes.subarray(0, this.#length));
  }
}
