// Encodes H.264 in MP4 and VP9 in WebM with the WebCodecs of a second Chromium, which shows no customer page.
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CDPSession } from "puppeteer-core";
import type { BrowserSession } from "../../browser/browser.ts";
import { createTemporaryFolder } from "../../browser/temporary-folders.ts";
import { type PageEncoder, type PageSettings, REPORT } from "../../injected/video-encoder.ts";
import { injectedCall } from "../../page/injected-scripts.ts";
import { intercept } from "../../page/interception.ts";
import { type CodecFormat, codecSettings } from "./codec-settings.ts";
import { followEncoding } from "./encoding-progress.ts";
import type { FrameEncoder, VideoSettings } from "./frame-encoder.ts";

/** Frames in flight: one each being read, decoded and converted. */
const MAX_FRAMES_IN_FLIGHT = 3;

/** WebCodecs require a secure origin. This one does not exist; its document is served by interception. */
const ORIGIN = "https://encoder.invalid/";

const preparations = new WeakMap<BrowserSession, Promise<void>>();

/** Opens the encoder page, once per browser; possible before anything is known of the video. */
export function prepareEncoderPage(session: BrowserSession): Promise<void> {
  const preparation = preparations.get(session) ?? openEncoderPage(session.cdp);
  preparations.set(session, preparation);
  return preparation;
}

async function openEncoderPage(cdp: CDPSession): Promise<void> {
  const headers = [{ name: "content-type", value: "text/html" }];
  const answer = { status: 200, headers, body: Buffer.from("<!doctype html>") };
  await intercept(cdp, { patterns: [{ urlPattern: "*" }], intervene: () => ({ answer }) });
  await cdp.send("Runtime.enable");
  await cdp.send("Runtime.addBinding", { name: REPORT });
  const { errorText } = await cdp.send("Page.navigate", { url: ORIGIN });
  if (errorText !== undefined) throw new Error(`The encoder's page could not be opened: ${errorText}.`);
}

/**
 * Encodes one video in a browser used for nothing else, which the caller closes. When that browser ends, `add` and
 * `finish` reject. See `MIN_SIDE` for the smallest mp4.
 */
export async function createWebCodecsEncoder(
  session: BrowserSession,
  format: CodecFormat,
  settings: VideoSettings,
): Promise<FrameEncoder> {
  const { width, height, fps } = settings;
  const codec = codecSettings(format, settings);
  await prepareEncoderPage(session);
  const { createMuxer } = await import("./muxing.ts");
  const muxer = await createMuxer({ format, codec: codec.codec, width, height, fps });
  const progress = followEncoding(session, muxer);
  const page = await startInPage(session.cdp, { ...codec, width, height, fps });
  const folder = createTemporaryFolder("frames");
  let frames = 0;
  let images = 0;

  return {
    inputFormat: "jpeg",
    async add(image) {
      frames++;
      if (image === undefined) await progress.during(page.call("repeat"));
      else {
        // The file of this name is no longer in flight, so its image is not needed any more. Consecutive images need
        // different names, or Chromium takes the second for the first.
        const file = join(folder, `${images++ % MAX_FRAMES_IN_FLIGHT}.jpg`);
        await writeFile(file, image, "base64");
        await progress.during(page.sendFile(file));
      }
      await progress.until(({ taken }) => frames - taken < MAX_FRAMES_IN_FLIGHT);
    },
    async finish() {
      await progress.during(page.call("finish"));
      await progress.until(({ finished }) => finished);
      return muxer.finish();
    },
    async [Symbol.asyncDispose]() {
      progress.stop();
      await page.call("close").catch(() => undefined); // the browser may be gone
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface EncoderInPage {
  /** Passes the file of the next image. */
  sendFile(file: string): Promise<unknown>;
  call(command: keyof PageEncoder): Promise<unknown>;
}

async function startInPage(cdp: CDPSession, settings: PageSettings): Promise<EncoderInPage> {
  const expression = await injectedCall("videoEncoder", "startEncoder", settings);
  const { result, exceptionDetails } = await cdp.send("Runtime.evaluate", { expression });
  const { objectId } = result;
  if (exceptionDetails || objectId === undefined) {
    throw new Error(`The encoder did not start: ${exceptionDetails?.exception?.description ?? result.description}.`);
  }
  return {
    sendFile: (file) => cdp.send("DOM.setFileInputFiles", { objectId, files: [file] }),
    call: (command) =>
      cdp.send("Runtime.callFunctionOn", {
        objectId,
        functionDeclaration: "function (command) { this.encoder[command](); }",
        arguments: [{ value: command }],
      }),
  };
}
