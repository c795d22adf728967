// Fewer and larger writes: each of them wakes whoever reads.
import type { Writable } from "node:stream";

/**
 * From now on writes to a stream go out together at the end of the turn in which they are made. puppeteer makes two of
 * every message, and Chromium would be woken for half of one.
 */
export function corkWrites(stream: Writable): void {
  const write = stream.write.bind(stream) as (...given: unknown[]) => boolean;
  stream.write = (...given: unknown[]) => {
    if (stream.writableCorked === 0) {
      stream.cork();
      process.nextTick(() => stream.uncork());
    }
    return write(...given);
  };
}
