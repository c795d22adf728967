// What the page's own JavaScript sees of its surroundings: window and screen, visitor, language, time and place.
import type { CDPSession, Protocol } from "puppeteer-core";
import { ApiError } from "../../errors/api-error.ts";
import { canonicalLocale, canonicalTimeZone } from "../../options/values/locale.ts";
import type { BrowserSession } from "../browser/browser.ts";
import { BROWSER_LOCALE, BROWSER_TIME_ZONE, DEFAULT_WINDOW_SIZE } from "../browser/chromium-flags.ts";
import { type FunctionName, injectedCall } from "../page/injected-scripts.ts";
import type { UserAgentIdentity } from "./identity.ts";

export interface PageEnvironment {
  /** Of the window, in CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Pixels per CSS pixel. */
  readonly scale: number;
  /** What is around the window; unless told, a screen as large as the window at least, and nothing else. */
  readonly desk?: ScreenMetrics;
  /** Does not tell pages that a program steers the browser. */
  readonly disguised?: boolean;
  /** Heeds `<meta name=viewport>`, and lays pages without one out at 980 pixels, as phones do. */
  readonly mobile: boolean;
  /** Has a finger for a pointer, instead of a mouse. */
  readonly touch: boolean;
  readonly identity: UserAgentIdentity;
  /** Language tag (BCP 47). */
  readonly locale: string;
  /** Name of a time zone (IANA), or an offset. */
  readonly timeZone: string;
  /** Unless told, as the page is shown: `screen`. */
  readonly mediaType?: "screen" | "print";
  /** Unless told, the browser's own: a light one. */
  readonly dark?: boolean;
  readonly reducedMotion?: boolean;
  /** In degrees, accuracy in metres. Without it the page is refused when it asks for the place. */
  readonly geolocation?: { readonly latitude: number; readonly longitude: number; readonly accuracy: number };
}

/** A screen and what takes room on it, in CSS pixels. */
export interface ScreenMetrics {
  readonly screen: { readonly width: number; readonly height: number };
  /** Heights: of the browser's own bars above the page, and of the bar below all windows. */
  readonly toolbar: number;
  readonly taskbar: number;
}

/**
 * Makes the environment hold for the page, all its frames and its workers; comes before the page is loaded. Out of reach
 * are `navigator.platform` of workers, the user agent that a shared worker reads, and the identity of service workers.
 * Throws `VALIDATION_ERROR` for a locale or a time zone that does not exist.
 */
export async function emulate({ cdp }: BrowserSession, environment: PageEnvironment): Promise<void> {
  const { identity, mobile, touch, geolocation } = environment;
  const locale = known("locale", environment.locale, { own: BROWSER_LOCALE, canonical: canonicalLocale });
  const zones = { own: BROWSER_TIME_ZONE, canonical: canonicalTimeZone };
  const timeZone = known("time_zone", environment.timeZone, zones);
  const media = mediaOf(environment);
  // A worker is held until puppeteer lets it run, which it does after this.
  cdp.connection()?.on("sessionattached", (attached) => void applyEmulation(attached, identity).catch(() => undefined));
  // Side by side, and only what is not so anyway: each call is a round trip before the page is even asked for.
  await Promise.all([
    // Through the session that takes the picture: Chromium scales a picture by the metrics of its own session only.
    cdp.send("Emulation.setDeviceMetricsOverride", deviceMetrics(environment)),
    !mobile && fitWindow(cdp, environment),
    applyEmulation(cdp, identity),
    !environment.disguised && cdp.send("Emulation.setAutomationOverride", { enabled: true }),
    !identity.metadata && addInitScript(cdp, "removeUserAgentData"),
    touch && cdp.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: FINGERS }),
    touch && evaluate(cdp, "addTouchEventHandlers"),
    media && cdp.send("Emulation.setEmulatedMedia", media),
    locale !== BROWSER_LOCALE && cdp.send("Emulation.setLocaleOverride", { locale }),
    timeZone !== BROWSER_TIME_ZONE && cdp.send("Emulation.setTimezoneOverride", { timezoneId: timeZone }),
    geolocation && cdp.send("Emulation.setGeolocationOverride", geolocation),
    // For whoever asks in this browser, which has this page only.
    geolocation && cdp.send("Browser.grantPermissions", { permissions: ["geolocation"] }),
  ]);
}

