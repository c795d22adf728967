/// <reference lib="dom" />
// Runs in the encoder's page, sent there as text: takes JPEG pictures, and reports what becomes of them.
import type { CodecSettings } from "./codec-settings.ts";

/** What the page is told of a video. */
export interface PageSettings extends CodecSettings {
  readonly width: number;
  readonly height: number;
  readonly fps: number;
}

/** What the page says, as JSON, to the binding of this name. */
export const REPORT = "reportEncoded";

/** What has happened since the report before. */
export interface Report {
  /** Frames taken so far, from which on there is room for others. */
  readonly taken: number;
  readonly chunks: readonly EncodedChunk[];
  /** Once everything is encoded. */
  readonly finished?: true;
  /** Why nothing more will come. */
  readonly error?: string;
}

/** An encoded frame; they come in the order of the frames. */
export interface EncodedChunk {
  /** In base64. */
  readonly data: string;
  /** It needs no other frame. */
  readonly key: boolean;
  /** What a decoder needs to know before it sees the first chunk, in base64; H.264 has it beside its frames. */
  readonly description?: string;
}

/** What the page is told to do, beside being given files. */
export interface PageEncoder {
  /** The picture of the frame before, once more. */
  repeat(): void;
  /** Encodes what is under way and reports that it has. */
  finish(): void;
  /** Ends what is under way without a word. */
  close(): void;
}

/**
 * Begins a video: the returned element takes the pictures, one file at a time, `encoder` on it everything else. Files,
 * because they go past the debugger's protocol, which needs 10 ms of CPU to take in what a file brings in 2.
 */
export function startEncoder(
  settings: PageSettings,
  report: string,
  videoColors: (width: number, height: number) => (planes: Uint8ClampedArray) => void,
): HTMLInputElement & { encoder: PageEncoder } {
  const { codec, width, height, fps, keyFrameInterval: keyFrameEvery, bitrate, quantizer } = settings;
  const mostQueued = 4;
  const colorSpace = { primaries: "bt709", transfer: "bt709", matrix: "bt709", fullRange: false } as const;
  const planes = new Uint8ClampedArray(width * height * 1.5);
  const toVideoColors = videoColors(width, height);
  let taken = 0;
  let chunks: EncodedChunk[] = [];
  let kept: VideoFrame | undefined;
  let failed = false;
  let work = Promise.resolve();

  const send = Reflect.get(globalThis, report) as (json: string) => void;
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
  // newer than the types of this function's own surroundings
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
    hardwareAcceleration: "prefer-software", // there is nothing else, and looking for it takes time
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

  /** The picture as a frame of the video, without the time at which it is shown. */
  async function convert(picture: VideoFrame): Promise<VideoFrame> {
    try {
      const { format, visibleRect } = picture;
      if (format !== "I420" || visibleRect?.width !== width || visibleRect.height !== height) {
        const size = `${visibleRect?.width} × ${visibleRect?.height}`;
        throw new Error(`A picture of ${size} pixels as ${format} came for a video of ${width} × ${height}.`);
      }
      await picture.copyTo(planes);
      toVideoColors(planes);
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
    picture.catch(() => undefined); // `encode` will hear of it
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
