// The page's surroundings that the options ask for: a device, or a window of its own, and the visitor before it.
import type { CaptureOptions } from "../../options/capture-options.ts";
import { formatKind } from "../../options/formats.ts";
import { userAgentHeader } from "../../options/groups/environment.ts";
import { windowSize } from "../../options/values/window-size.ts";
import type { PageEnvironment, ScreenMetrics } from "./emulation.ts";
import { resolveIdentity } from "./identity.ts";

const NO_DEVICE = { scale: 1, mobile: false, touch: false };

/** Single options of the window override those of the device. */
export function resolveEnvironment(options: CaptureOptions): PageEnvironment {
  const { viewport_device: device, locale, time_zone: timeZone } = options;
  const userAgent = options.user_agent ?? userAgentHeader(options.headers);
  const { scale, mobile, touch } = device ?? NO_DEVICE;
  const { geolocation_latitude: latitude, geolocation_longitude: longitude } = options;
  const dark = options.dark_mode ?? (options.markdown_theme === "dark" || undefined);
  // Motion of a page that is scrolled through would be caught half-way.
  const reducedMotion = options.reduced_motion ?? (options.full_page || undefined);
  const mediaType = options.media_type ?? (formatKind(options.format) === "pdf" ? "print" : undefined);
  const size = windowSize(options);
  const isMobile = options.viewport_mobile ?? mobile;
  return {
    ...size,
    ...(options.stealth && { disguised: true }),
    ...(options.stealth && !isMobile && { desk: deskAround(size) }),
    scale: options.device_scale_factor ?? scale,
    mobile: isMobile,
    touch: options.viewport_has_touch ?? touch,
    identity: resolveIdentity({ userAgent, device, locale }),
    locale,
    timeZone,
    ...(mediaType && { mediaType }),
    ...(dark !== undefined && { dark }),
    ...(reducedMotion !== undefined && { reducedMotion }),
    ...(latitude !== undefined &&
      longitude !== undefined && {
        geolocation: { latitude, longitude, accuracy: options.geolocation_accuracy ?? DEFAULT_ACCURACY_M },
      }),
  };
}

const DEFAULT_ACCURACY_M = 10;

/** Bars of a Chrome with tabs and an address, and of the desktop below it. */
const [TOOLBAR, TASKBAR] = [87, 40];

/** Screens that people have, smallest first. */
const screens = [
  [1920, 1080],
  [1920, 1200],
  [2560, 1440],
  [3840, 2160],
] as const;

/** The smallest usual screen that has room for a window with a page of this size; else one as large as the window. */
function deskAround({ width, height }: { width: number; height: number }): ScreenMetrics {
  const needed = height + TOOLBAR + TASKBAR;
  const [screenWidth, screenHeight] = screens.find(([w, h]) => w >= width && h >= needed) ?? [width, needed];
  return { screen: { width: screenWidth, height: screenHeight }, toolbar: TOOLBAR, taskbar: TASKBAR };
}
