/// <reference lib="dom" />
// Looks at videos: what they say of themselves, and the pixels of each of their frames.
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { ALL_FORMATS, BufferSource, EncodedPacketSink, Input } from "mediabunny";
import sharp from "sharp";
import { type BrowserSession, launchBrowser } from "../../lib/engine/browser/browser.ts";
import { parseAllowedOrigins } from "../../lib/engine/egress/egress-policy.ts";
import { chromiumFiles, testLimits } from "./chromium.ts";
import { afterEachTestFile } from "./test-file.ts";

export interface DecodedFrame {
  /** When it is shown first. */
  readonly timestampSeconds: number;
  /** For how long it is shown. */
  readonly durationSeconds: number;
  /** A decoder can begin with it. */
  readonly key: boolean;
  /** Red, green, blue and alpha of each pixel, row by row; made when it is requested. */
  readonly rgba: Buffer;
  /** `[red, green, blue]`, 0 to 255 each. */
  pixel(x: number, y: number): number[];
}

export interface DecodedVideo {
  readonly width: number;
  readonly height: number;
  /** As WebCodecs calls it, `gif` or `webp`. */
  readonly codec: string;
  readonly durationSeconds: number;
  readonly frames: readonly DecodedFrame[];
}

/**
 * Decodes a whole MP4, WebM, GIF or animated WebP, each frame composed as it is shown. All its pixels are held, so it is
 * for small videos. Rejects when a part of it cannot be decoded. The browser it needs for MP4 and WebM lives as long as
 * the tests of a file.
 */
export async function decodeVideo(file: Buffer): Promise<DecodedVideo> {
  const signature = file.toString("latin1", 0, 12);
  const isAnimation = signature.startsWith("GIF8") || /^RIFF....WEBP/s.test(signature);
  return isAnimation ? decodeAnimation(file) : decodeStream(file);
}

/** What is known of a frame before it is decoded. */
interface Timing {
  readonly timestampSeconds: number;
  readonly durationSeconds: number;
  readonly key: boolean;
}

async function decodeAnimation(file: Buffer): Promise<DecodedVideo> {
  const animation = sharp(file, { pages: -1, failOn: "warning", limitInputPixels: false });
  const { delay = [], format } = await animation.metadata();
  const { data, info } = await animation.ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const [width, height] = [info.width, info.pageHeight ?? info.height];
  const bytes = width * height * 4;
  let elapsed = 0;
  const frames = Array.from({ length: info.height / height }, (_, index) => {
    const timestampSeconds = elapsed / 1000;
    const milliseconds = delay[index] ?? 0;
    elapsed += milliseconds;
    const timing = { timestampSeconds, durationSeconds: milliseconds / 1000, key: index === 0 };
    const rgba = data.subarray(index * bytes, (index + 1) * bytes);
    return decodedFrame({ width, height }, timing, (pixel) => [...rgba.subarray(pixel * 4, pixel * 4 + 4)]);
  });
  return { width, height, codec: format, durationSeconds: elapsed / 1000, frames };
}

async function decodeStream(file: Buffer): Promise<DecodedVideo> {
  using input = new Input({ formats: ALL_FORMATS, source: new BufferSource(file) });
  const track = await input.getPrimaryVideoTrack();
  const config = await track?.getDecoderConfig();
  if (!track || !config) throw new Error("The file has no video.");
  const [width, height] = [await track.getDisplayWidth(), await track.getDisplayHeight()];
  const timings: Timing[] = [];
  const packets: Buffer[] = [];
  for await (const { data, type, timestamp, duration } of new EncodedPacketSink(track).packets()) {
    timings.push({ timestampSeconds: timestamp, durationSeconds: duration, key: type === "key" });
    packets.push(Buffer.from(data));
  }
  decoder ??= startDecoder();
  const pictures = await (await decoder).decode({ config, timings, packets });
  const colourOf = pixelReader({ width, height }, await track.getColorSpace());
  const frames = timings.map((timing, index) => {
    const planes = pictures[index] as Buffer;
    return decodedFrame({ width, height }, timing, (pixel) => colourOf(planes, pixel));
  });
  return { width, height, codec: config.codec, durationSeconds: await input.computeDuration(), frames };
}

