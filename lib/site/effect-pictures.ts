// The pictures of what options do: which option has one, and the two requests whose results stand side by side.

export interface Effect {
  /** Sent with both requests. */
  readonly both?: Readonly<Record<string, unknown>>;
  /** Sent with the second request only. */
  readonly effect: Readonly<Record<string, unknown>>;
}

const widget = `<style>body{margin:0;font:20px Arimo;padding:30px;background:none}.c{background:#1f6f78;color:#fff;padding:30px;border-radius:16px}</style><div class=c id=card><b>Forecast</b><br>Rain until six, then clear</div><p>Everything else on the page</p>`;

/** HTML that an effect shows better than the sample page does. */
const widgetPage = { html: widget, viewport_width: 480, viewport_height: 300 };

/** A page with an overlay that asks for something. */
const overlay = (text: string, buttons: readonly string[]) => ({
  html: `<body style="margin:0;font:24px Arimo;background:#f4f1ea"><main style="padding:40px"><h1>Harbour Museum</h1><p>Charts, logbooks, and one very large lighthouse lens.</p></main><div role=dialog id=overlay style="position:fixed;inset:auto 0 0 0;z-index:99999;background:#14242c;color:#fff;padding:32px 40px"><p>${text}</p>${buttons.map((label) => `<button onclick="this.parentElement.remove()" style="font:inherit;margin-right:16px;padding:8px 24px">${label}</button>`).join("")}</div>`,
  viewport_width: 760,
  viewport_height: 460,
});

/** A menu that opens when it is clicked or pointed at. */
const menuPage = {
  html: `<style>body{margin:0;font:26px Arimo;padding:40px}nav{width:max-content}button{font:inherit;padding:10px 24px}ul{display:none;margin:8px 0;padding:16px 24px;list-style:none;background:#1f6f78;color:#fff;line-height:1.7}nav:hover ul,nav.open ul{display:block}</style><nav><button onclick="this.parentElement.classList.add('open')">Visit</button><ul><li>Opening hours<li>Tickets<li>How to get here</ul></nav>`,
  viewport_width: 520,
  viewport_height: 320,
};

/** A page that shows what its browser says. */
const visitorPage = (expression: string) => ({
  html: `<body style="margin:0;font:34px Arimo;padding:48px;display:grid;place-content:center;min-height:200px"><p></p><script>document.querySelector("p").textContent = ${expression}</script>`,
  viewport_width: 640,
  viewport_height: 300,
});

const article = {
  html: `<style>body{font:16px/1.5 Arimo;margin:0}h1{background:#1f6f78;color:#fff;padding:24px;margin:0 0 16px}</style><h1>Tide tables</h1>${"<p>High water comes about fifty minutes later each day, because the moon moves on while the earth turns.</p>".repeat(14)}`,
};
const pdf = { ...article, format: "pdf", pdf_paper_format: "a5" };

