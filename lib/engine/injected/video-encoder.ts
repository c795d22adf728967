/// <reference lib="dom" />
// Encodes JPEG pictures as a video with WebCodecs, in a page of its own.
import type { CodecSettings } from "../outputs/video/codec-settings.ts";
import { videoColors } from "../outputs/video/video-colours.ts";

/** The settings of a video. */
export interface PageSettings extends CodecSettings {
  readonly width: number;
  readonly height: number;
  readonly fps: number;
}

/** The binding that takes reports as JSON. */
export const REPORT = "reportEncoded";

/** What has happened since the previous report. */
export interface Report {
  /** Frames taken so far. */
  readonly taken: number;
  readonly chunks: readonly EncodedChunk[];
  /** Set when everything is encoded. */
  readonly finished?: true;
  /** Why encoding has stopped. */
  readonly error?: string;
}

/** An encoded frame; they come in the order of the frames. */
export interface EncodedChunk {
  /** In base64. */
  readonly data: string;
  /** True for a key frame. */
  readonly key: boolean;
  /** The codec's configuration record, in base64; H.264 has it beside its frames. */
  readonly description?: string;
}

/** Commands of the encoder, which takes pictures as files. */
export interface PageEncoder {
  /** Encodes the previous picture once more. */
  repeat(): void;
  /** Encodes all pending frames, and reports the end. */
  finish(): void;
  /** Drops pending frames, and reports nothing more. */
  close(): void;
}

/**
 * Starts a video. The returned input element takes the pictures, one file at a time; its property `encoder` takes
 * commands. Files bypass the DevTools protocol, which needs 10 ms of CPU for a picture that takes 2 ms as a file.
 */
export function startEncoder(settings: PageSettings): HTMLInputElement & { encoder: PageEncoder } {
  const { codec, width, height, fps, keyFrameEvery, bitrate, quantizer } = settings;
  const mostQueued = 4;
  const colorSpace = { primaries: "bt709", transfer: "bt709", matrix: "bt709", fullRange: false } as const;
  const planes = new Uint8ClampedArray(width * height * 1.5);
  const toVideoColours = videoColors(width, height);
  let taken = 0;
  let chunks: EncodedChunk[] = [];
  let kept: VideoFrame | undefined;
  let failed = false;
  let work = Promise.resolve();

  const send = Reflect.get(globalThis, REPORT) as (json: string) => void;
  const tell = (more: Partial<Report> = {}) => {
    const told: Report = { taken, chunks, ...more };
    chunks = [];
    send(JSON.stringify(told));
  };
  const fail = (error: unknown) => {
    if (failed) return;
    failed = true;
    tell({ error: String(error) });
  };
  const next = (task: () => Promise<void>) => {
    work = work.then(() => (failed ? undefined : task())).catch(fail);
  };
  // newer than TypeScript's types
  const base64 = (bytes: Uint8Array) => (bytes as Uint8Array & { toBase64(): string }).toBase64();

  const videoEncoder = new VideoEncoder({
    output(chunk, metadata) {
      const bytes = new Uint8Array(chunk.byteLength);
      chunk.copyTo(bytes);
      const description = metadata?.decoderConfig?.description as ArrayBuffer | undefined;
      chunks.push({
        data: base64(bytes),
        key: chunk.type === "key",
        ...(description && { description: base64(new Uint8Array(description)) }),
      });
    },
    error: fail,
  });
  videoEncoder.configure({
    codec,
    width,
    height,
    framerate: fps,
    hardwareAcceleration: "prefer-software", // there is no hardware encoder, and looking for one takes time
    contentHint: "text", // a page in motion is several times smaller, and sharper
    ...(bitrate !== undefined && { bitrate, avc: { format: "avc" } }),
    ...(quantizer !== undefined && { bitrateMode: "quantizer" }),
  });

  async function decode(file: File): Promise<VideoFrame> {
    const decoder = new ImageDecoder({
      data: await file.arrayBuffer(),
      type: "image/jpeg",
      colorSpaceConversion: "none",
    });
    try {
      return (await decoder.decode()).image;
    } finally {
      decoder.close();
    }
  }

  /** The picture as a video frame, without its timestamp. */
  async function convert(picture: VideoFrame): Promise<VideoFrame> {
    try {
      const { format, visibleRect } = picture;
      if (format !== "I420" || visibleRect?.width !== width || visibleRect.height !== height) {
        const size = `${visibleRect?.width} × ${visibleRect?.height}`;
        throw new Error(`A picture of ${size} pixels as ${format} came for a video of ${width} × ${height}.`);
      }
      await picture.copyTo(planes);
      toVideoColours(planes);
      return new VideoFrame(planes, { format, codedWidth: width, codedHeight: height, timestamp: 0, colorSpace });
    } finally {
      picture.close();
    }
  }

  async function encode(picture: Promise<VideoFrame> | undefined): Promise<void> {
    if (picture) {
      const converted = await convert(await picture);
      kept?.close();
      kept = converted;
    }
    if (!kept) throw new Error("The first frame has no picture.");
    while (videoEncoder.encodeQueueSize >= mostQueued) {
      await new Promise((resolve) => videoEncoder.addEventListener("dequeue", resolve, { once: true }));
    }
    const frame = new VideoFrame(kept, { timestamp: Math.round((taken * 1e6) / fps), duration: Math.round(1e6 / fps) });
    const keyFrame = taken % keyFrameEvery === 0;
    videoEncoder.encode(frame, { keyFrame, ...(quantizer !== undefined && { vp9: { quantizer } }) });
    frame.close();
    taken++;
    tell();
  }

  const input = document.createElement("input");
  input.type = "file";
  input.addEventListener("change", () => {
    const picture = decode(input.files?.[0] as File); // while earlier ones are being encoded
    picture.catch(() => undefined); // `encode` awaits it
    next(() => encode(picture));
  });
  const encoder: PageEncoder = {
    repeat: () => next(() => encode(undefined)),
    finish: () =>
      next(async () => {
        await videoEncoder.flush();
        tell({ finished: true });
      }),
    close() {
      failed = true;
      if (videoEncoder.state !== "closed") videoEncoder.close();
      kept?.close();
    },
  };
  return Object.assign(input, { encoder });
}
