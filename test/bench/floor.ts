// The floor, as a process of its own: raw puppeteer with the same Chromium and the same flags, and nothing else.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer from "puppeteer-core";
import { type ChromiumFiles, unpackChromium } from "../../lib/capture/chromium-files.ts";
import { chromiumFlags } from "../../lib/capture/chromium-flags.ts";

const PROXY = /^--(proxy-|host-resolver-rules)/;

/** Milliseconds from launch to a PNG of the page in memory, the browser killed. */
async function shoot(files: ChromiumFiles, url: string): Promise<number> {
  const profile = await mkdtemp(join(tmpdir(), "floor-"));
  const begun = performance.now();
  const browser = await puppeteer.launch({
    executablePath: files.executable,
    args: chromiumFlags({ profile, proxyPort: 0 }).filter((flag) => !PROXY.test(flag)),
    ignoreDefaultArgs: true,
    pipe: true,
    defaultViewport: { width: 1280, height: 1024 },
    env: { LD_LIBRARY_PATH: files.libraries, FONTCONFIG_FILE: files.fontConfiguration, HOME: profile },
  });
  const [page] = await browser.pages();
  await page?.goto(url, { waitUntil: "load" });
  await page?.screenshot({ type: "png" });
  const taken = performance.now() - begun;
  browser.process()?.kill("SIGKILL");
  await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  return taken;
}

const files = await unpackChromium(process.env.CHROMIUM_FILES ?? "", process.env.FONT_FILES ?? "");
process.on("message", (url: string) => void shoot(files, url).then((taken) => process.send?.(taken)));
process.send?.("ready");
