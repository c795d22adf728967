// The window in which the page is shown, and what kind of device it believes to be on.
import * as v from "valibot";
import { choice, coerced, decimal, flag, integer, shown } from "../coercion.ts";
import { option } from "../option.ts";
import { closestName } from "../values/closest-name.ts";
import { type Device, deviceNames, deviceSlugs, findDevice } from "../values/devices.ts";

const device = () =>
  coerced<Device>({ type: "string", examples: ["iphone_15_pro", "iPad Pro 11 landscape", "mobile"] }, (sent) => {
    const found = typeof sent === "string" ? findDevice(sent) : undefined;
    if (found) return { value: found };
    const guess =
      typeof sent === "string" && (closestName(sent, deviceNames) ?? closestName(sent.toLowerCase(), deviceSlugs));
    return { refusal: `is no known device: ${shown(sent)}${guess ? `; did you mean '${guess}'?` : ""}` };
  });

/** Of the window, in CSS pixels. */
export const VIEWPORT_HEIGHTS = { minimum: 64, maximum: 4320 } as const;

export const viewportOptions = {
  viewport_device: v.optional(
    option(device(), {
      description:
        "A device whose window, pixel density, touch and user agent are used, by name (`iPhone 15 Pro`) or as " +
        "`iphone_15_pro`, with ` landscape` or `_landscape` behind it for the other way round; also `desktop`, `tablet` " +
        "and `mobile`. Other options of the window override it.",
    }),
  ),
  viewport_width: v.optional(
    option(integer(64, 7680, " pixels"), {
      description: "Width of the browser's window in CSS pixels.",
      otherwise: "1280",
    }),
  ),
  viewport_height: v.optional(
    option(integer(VIEWPORT_HEIGHTS.minimum, VIEWPORT_HEIGHTS.maximum, " pixels"), {
      description: "Height of the browser's window in CSS pixels.",
      otherwise: "1024; 9/16 of the width for a video",
    }),
  ),
  device_scale_factor: v.optional(
    option(decimal(0.5, 5), {
      description: "Image pixels per CSS pixel: 2 gives the sharpness of a high-density screen.",
      otherwise: "1, or that of `viewport_device`",
    }),
  ),
  viewport_mobile: v.optional(
    option(flag(), {
      description: "Behave as a phone does: the page's `<meta name=viewport>` counts, scroll bars lie over the page.",
      otherwise: "false, or as `viewport_device` does",
    }),
  ),
  viewport_has_touch: v.optional(
    option(flag(), {
      description: "Tell the page that the screen is touched, not clicked.",
      otherwise: "false, or as `viewport_device` does",
    }),
  ),
  viewport_landscape: v.optional(
    option(flag(), {
      description: "Lay the window on its side: width and height change places where it is upright.",
    }),
    false,
  ),
  dark_mode: v.optional(
    option(flag(), {
      description: "Tell the page that the visitor prefers dark (true) or light (false).",
      otherwise: "the page's own",
    }),
  ),
  reduced_motion: v.optional(
    option(flag(), {
      description: "Tell the page that the visitor prefers less motion (true) or does not mind (false).",
      otherwise: "true with `full_page`, else the page's own",
    }),
  ),
  media_type: v.optional(
    option(choice(["screen", "print"]), {
      description: "The CSS media type for which the page is styled.",
      otherwise: "screen; print for pdf",
    }),
  ),
};
