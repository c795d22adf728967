// The phases of a capture as a waterfall: a table whose bars begin where the phase before has ended.
import type { CaptureDetails } from "../../../../clients/typescript/src/generated/types.ts";
import { formatMilliseconds } from "./format.ts";

/** In the order in which a capture goes through them. */
const phaseNames: Readonly<Record<string, string>> = {
  auth: "Check the key and its limits",
  browser: "Start the browser",
  navigate: "Load the page",
  settle: "Wait for the page",
  capture: "Capture it",
  encode: "Encode the result",
  store: "Store the result",
};

interface WaterfallProps {
  readonly phases: CaptureDetails["phases"];
  readonly totalMs: number;
}

/** Widths are attributes of SVG, because the page's policy allows no inline styles. */
export function Waterfall({ phases, totalMs }: WaterfallProps) {
  const bars = consecutive(phases);
  const endMs = Math.max(1, totalMs, bars.at(-1)?.endMs ?? 0);
  if (bars.length === 0) return null;
  return (
    <section>
      <h2>Where the time went</h2>
      <table class="waterfall">
        <thead class="visually-hidden">
          <tr>
            <th scope="col">Phase</th>
            <td />
            <th scope="col">Time</th>
          </tr>
        </thead>
        <tbody>
          {bars.map(({ name, startMs, ms }) => (
            <tr key={name}>
              <th scope="row">
                {name} <span class="note">{phaseNames[name]}</span>
              </th>
              <td class="waterfall-bar">
                <svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true">
                  <rect
                    x={(startMs / endMs) * 1000}
                    y="0"
                    width={Math.max(3, (ms / endMs) * 1000)}
                    height="10"
                    class={name === "capture" ? "is-main" : ""}
                  />
                </svg>
              </td>
              <td>{formatMilliseconds(ms)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr class="total">
            <th scope="row">Response time</th>
            <td />
            <td>{formatMilliseconds(totalMs)}</td>
          </tr>
        </tfoot>
      </table>
      <p class="note">In the order in which they begin. Phases can overlap.</p>
    </section>
  );
}

interface Bar {
  readonly name: string;
  readonly startMs: number;
  readonly ms: number;
  readonly endMs: number;
}

/** The log has durations alone: each phase is drawn where the one before has ended. */
function consecutive(phases: CaptureDetails["phases"]): readonly Bar[] {
  let endMs = 0;
  return Object.keys(phaseNames).flatMap((name) => {
    const ms = phases[name];
    if (ms === undefined) return [];
    const startMs = endMs;
    endMs += ms;
    return [{ name, startMs, ms, endMs }];
  });
}
