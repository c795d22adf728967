// The page's surroundings that the options ask for: a device, or a window of its own, and the visitor before it.
import type { CaptureOptions } from "../../contract/capture-options.ts";
import { kindOf } from "../../contract/formats.ts";
import type { PageEnvironment } from "./emulation.ts";
import { identityOf } from "./identity.ts";

const DEFAULT_WINDOW = { width: 1280, height: 1024, scale: 1, mobile: false, touch: false };

/** Single options of the window override those of the device. */
export function environmentOf(options: CaptureOptions): PageEnvironment {
  const { viewport_device: device, user_agent: userAgent, locale, time_zone: timeZone } = options;
  const window = device ?? DEFAULT_WINDOW;
  const { geolocation_latitude: latitude, geolocation_longitude: longitude } = options;
  const dark = options.dark_mode ?? (options.markdown_theme === "dark" || undefined);
  // Motion of a page that is scrolled through would be caught half-way.
  const reducedMotion = options.reduced_motion ?? (options.full_page || undefined);
  const mediaType = options.media_type ?? (kindOf(options.format) === "pdf" ? "print" : undefined);
  return {
    ...turned(options, options.viewport_width ?? window.width, options.viewport_height ?? window.height),
    scale: options.device_scale_factor ?? window.scale,
    mobile: options.viewport_mobile ?? window.mobile,
    touch: options.viewport_has_touch ?? window.touch,
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

function turned({ viewport_landscape }: CaptureOptions, width: number, height: number) {
  return viewport_landscape && height > width ? { width: height, height: width } : { width, height };
}
