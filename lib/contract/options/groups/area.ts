// Options for the area to capture: the viewport, the full page, an element, or a rectangle.
import * as v from "valibot";
import { choice, flag, integer, text } from "../coercion.ts";
import { option } from "../option.ts";

const MAX_SELECTOR_CHARACTERS = 2_000;

export const selector = () => text(MAX_SELECTOR_CHARACTERS);

export const MAX_PAGE_PIXELS = 100_000;

const only = ["image"] as const;
const shown = ["image", "video"] as const;

export const areaOptions = {
  full_page: v.optional(
    option(flag(), {
      description:
        "Capture the whole page, not only the viewport. The page is scrolled window by window, and the image shows each part as it " +
        "looks while it is in view, with all lazy content. Can't be combined with `selector`.",
      only,
    }),
    false,
  ),
  full_page_scroll: v.optional(
    option(flag(), {
      description:
        "Scroll through the page, so that lazy content loads and each part is captured while it is in view. `false` captures the page " +
        "as it looks at its top.",
      only,
      needs: ["full_page"],
    }),
    true,
  ),
  full_page_scroll_delay: v.optional(
    option(integer(50, 5_000, " ms"), {
      description:
        "Milliseconds to wait in each window, in addition to the wait for images, animations, and texts that change.",
      only,
      needs: ["full_page"],
      sample: "250",
    }),
  ),
  full_page_scroll_by: v.optional(
    option(integer(1, 10_000, " pixels"), {
      description:
        "Length of each scroll step in CSS pixels. Images use at most 0.8 of the window, so that windows overlap, and shorter steps where " +
        "the page changes.",
      otherwise: "0.95 of the window, or 0.5 where the page changes",
      only,
      needs: ["full_page"],
      sample: "800",
    }),
  ),
  full_page_max_height: v.optional(
    option(integer(1, MAX_PAGE_PIXELS, " pixels"), {
      description: "Maximum height of a full page in CSS pixels. A longer page is cut off, with a warning.",
      only,
      needs: ["full_page"],
      sample: "5000",
    }),
    20_000,
  ),
  full_page_algorithm: v.optional(
    option(choice(["default", "by_sections"]), {
      description:
        "How to capture the page. `default` joins the windows of a page that can notice that it is scrolled, and renders any other page " +
        "at once. `by_sections` joins the windows of every page.",
      only,
      needs: ["full_page"],
    }),
    "default",
  ),
  full_page_expand_overflow: v.optional(
    option(flag(), {
      description:
        "If the page itself doesn't scroll but elements or frames in it do, as in many web apps, show all of their content. `false` " +
        "shows the part that the window shows.",
      only,
      needs: ["full_page"],
    }),
    true,
  ),
  full_page_freeze_fixed: v.optional(
    option(flag(), {
      description:
        "Show elements that stay in the window while the page scrolls once, at their place. Headers are at the top, and bars at the bottom of " +
        "the window are at the end of the page. `false` shows them in each window; the image is one whole window below the other.",
      only,
      needs: ["full_page"],
    }),
    true,
  ),
  full_page_pinned: v.optional(
    option(choice(["stages", "once", "as_is"]), {
      description:
        "How to show scenes that stay in the window while the page scrolls, as with `position: sticky` in a tall " +
        "element or with a pin of GSAP ScrollTrigger. `stages` shows each scene at its start, after each further " +
        "window height, and at its end. A scene that never changes is shown once, without the empty space in which it " +
        "stays. `once` shows each scene once, as it looks halfway, without that space. `as_is` shows each scene at its " +
        "start and keeps the space.",
      only,
      needs: ["full_page"],
    }),
    "stages",
  ),
  full_page_slices: v.optional(
    option(flag(), {
      description:
        "Also cut the full page into images of `full_page_slice_height`, which the JSON result lists as `slices`. " +
        "Requires `full_page` and `response_type=json`.",
      only,
      needs: ["full_page"],
      sampleWith: { full_page: "true", response_type: "json" },
    }),
    false,
  ),
  full_page_slice_height: v.optional(
    option(integer(100, 16_000, " pixels"), {
      description: "Height of each slice in CSS pixels.",
      only,
      needs: ["full_page_slices"],
      sample: "2000",
    }),
    4_000,
  ),
  full_page_slice_overlap_height: v.optional(
    option(integer(0, 15_900, " pixels"), {
      description: "Overlap of consecutive slices in CSS pixels. At most the slice height minus 100.",
      only,
      needs: ["full_page_slices"],
      sample: "50",
    }),
    0,
  ),
  capture_beyond_viewport: v.optional(
    option(flag(), {
      description: "Also capture content outside of the viewport. `false` cuts the image at the edges of the viewport.",
      only,
    }),
    true,
  ),
  selector: v.optional(
    option(selector(), {
      description:
        "CSS selector: capture only the first visible element that matches, and wait up to 10 s for it. An " +
        "element that lies completely outside of the page, such as left of it, fails immediately. A PDF prints " +
        "only this element.",
      only: ["image", "video", "pdf"],
      sample: "main",
    }),
  ),
  selector_all: v.optional(
    option(selector(), {
      description: "CSS selector: capture the smallest rectangle that contains all visible elements that match.",
      only: shown,
      sample: ".card",
    }),
  ),
  selector_padding: v.optional(
    option(integer(0, 1_000, " pixels"), {
      description: "CSS pixels to capture around the element on each side.",
      only: shown,
      needs: ["selector", "selector_all"],
      sample: "16",
    }),
    0,
  ),
  selector_algorithm: v.optional(
    option(choice(["default", "clip"]), {
      description:
        "`default` scrolls the element into view first, so that it loads and renders. `clip` captures the " +
        "element's rectangle without scrolling to it.",
      only: shown,
      needs: ["selector", "selector_all"],
    }),
    "default",
  ),
  selector_scroll_into_view: v.optional(
    option(flag(), {
      description: "Scroll the element into view before the capture.",
      otherwise: "true; false with `selector_algorithm` clip",
      only: shown,
      needs: ["selector", "selector_all"],
    }),
  ),
  error_on_selector_not_found: v.optional(
    option(flag(), {
      description:
        "Fail if no visible element matches `selector`. `false` captures the viewport instead, with a warning.",
      only: ["image", "video", "pdf"],
      needs: ["selector", "selector_all"],
    }),
    true,
  ),
  clip_x: v.optional(
    option(integer(0, MAX_PAGE_PIXELS, " pixels"), {
      description:
        "Left edge of the rectangle to capture, in CSS pixels from the left edge of the page. Send all four " +
        "`clip_*` options or none. A rectangle outside of the page is an error.",
      only: shown,
      needs: ["clip_y"],
      sample: "0",
    }),
  ),
  clip_y: v.optional(
    option(integer(0, MAX_PAGE_PIXELS, " pixels"), {
      description: "Top edge of the rectangle, in CSS pixels from the top of the page.",
      only: shown,
      needs: ["clip_width"],
      sample: "120",
    }),
  ),
  clip_width: v.optional(
    option(integer(1, MAX_PAGE_PIXELS, " pixels"), {
      description: "Width of the rectangle in CSS pixels.",
      only: shown,
      needs: ["clip_height"],
      sample: "640",
    }),
  ),
  clip_height: v.optional(
    option(integer(1, MAX_PAGE_PIXELS, " pixels"), {
      description: "Height of the rectangle in CSS pixels.",
      only: shown,
      needs: ["clip_x"],
      sample: "400",
    }),
  ),
  scroll_into_view: v.optional(
    option(selector(), {
      description: "CSS selector: scroll this element to the top of the viewport, then capture the viewport.",
      only: shown,
      sample: "#prices",
    }),
  ),
  scroll_into_view_adjust_top: v.optional(
    option(integer(-10_000, 10_000, " pixels"), {
      description: "CSS pixels to scroll beyond the element of `scroll_into_view`. Negative values stop before it.",
      only: shown,
      needs: ["scroll_into_view"],
      sample: "-80",
    }),
    0,
  ),
};
