// Options for printing the page to a PDF.
import * as v from "valibot";
import { choice, coerced, decimal, flag, shown, text } from "../coercion.ts";
import { option } from "../option.ts";
import { parsePageRanges } from "../values/page-ranges.ts";
import { paperFormats, parseLength, parseMargins } from "../values/paper.ts";
import { templateProblem } from "../values/pdf-template.ts";

/** Maximum length of a side of a PDF page: 14,400 points of 1/72 inch (ISO 32000-1, annex C). */
const MAX_INCHES = 200;

const MAX_RANGES_CHARACTERS = 500;

const MAX_LENGTHS_CHARACTERS = 200;

/** True for a number or text short enough to be parsed as lengths. */
function isShort(sent: unknown): sent is string | number {
  return typeof sent === "number" || (typeof sent === "string" && sent.length <= MAX_LENGTHS_CHARACTERS);
}

const only = ["pdf"] as const;

/** A length with a unit, parsed to inches. */
const length = (minimum: number, maximum: number) =>
  coerced<number>({ type: "string", examples: ["1cm", "8.5in", "210mm", "800px"] }, (sent) => {
    const value = isShort(sent) ? parseLength(sent) : undefined;
    if (value !== undefined && value >= minimum && value <= maximum) return { value };
    const bounds = `from ${minimum}in to ${maximum}in`;
    return { problem: `must be a length ${bounds} in in, cm, mm or px, such as 2.5cm, not ${shown(sent)}` };
  });

const margins = () =>
  coerced({ type: "string", examples: ["1cm", "1cm 2cm 0 2cm"] }, (sent) => {
    const value = isShort(sent) ? parseMargins(sent) : undefined;
    const isFine = value && Object.values(value).every((inches: number) => inches >= 0 && inches <= MAX_INCHES);
    return isFine
      ? { value }
      : { problem: `must be one to four lengths such as '1cm' or '1cm 2cm', not ${shown(sent)}` };
  });

const pageRanges = () =>
  coerced<string>({ type: "string", examples: ["1-5,8"] }, (sent) => {
    const value = typeof sent === "string" || typeof sent === "number" ? String(sent) : "";
    return value.length > MAX_RANGES_CHARACTERS || parsePageRanges(value) === undefined
      ? { problem: `must be pages and ranges such as 1-5,8, not ${shown(sent)}` }
      : { value };
  });

const margin = (side: string) =>
  v.optional(
    option(length(0, MAX_INCHES), { description: `Margin on the ${side}, in place of that of \`pdf_margin\`.`, only }),
  );

const templateText = () =>
  v.pipe(
    text(50_000),
    v.rawCheck(({ dataset, addIssue }) => {
      const problem = dataset.typed ? templateProblem(dataset.value) : undefined;
      if (problem !== undefined) addIssue({ message: problem });
    }),
  );

const template = (what: string, sample: string) =>
  v.optional(
    option(templateText(), {
      description:
        `HTML printed as ${what} of each sheet. Elements of class date, title, url, pageNumber and totalPages are ` +
        "filled in. It loads nothing and runs no scripts.",
      only,
      sample,
    }),
  );

export const pdfOptions = {
  pdf_paper_format: v.optional(
    option(choice(Object.keys(paperFormats) as (keyof typeof paperFormats)[]), {
      description: "Paper format.",
      otherwise: "that of the page's own `@page` rules, else a4",
      only,
    }),
  ),
  pdf_paper_width: v.optional(
    option(length(0.1, MAX_INCHES), {
      description:
        "Width of the paper with a unit (in, cm, mm, or px). Replaces the paper format. Requires " +
        "`pdf_paper_height`.",
      only,
      needs: ["pdf_paper_height"],
      sample: "10cm",
    }),
  ),
  pdf_paper_height: v.optional(
    option(length(0.1, MAX_INCHES), {
      description: "Height of the paper with a unit (in, cm, mm, or px).",
      only,
      needs: ["pdf_paper_width"],
      sample: "15cm",
    }),
  ),
  pdf_margin: v.optional(
    option(margins(), {
      description: "Margins with a unit, in CSS syntax: one value for all sides, or up to four clockwise from the top.",
      otherwise: "that of the page's `@page` rules, else 0; room for a header or footer where there is one",
      only,
    }),
  ),
  pdf_margin_top: margin("top"),
  pdf_margin_right: margin("right"),
  pdf_margin_bottom: margin("bottom"),
  pdf_margin_left: margin("left"),
  pdf_landscape: v.optional(
    option(flag(), {
      description:
        "Use landscape orientation. If you send this option, it applies to all pages and overrides the `@page` rules of " +
        "the page. A paper size without it overrides them, too, but named pages that lie among upright ones still do.",
      otherwise: "the page's own orientation by its `@page` rules, else false",
      only,
    }),
  ),
  pdf_print_background: v.optional(option(flag(), { description: "Print background colors and images.", only }), true),
  pdf_fit_one_page: v.optional(
    option(flag(), { description: "Print the whole page onto one PDF page, without page breaks.", only }),
    false,
  ),
  pdf_scale: v.optional(
    option(decimal(0.1, 2), { description: "Scale of the content: 0.5 prints it at half its size.", only }),
    1,
  ),
  pdf_page_ranges: v.optional(
    option(pageRanges(), { description: "Pages to keep, such as `1-5,8`.", otherwise: "all", only }),
  ),
  pdf_header_template: template("the header", "<p class='title'></p>"),
  pdf_footer_template: template("the footer", "<p class='pageNumber'></p>"),
  pdf_prefer_css_page_size: v.optional(
    option(flag(), {
      description: "Prefer the page size of the page's own `@page` rules to the paper options that you send.",
      only,
    }),
    false,
  ),
  pdf_outline: v.optional(
    option(flag(), { description: "Add an outline (bookmarks) generated from the headings of the page.", only }),
    false,
  ),
  pdf_tagged: v.optional(
    option(flag(), {
      description: "Create a tagged PDF for screen readers, if this build of Chromium supports it.",
      only,
    }),
    false,
  ),
};
