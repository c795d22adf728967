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
};
