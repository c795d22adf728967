// The options that most requests need, which the form shows first. They depend on the format of the result.
import {
  type Format,
  formatKind,
  isImageFormat,
  lossyFormats,
  transparentFormats,
} from "../../../contract/options/formats.ts";
import type { CaptureOptionName } from "../../../contract/options/groups/all.ts";

type Names = readonly CaptureOptionName[];

const page: Names = ["block_ads", "block_cookie_banners"];
const ready: Names = ["wait_until", "delay"];

const image: Names = [
  "full_page",
  "selector",
  "viewport_width",
  "viewport_height",
  "viewport_device",
  "device_scale_factor",
  "dark_mode",
];

const video: Names = [
  "video_scenario",
  "video_duration",
  "video_fps",
  "viewport_width",
  "viewport_device",
  "dark_mode",
];

const pdf: Names = [
  "pdf_paper_format",
  "pdf_landscape",
  "pdf_margin",
  "pdf_scale",
  "pdf_print_background",
  "pdf_fit_one_page",
  "pdf_page_ranges",
  "media_type",
];

const document: Names = [
  "hide_selectors",
  "block_annoyances",
  "include_shadow_dom",
  "javascript",
  "locale",
  "wait_for_selector",
];

/** In the order of the form. */
export function commonOptions(format: Format): Names {
  if (isImageFormat(format)) {
    const quality: Names = lossyFormats.includes(format) ? ["image_quality"] : [];
    const background: Names = transparentFormats.includes(format) ? ["omit_background"] : [];
    return ["format", ...image, ...page, ...ready, "image_width", ...(quality.length > 0 ? quality : background)];
  }
  const own = { image, video, pdf, document }[formatKind(format)];
  return ["format", ...own, ...page, ...ready];
}
