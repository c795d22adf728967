// Options for the input: a URL, HTML, or Markdown.
import * as v from "valibot";
import { choice, text } from "../coercion.ts";
import { inputForm, option } from "../option.ts";
import { atMost } from "../wording.ts";

const MAX_URL_CHARACTERS = 8 * 1024;
const MAX_HTML_CHARACTERS = 4_000_000;
const MAX_MARKDOWN_CHARACTERS = 500_000;
const MAX_CSS_CHARACTERS = 200_000;

/** True for an address without its scheme, such as `example.com/page` or `localhost:3000`. */
function isHost(url: string): boolean {
  return /^(?:localhost|[^\s/:?#@.]+(?:\.[^\s/:?#@.]+)+)(?::\d+)?(?:[/?#]|$)/i.test(url);
}

const webAddress = () =>
  inputForm(
    v.pipe(
      text(MAX_URL_CHARACTERS),
      v.check((url) => url === url.trim(), "must not start or end with whitespace"),
      v.check((url) => URL.canParse(url) || isHost(url), "must be an absolute URL such as https://example.com/page"),
      v.check(
        (url) => !isHost(url),
        (issue) => `needs its scheme: did you mean 'https://${issue.input}'?`,
      ),
      v.check((url) => !/^https?:\/\/https?:/i.test(url), "repeats its scheme: write https:// once"),
    ),
    { type: "string", format: "uri", maxLength: MAX_URL_CHARACTERS },
  );

/** A URL whose scheme must be http or https. The scheme of `url` is checked later, with `URL_NOT_ALLOWED`. */
export const httpAddress = () =>
  v.pipe(
    webAddress(),
    v.check(
      (url) => !URL.canParse(url) || isHost(url) || /^https?:$/.test(new URL(url).protocol),
      "must start with http:// or https://",
    ),
  );

export const inputOptions = {
  url: v.optional(
    option(webAddress(), {
      description: "URL of the page to capture, http or https. Send exactly one of `url`, `html`, and `markdown`.",
      sample: "https://example.com",
    }),
  ),
  source: v.optional(
    option(choice(["url", "html", "markdown"]), {
      description: "Kind of input. You don't need to send it: it follows from `url`, `html`, or `markdown`.",
    }),
  ),
  html: v.optional(
    option(text(MAX_HTML_CHARACTERS), {
      description:
        `HTML to render, ${atMost(MAX_HTML_CHARACTERS, "characters")}. Assets need absolute URLs unless you set \`base_url\`. ` +
        "Without it, scripts can't use cookies and `localStorage`.",
      sample: "<h1>Invoice 42</h1>",
    }),
  ),
  markdown: v.optional(
    option(text(MAX_MARKDOWN_CHARACTERS), {
      description:
        `Markdown to render as GitHub shows it, ${atMost(MAX_MARKDOWN_CHARACTERS, "characters")}: with tables, alerts, footnotes, ` +
        "highlighted code, formulas (`$x^2$`), Mermaid diagrams, and emoji (`:tada:`). Scripts are removed. YAML front matter is hidden; its `title` becomes the page title.",
      sample: "# Hello",
    }),
  ),
  markdown_theme: v.optional(
    option(choice(["github", "dark", "plain"]), {
      description:
        "Theme of rendered Markdown: `github` follows `dark_mode`, `dark` is always dark, and `plain` uses only " +
        "the browser's styles and `markdown_css`.",
      needs: ["markdown"],
    }),
    "github",
  ),
  markdown_css: v.optional(
    option(text(MAX_CSS_CHARACTERS), {
      description: "CSS to add to the theme of rendered Markdown.",
      needs: ["markdown"],
      sample: "h1 { color: teal }",
    }),
  ),
  base_url: v.optional(
    option(httpAddress(), {
      description:
        "URL at which `html` or `markdown` is shown, as if its server had returned it: relative URLs, fonts, and " +
        "fetches work as on that page. The URL itself isn't requested.",
      sample: "https://example.com/",
      sampleWith: { html: "<img src=logo.png>" },
    }),
  ),
};
