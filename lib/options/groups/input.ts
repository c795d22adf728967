// What is captured: an address, HTML or Markdown.
import * as v from "valibot";
import { choice, text } from "../coercion.ts";
import { inputForm, option } from "../option.ts";

const URL_MAX_CHARACTERS = 8 * 1024;
const HTML_MAX_CHARACTERS = 4_000_000;
const MARKDOWN_MAX_CHARACTERS = 500_000;
const CSS_MAX_CHARACTERS = 200_000;

export const webAddress = () =>
  inputForm(
    v.pipe(
      text(URL_MAX_CHARACTERS),
      v.check((url) => url === url.trim(), "must not begin or end with white space"),
      v.check((url) => URL.canParse(url), "must be a complete address such as https://example.com/page"),
      v.check((url) => !/^https?:\/\/https?:/i.test(url), "names its scheme twice; write https:// once"),
    ),
    { type: "string", format: "uri", maxLength: URL_MAX_CHARACTERS },
  );

/** An address that is only ever http or https; `url` itself is refused later, as an address that is not allowed. */
export const httpAddress = () =>
  v.pipe(
    webAddress(),
    v.check(
      (url) => !URL.canParse(url) || /^https?:$/.test(new URL(url).protocol),
      "must begin with http:// or https://",
    ),
  );

export const inputOptions = {
  url: v.optional(
    option(webAddress(), {
      description: "Address of the page to capture, http or https. Exactly one of `url`, `html` and `markdown`.",
    }),
  ),
  source: v.optional(
    option(choice(["url", "html", "markdown"]), {
      description: "What is captured. Need not be given: it follows from `url`, `html` or `markdown`.",
    }),
  ),
  html: v.optional(
    option(text(HTML_MAX_CHARACTERS), {
      description:
        "HTML to render, at most 4 million characters. Assets need absolute addresses, unless `base_url` says where " +
        "the document lives.",
    }),
  ),
  markdown: v.optional(
    option(text(MARKDOWN_MAX_CHARACTERS), {
      description:
        "Markdown to render, GitHub flavour, at most 500,000 characters. Code is highlighted; scripts are removed. YAML " +
        "front matter is not shown; its `title` is the page's title.",
    }),
  ),
  markdown_theme: v.optional(
    option(choice(["github", "dark", "plain"]), {
      description:
        "Look of rendered Markdown: `github` follows `dark_mode`, `dark` is always dark, `plain` leaves all looks to " +
        "the browser and `markdown_css`.",
      needsOthers: true,
    }),
    "github",
  ),
  markdown_css: v.optional(
    option(text(CSS_MAX_CHARACTERS), { description: "CSS that is added to the theme of rendered Markdown." }),
  ),
  base_url: v.optional(
    option(httpAddress(), {
      description:
        "Address at which `html` or `markdown` is shown, as if a server had answered it there: relative addresses, " +
        "fonts and fetches work as on that page. The document itself is not requested.",
    }),
  ),
};
