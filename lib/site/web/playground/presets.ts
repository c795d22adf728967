// Presets: options that show what the service is for, one click each.
import { type Draft, initialDraft, type RequestOptions, type Source } from "./request-options.ts";

export interface Preset {
  readonly name: string;
  readonly about: string;
  readonly options: RequestOptions;
  /** The source that the preset needs; without one it stays. */
  readonly source?: Source;
  readonly input?: string;
}

const INVOICE = `<style>
  body { font: 15px/1.5 system-ui; color: #1d1b17; margin: 0 }
  header { display: flex; justify-content: space-between; border-bottom: 2px solid #bb3510; padding-bottom: 12px }
  h1 { margin: 0; letter-spacing: -0.02em }
  table { width: 100%; border-collapse: collapse; margin-top: 32px }
  td, th { text-align: left; padding: 10px 0; border-bottom: 1px solid #e2ded3 }
  td:last-child, th:last-child { text-align: right }
</style>
<header><h1>Invoice 1042</h1><p>24 November 2026<br>Due in 14 days</p></header>
<table>
  <tr><th>Item</th><th>Amount</th></tr>
  <tr><td>10,000 captures</td><td>$ 42.00</td></tr>
  <tr><td>Storage, 30 days</td><td>$ 1.20</td></tr>
  <tr><th>Total</th><th>$ 43.20</th></tr>
</table>
`;

export const presets: readonly Preset[] = [
  { name: "Phone", about: "An iPhone 15 Pro, as sharp as its display", options: { viewport_device: "iphone_15_pro" } },
  {
    name: "Full page",
    about: "The whole page, with lazy images loaded",
    options: { full_page: true, format: "webp" },
  },
  {
    name: "Clean article",
    about: "Without ads, cookie banners, chats, and trackers",
    options: {
      full_page: true,
      block_ads: true,
      block_trackers: true,
      block_cookie_banners: true,
      block_chats: true,
      block_annoyances: true,
    },
  },
  {
    name: "PDF invoice",
    about: "HTML to PDF on A4 with page numbers",
    source: "html",
    input: INVOICE,
    options: {
      format: "pdf",
      pdf_paper_format: "a4",
      pdf_margin: "20mm",
      pdf_print_background: true,
      pdf_footer_template:
        '<p style="font-size: 9px; margin: auto">Page <span class="pageNumber"></span> of <span class="totalPages"></span></p>',
    },
  },
  {
    name: "Scroll video",
    about: "Six seconds of scrolling through the page",
    options: { format: "mp4", video_scenario: "scroll", video_duration: 6 },
  },
  {
    name: "Thumbnail",
    about: "640 pixels wide, small enough for a list",
    options: { format: "webp", image_width: 640, image_quality: 70 },
  },
  {
    name: "Markdown for a model",
    about: "The text of the page, ready for a prompt",
    options: { format: "markdown", block_ads: true, block_cookie_banners: true },
  },
];

/** True for an input that is neither the sample nor that of a preset. */
export function isTyped({ inputs }: Draft, source: Source): boolean {
  const given = [initialDraft.inputs[source], ...presets.map(({ input }) => input)];
  return inputs[source].trim() !== "" && !given.includes(inputs[source]);
}

/** True for options other than none and those of a preset. */
export function isChosenByHand(options: RequestOptions): boolean {
  const text = JSON.stringify(options);
  return text !== "{}" && presets.every((preset) => JSON.stringify(preset.options) !== text);
}
