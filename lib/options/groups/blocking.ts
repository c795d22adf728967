// What is kept out of the page: ads, trackers, cookie walls, widgets, and requests the caller names.
import * as v from "valibot";
import { choice, flag, list, text } from "../coercion.ts";
import { option } from "../option.ts";

/** Kinds of requests, as people know them from the network panel of a browser. */
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
    option(flag(), { description: "Keep ads out by filter lists, and close the room that was left for them." }),
    false,
  ),
  block_trackers: v.optional(
    option(flag(), {
      description: "Keep out what follows visitors, by filter lists: analytics, beacons, tracking pixels.",
    }),
    false,
  ),
  block_cookie_banners: v.optional(
    option(flag(), {
      description:
        "Close cookie banners: by the click that rejects, where there is one, else by hiding them. Nothing is accepted. " +
        "A page that the banner locked can be scrolled again.",
    }),
    false,
  ),
  accept_cookie_banners: v.optional(
    option(flag(), {
      description:
        "Let `block_cookie_banners` click what accepts, but only where nothing else closes a banner that covers the page.",
    }),
    false,
  ),
  block_banners_by_heuristics: v.optional(
    option(flag(), {
      description:
        "Close boxes that lie over the page and that no list knows, by their looks and words: newsletters, banners of " +
        "apps, questions of age and region. A click closes them, declines an offer or answers a question of age with yes; " +
        "what has no such control is hidden. Headers, navigation and the page's own content stay. Where a click on a " +
        "banner or box leads to another page, the capture starts over without it, with a warning.",
    }),
    false,
  ),
  block_chats: v.optional(option(flag(), { description: "Keep out chat bubbles and support widgets." }), false),
  block_socials: v.optional(option(flag(), { description: "Keep out buttons and boxes of social networks." }), false),
  block_annoyances: v.optional(
    option(flag(), {
      description: "Keep out pop-ups, banners of apps and other things that get in the way, as far as lists know them.",
    }),
    false,
  ),
  block_requests: v.optional(
    option(list(text(1_000), 100), {
      description:
        "Addresses that the page must not request: `*` stands for any characters, and a pattern without one for any " +
        "address that contains it. The page itself is never blocked.",
    }),
  ),
  block_resources: v.optional(
    option(list(choice(resourceTypes), resourceTypes.length), {
      description:
        "Kinds of requests that the page must not make. `document` stands for frames; the page itself is never blocked. " +
        "`xhr` and `fetch` are one kind to the browser: either blocks both.",
    }),
  ),
  javascript: v.optional(
    option(flag(), {
      description:
        "Run the page's own scripts. false shows it as visitors without JavaScript see it; not together with `scripts` " +
        "and `wait_for_expression`.",
    }),
    true,
  ),
  stealth: v.optional(
    option(flag(), {
      description:
        "Make the browser look like an ordinary one, which a person uses, in all that scripts can ask it. No wall is " +
        "promised to open.",
    }),
    false,
  ),
};
