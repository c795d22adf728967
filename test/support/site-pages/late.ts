// Pages that are not ready when loaded: elements, images, data and applications that come late.
import { bandColour, GREEN, PLACEHOLDER } from "../site-pages.ts";
import { bands, box, css, document, list, numberIn, type Pages, paintGreen, script, solidImage } from "./page.ts";

/** Height of an image of `/slow-images`; image n is in `bandColour(n)` and lies n heights below the top. */
export const SLOW_IMAGE_HEIGHT = 100;

/** What `/spa` shows once it has rendered: a header, and below it 20 bands. */
export const SPA = { header: { height: 60, colour: [20, 60, 120] }, bands: 20 };

/** The colour `/blank-then-painted` turns to. */
export const PAINTED = [180, 40, 160];

export const latePages: Pages = {
  /** Adds a green box with the id `late` after `after` ms. */
  "/late-element": (query) =>
    document(
      `<script>setTimeout(() => { document.body.innerHTML = '${box.replace("red", "green").replace('"box"', '"late"')}' }, ${numberIn(query, "after", 300)})</script>`,
    ),

  /** The box turns green after `after` ms, with nothing on the network meanwhile. */
  "/green-later": (query) =>
    document(`${box}<script>setTimeout(() => { ${paintGreen} }, ${numberIn(query, "after", 300)})</script>`),

  /** The box turns green at the load event, which waits for an image that comes after `after` ms, or never. */
  "/green-on-load": (query) =>
    document(
      `${box}<img src="/image?after=${query.get("after") ?? ""}"><script>onload = () => { ${paintGreen} }</script>`,
    ),

  /** The box turns green when a request that began after the load event is answered after `after` ms, or never. */
  "/green-after-fetch": (query) =>
    document(
      `${box}<script>onload = async () => { await fetch("/image?after=${query.get("after") ?? ""}"); ${paintGreen} }</script>`,
    ),

  /** `count` images (1 unless told) that never arrive below the box. */
  "/images-never-arrive": (query) =>
    document(box + list(numberIn(query, "count", 1), (n) => `<img src="/image?n=${n}">`).join("")),

  /** An image after `after` ms; without it, never. */
  "/image": (query, answer) => {
    const after = query.get("after") ?? "";
    if (after === "") return undefined;
    setTimeout(() => answer.setHeader("content-type", "image/svg+xml").end(solidSvg(css(GREEN), 20)), Number(after));
    return undefined;
  },

  /** An image of one colour, `colour=red,green,blue`, after `after` ms. */
  "/solid-image": (query, answer) => {
    const colour = (query.get("colour") ?? "").split(",").map(Number);
    answer.setHeader("content-type", "image/svg+xml").setHeader("access-control-allow-origin", "*");
    setTimeout(() => answer.end(solidSvg(css(colour), 200)), numberIn(query, "after", 0));
    return undefined;
  },

  /** `{"after": …}` after `after` ms. */
  "/slow-json": (query, answer) => {
    const after = numberIn(query, "after", 0);
    answer.setHeader("content-type", "application/json");
    setTimeout(() => answer.end(JSON.stringify({ after })), after);
    return undefined;
  },

  /** `count` images (6 unless told), one below the other, each answered `after` ms (600) after it was asked for. */
  "/slow-images": (query) => {
    const after = numberIn(query, "after", 600);
    const style = `display:block;width:100%;height:${SLOW_IMAGE_HEIGHT}px;background:${css(PLACEHOLDER)}`;
    return document(
      list(
        numberIn(query, "count", 6),
        (n) => `<img alt="" style="${style}" src="${solidImage(bandColour(n), after, n)}">`,
      ).join(""),
    );
  },

  /**
   * An empty root that a script fills `after` ms (1200) later: half of that is a request, half a timer. With `spinner`
   * a spinner turns meanwhile.
   */
  "/spa": (query) => {
    const half = numberIn(query, "after", 1200) / 2;
    const app = `<header style="height:${SPA.header.height}px;background:${css(SPA.header.colour)}"></header><main>${bands(SPA.bands)}</main>`;
    const spinner = `<style>@keyframes turn{to{transform:rotate(1turn)}} #spinner{position:fixed;left:calc(50% - 24px);top:calc(50% - 24px);width:40px;height:40px;border:4px solid #ccc;border-top-color:#333;border-radius:50%;animation:turn 1s linear infinite}</style><div id="spinner" role="progressbar" aria-label="Loading"></div>`;
    return document(`<div id="root">${query.has("spinner") ? spinner : ""}</div>
      ${script(`addEventListener("DOMContentLoaded", async () => {
        await (await fetch("/slow-json?after=${half}")).json();
        setTimeout(() => {
          document.getElementById("root").innerHTML = ${JSON.stringify(app).replaceAll("</", "<\\/")};
          document.title = "Rendered";
        }, ${half});
      })`)}`);
  },

  /** White, and all of `PAINTED` after `after` ms (500). */
  "/blank-then-painted": (query) =>
    document(
      script(
        `setTimeout(() => { document.body.style.background = "${css(PAINTED)}" }, ${numberIn(query, "after", 500)})`,
      ),
    ),
};

function solidSvg(colour: string, size: number): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" preserveAspectRatio="none"><rect width="100%" height="100%" fill="${colour}"/></svg>`;
}
