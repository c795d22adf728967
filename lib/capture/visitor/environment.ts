// The page's surroundings that the options ask for: a device, or a window of its own, and the visitor before it.
import type { CaptureOptions } from "../../contract/capture-options.ts";
import { kindOf } from "../../contract/formats.ts";
import { windowSize } from "../../contract/window-size.ts";
import type { PageEnvironment } from "./emulation.ts";
import { identityOf } from "./identity.ts";

const NO_DEVICE = { scale: 1, mobile: false, touch: false };

/** Single options of the window override those of the device. */
export function environmentOf(options: CaptureOptions): PageEnvironment {
  const { viewport_device: device, user_agent: userAgent, locale, time_zone: timeZone } = options;
  const { scale, mobile, touch } = device ?? NO_DEVICE;
  const { geolocation_latitude: latitude, geolocation_longitude: longitude } = options;
  const dark = options.dark_mode ?? (options.markdown_theme === "dark" || undefined);
  // Motion of a page that is scrolled through would be caught half-way.
  const reducedMotion = options.reduced_motion ?? (options.full_page || undefined);
  const mediaType = options.media_type ?? (kindOf(options.format) === "pdf" ? "print" : undefined);
  return {
    ...windowSize(options),
    scale: options.device_scale_factor ?? scale,
    mobile: options.viewport_mobile ?? mobile,
    touch: options.viewport_has_touch ?? touch,
    identity: identityOf({ userAgent, device, locale }),
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
