// The compression of GIF: variable-length codes for sequences of pixels that have been seen before.

/** Pixels as indices of a palette. */
export interface IndexedPixels {
  /** What each pixel may be… */
  readonly indices: Uint8Array;
  /** …or be just as well; the same where there is no choice. */
  readonly alternatives: Uint8Array;
  /** Bits of an index, 2 to 8. */
  readonly depth: number;
}

const MAX_CODE_BITS = 12;
const MAX_CODES = 1 << MAX_CODE_BITS;

/** Of the dictionary, a power of two: two for each code. */
const SLOT_BITS = MAX_CODE_BITS + 1;

/** The image data of a GIF: the depth, then blocks of up to 255 bytes. */
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
    const known = dictionary.codeOf(prefix, index);
    if (known > 0) {
      prefix = known;
      continue;
    }
    const alternative = alternatives[at] as number;
    const other = alternative === index ? 0 : dictionary.codeOf(prefix, alternative);
    if (other > 0) {
      prefix = other;
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
  // The decoder has added a sequence for the last code, too, as if another one came.
  if (next === 1 << bits && bits < MAX_CODE_BITS) bits++;
  out.write(endCode, bits);
  return out.end();
}

/** The codes of sequences. A sequence is the code of all but its last pixel, and that pixel. */
class Dictionary {
  /** A sequence in the upper 20 bits and its code in the lower 12, wherever a hash of the sequence says. */
  readonly #slots = new Int32Array(1 << SLOT_BITS);

  /** 0 for one that is unknown: codes of sequences come after those of pixels. */
  codeOf(prefix: number, index: number): number {
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

/** Packs codes into bytes, from the lowest bit, and bytes into blocks that begin with their length. */
class CodeWriter {
  readonly #bytes: Buffer;
  #length = 2;
  /** Where the length of the block under way goes. */
  #block = 1;
  #waiting = 0;
  #waitingBits = 0;

  constructor(pixels: number, depth: number) {
    // At worst each pixel is a code of its own, and every few thousand of them one is added that clears.
    const most = Math.ceil((pixels * 1.001 * MAX_CODE_BITS) / 8) + 8;
    this.#bytes = Buffer.allocUnsafe(most + Math.ceil(most / MAX_BLOCK_BYTES) + 3);
    this.#bytes[0] = depth;
  }

  write(code: number, bits: number): void {
    this.#waiting |= code << this.#waitingBits;
    this.#waitingBits += bits;
    while (this.#waitingBits >= 8) {
      this.#put(this.#waiting & 255);
      this.#waiting >>>= 8;
      this.#waitingBits -= 8;
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

  /** A copy: what was reserved is given back. */
  end(): Buffer {
    if (this.#waitingBits > 0) this.#put(this.#waiting & 255);
    if (this.#length - this.#block > 1) this.#closeBlock();
    this.#bytes[this.#block] = 0;
    return Buffer.from(this.#bytes.subarray(0, this.#length));
  }
}
