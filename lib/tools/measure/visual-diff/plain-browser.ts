// Plain Chromium, which shows pages as a visitor's browser does: the packaged build, without any change to a page.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, launch } from "puppeteer-core";
import { chromiumFiles } from "../../../../test/fixtures/chromium-files.ts";
import { browserEnvironment } from "../../../engine/browser/browser.ts";
import { chromiumFlags } from "../../../engine/browser/chromium-flags.ts";

/**
 * What belongs to the egress proxy. Everything else stays, `--single-process` too: with more processes, text has other widths,
 * and lines break elsewhere.
 */
const LEFT_OUT = /^--(proxy-|host-resolver-rules)/;

/** Names other than this machine have no address: a page is complete in itself, or looks the same without them. */
const OFFLINE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1";

export interface PlainBrowser extends AsyncDisposable {
  readonly browser: Browser;
}

/** Launches it for one page, which may crash it, with the fonts and the flags of rendering of the product's browser, so that only what we do differs. */
export async function launchPlainBrowser({ isOffline }: { isOffline: boolean }): Promise<PlainBrowser> {
  const files = await chromiumFiles();
  const profile = await mkdtemp(join(tmpdir(), "plain-browser-"));
  const flags = chromiumFlags({ profile, proxyPort: 0, frameMode: "continuous" }).filter(
    (flag) => !LEFT_OUT.test(flag),
  );
  const browser = await launch({
    executablePath: files.executable,
    ignoreDefaultArgs: true,
    args: [...(isOffline ? [OFFLINE] : []), ...flags],
    pipe: true,
    defaultViewport: null,
    handleSIGINT: false, // puppeteer would end the browser, but not the process
    handleSIGTERM: false,
    handleSIGHUP: false,
    env: browserEnvironment(files, profile),
  });
  return {
    browser,
    async [Symbol.asyncDispose]() {
      await browser.close();
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
