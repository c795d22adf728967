// Messages of AWS's event stream encoding, in which Lambda streams the response of an invocation.
// https://smithy.io/2.0/aws/amazon-eventstream.html
import { crc32 } from "node:zlib";

/** Type of a header's value: a string with a length of two bytes. */
const STRING = 7;
/** Total length, length of the headers, and their checksum, of four bytes each. */
const PRELUDE_BYTES = 12;
const CHECKSUM_BYTES = 4;

/** A message with an event of this type. */
export function encodeEvent(eventType: string, contentType: string, payload: Uint8Array): Buffer {
  const headers = Buffer.concat([
    encodeHeader(":event-type", eventType),
    encodeHeader(":content-type", contentType),
    encodeHeader(":message-type", "event"),
  ]);
  const message = Buffer.alloc(PRELUDE_BYTES + headers.length + payload.length + CHECKSUM_BYTES);
  message.writeUInt32BE(message.length, 0);
  message.writeUInt32BE(headers.length, 4);
  message.writeUInt32BE(crc32(message.subarray(0, 8)), 8);
  headers.copy(message, PRELUDE_BYTES);
  message.set(payload, PRELUDE_BYTES + headers.length);
  const end = message.length - CHECKSUM_BYTES;
  message.writeUInt32BE(crc32(message.subarray(0, end)), end);
  return message;
}

function encodeHeader(name: string, value: string): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(Buffer.byteLength(value));
  return Buffer.concat([Buffer.of(name.length), Buffer.from(name), Buffer.of(STRING), length, Buffer.from(value)]);
}