/**
 * Picture pixels, before the device's scale, per CSS pixel. Below 1 where a page is wider than the phone, which shows it
 * zoomed out: then the window holds more CSS pixels than it is wide, and a picture of all of them is still as wide as it.
 */
export function pageZoom({
  cssVisualViewport,
}: Pick<Protocol.Page.GetLayoutMetricsResponse, "cssVisualViewport">): number {
  return Math.min(1, cssVisualViewport.scale);
}

/** How far a page goes to the left of where it begins, as those do that are written from right to left: in CSS pixels. */
export function pageOrigin({
  cssLayoutViewport,
  cssVisualViewport,
}: Pick<Protocol.Page.GetLayoutMetricsResponse, "cssLayoutViewport" | "cssVisualViewport">): number {
  return cssLayoutViewport.pageX - (cssVisualViewport.pageX - cssVisualViewport.offsetX);
}

const FINGERS = 5;

interface Names {
  /** What the browser has by itself: most captures have that, and looking for it takes half a millisecond. */
  readonly own: string;
  readonly canonical: (value: string) => string | undefined;
}

function known(option: string, value: string, { own, canonical }: Names): string {
  const found = value === own ? own : canonical(value);
  if (found !== undefined) return found;
  throw new ApiError("VALIDATION_ERROR", `Option '${option}' names nothing that the browser knows: '${value}'.`, {
    details: { [option]: ["names nothing that the browser knows"] },
  });
}

/** Nothing is drawn by the window's outer size, but scripts that read it would find it smaller than its inside. */
async function fitWindow(cdp: CDPSession, { width, height, desk }: PageEnvironment): Promise<void> {
  const bounds = { width, height: height + (desk?.toolbar ?? 0) };
  if (bounds.width === DEFAULT_WINDOW_SIZE.width && bounds.height === DEFAULT_WINDOW_SIZE.height) return;
  const { windowId } = await cdp.send("Browser.getWindowForTarget");
  await cdp.send("Browser.setWindowBounds", { windowId, bounds });
}

/** Gives the page or the worker behind a session an identity. */
export async function applyEmulation(
  cdp: CDPSession,
  { userAgent, acceptLanguage, platform, metadata }: UserAgentIdentity,
): Promise<void> {
  await cdp.send("Emulation.setUserAgentOverride", {
    userAgent,
    acceptLanguage,
    platform,
    ...(metadata && { userAgentMetadata: metadata }),
  });
}

/** The window as Chromium is told of it. */
export function deviceMetrics({
  width,
  height,
  scale,
  mobile,
  desk,
}: Pick<PageEnvironment, "width" | "height" | "scale" | "mobile" | "desk">) {
  const isPortrait = height >= width;
  // A window cannot be larger than its screen.
  const screen = desk?.screen ?? {
    width: Math.max(width, DEFAULT_WINDOW_SIZE.width),
    height: Math.max(height, DEFAULT_WINDOW_SIZE.height),
  };
  return {
    width,
    height,
    deviceScaleFactor: scale,
    mobile,
    screenWidth: mobile ? width : screen.width,
    screenHeight: mobile ? height : screen.height,
    ...(mobile && {
      screenOrientation: isPortrait
        ? ({ type: "portraitPrimary", angle: 0 } as const)
        : ({ type: "landscapePrimary", angle: 90 } as const),
    }),
  };
}

function mediaOf({ mediaType, dark, reducedMotion }: PageEnvironment) {
  const features = [
    ...(dark === undefined ? [] : [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]),
    ...(reducedMotion === undefined
      ? []
      : [{ name: "prefers-reduced-motion", value: reducedMotion ? "reduce" : "no-preference" }]),
  ];
  if (mediaType === undefined && features.length === 0) return undefined;
  return { ...(mediaType && { media: mediaType }), features };
}

async function addInitScript(cdp: CDPSession, name: FunctionName<"emulation">): Promise<void> {
  await cdp.send("Page.addScriptToEvaluateOnNewDocument", { source: await injectedCall("emulation", name) });
}

async function evaluate(cdp: CDPSession, name: FunctionName<"emulation">): Promise<void> {
  await cdp.send("Runtime.evaluate", { expression: await injectedCall("emulation", name) });
}
