// Opens one page from a server on loopback as a capture does, in a warm browser, for tests of what is read from it.

import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { parseCaptureOptions } from "../../lib/contract/options/capture-options.ts";
import { engineOptions } from "../../lib/contract/options/engine-options.ts";
import type { FilterLists } from "../../lib/engine/adblock/filter-lists.ts";
import type { BrowserSession } from "../../lib/engine/browser/browser.ts";
import { parseAllowedOrigins } from "../../lib/engine/egress/egress-policy.ts";
import { trackPage } from "../../lib/engine/page/page-activity.ts";
import { type CapturingPage, type LaunchedPage, startCapture } from "../../lib/engine/pipeline/capture-state.ts";
import { createBudget } from "../../lib/engine/timing/budget.ts";
import { noLists, testLimits } from "./chromium.ts";
import { openWarmPage } from "./warm-browser.ts";

export interface OpenPage extends AsyncDisposable {
  readonly capturing: CapturingPage;
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string;
}

export interface OpenPageSettings {
  readonly path?: string;
  /** Called before the page is requested. */
  readonly opening?: (session: BrowserSession) => Promise<void>;
  /** Size of the viewport in CSS pixels. @default that of the browser */
  readonly window?: { readonly width: number; readonly height: number };
  /** Options of the capture, as a caller sends them, without its source. */
  readonly options?: Readonly<Record<string, unknown>>;
}

/** Opens `path` of a server that answers with `html`, or as `serve` does, and waits until it has loaded. */
export async function openPage(
  html: string | RequestListener,
  { path = "/", opening, window, options = {} }: OpenPageSettings = {},
): Promise<OpenPage> {
  const serve: RequestListener =
    typeof html === "string"
      ? ({ url }, answer) => {
          if (url !== path) answer.statusCode = 404;
          answer.setHeader("content-type", "text/html; charset=utf-8").end(url === path ? html : "");
        }
      : html;
  const server = createServer(serve);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const hostPort = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const session = await openWarmPage({ allowed: parseAllowedOrigins(hostPort), limits: testLimits });
  const activity = await trackPage(session);
  if (window)
    await session.cdp.send("Emulation.setDeviceMetricsOverride", { ...window, deviceScaleFactor: 1, mobile: false });
  await opening?.(session);
  activity.expectDocument(`http://${hostPort}${path}`);
  await session.cdp.send("Page.navigate", { url: `http://${hostPort}${path}` });
  await activity.until(() => activity.document.loaded, 20_000);
  return {
    origin: `http://${hostPort}`,
    capturing: capturingOn(session, activity, { ...(window && { window }), options }),
    async [Symbol.asyncDispose]() {
      await session.close();
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

/** A capture of the one page that a browser shows, in a minute of time. */
export function capturingOn(
  session: BrowserSession,
  activity: LaunchedPage["activity"],
  {
    lists = noLists,
    window = { width: 1280, height: 1024 },
    options = {},
  }: Pick<OpenPageSettings, "window" | "options"> & { readonly lists?: FilterLists } = {},
): CapturingPage {
  const page: LaunchedPage = {
    session,
    activity,
    lists,
    launch: () => Promise.reject(new Error("one browser is all there is here")),
    budget: createBudget(performance.now(), 60),
    now: () => performance.now(),
    window: { scale: 1, mobile: false, ...window },
    warnings: [],
    problems: [],
    startedAt: performance.now(),
    options: engineOptions(parseCaptureOptions({ html: "<p>", ...options })),
    blocked: { requests: 0, dialogs: 0, unlocked: false },
    overlays: {},
    pointer: {},
  };
  return startCapture(page, { isRetake: false });
}
