// Derives the page's environment from the options: viewport or device, identity, locale, media features, geolocation.
import type { EngineOptions } from "../../contract/options/engine-options.ts";
import { formatKind } from "../../contract/options/formats.ts";
import { userAgentHeader } from "../../contract/options/groups/environment.ts";
import { windowSize } from "../../contract/options/values/window-size.ts";
import type { ScreenMetrics } from "../page/captured-page.ts";
import type { PageEnvironment } from "./emulation.ts";
import { resolveIdentity } from "./identity.ts";

/** Single viewport options override those of the device. */
export function resolveEnvironment(options: EngineOptions): PageEnvironment {
  const { viewport_device: device, locale, time_zone: timeZone } = options;
  const userAgent = options.user_agent ?? userAgentHeader(options.headers);
  const { geolocation_latitude: latitude, geolocation_longitude: longitude } = options;
  const { dark_mode: dark, reduced_motion: reducedMotion } = options;
  // A document is loaded for the screen, as that of a visitor who prints it.
  const mediaType = formatKind(options.format) === "pdf" ? undefined : options.media_type;
  const size = windowSize(options);
  const { viewport_mobile: isMobile } = options;
  return {
    ...size,
    ...(options.stealth && { stealth: true }),
    ...(options.stealth && !isMobile && { screenMetrics: chooseScreen(size) }),
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

/** Heights in CSS pixels of Chrome's tab strip and address bar, and of the desktop's taskbar. */
const [TOOLBAR_PX, TASKBAR_PX] = [87, 40];

/** Common screen sizes, smallest first. */
const screens = [
  [1920, 1080],
  [1920, 1200],
  [2560, 1440],
  [3840, 2160],
] as const;

/** Chooses the smallest common screen with room for a window of this viewport; else one as large as the window. */
function chooseScreen({ width, height }: { width: number; height: number }): ScreenMetrics {
  const needed = height + TOOLBAR_PX + TASKBAR_PX;
  const [screenWidth, screenHeight] = screens.find(([w, h]) => w >= width && h >= needed) ?? [width, needed];
  return { screen: { width: screenWidth, height: screenHeight }, toolbar: TOOLBAR_PX, taskbar: TASKBAR_PX };
}
