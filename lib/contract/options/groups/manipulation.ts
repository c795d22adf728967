// Options that change the page before the capture.
import * as v from "valibot";
import { flag, isoTime, list, text } from "../coercion.ts";
import { option } from "../option.ts";
import { selector } from "./area.ts";
import { conditions } from "./waiting.ts";

const MAX_CODE_CHARACTERS = 200_000;

export const manipulationOptions = {
  hide_selectors: v.optional(
    option(list(selector()), {
      description: "CSS selectors of elements to hide (`display: none`).",
      sample: ".chat, .newsletter",
    }),
  ),
  styles: v.optional(
    option(list(text(MAX_CODE_CHARACTERS), 20), {
      description:
        "CSS to add to the page: rules, or the URL of a style sheet. The capture waits up to 3 s for its images " +
        "and fonts.",
      sample: "h1 { color: teal }",
    }),
  ),
  scripts: v.optional(
    option(list(text(MAX_CODE_CHARACTERS), 20), {
      description:
        "JavaScript to run in the page after it has loaded; you can use `await`. If a script throws or navigates " +
        "to another page, the capture fails.",
      sample: "document.title = 'Mine'",
    }),
  ),
  scripts_wait_until: v.optional(
    option(conditions(), {
      description: "Load conditions to wait for after `scripts` have run, as in `wait_until`.",
      needs: ["scripts"],
    }),
  ),
  click: v.optional(
    option(list(selector(), 20), {
      description:
        "CSS selectors of elements to click, one after the other. The capture waits up to 10 s for each. A click " +
        "can navigate to another page; the address of a tab that it opens is opened in the page itself, with a " +
        "warning. A click that changes nothing is a warning, too.",
      sample: "#open-menu",
    }),
  ),
  error_on_click_selector_not_found: v.optional(
    option(flag(), {
      description: "Fail if an element to click doesn't appear. `false` continues without it, with a warning.",
      needs: ["click"],
    }),
    true,
  ),
  hover: v.optional(
    option(selector(), {
      description: "CSS selector of an element to hover over during the capture, even when the page is scrolled to it.",
      sample: "#menu",
    }),
  ),
  error_on_hover_selector_not_found: v.optional(
    option(flag(), {
      description: "Fail if the element to hover over doesn't appear. `false` continues without it, with a warning.",
      needs: ["hover"],
    }),
    true,
  ),
  disable_animations: v.optional(
    option(flag(), {
      description:
        "Finish animations and transitions, and hold infinite ones at a moment at which what they move is visible, so " +
        "that the same page gives the same image. In a PDF or an image larger than the viewport, scroll-driven animations appear as if their " +
        "element were in the middle of the viewport. Those of fixed elements, such as progress bars, appear as at the " +
        "top of the page.",
      otherwise: "true; false for a video",
      only: ["image", "video", "pdf"],
    }),
  ),
  deterministic: v.optional(
    option(flag(), {
      description:
        "Capture the same page to the same bytes every time, for tests of how pages look. The page's clock starts at " +
        "`page_clock` and passes in virtual time, random numbers are seeded, videos show their first frame, and carets " +
        "don't blink. A page that needs real time, as for a WebSocket, fails with `NOT_DETERMINISTIC`.",
      only: ["image", "pdf", "document"],
    }),
    false,
  ),
  page_clock: v.optional(
    option(isoTime(), {
      description:
        "What the page's clock shows when the page is requested: an ISO 8601 date or time, in UTC unless it has an offset.",
      needs: ["deterministic"],
      sample: "2024-02-29T08:00:00Z",
    }),
    "2026-01-01T12:00:00.000Z",
  ),
  include_shadow_dom: v.optional(
    option(flag(), {
      description: "Include the content of open shadow roots in the document and in `metadata_content`.",
      sampleWith: { format: "html" },
    }),
    false,
  ),
};
