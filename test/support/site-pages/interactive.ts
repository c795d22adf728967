// Pages that respond to clicks, typing and hover, and one that writes to the console.
import { css, document, type Pages, script } from "./page.ts";

/** The parts of `/clicks`, each with its id, place and colours. */
export const CLICKS = {
  /** Shows `#panel` 200 ms after `#open` was clicked; before that its place is white. */
  panel: { x: 0, y: 100, width: 200, height: 100, colour: [0, 120, 220] },
  /** Shows `#submenu` while the pointer is over `#menu`; otherwise its place is white. */
  submenu: { x: 200, y: 40, width: 120, height: 60, colour: [230, 120, 0] },
  /** Lies over `#covered`, which takes no click therefore. */
  cover: { x: 0, y: 220, width: 120, height: 40, colour: [150, 150, 150] },
  /** Red once `#disabled` or `#covered` was clicked all the same. */
  alarm: { x: 200, y: 220, width: 40, height: 40, quiet: [0, 128, 0], rung: [255, 0, 0] },
} as const;

/** What `/console` says, in this order; its uncaught errors and failed requests come besides. */
export const CONSOLE_MESSAGES = ["a log with 1 and {a: 1}", "a warning", "an error", "an info"] as const;

const place = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }) =>
  `position: absolute; left: ${x}px; top: ${y}px; width: ${width}px; height: ${height}px`;

export const interactivePages: Pages = {
  /**
   * Buttons at the top: `#open` shows a panel, `#leave` goes to `/box`, `#disabled` can do nothing. Over `#menu` a menu
   * opens; `#covered` lies under `#cover`. See `CLICKS`.
   */
  "/clicks": () => {
    const { panel, submenu, cover, alarm } = CLICKS;
    return document(`<style>
        button, #menu { position: absolute; top: 0; height: 40px; font: 13px sans-serif; padding: 0 8px; box-sizing: border-box }
        #open { left: 0; width: 80px } #leave { left: 80px; width: 60px } #disabled { left: 140px; width: 60px }
        #menu { left: ${submenu.x}px; width: ${submenu.width}px; background: #eee; line-height: 40px }
        #panel { ${place(panel)}; background: ${css(panel.colour)} }
        #submenu { ${place({ ...submenu, x: 0 })}; background: ${css(submenu.colour)}; visibility: hidden }
        #menu:hover #submenu { visibility: visible }
        #covered { ${place(cover)} } #cover { ${place(cover)}; background: ${css(cover.colour)} }
        #alarm { ${place(alarm)}; background: ${css(alarm.quiet)} }
      </style>
      <button id="open">Open</button><button id="leave">Leave</button><button id="disabled" disabled>No</button>
      <div id="menu">Menu<div id="submenu"></div></div>
      <div id="panel" hidden></div><button id="covered">Covered</button><div id="cover"></div><div id="alarm"></div>
      ${script(`
        const by = (id) => document.getElementById(id);
        by("open").onclick = () => setTimeout(() => { by("panel").hidden = false }, 200);
        by("leave").onclick = () => { location.href = "/box" };
        for (const id of ["disabled", "covered"]) by(id).onclick = () => { by("alarm").style.background = "${css(alarm.rung)}" };
      `)}`);
  },

  /** Says `CONSOLE_MESSAGES`, throws, rejects, and asks for an image and for data that are not there or break off. */
  "/console": () =>
    document(
      `<p>A page with errors</p><img src="/missing.png" alt="">${script(`
      console.log("a log with", 1, "and", { a: 1 });
      console.warn("a warning");
      console.error("an error");
      console.info("an info");
      fetch("/missing.json");
      fetch("/breaks-off").then((answer) => answer.text()).catch(() => undefined);
      setTimeout(() => { throw new TypeError("an uncaught exception") });
      Promise.reject(new RangeError("an unhandled rejection"));
    `)}`,
    ),
};
