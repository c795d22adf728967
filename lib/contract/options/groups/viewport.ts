// Options for the viewport and the emulated device.
import * as v from "valibot";
import { choice, coerced, decimal, flag, integer, shown } from "../coercion.ts";
import { option } from "../option.ts";
import { closestName } from "../values/closest-name.ts";
import { closestGeneration, type Device, deviceNames, deviceSlugs, findDevice } from "../values/devices.ts";

const device = () =>
  coerced<Device>({ type: "string", examples: ["iphone_15_pro", "iPad Pro 11 landscape", "mobile"] }, (sent) => {
    const found = typeof sent === "string" ? findDevice(sent) : undefined;
    if (found) return { value: found };
    const guess =
      typeof sent === "string" &&
      (closestGeneration(sent) ?? closestName(sent, deviceNames) ?? closestName(sent.toLowerCase(), deviceSlugs));
    return { problem: `is not a known device: ${shown(sent)}${guess ? `; did you mean '${guess}'?` : ""}` };
  });

/** Limits of the viewport height in CSS pixels. */
export const VIEWPORT_HEIGHTS = { minimum: 64, maximum: 4320 } as const;

export const viewportOptions = {
  viewport_device: v.optional(
    option(device(), {
      description:
        "Device to emulate: its viewport, pixel density, touch, and user agent. Use a name (`iPhone 15 Pro`), its " +
        "snake_case form (`iphone_15_pro`), either with ` landscape` or `_landscape` appended, or `desktop`, " +
        "`tablet`, or `mobile`. Other viewport options override it.",
    }),
  ),
  viewport_width: v.optional(
    option(integer(64, 7680, " pixels"), {
      description: "Width of the viewport in CSS pixels.",
      otherwise: "1280",
      sample: "390",
    }),
  ),
  viewport_height: v.optional(
    option(integer(VIEWPORT_HEIGHTS.minimum, VIEWPORT_HEIGHTS.maximum, " pixels"), {
      description: "Height of the viewport in CSS pixels.",
      otherwise: "1024; 9/16 of the width for a video",
      sample: "844",
    }),
  ),
  device_scale_factor: v.optional(
    option(decimal(0.5, 5), {
      description: "Image pixels per CSS pixel. 2 gives the sharpness of a high-density display.",
      otherwise: "1, or that of `viewport_device`",
      sample: "2",
    }),
  ),
  viewport_mobile: v.optional(
    option(flag(), {
      description: "Emulate a mobile browser: use the page's `<meta name=viewport>` and overlay scrollbars.",
      otherwise: "false, or as `viewport_device` does",
    }),
  ),
  viewport_has_touch: v.optional(
    option(flag(), {
      description: "Emulate a touchscreen.",
      otherwise: "false, or as `viewport_device` does",
    }),
  ),
  viewport_landscape: v.optional(
    option(flag(), {
      description: "Use landscape orientation: swap width and height if the viewport is taller than wide.",
    }),
    false,
  ),
  dark_mode: v.optional(
    option(flag(), {
      description: "Emulate the media feature `prefers-color-scheme`: dark (`true`) or light (`false`).",
      otherwise: "the page's own",
    }),
  ),
  reduced_motion: v.optional(
    option(flag(), {
      description: "Emulate the media feature `prefers-reduced-motion`: reduce (`true`) or no preference (`false`).",
      otherwise: "true, but the page's own for videos and with `disable_animations=false`",
    }),
  ),
  media_type: v.optional(
    option(choice(["screen", "print"]), {
      description: "CSS media type to emulate; for pdf, that of the print: the page loads for the screen.",
      otherwise: "screen; print for pdf",
    }),
  ),
};
