// Chromium's command-line flags: our own list, because the usual defaults weaken web security or cost time.

/** Chromium's major version, which the user agent states; a test compares it with the binary. */
export const CHROMIUM_MAJOR = 153;

/** User agent of Chrome on Linux. The headless shell's own says `HeadlessChrome`, which many sites refuse. */
export const USER_AGENT = `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${CHROMIUM_MAJOR}.0.0.0 Safari/537.36`;

/** Outer size of the window in pixels; each capture sets the viewport. */
export const DEFAULT_WINDOW_SIZE = { width: 1280, height: 1024 } as const;

/** Defaults that a capture can override. A test compares both with the binary. */
export const BROWSER_LOCALE = "en-US";
export const BROWSER_TIME_ZONE = "UTC";

/** Who schedules frames: the browser itself, or the client by BeginFrameControl (`HeadlessExperimental.beginFrame`). */
export type FrameMode = "continuous" | "begin-frame-control";

export interface ChromiumSettings {
  /** User data directory: an empty folder for this launch only. */
  readonly profile: string;
  /** The egress proxy's port on 127.0.0.1. */
  readonly proxyPort: number;
  readonly frameMode: FrameMode;
  /** Language of form fields and of the dates in PDF templates. @default en-US */
  readonly locale?: string;
}

export function chromiumFlags({ profile, proxyPort, frameMode, locale = BROWSER_LOCALE }: ChromiumSettings): string[] {
  return [
    ...shellFlags,
    ...egressFlags(proxyPort),
    ...quietFlags,
    ...renderingFlags,
    ...(frameMode === "begin-frame-control" ? beginFrameControlFlags : []),
    ...desktopFlags,
    `--lang=${locale}`,
    `--disable-features=${disabledFeatures.join(",")}`,
    `--user-data-dir=${profile}`,
    `--user-agent=${USER_AGENT}`,
    "about:blank",
  ];
}

/** Flags without which the headless shell does not run in Lambda's sandbox. */
const shellFlags = [
  "--headless",
  "--no-sandbox", // Lambda offers no user namespaces
  "--no-zygote",
  "--single-process", // on Lambda, child processes die with `prctl(PR_SET_NO_NEW_PRIVS) failed`; also saves 30 ms a page
  "--disable-dev-shm-usage", // Lambda has no /dev/shm
  "--password-store=basic",
  "--use-mock-keychain",
];

/**
 * SSRF protection: sends everything through the egress proxy, with no bypass. By default Chromium bypasses a proxy for
 * loopback (`<-loopback>` turns that off), resolves names itself unless every name is mapped away, and lets WebRTC send
 * UDP unless it is forced to use the proxy.
 */
function egressFlags(proxyPort: number): string[] {
  return [
    `--proxy-server=http://127.0.0.1:${proxyPort}`,
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--dns-prefetch-disable",
    "--no-pings",
  ];
}

/** Disables the browser's own traffic, reports, prompts, sound and files. */
const quietFlags = [
  "--block-new-web-contents", // no popups
  "--disable-background-networking",
  "--disable-breakpad",
  "--disable-client-side-phishing-detection",
  "--disable-component-update",
  "--disable-crash-reporter",
  "--disable-default-apps",
  "--disable-domain-reliability",
  "--disable-extensions",
  "--disable-hang-monitor",
  "--disable-print-preview",
  "--disable-prompt-on-repost",
  "--disable-sync",
  // Keeps cookies, caches and databases in memory: a profile on disk is 80 files and takes a fifth of a small capture's
  // time.
  "--incognito",
  "--metrics-recording-only",
  "--mute-audio",
  "--no-default-browser-check",
  "--no-first-run",
];

/** Rendering: fast, and identical on every machine. */
const renderingFlags = [
  // With the defaults of @sparticuz/chromium each frame is composited on SwiftShader, which costs more than the rest of
  // a capture and repeats content beyond 16,384 px. The software compositor does neither, and WebGL still works.
  "--disable-gpu-compositing",
  "--in-process-gpu",
  "--ignore-gpu-blocklist",
  "--use-gl=angle",
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--disable-background-timer-throttling",
  "--disable-backgrounding-occluded-windows",
  "--disable-renderer-backgrounding",
  "--font-render-hinting=none",
  "--force-color-profile=srgb",
  "--hide-scrollbars",
];

/**
 * BeginFrameControl: each frame shows the page completely, at exactly the given time, and nothing moves between two
 * frames.
 */
const beginFrameControlFlags = [
  "--enable-begin-frame-control",
  "--run-all-compositor-stages-before-draw",
  "--disable-new-content-rendering-timeout",
  "--disable-image-animation-resync",
  "--disable-threaded-animation",
  "--disable-threaded-scrolling",
  "--disable-checker-imaging",
];

/** For the media features `hover: hover` and `pointer: fine`; see PointerType and HoverType in Chromium's web_preferences. */
const mousePointer = ["primaryPointerType=4", "availablePointerTypes=4", "primaryHoverType=2", "availableHoverTypes=2"];

/** Paints the document beyond the viewport, too, so that a picture of all of it needs no other viewport; see visible-area.ts. */
const wholeDocument = ["mainFrameClipsContent=false"];

/** Look like desktop Chrome: language, mouse pointer, window size. */
const desktopFlags = [
  // Otherwise `navigator.webdriver` is always true; a capture without stealth sets it (see emulation.ts).
  "--disable-blink-features=AutomationControlled",
  `--accept-lang=${BROWSER_LOCALE},en`,
  `--window-size=${DEFAULT_WINDOW_SIZE.width},${DEFAULT_WINDOW_SIZE.height}`,
  `--blink-settings=${[...mousePointer, ...wholeDocument].join(",")}`,
];

const disabledFeatures = [
  "AudioServiceOutOfProcess",
  "IsolateOrigins",
  "MediaRouter",
  "OptimizationHints",
  "Translate",
  "site-per-process",
];
