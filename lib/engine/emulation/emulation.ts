// Device emulation: the viewport, screen, user agent, locale, time zone, media features and geolocation that a page
// sees.
import type { CDPSession } from "puppeteer-core";
import { ApiError } from "../../contract/errors/api-error.ts";
import { canonicalLocale, canonicalTimeZone } from "../../contract/options/values/locale.ts";
import type { BrowserSession } from "../browser/browser.ts";
import { BROWSER_LOCALE, BROWSER_TIME_ZONE, DEFAULT_WINDOW_SIZE } from "../browser/chromium-flags.ts";
import type { PageWindow } from "../page/captured-page.ts";
import { type InjectedFunctionName, injectedCall } from "../page/injected-scripts.ts";
import type { UserAgentIdentity } from "./identity.ts";

export interface PageEnvironment extends PageWindow {
  /** Hides from pages that the browser is automated. */
  readonly stealth?: boolean;
  /** Touch input instead of a mouse. */
  readonly touch: boolean;
  readonly identity: UserAgentIdentity;
  /** Language tag (BCP 47). */
  readonly locale: string;
  /** IANA time zone name, or an offset. */
  readonly timeZone: string;
  /** @default screen */
  readonly mediaType?: "screen" | "print";
  /** Value of `prefers-color-scheme`. By default the browser's own: light. */
  readonly dark?: boolean;
  readonly reducedMotion?: boolean;
  /** In degrees, accuracy in metres. Without it the page's geolocation requests are denied. */
  readonly geolocation?: { readonly latitude: number; readonly longitude: number; readonly accuracy: number };
}

/**
 * Applies the environment to the page, its frames and its workers. Call it before the navigation. Not emulated:
 * `navigator.platform` in workers, the user agent in shared workers, the identity of service workers. Throws
 * `VALIDATION_ERROR` for an unknown locale or time zone.
 */
export async function emulate({ cdp }: BrowserSession, environment: PageEnvironment): Promise<void> {
  const { identity, mobile, touch, geolocation } = environment;
  const locale = resolveName("locale", environment.locale, {
    browserDefault: BROWSER_LOCALE,
    canonical: canonicalLocale,
  });
  const zones = { browserDefault: BROWSER_TIME_ZONE, canonical: canonicalTimeZone };
  const timeZone = resolveName("time_zone", environment.timeZone, zones);
  const media = emulatedMedia(environment);
  // Puppeteer holds a new worker until after this event.
  cdp.connection()?.on("sessionattached", (attached) => void applyEmulation(attached, identity).catch(() => undefined));
  // In parallel, and only what differs from the defaults: each call is a round trip before the navigation.
  await Promise.all([
    // On the session that takes the screenshot: Chromium scales a screenshot by the metrics of its own session only.
    cdp.send("Emulation.setDeviceMetricsOverride", deviceMetrics(environment)),
    !mobile && fitWindow(cdp, environment),
    applyEmulation(cdp, identity),
    !environment.stealth && cdp.send("Emulation.setAutomationOverride", { enabled: true }),
    !identity.metadata && addInitScript(cdp, "removeUserAgentData"),
    touch && cdp.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: MAX_TOUCH_POINTS }),
    touch && evaluate(cdp, "addTouchEventHandlers"),
    media && cdp.send("Emulation.setEmulatedMedia", media),
    locale !== BROWSER_LOCALE && cdp.send("Emulation.setLocaleOverride", { locale }),
    timeZone !== BROWSER_TIME_ZONE && cdp.send("Emulation.setTimezoneOverride", { timezoneId: timeZone }),
    geolocation && cdp.send("Emulation.setGeolocationOverride", geolocation),
    // Granted to all origins, as this browser has one page only.
    geolocation && cdp.send("Browser.grantPermissions", { permissions: ["geolocation"] }),
  ]);
}

const MAX_TOUCH_POINTS = 5;

interface KnownNames {
  /** The browser's default, checked first: most captures use it, and a look-up takes half a millisecond. */
  readonly browserDefault: string;
  readonly canonical: (value: string) => string | undefined;
}

function resolveName(option: string, value: string, { browserDefault, canonical }: KnownNames): string {
  const found = value === browserDefault ? browserDefault : canonical(value);
  if (found !== undefined) return found;
  throw new ApiError("VALIDATION_ERROR", `Option '${option}' is unknown to the browser: '${value}'.`, {
    details: { [option]: ["is unknown to the browser"] },
  });
}

/** Scripts that read the window's outer size would find it smaller than its viewport. */
async function fitWindow(cdp: CDPSession, { width, height, screenMetrics }: PageEnvironment): Promise<void> {
  const bounds = { width, height: height + (screenMetrics?.toolbar ?? 0) };
  if (bounds.width === DEFAULT_WINDOW_SIZE.width && bounds.height === DEFAULT_WINDOW_SIZE.height) return;
  const { windowId } = await cdp.send("Browser.getWindowForTarget");
  await cdp.send("Browser.setWindowBounds", { windowId, bounds });
}

/** Overrides the user agent of the page or worker behind a session. */
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

/** Parameters of `Emulation.setDeviceMetricsOverride`. */
export function deviceMetrics({
  width,
  height,
  scale,
  mobile,
  screenMetrics,
}: Pick<PageEnvironment, "width" | "height" | "scale" | "mobile" | "screenMetrics">) {
  const isPortrait = height >= width;
  // A window is never larger than its screen.
  const screen = screenMetrics?.screen ?? {
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

/** Changes the media type and features of a page that has loaded. */
export async function emulateMedia({ cdp }: BrowserSession, environment: PageEnvironment): Promise<void> {
  const media = emulatedMedia(environment);
  if (media) await cdp.send("Emulation.setEmulatedMedia", media);
}

function emulatedMedia({ mediaType, dark, reducedMotion }: PageEnvironment) {
  const features = [
    ...(dark === undefined ? [] : [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }]),
    ...(reducedMotion === undefined
      ? []
      : [{ name: "prefers-reduced-motion", value: reducedMotion ? "reduce" : "no-preference" }]),
  ];
  if (mediaType === undefined && features.length === 0) return undefined;
  return { ...(mediaType && { media: mediaType }), features };
}

async function addInitScript(cdp: CDPSession, name: InjectedFunctionName<"emulation">): Promise<void> {
  await cdp.send("Page.addScriptToEvaluateOnNewDocument", { source: await injectedCall("emulation", name) });
}

async function evaluate(cdp: CDPSession, name: InjectedFunctionName<"emulation">): Promise<void> {
  await cdp.send("Runtime.evaluate", { expression: await injectedCall("emulation", name) });
}
