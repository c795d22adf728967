// Pages taller than the viewport: rows whose colour tells their position, a long table, and infinite scroll.
import { BAND_HEIGHT, bandColour, WHITE } from "../site-pages.ts";
import { bands, css, document, list, numberIn, type Pages, script } from "./page.ts";

export const ROW_HEIGHT = 100;

/** Colour at `y` of `/article`: each 100 px down to 100,000 have one of their own, told apart also in a JPEG. */
export function rowColour(y: number): number[] {
  const row = Math.floor(y / ROW_HEIGHT);
  return [row, row / 10, row / 100].map((digit) => 15 + 25 * (Math.floor(digit) % 10));
}

/** Heights of the rows of `/table`, and every how many rows one has a colour. */
export const TABLE = { head: { height: 40, colour: [30, 30, 90] }, rowHeight: 20, colouredEvery: 100 };

/** Colour of a row of `/table`, counted from 0: white unless it is one of those that have a colour. */
export function tableRowColour(row: number): number[] {
  return row % TABLE.colouredEvery === 0 ? bandColour(row / TABLE.colouredEvery) : WHITE;
}

/** How many bands `/infinite-scroll` begins with, and how many it adds. */
export const INFINITE_SCROLL = { bands: 20, more: 10 };

export const tallPages: Pages = {
  /** `height` px (40,000 unless told) in rows of `rowColour`; the right-hand 90 px say at which y each row begins. */
  "/article": (query) => {
    const height = numberIn(query, "height", 40_000);
    const rows = list(Math.ceil(height / ROW_HEIGHT), (row) => {
      const y = row * ROW_HEIGHT;
      return `<div style="height:${Math.min(ROW_HEIGHT, height - y)}px;background:${css(rowColour(y))}">${y}</div>`;
    });
    return document(
      `<style>div{text-align:right;padding-right:10px;color:#fff;font:14px/20px sans-serif;overflow:hidden}</style>${rows.join("")}`,
    );
  },

  /**
   * A table of `rows` rows (3000 unless told) below a head, which print repeats on each sheet. The right half of every
   * row shows its `tableRowColour`, the left half its number and a text.
   */
  "/table": (query) => {
    const rows = list(numberIn(query, "rows", 3000), (row) => {
      const colour = row % TABLE.colouredEvery === 0 ? ` style="background:${css(tableRowColour(row))}"` : "";
      return `<tr${colour}><td>${row}<td>Entry ${row}<td>`;
    });
    return document(`<style>
        * { print-color-adjust: exact }
        table { width: 100%; border-spacing: 0; table-layout: fixed; font: 12px/${TABLE.rowHeight}px sans-serif }
        th { height: ${TABLE.head.height}px; padding: 0; background: ${css(TABLE.head.colour)}; color: #fff; text-align: left }
        td { height: ${TABLE.rowHeight}px; padding: 0; overflow: hidden }
        th:nth-child(1) { width: 20% } th:nth-child(2) { width: 30% }
      </style><table><thead><tr><th>Number<th>Text<th></thead><tbody>${rows.join("")}</tbody></table>`);
  },

  /** Bands, and ten more from the site whenever their end comes near, for ever. */
  "/infinite-scroll": () =>
    document(
      `<main>${bands(INFINITE_SCROLL.bands)}</main><div id="end" style="height:1px"></div>${script(`
      let next = ${INFINITE_SCROLL.bands};
      const observer = new IntersectionObserver(async ([entry]) => {
        if (!entry.isIntersecting) return;
        observer.disconnect();
        const more = await (await fetch("/more-bands?from=" + next)).text();
        next += ${INFINITE_SCROLL.more};
        document.querySelector("main").insertAdjacentHTML("beforeend", more);
        observer.observe(end);
      }, { rootMargin: "${2 * BAND_HEIGHT}px" });
      observer.observe(end);
    `)}`,
    ),

  /** The bands that `/infinite-scroll` adds after those it has. */
  "/more-bands": (query) => bands(INFINITE_SCROLL.more, numberIn(query, "from", 0)),
};
