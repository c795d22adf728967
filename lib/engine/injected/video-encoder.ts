/// <reference lib="dom" />
// WebCodecs encoder: runs in the encoder page, encodes JPEG images and reports the chunks.
import { videoColors } from "./video-colors.ts";

export interface CodecSettings {
  /** WebCodecs codec string, with profile and level. */
  readonly codec: string;
  /** Frames between key frames. */
  readonly keyFrameInterval: number;
  /** Target bitrate of H.264, in bits per second. */
  readonly bitrate?: number;
  /** Quantizer of each VP9 frame, from 0 to 255 (coarsest). */
  readonly quantizer?: number;
}

/** Settings of a video for the page. */
export interface PageSettings extends CodecSettings {
  readonly width: number;
  readonly height: number;
  readonly fps: number;
}

/** Name of the CDP binding to which the page sends its reports, as JSON. */
export const REPORT = "reportEncoded";

/** Progress since the previous report. */
export interface EncoderReport {
  /** Frames accepted so far. */
  readonly taken: number;
  readonly chunks: readonly EncodedChunk[];
  /** Set when everything is encoded. */
  readonly finished?: true;
  /** Why encoding has stopped. */
  readonly error?: string;
}

/** An encoded frame, in order. */
export interface EncodedChunk {
  /** In base64. */
  readonly data: string;
  /** True for a key frame. */
  readonly key: boolean;
  /** Decoder configuration record in base64, with the first chunk; H.264 has one. */
  readonly description?: string;
}

/** Commands to the page, besides its input files. */
export interface PageEncoder {
  /** Repeats the previous frame. */
  repeat(): void;
  /** Flushes the encoder and reports that it finished. */
  finish(): void;
  /** Cancels the encoding without a report. */
  close(): void;
}

/**
 * Starts a video. The returned input element accepts the images, one file at a time; its `encoder` accepts commands.
 * Files bypass the DevTools protocol, which needs 10 ms of CPU for what a file transfers in 2 ms.
 */
export function startEncoder(settings: PageSettings): HTMLInputElement & { encoder: PageEncoder } {
  const { codec, width, height, fps, keyFrameInterval, bitrate, quantizer } = settings;
  const maxQueued = 4;
  const colorSpace = { primaries: "bt709", transfer: "bt709", matrix: "bt709", fullRange: false } as const;
  const planes = new Uint8ClampedArray(width * height * 1.5);
  const toVideoColors = videoColors(width, height);
  let taken = 0;
  let chunks: EncodedChunk[] = [];
  let lastFrame: VideoFrame | undefined;
  let failed = false;
  let work = Promise.resolve();

  const send = Reflect.get(globalThis, REPORT) as (json: string) => void;
  const sendReport = (more: Partial<EncoderReport> = {}) => {
    const message: EncoderReport = { taken, chunks, ...more };
    chunks = [];
    send(JSON.stringify(message));
  };
  const fail = (error: unknown) => {
    if (failed) return;
    failed = true;
    sendReport({ error: String(error) });
  };
  const next = (task: () => Promise<void>) => {
    work = work.then(() => (failed ? undefined : task())).catch(fail);
  };
  // newer than TypeScript's DOM types here
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
    contentHint: "text", // makes a moving page several times smaller, and sharper
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

  /** Converts an image to a video frame without a timestamp. */
  async function toVideoFrame(image: VideoFrame): Promise<VideoFrame> {
    try {
      const { format, visibleRect } = image;
      if (format !== "I420" || visibleRect?.width !== width || visibleRect.height !== height) {
        const size = `${visibleRect?.width} × ${visibleRect?.height}`;
        throw new Error(`An image of ${size} pixels as ${format} came for a video of ${width} × ${height}.`);
      }
      await image.copyTo(planes);
      toVideoColors(planes);
      return new VideoFrame(planes, { format, codedWidth: width, codedHeight: height, timestamp: 0, colorSpace });
    } finally {
      image.close();
    }
  }

  async function encode(image: Promise<VideoFrame> | undefined): Promise<void> {
    if (image) {
      const converted = await toVideoFrame(await image);
      lastFrame?.close();
      lastFrame = converted;
    }
    if (!lastFrame) throw new Error("The first frame has no image.");
    while (videoEncoder.encodeQueueSize >= maxQueued) {
      await new Promise((resolve) => videoEncoder.addEventListener("dequeue", resolve, { once: true }));
    }
    const frame = new VideoFrame(lastFrame, {
      timestamp: Math.round((taken * 1e6) / fps),
      duration: Math.round(1e6 / fps),
    });
    const keyFrame = taken % keyFrameInterval === 0;
    videoEncoder.encode(frame, { keyFrame, ...(quantizer !== undefined && { vp9: { quantizer } }) });
    frame.close();
    taken++;
    sendReport();
  }

  const input = document.createElement("input");
  input.type = "file";
  input.addEventListener("change", () => {
    const image = decode(input.files?.[0] as File); // while earlier frames are encoded
    image.catch(() => undefined); // `encode` gets the error
    next(() => encode(image));
  });
  const encoder: PageEncoder = {
    repeat: () => next(() => encode(undefined)),
    finish: () =>
      next(async () => {
        await videoEncoder.flush();
        sendReport({ finished: true });
      }),
    close() {
      failed = true;
      if (videoEncoder.state !== "closed") videoEncoder.close();
      lastFrame?.close();
    },
  };
  return Object.assign(input, { encoder });
}
