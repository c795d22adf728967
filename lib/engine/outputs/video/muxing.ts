// Encoded frames put into a file: MP4 with its index first, so that it plays while it is loaded, or WebM. Loaded late:
// only videos need it, and named imports are bundled without what is unused.
import {
  BufferTarget,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
  WebMOutputFormat,
} from "mediabunny";
import type { CodecFormat } from "./codec-settings.ts";

/** One encoded frame. */
export interface EncodedFrame {
  readonly data: Uint8Array;
  /** It needs no other frame. */
  readonly key: boolean;
  /** The decoder's configuration beside the frames, with the first one; H.264 has it. */
  readonly description?: Uint8Array;
}

export interface Muxing {
  readonly format: CodecFormat;
  /** As WebCodecs calls it, with profile and level. */
  readonly codec: string;
  readonly width: number;
  readonly height: number;
  readonly fps: number;
}

export interface Muxer {
  /** Takes the next frame; each is shown for 1/fps, which WebM counts in whole milliseconds. */
  add(frame: EncodedFrame): Promise<void>;
  /** The whole file. */
  finish(): Promise<Buffer>;
}

/** What pictures of `videoColours` are to a decoder. */
const colorSpace = { primaries: "bt709", transfer: "bt709", matrix: "bt709", fullRange: false } as const;

export async function createMuxer({ format, codec, width, height, fps }: Muxing): Promise<Muxer> {
  const target = new BufferTarget();
  const container = format === "mp4" ? new Mp4OutputFormat({ fastStart: "in-memory" }) : new WebMOutputFormat();
  const output = new Output({ format: container, target });
  const source = new EncodedVideoPacketSource(format === "mp4" ? "avc" : "vp9");
  output.addVideoTrack(source, { frameRate: fps });
  await output.start();
  let frames = 0;
  return {
    async add({ data, key, description }) {
      const packet = new EncodedPacket(data, key ? "key" : "delta", frames / fps, 1 / fps, frames);
      const decoderConfig = {
        codec,
        codedWidth: width,
        codedHeight: height,
        colorSpace,
        ...(description && { description: withLevel(description, codec) }),
      };
      await source.add(packet, frames === 0 ? { decoderConfig } : undefined);
      frames++;
    },
    async finish() {
      await output.finalize();
      if (!target.buffer) throw new Error("The container was not finished.");
      return Buffer.from(target.buffer);
    },
  };
}

/** Where the record has the level, and where its first parameter set, which begins after 8 bytes, has it again. */
const LEVEL = 3;
const LEVEL_OF_PARAMETER_SET = 8 + 3;

/**
 * The record with a level at least as high as that of `codec`, such as `avc1.64001f`. OpenH264 takes the lowest one that
 * fits, down to 1b, which in this profile is written as 9 and which Chromium, among others, takes for no level at all.
 */
function withLevel(record: Uint8Array, codec: string): Uint8Array {
  const level = Math.max(Number.parseInt(codec.slice(-2), 16), record[LEVEL] ?? 0);
  const raised = Uint8Array.from(record);
  raised[LEVEL] = level;
  raised[LEVEL_OF_PARAMETER_SET] = level;
  return raised;
}
