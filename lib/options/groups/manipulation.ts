// What is done to the page before it is captured.
import * as v from "valibot";
import { flag, list, text } from "../coercion.ts";
import { option } from "../option.ts";
import { selector } from "./area.ts";
import { conditions } from "./waiting.ts";

const CODE_MAX_CHARACTERS = 200_000;

export const manipulationOptions = {
  hide_selectors: v.optional(
    option(list(selector()), { description: "CSS selectors of elements that are not to be displayed." }),
  ),
  styles: v.optional(
    option(list(text(CODE_MAX_CHARACTERS), 20), {
      description:
        "CSS to add to the page: rules, or the address of a style sheet. Pictures and fonts that come with it are waited " +
        "for, 3 s at most.",
    }),
  ),
  scripts: v.optional(
    option(list(text(CODE_MAX_CHARACTERS), 20), {
      description:
        "JavaScript to run in the page once it has loaded; `await` works. A script that throws or leads to another " +
        "page fails the capture.",
    }),
  ),
  scripts_wait_until: v.optional(
    option(conditions(), { description: "What to wait for after `scripts` have run, as in `wait_until`." }),
  ),
  click: v.optional(
    option(list(selector(), 20), {
      description:
        "CSS selectors of elements to click one after the other, each waiting up to 10 s to appear. A click may lead " +
        "to another page.",
    }),
  ),
  error_on_click_selector_not_found: v.optional(
    option(flag(), {
      description: "Fail when an element to click does not appear. false goes on without it, with a warning.",
      needsOthers: true,
    }),
    true,
  ),
  hover: v.optional(
    option(selector(), {
      description:
        "CSS selector of an element over which the pointer rests in the capture, also where the page is scrolled for it.",
    }),
  ),
  error_on_hover_selector_not_found: v.optional(
    option(flag(), {
      description: "Fail when the element to hover over does not appear. false goes on without, with a warning.",
      needsOthers: true,
    }),
    true,
  ),
  disable_animations: v.optional(
    option(flag(), {
      description:
        "Finish animations and transitions, and stop those that never end, so that the same page makes the same image. " +
        "In a picture of more than the window and in a pdf, an animation that is driven by the scroll position is shown as " +
        "it is when its element has been scrolled to the middle of the window, and one of a fixed element, such as a " +
        "progress bar, as at the page's top.",
      otherwise: "true; false for a video",
      only: ["image", "video", "pdf"],
    }),
  ),
  include_shadow_dom: v.optional(
    option(flag(), {
      description: "Include what is inside open shadow roots in the document and in `metadata_content`.",
    }),
    false,
  ),
};
