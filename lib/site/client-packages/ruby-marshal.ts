// Writes values in Marshal, the format of Ruby in which RubyGems reads an index of gems.
// Format: https://docs.ruby-lang.org/en/3.1/marshal_rdoc.html

/** A value; `marshal` writes an object of a class that has `marshal_dump` (of its data), or `_dump` (of its text). */
export type RubyValue =
  | null
  | boolean
  | number
  | string
  | readonly RubyValue[]
  | ReadonlyMap<RubyValue, RubyValue>
  | { readonly class: string; readonly data: RubyValue }
  | { readonly class: string; readonly dump: Buffer };

/** A document with a value. Its integers are small: from 0 to 65,535. */
export function rubyMarshal(value: RubyValue): Buffer {
  return Buffer.concat([Buffer.from([4, 8]), write(value)]);
}

function write(value: RubyValue): Buffer {
  if (value === null) return Buffer.from("0");
  if (typeof value === "boolean") return Buffer.from(value ? "T" : "F");
  if (typeof value === "number") return Buffer.concat([Buffer.from("i"), integer(value)]);
  if (typeof value === "string") {
    // With an instance variable that says that its encoding is UTF-8.
    return Buffer.concat([Buffer.from('I"'), bytes(Buffer.from(value)), integer(1), symbol("E"), write(true)]);
  }
  if (!Array.isArray(value) && "size" in value) {
    return Buffer.concat([Buffer.from("{"), integer(value.size), ...[...value].flat().map(write)]);
  }
  if ("class" in value) {
    const name = symbol(value.class);
    return "dump" in value
      ? Buffer.concat([Buffer.from("u"), name, bytes(value.dump)])
      : Buffer.concat([Buffer.from("U"), name, write(value.data)]);
  }
  return Buffer.concat([Buffer.from("["), integer(value.length), ...value.map(write)]);
}

function symbol(name: string): Buffer {
  return Buffer.concat([Buffer.from(":"), bytes(Buffer.from(name))]);
}

function bytes(content: Buffer): Buffer {
  return Buffer.concat([integer(content.length), content]);
}

/** Small ones have one byte, in which 1 to 4 say how many bytes follow. */
function integer(value: number): Buffer {
  if (value === 0) return Buffer.from([0]);
  if (value < 123) return Buffer.from([value + 5]);
  return value < 256 ? Buffer.from([1, value]) : Buffer.from([2, value & 255, value >> 8]);
}