export const effects: Readonly<Record<string, Effect>> = {
  full_page: { effect: { full_page: true } },
  viewport_device: { effect: { viewport_device: "iphone_15_pro" } },
  viewport_width: { effect: { viewport_width: 600 } },
  viewport_height: { effect: { viewport_height: 400 } },
  viewport_landscape: { both: { viewport_device: "iphone_15_pro" }, effect: { viewport_landscape: true } },
  dark_mode: { effect: { dark_mode: true } },
  media_type: { effect: { media_type: "print" } },
  selector: { effect: { selector: "h1" } },
  selector_padding: { both: { selector: ".button" }, effect: { selector_padding: 40 } },
  selector_all: { effect: { selector_all: ".card" } },
  clip_x: { effect: { clip_x: 600, clip_y: 120, clip_width: 640, clip_height: 560 } },
  scroll_into_view: { effect: { scroll_into_view: "footer" } },
  hide_selectors: { effect: { hide_selectors: "svg" } },
  styles: { effect: { styles: ".hero { background: #f0a04b }" } },
  scripts: { effect: { scripts: "document.querySelector('h1').textContent = 'Open today'" } },
  javascript: {
    both: {
      html: `<body style="font:40px Arimo;padding:60px">Before<script>document.body.textContent = "After"</script>`,
    },
    effect: { javascript: false },
  },
  omit_background: { both: widgetPage, effect: { omit_background: true } },
  device_scale_factor: {
    both: { ...widgetPage, selector: "b", selector_padding: 6 },
    effect: { device_scale_factor: 4 },
  },
  image_fit: { both: { image_width: 400, image_height: 400 }, effect: { image_fit: "cover" } },
  image_position: {
    both: { image_width: 400, image_height: 400, image_fit: "cover" },
    effect: { image_position: "right" },
  },
  image_background: {
    both: { image_width: 600, image_height: 600, image_fit: "contain" },
    effect: { image_background: "#f0a04b" },
  },
  markdown_theme: {
    both: {
      markdown: "# Tides\n\n| Day | High |\n|---|---|\n| Mon | 6:12 |\n\n`height()` in metres",
      viewport_width: 600,
      viewport_height: 400,
    },
    effect: { markdown_theme: "dark" },
  },
  markdown_css: {
    both: { markdown: "# Tides\n\nHigh water at **6:12**.", viewport_width: 600, viewport_height: 300 },
    effect: { markdown_css: "h1 { color: #1f6f78; font-family: Gelasio }" },
  },
  image_quality: {
    both: { format: "jpeg", selector: "svg", image_width: 380 },
    effect: { image_quality: 5 },
  },
  full_page_max_height: { both: { full_page: true }, effect: { full_page_max_height: 700 } },
  scroll_into_view_adjust_top: {
    both: { scroll_into_view: ".cards", viewport_height: 500 },
    effect: { scroll_into_view_adjust_top: -160 },
  },
  click: { both: menuPage, effect: { click: "button" } },
  hover: { both: menuPage, effect: { hover: "nav" } },
  block_cookie_banners: {
    both: overlay("We use cookies to improve your experience.", ["Accept all cookies", "Reject all"]),
    effect: { block_cookie_banners: true },
  },
  block_banners_by_heuristics: {
    both: overlay("Subscribe to our newsletter and get 10 % off.", ["Subscribe", "No thanks"]),
    effect: { block_banners_by_heuristics: true },
  },
  locale: {
    both: visitorPage("(1234567.89).toLocaleString()"),
    effect: { locale: "de-CH" },
  },
  time_zone: {
    both: visitorPage("new Date(Date.UTC(2026, 0, 31, 12)).toLocaleTimeString('en', { timeZoneName: 'short' })"),
    effect: { time_zone: "Asia/Tokyo" },
  },
  pdf_paper_format: { both: { ...article, format: "pdf" }, effect: { pdf_paper_format: "a6" } },
  pdf_landscape: { both: pdf, effect: { pdf_landscape: true } },
  pdf_margin: { both: pdf, effect: { pdf_margin: "3cm" } },
  pdf_scale: { both: pdf, effect: { pdf_scale: 0.5 } },
  pdf_print_background: { both: pdf, effect: { pdf_print_background: false } },
  pdf_fit_one_page: { both: { ...pdf, pdf_paper_format: "a6" }, effect: { pdf_fit_one_page: true } },
  pdf_header_template: {
    both: { ...pdf, pdf_margin: "2cm" },
    effect: {
      pdf_header_template: '<p style="font-size: 28px; margin: auto; color: #bb3510">Harbour Museum</p>',
    },
  },
  pdf_footer_template: {
    both: { ...pdf, pdf_margin: "2cm" },
    effect: {
      pdf_footer_template:
        '<p style="font-size: 28px; margin: auto; color: #bb3510">Page <span class="pageNumber"></span></p>',
    },
  },
};
