// Muxer: writes encoded frames into MP4, with its index first so that playback can start while it loads, or WebM.
// Imported dynamically, because only videos need it; named imports are tree-shaken.
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
  /** True for a key frame. */
  readonly key: boolean;
  /** Decoder configuration record, with the first frame; H.264 has one. */
  readonly description?: Uint8Array;
}

export interface Muxing {
  readonly format: CodecFormat;
  /** WebCodecs codec string, with profile and level. */
  readonly codec: string;
  readonly width: number;
  readonly height: number;
  readonly fps: number;
}

export interface Muxer {
  /** Adds the next frame; each lasts 1/fps, which WebM rounds to whole milliseconds. */
  add(frame: EncodedFrame): Promise<void>;
  /** Returns the whole file. */
  finish(): Promise<Buffer>;
}

/** Colour space of frames converted by `videoColors`. */
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

/**
 * Offset of the level in AVCDecoderConfigurationRecord (ISO/IEC 14496-15), and in its first parameter set, which starts
 * after 8 bytes.
 */
const LEVEL_OFFSET = 3;
const PARAMETER_SET_LEVEL_OFFSET = 8 + 3;

/**
 * Raises the level of the record to at least that of `codec`, such as `avc1.64001f`. OpenH264 writes the lowest level
 * that fits, down to 1b, which this profile encodes as 9 and which Chromium, among others, rejects as unknown.
 */
function withLevel(record: Uint8Array, codec: string): Uint8Array {
  const level = Math.max(Number.parseInt(codec.slice(-2), 16), record[LEVEL_OFFSET] ?? 0);
  const raised = Uint8Array.from(record);
  raised[LEVEL_OFFSET] = level;
  raised[PARAMETER_SET_LEVEL_OFFSET] = level;
  return raised;
}
