// H.264 in MP4 and VP9 in WebM, by the encoders of a Chromium that shows no page of anybody's.
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

/** Frames on their way into the encoder: one each that is read, decoded and converted. */
const MOST_IN_FLIGHT = 3;

/** WebCodecs are for secure origins only. This one is nobody's, and its one document comes from here. */
const ORIGIN = "https://encoder.invalid/";

const preparations = new WeakMap<BrowserSession, Promise<void>>();

/** Opens the page that encodes, which can be done before anything is known of the video; once for each browser. */
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
 * Encodes one video in a browser that does nothing else, and that whoever launched it closes. When that browser goes
 * away, or is closed, `add` and `finish` reject. See `SHORTEST_SIDE` for the smallest mp4.
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
  let pictures = 0;

  return {
    takes: "jpeg",
    async add(picture) {
      frames++;
      if (picture === undefined) await progress.during(page.tell("repeat"));
      else {
        // The picture that had this name before is not needed any more: it is not among those in flight. Two pictures
        // that follow each other need different names, or Chromium takes the second one for the first.
        const file = join(folder, `${pictures++ % MOST_IN_FLIGHT}.jpg`);
        await writeFile(file, picture, "base64");
        await progress.during(page.give(file));
      }
      await progress.until(({ taken }) => frames - taken < MOST_IN_FLIGHT);
    },
    async finish() {
      await progress.during(page.tell("finish"));
      await progress.until(({ finished }) => finished);
      return muxer.finish();
    },
    async [Symbol.asyncDispose]() {
      progress.stop();
      await page.tell("close").catch(() => undefined); // the browser may have gone
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface EncoderInPage {
  /** Gives it the file of the next picture. */
  give(file: string): Promise<unknown>;
  tell(what: keyof PageEncoder): Promise<unknown>;
}

async function startInPage(cdp: CDPSession, settings: PageSettings): Promise<EncoderInPage> {
  const expression = await injectedCall("videoEncoder", "startEncoder", settings);
  const { result, exceptionDetails } = await cdp.send("Runtime.evaluate", { expression });
  const { objectId } = result;
  if (exceptionDetails || objectId === undefined) {
    throw new Error(`The encoder did not start: ${exceptionDetails?.exception?.description ?? result.description}.`);
  }
  return {
    give: (file) => cdp.send("DOM.setFileInputFiles", { objectId, files: [file] }),
    tell: (what) =>
      cdp.send("Runtime.callFunctionOn", {
        objectId,
        functionDeclaration: "function (what) { this.encoder[what](); }",
        arguments: [{ value: what }],
      }),
  };
}