/** `colourOf` gives red, green, blue and alpha of a pixel, which are counted row by row. */
function decodedFrame(size: Size, timing: Timing, colourOf: (pixel: number) => number[]): DecodedFrame {
  const { width, height } = size;
  let rgba: Buffer | undefined;
  return {
    ...timing,
    get rgba() {
      if (rgba) return rgba;
      rgba = Buffer.alloc(width * height * 4);
      for (let pixel = 0; pixel < width * height; pixel++) rgba.set(colourOf(pixel), pixel * 4);
      return rgba;
    },
    pixel(x, y) {
      if (x < 0 || x >= width || y < 0 || y >= height) throw new RangeError(`(${x}, ${y}) is outside.`);
      return colourOf(y * width + x).slice(0, 3);
    },
  };
}

/**
 * Reads pixels of planes with the chrominance at half the size, in the colours that the file says. Chromium's own
 * conversion is not requested: without a graphics card it counts in steps of 1/64 and ends at 2, so that green gets bluish.
 */
function pixelReader({ width, height }: Size, { matrix, fullRange }: VideoColorSpaceInit) {
  const weights = { bt709: [0.2126, 0.0722], smpte170m: [0.299, 0.114], bt470bg: [0.299, 0.114] }[String(matrix)];
  if (!weights) throw new Error(`The file says '${matrix}' of its colours.`);
  const [red = 0, blue = 0] = weights;
  const [black, lumaRange, chromaRange] = fullRange ? [0, 255, 255] : [16, 219, 224];
  const byte = (value: number) => Math.min(255, Math.max(0, Math.round(value * 255)));
  return (planes: Buffer, pixel: number) => {
    const [x, y] = [pixel % width, Math.floor(pixel / width)];
    const chroma = (y >> 1) * (width / 2) + (x >> 1);
    const luma = (Number(planes[pixel]) - black) / lumaRange;
    const u = (Number(planes[width * height + chroma]) - 128) / chromaRange;
    const v = (Number(planes[width * height * 1.25 + chroma]) - 128) / chromaRange;
    const [r, b] = [luma + v * 2 * (1 - red), luma + u * 2 * (1 - blue)];
    const g = (luma - red * r - blue * b) / (1 - red - blue);
    return [byte(r), byte(g), byte(b), 255];
  };
}

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Stream {
  readonly config: VideoDecoderConfig;
  readonly timings: readonly Timing[];
  readonly packets: readonly Buffer[];
}

/** Decodes one stream after the other, in a page that talks to a server here, as pixels are too many for DevTools. */
interface Decoder extends AsyncDisposable {
  /** The planes of all frames, see `pixelReader`. */
  decode(stream: Stream): Promise<Buffer[]>;
}

const unzip = promisify(gunzip);

let decoder: Promise<Decoder> | undefined;
afterEachTestFile(async () => {
  await (await decoder)?.[Symbol.asyncDispose]();
  decoder = undefined;
});

