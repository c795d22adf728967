// A page with one bar per kind of clock (CSS, timers, requestAnimationFrame, …), and their positions in a frame.
import type { DecodedFrame } from "./video.ts";

/** How far each bar moves. */
export const PIXELS_PER_SECOND = 100;

/** The window in which the bars move for five seconds. */
export const clocksWindow = { viewport_width: 640, viewport_height: 240 } as const;

const clocks = ["css", "transition", "frames", "interval", "animation", "date"] as const;
export type Clock = (typeof clocks)[number];

const BAR = 20;
const PITCH = 40;

/** Bars that are moved by CSS, requestAnimationFrame, setInterval, Web Animations and Date. */
export const clocksPage = `<!doctype html><title>Clocks</title><style>
  body { margin: 0; background: white }
  div { position: absolute; left: 0; width: ${BAR}px; height: ${BAR}px; background: black }
  ${clocks.map((clock, index) => `#${clock} { top: ${index * PITCH + 10}px }`).join("\n")}
  #css { animation: move 60s linear }
  #transition { transition: transform 60s linear }
  @keyframes move { to { transform: translateX(6000px) } }
  </style>${clocks.map((clock) => `<div id=${clock}></div>`).join("")}<script>
  const bar = (id) => document.getElementById(id);
  const move = (id, ms) => { bar(id).style.transform = "translateX(" + Math.max(0, ms / 10) + "px)" };
  const started = performance.now(), date = Date.now();
  let ticks = 0;
  (function next(now) { move("frames", now - started); requestAnimationFrame(next) })(started);
  setInterval(() => move("interval", ++ticks * 10), 10);
  setInterval(() => move("date", Date.now() - date), 1);
  bar("animation").animate({ transform: ["none", "translateX(6000px)"] }, 60000);
  requestAnimationFrame(() => bar("transition").style.transform = "translateX(6000px)");
  </script>`;

/** Where each bar is in a frame, in pixels from the left. */
export function clocksIn(frame: DecodedFrame): Record<Clock, number> {
  const width = clocksWindow.viewport_width;
  const middles = clocks.map((clock, index) => {
    let [sum, weight] = [0, 0];
    for (let x = 0; x < width; x++) {
      const darkness = 255 - (frame.pixel(x, index * PITCH + 10 + BAR / 2)[0] ?? 255);
      if (darkness < 32) continue; // what lossy formats make of white
      sum += darkness * x;
      weight += darkness;
    }
    return [clock, sum / weight - (BAR - 1) / 2] as const;
  });
  return Object.fromEntries(middles) as Record<Clock, number>;
}
