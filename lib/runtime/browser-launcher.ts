// Chromium, made ready while the function starts and launched anew for each capture.
import { type BrowserSession, launchBrowser } from "../capture/browser/browser.ts";
import { unpackChromium } from "../capture/browser/chromium-files.ts";
import { environment } from "../platform/environment.ts";
import { allowedOrigins } from "./allowed-origins.ts";

/** A browser that was begun ahead of its use. Disposing of it closes it, used or not. */
export interface BegunBrowser extends AsyncDisposable {
  readonly first: Promise<BrowserSession>;
  /** Launches another, for a second attempt. */
  readonly again: () => Promise<BrowserSession>;
}

/** Memory the function itself needs beside the browser. */
const FUNCTION_BYTES = 320 * 2 ** 20;

/**
 * Begins to unpack Chromium at once and returns the way to begin a browser, which starts once `go` resolves and not at
 * all when it rejects. Throws when the environment is not usable.
 */
export function createBrowserLauncher(): (go: Promise<unknown>) => BegunBrowser {
  const { CHROMIUM_FILES, FONT_FILES, AWS_LAMBDA_FUNCTION_MEMORY_SIZE } = environment(
    "CHROMIUM_FILES",
    "FONT_FILES",
    "AWS_LAMBDA_FUNCTION_MEMORY_SIZE",
  );
  const allowed = allowedOrigins();
  const memoryLimit = AWS_LAMBDA_FUNCTION_MEMORY_SIZE * 2 ** 20 - FUNCTION_BYTES;
  const unpacking = unpackChromium(CHROMIUM_FILES, FONT_FILES);
  const launch = async (signal?: AbortSignal) =>
    launchBrowser({ files: await unpacking, allowed, memoryLimit, ...(signal && { signal }) });
  unpacking.catch(() => undefined); // whoever launches is told
  return (go) => {
    const disposal = new AbortController();
    const first = go.then(() => launch(disposal.signal));
    first.catch(() => undefined); // whoever uses it is told
    return {
      first,
      again: () => launch(),
      async [Symbol.asyncDispose]() {
        disposal.abort(); // the caller need not wait for a browser to start that nobody will use
        await first.then((session) => session.close()).catch(() => undefined);
      },
    };
  };
}
