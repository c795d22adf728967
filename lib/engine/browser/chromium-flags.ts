// The command line of Chromium: our own list, because the usual defaults weaken the web or cost time.

/** Chromium's major version, which the user agent states; a test holds it against the binary. */
export const CHROMIUM_MAJOR = 153;

/** The user agent of a plain Chrome on Linux: the shell's own says `HeadlessChrome`, which many sites turn away. */
export const USER_AGENT = `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${CHROMIUM_MAJOR}.0.0.0 Safari/537.36`;

/** Outer size of the window, in pixels; what a page sees inside of it is set for each capture. */
export const DEFAULT_WINDOW_SIZE = { width: 1280, height: 1024 } as const;

/** What the browser is before a capture asks for something else. A test holds both against the binary. */
export const BROWSER_LOCALE = "en-US";
export const BROWSER_TIME_ZONE = "UTC";

/** When a browser paints: as a screen asks it to, or a frame whenever it is told to (`HeadlessExperimental.beginFrame`). */
export type FrameMode = "continuous" | "on-demand";

export interface ChromiumSettings {
  /** An empty folder of this launch alone. */
  readonly profile: string;
  /** The egress proxy's port on 127.0.0.1. */
  readonly proxyPort: number;
  readonly painting: FrameMode;
}

export function chromiumFlags({ profile, proxyPort, painting }: ChromiumSettings): string[] {
  return [
    ...shellFlags,
    ...egressFlags(proxyPort),
    ...quietFlags,
    ...renderingFlags,
    ...(painting === "on-demand" ? onDemandFlags : []),
    ...visitorFlags,
    `--disable-features=${disabledFeatures.join(",")}`,
    `--user-data-dir=${profile}`,
    `--user-agent=${USER_AGENT}`,
    "about:blank",
  ];
}

/** What a shell in Lambda's sandbox needs to run at all. */
const shellFlags = [
  "--headless",
  "--no-sandbox", // Lambda offers no user namespaces
  "--no-zygote",
  "--single-process", // on Lambda children die of `prctl(PR_SET_NO_NEW_PRIVS) failed`; it also saves 30 ms a page
  "--disable-dev-shm-usage", // Lambda has no /dev/shm
  "--password-store=basic",
  "--use-mock-keychain",
];

/**
 * Everything through the proxy, with no way around it. Chromium bypasses a proxy for loopback unless told not to
 * (`<-loopback>`), resolves names itself unless every name is mapped away, and lets WebRTC send UDP unless forced.
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

/** Nothing of its own to fetch, report, ask, play or keep. */
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
  // Cookies, caches and databases stay in memory: a profile on disk is 80 files, which take a fifth of a small capture.
  "--incognito",
  "--metrics-recording-only",
  "--mute-audio",
  "--no-default-browser-check",
  "--no-first-run",
];

/** Pixels: fast, and the same on every machine. */
const renderingFlags = [
  // With the package's defaults each frame is composited on SwiftShader, which costs more than all the rest of a
  // capture and repeats content beyond 16,384 px. The software compositor does neither, and WebGL still works.
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

/** A frame shows the page at exactly the time it is told, completely, and nothing moves between two of them. */
const onDemandFlags = [
  "--enable-begin-frame-control",
  "--run-all-compositor-stages-before-draw",
  "--disable-new-content-rendering-timeout",
  "--disable-image-animation-resync",
  "--disable-threaded-animation",
  "--disable-threaded-scrolling",
  "--disable-checker-imaging",
];

/** A person at a desk, where the shell would be nobody: without a language, a mouse or a window as large as its page. */
const visitorFlags = [
  // Else `navigator.webdriver` is true for good; so it is where a capture says so (see emulation.ts).
  "--disable-blink-features=AutomationControlled",
  `--accept-lang=${BROWSER_LOCALE},en`,
  `--window-size=${DEFAULT_WINDOW_SIZE.width},${DEFAULT_WINDOW_SIZE.height}`,
  // Styles for `hover: hover` and `pointer: fine`, see PointerType and HoverType of Chromium's web_preferences.
  "--blink-settings=primaryPointerType=4,availablePointerTypes=4,primaryHoverType=2,availableHoverTypes=2",
];

const disabledFeatures = [
  "AudioServiceOutOfProcess",
  "IsolateOrigins",
  "MediaRouter",
  "OptimizationHints",
  "Translate",
  "site-per-process",
];
