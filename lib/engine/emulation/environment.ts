// The page's surroundings that the options ask for: a device, or a window of its own, and the visitor before it.
import type { CaptureOptions } from "../../options/capture-options.ts";
import { userAgentHeader } from "../../options/groups/environment.ts";
import { windowSize } from "../../options/values/window-size.ts";
import type { PageEnvironment, ScreenMetrics } from "./emulation.ts";
import { resolveIdentity } from "./identity.ts";

/** Single options of the window override those of the device. */
export function resolveEnvironment(options: CaptureOptions): PageEnvironment {
  const { viewport_device: device, locale, time_zone: timeZone } = options;
  const userAgent = options.user_agent ?? userAgentHeader(options.headers);
  const { geolocation_latitude: latitude, geolocation_longitude: longitude } = options;
  const { dark_mode: dark, reduced_motion: reducedMotion, media_type: mediaType } = options;
  const size = windowSize(options);
  const { viewport_mobile: isMobile } = options;
  return {
    ...size,
    ...(options.stealth && { disguised: true }),
    ...(options.stealth && !isMobile && { desk: deskAround(size) }),
    scale: options.device_scale_factor,
    mobile: isMobile,
    touch: options.viewport_has_touch,
    identity: resolveIdentity({ userAgent, device, locale }),
    locale,
    timeZone,
    ...(mediaType && { mediaType }),
    ...(dark !== undefined && { dark }),
    ...(reducedMotion !== undefined && { reducedMotion }),
    ...(latitude !== undefined &&
      longitude !== undefined && {
        geolocation: { latitude, longitude, accuracy: options.geolocation_accuracy },
      }),
  };
}

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
