// The head of a renderer's response: JSON with its length before it.
import * as v from "valibot";
import { parseBoundedJson } from "./bounded-json.ts";
import { type ByteReader, UnreadableResponse } from "./byte-reader.ts";

export const LENGTH_BYTES = 4;

export function encodeHead(head: object): Buffer {
  const json = JSON.stringify(head); // what is undefined is left out
  const encoded = Buffer.allocUnsafe(LENGTH_BYTES + Buffer.byteLength(json));
  encoded.writeUInt32BE(encoded.length - LENGTH_BYTES);
  encoded.write(json, LENGTH_BYTES);
  return encoded;
}

/** Throws `UnreadableResponse` for a head that is too long or isn't valid. */
export async function readResponseHead<Schema extends v.GenericSchema>(
  input: ByteReader,
  schema: Schema,
  maxBytes: number,
): Promise<v.InferOutput<Schema>> {
  const length = (await input.read(LENGTH_BYTES)).readUInt32BE();
  if (length > maxBytes) throw new UnreadableResponse(`A head of ${length} bytes is too long.`);
  const json = await input.read(length);
  try {
    return v.parse(schema, parseBoundedJson(json));
  } catch (cause) {
    throw new UnreadableResponse("The head is not valid.", { cause });
  }
}
