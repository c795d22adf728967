// A page with animations: endless, once, and after loading.
import { css, document, type Pages, script } from "./page.ts";

/** The boxes of `/animated`: their places in CSS pixels, and the colours they go from and to. */
export const ANIMATED = {
  /** There and back again, a second each way, for ever. */
  infinite: { x: 0, y: 0, width: 100, height: 100, from: [200, 0, 0], to: [0, 0, 200] },
  /** Once, and stays where it ended. */
  finite: { x: 100, y: 0, width: 100, height: 100, from: [0, 120, 0], to: [240, 220, 0] },
  /** Begins at the load event. */
  transition: { x: 200, y: 0, width: 100, height: 100, from: [0, 150, 150], to: [150, 0, 150] },
} as const;

export const motionPages: Pages = {
  /** Three boxes, see `ANIMATED`; the finite animation and the transition take `duration` ms (400 unless told). */
  "/animated": (query) => {
    const duration = Number(query.get("duration") ?? 400);
    const { infinite, finite, transition } = ANIMATED;
    const place = ({ x, y, width, height }: { x: number; y: number; width: number; height: number }) =>
      `position: absolute; left: ${x}px; top: ${y}px; width: ${width}px; height: ${height}px`;
    return document(`<style>
        @keyframes there-and-back { from { background: ${css(infinite.from)} } to { background: ${css(infinite.to)} } }
        @keyframes once { from { background: ${css(finite.from)} } to { background: ${css(finite.to)} } }
        #infinite { ${place(infinite)}; animation: there-and-back 1s linear infinite alternate }
        #finite { ${place(finite)}; background: ${css(finite.from)}; animation: once ${duration}ms linear forwards }
        #transition { ${place(transition)}; background: ${css(transition.from)}; transition: background ${duration}ms linear }
        .loaded #transition { background: ${css(transition.to)} }
      </style><div id="infinite"></div><div id="finite"></div><div id="transition"></div>
      ${script(`addEventListener("load", () => document.body.classList.add("loaded"))`)}`);
  },
};