async function startDecoder(): Promise<Decoder> {
  let packets: readonly Buffer[] = [];
  let pictures: Buffer[] = [];
  const answer = async ({ method, url }: IncomingMessage, body: Buffer) => {
    if (url === "/packets") return Buffer.concat(packets as Buffer[]);
    if (method === "POST") pictures.push(await unzip(body));
    return "";
  };
  const server = createServer(async (request, response) => {
    response.setHeader("content-type", "text/html").end(await answer(request, await buffer(request)));
  });
  // A connection that closes as idle just when the next request is sent on it answers that request with an error.
  server.keepAliveTimeout = 0;
  await once(server.listen(0, "127.0.0.1"), "listening");
  const hostPort = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const session: BrowserSession = await launchBrowser({
    files: await chromiumFiles(),
    allowed: parseAllowedOrigins(hostPort),
    limits: testLimits,
  });
  const page = await session.page();
  const shown = await page.goto(`http://${hostPort}/`);
  if (!shown?.ok()) throw new Error(`The decoder's page answered ${shown?.status()}.`);
  let work = Promise.resolve<unknown>(undefined);

  async function decode({ config, timings, packets: sent }: Stream): Promise<Buffer[]> {
    packets = sent;
    pictures = [];
    const description = config.description && Buffer.from(config.description as Uint8Array).toString("base64");
    const chunks = timings.map(({ timestampSeconds, key }, index) => ({
      timestamp: Math.round(timestampSeconds * 1e6),
      type: key ? ("key" as const) : ("delta" as const),
      size: sent[index]?.length ?? 0,
    }));
    const decoded = await page.evaluate(decodeInPage, { ...config, description }, chunks);
    const expected = chunks.map(({ timestamp }) => timestamp);
    if (String(decoded) !== String(expected)) throw new Error(`Frames at ${decoded} came instead of ${expected}.`);
    const planes = Buffer.concat(pictures);
    const size = planes.length / chunks.length;
    return chunks.map((_, index) => planes.subarray(index * size, (index + 1) * size));
  }

  return {
    decode(stream) {
      const decoding = work.then(() => decode(stream));
      work = decoding.catch(() => undefined);
      return decoding;
    },
    async [Symbol.asyncDispose]() {
      await session.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Sends the planes of all frames to the server; the moments of the frames in microseconds, in the order they came. */
async function decodeInPage(
  { description, ...config }: Omit<VideoDecoderConfig, "description"> & { description?: string | undefined },
  chunks: readonly { readonly timestamp: number; readonly type: EncodedVideoChunkType; readonly size: number }[],
): Promise<number[]> {
  const failure = Promise.withResolvers<never>();
  const timestamps: number[] = [];
  let sending = Promise.resolve<unknown>(undefined);
  // In few and small requests: the way out of the browser is slow.
  const mostBytes = 8_000_000;
  let batch: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const send = async () => {
    const packed = new Blob(batch).stream().pipeThrough(new CompressionStream("gzip"));
    batch = [];
    bytes = 0;
    const { ok, status } = await fetch("/frames", { method: "POST", body: await new Response(packed).blob() });
    if (!ok) throw new Error(`The server of the decoder answered ${status}.`);
  };
  const videoDecoder = new VideoDecoder({
    output(frame) {
      timestamps.push(frame.timestamp);
      sending = sending.then(async () => {
        if (frame.format !== "I420") throw new Error(`A frame came as ${frame.format}.`);
        const planes = new Uint8Array(frame.allocationSize());
        await frame.copyTo(planes);
        frame.close();
        batch.push(planes);
        bytes += planes.length;
        if (bytes > mostBytes) await send();
      });
      sending.catch(failure.reject);
    },
    error: failure.reject,
  });
  videoDecoder.configure({
    ...config,
    ...(description && { description: Uint8Array.from(atob(description), (character) => character.charCodeAt(0)) }),
  });
  const response = await fetch("/packets");
  if (!response.ok) throw new Error(`The server of the decoder answered ${response.status}.`);
  const packets = await response.arrayBuffer();
  let at = 0;
  for (const { timestamp, type, size } of chunks) {
    await Promise.race([failure.promise, sending]); // one is closed once it has failed
    videoDecoder.decode(new EncodedVideoChunk({ timestamp, type, data: new Uint8Array(packets, at, size) }));
    at += size;
    // A decoder has few frames to give away, and waits for them to be closed.
    if (videoDecoder.decodeQueueSize > 4) {
      const dequeued = new Promise((resolve) => videoDecoder.addEventListener("dequeue", resolve, { once: true }));
      await Promise.race([failure.promise, dequeued]);
    }
  }
  await Promise.race([failure.promise, videoDecoder.flush()]);
  await sending;
  await send();
  videoDecoder.close();
  return timestamps;
}
