// Which part of the page an image or a video shows: the window, the whole page, an element or a rectangle.
import * as v from "valibot";
import { choice, flag, integer, text } from "../coercion.ts";
import { option } from "../option.ts";

const SELECTOR_MAX_CHARACTERS = 2_000;

export const selector = () => text(SELECTOR_MAX_CHARACTERS);

const PAGE_MAX_PIXELS = 100_000;

const only = ["image"] as const;
const shown = ["image", "video"] as const;

export const areaOptions = {
  full_page: v.optional(
    option(flag(), {
      description:
        "Capture the whole page, not only the part inside the window: scrolled through first, so that lazy images and " +
        "late sections are there. A background that is fixed to the window is painted as it looks when its element is in " +
        "the middle of the window. Not together with `selector`.",
      only,
    }),
    false,
  ),
  full_page_scroll: v.optional(
    option(flag(), {
      description: "Scroll through the page before it is captured, which makes lazy content load.",
      only,
    }),
    true,
  ),
  full_page_scroll_delay: v.optional(
    option(integer(50, 5_000, " ms"), {
      description: "Milliseconds to wait at each step of the scroll.",
      otherwise: "as long as something loads, at most 400",
      only,
    }),
  ),
  full_page_scroll_by: v.optional(
    option(integer(1, 10_000, " pixels"), {
      description: "CSS pixels of each step of the scroll.",
      otherwise: "0.95 of the window",
      only,
    }),
  ),
  full_page_max_height: v.optional(
    option(integer(1, PAGE_MAX_PIXELS, " pixels"), {
      description: "CSS pixels at which a full page ends, with a warning where the page goes on.",
      only,
    }),
    20_000,
  ),
  full_page_algorithm: v.optional(
    option(choice(["default", "by_sections"]), {
      description:
        "`default` paints the page at once, as a tall sheet. `by_sections` scrolls from window to window and joins what " +
        "is seen there, for pages that only paint, or only keep, what is in view (virtualized lists).",
      only,
    }),
    "default",
  ),
  full_page_expand_overflow: v.optional(
    option(flag(), {
      description:
        "Where the page itself does not scroll but a part of it does, as in many applications, lay that part out in " +
        "full height.",
      only,
    }),
    true,
  ),
  full_page_freeze_fixed: v.optional(
    option(flag(), {
      description:
        "Paint what is fixed to the window once: at the page's top what is fixed to the top, at its end what is " +
        "fixed to the bottom.",
      only,
    }),
    true,
  ),
  full_page_slices: v.optional(
    option(flag(), {
      description:
        "Cut the full page into images of `full_page_slice_height` as well: the JSON result lists them as `slices`. " +
        "Needs `full_page` and `response_type` json.",
      only,
    }),
    false,
  ),
  full_page_slice_height: v.optional(
    option(integer(100, 16_000, " pixels"), {
      description: "CSS pixels of height of each slice.",
      only,
    }),
    4_000,
  ),
  full_page_slice_overlap_height: v.optional(
    option(integer(0, 15_900, " pixels"), {
      description: "CSS pixels by which a slice repeats the end of the one before; at most the height less 100.",
      only,
    }),
    0,
  ),
  capture_beyond_viewport: v.optional(
    option(flag(), {
      description: "Capture what lies outside of the window, too. false cuts the image at the window's edges.",
      only,
    }),
    true,
  ),
  selector: v.optional(
    option(selector(), {
      description:
        "CSS selector: capture only the first visible element that matches, waiting up to 10 s for it to appear. " +
        "One that lies wholly outside of the page, such as to the left of it, fails at once. A pdf prints only that " +
        "part of the page.",
      only: ["image", "video", "pdf"],
    }),
  ),
  selector_all: v.optional(
    option(selector(), {
      description: "CSS selector: capture the smallest rectangle around all visible elements that match.",
      only: shown,
    }),
  ),
  selector_padding: v.optional(
    option(integer(0, 1_000, " pixels"), {
      description: "CSS pixels of the page's surroundings to capture on each side of the element.",
      only: shown,
    }),
    0,
  ),
  selector_algorithm: v.optional(
    option(choice(["default", "clip"]), {
      description:
        "`default` brings the element into view first, so that it is loaded and painted. `clip` cuts its rectangle " +
        "out of the page as it lies.",
      only: shown,
    }),
    "default",
  ),
  selector_scroll_into_view: v.optional(
    option(flag(), {
      description: "Bring the element into view before it is captured.",
      otherwise: "true; false with `selector_algorithm` clip",
      only: shown,
    }),
  ),
  error_on_selector_not_found: v.optional(
    option(flag(), {
      description:
        "Fail when no visible element matches `selector`. false captures the window instead, with a warning.",
      only: ["image", "video", "pdf"],
    }),
    true,
  ),
  clip_x: v.optional(
    option(integer(0, PAGE_MAX_PIXELS, " pixels"), {
      description:
        "Left edge of the rectangle to capture, in CSS pixels from the page's left. All four `clip_*` or none. A rectangle that " +
        "lies outside of the page is an error.",
      only: shown,
    }),
  ),
  clip_y: v.optional(
    option(integer(0, PAGE_MAX_PIXELS, " pixels"), {
      description: "Top edge of the rectangle, in CSS pixels from the page's top.",
      only: shown,
    }),
  ),
  clip_width: v.optional(
    option(integer(1, PAGE_MAX_PIXELS, " pixels"), {
      description: "Width of the rectangle in CSS pixels.",
      only: shown,
    }),
  ),
  clip_height: v.optional(
    option(integer(1, PAGE_MAX_PIXELS, " pixels"), {
      description: "Height of the rectangle in CSS pixels.",
      only: shown,
    }),
  ),
  scroll_into_view: v.optional(
    option(selector(), {
      description: "CSS selector: scroll the page until this element is at the window's top, and capture the window.",
      only: shown,
    }),
  ),
  scroll_into_view_adjust_top: v.optional(
    option(integer(-10_000, 10_000, " pixels"), {
      description: "CSS pixels to scroll further than `scroll_into_view` does; negative to stay before it.",
      only: shown,
    }),
    0,
  ),
};
