// Options that block ads, trackers, cookie banners, widgets, and requests.
import * as v from "valibot";
import { choice, flag, list, text } from "../coercion.ts";
import { option } from "../option.ts";

/** Resource types, as the Chromium DevTools Protocol names them in lower case. */
export const resourceTypes = [
  "document",
  "stylesheet",
  "image",
  "media",
  "font",
  "script",
  "texttrack",
  "xhr",
  "fetch",
  "eventsource",
  "websocket",
  "manifest",
  "other",
] as const;

export type ResourceType = (typeof resourceTypes)[number];

export const blockingOptions = {
  block_ads: v.optional(
    option(flag(), { description: "Block ads with filter lists, and collapse the space they leave." }),
    false,
  ),
  block_trackers: v.optional(
    option(flag(), {
      description: "Block analytics, beacons, and tracking pixels with filter lists.",
    }),
    false,
  ),
  block_cookie_banners: v.optional(
    option(flag(), {
      description:
        "Close cookie banners: click the button that rejects cookies if there is one; otherwise hide the banner. " +
        "Cookies aren't accepted. If a banner disables scrolling, scrolling is restored.",
    }),
    false,
  ),
  accept_cookie_banners: v.optional(
    option(flag(), {
      description:
        "Allow `block_cookie_banners` to click the button that accepts cookies, but only if nothing else closes a " +
        "banner that covers the page.",
      needs: ["block_cookie_banners"],
    }),
    false,
  ),
  block_banners_by_heuristics: v.optional(
    option(flag(), {
      description:
        "Close overlays that no filter list contains, by their layout and text: newsletter forms, app banners, " +
        "and questions about age and region. The capture clicks to close them, to decline an offer, or to confirm " +
        "an age, and hides overlays without such a control. Headers, navigation, and page content stay. If a " +
        "click leads to another page, the capture starts over without this click, with a warning.",
    }),
    false,
  ),
  block_chats: v.optional(option(flag(), { description: "Block chat bubbles and support widgets." }), false),
  block_socials: v.optional(option(flag(), { description: "Block buttons and widgets of social networks." }), false),
  block_annoyances: v.optional(
    option(flag(), {
      description: "Block pop-ups, app banners, and other annoyances that filter lists contain.",
    }),
    false,
  ),
  block_requests: v.optional(
    option(list(text(1_000), 100), {
      description:
        "URLs to block. `*` stands for any characters; a pattern without `*` matches any URL that contains it. " +
        "The page itself is never blocked.",
      sample: "*.example.net/*",
    }),
  ),
  block_resources: v.optional(
    option(list(choice(resourceTypes), resourceTypes.length), {
      description:
        "Resource types to block. `document` stands for frames; the page itself is never blocked. Browsers don't " +
        "distinguish `xhr` and `fetch`: either one blocks both.",
      sample: "font",
    }),
  ),
  javascript: v.optional(
    option(flag(), {
      description:
        "Run the scripts of the page. `false` shows the page as it looks without JavaScript, and can't be " +
        "combined with `scripts` and `wait_for_expression`.",
    }),
    true,
  ),
  stealth: v.optional(
    option(flag(), {
      description:
        "Make the browser look like a desktop browser with a person in front of it to scripts that inspect it. " +
        "This doesn't guarantee that a page with bot detection opens.",
    }),
    false,
  ),
};
