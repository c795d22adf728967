// Progress on standard error, on a terminal: a bar for several captures; what a single one is doing, once it takes longer.
import { stderr } from "node:process";
import { printable } from "./terminal.ts";

const WIDTH = 24;
const ERASE_LINE = "\r\u001b[2K";
/** A capture that takes no longer shows nothing. */
const SILENT_MS = 2_000;

export interface ProgressDisplay {
  /** Shows that one more of `total` has ended, and its name. */
  advance(name: string): void;
  /** Says what a single capture is doing, such as `Capturing`. */
  enter(phase: string): void;
  /** Removes the progress while `print` runs. */
  interrupt(print: () => void): void;
  end(): void;
}

export function startProgress(total: number, { isQuiet = false } = {}): ProgressDisplay {
  if (!stderr.isTTY || isQuiet) {
    return { advance: () => {}, enter: () => {}, interrupt: (print) => print(), end: () => {} };
  }
  return total > 1 ? startBar(total) : startStatus();
}

function startBar(total: number): ProgressDisplay {
  let [done, latest] = [0, ""];
  const draw = () => {
    const filled = Math.round((done / total) * WIDTH);
    const text = ` ${done}/${total} ${printable(latest)}`.slice(0, Math.max(0, columns() - WIDTH - 3));
    stderr.write(`${ERASE_LINE}[${"=".repeat(filled)}${" ".repeat(WIDTH - filled)}]${text}`);
  };
  draw();
  return {
    advance(name) {
      done++;
      latest = name;
      draw();
    },
    enter: () => {},
    interrupt(print) {
      stderr.write(ERASE_LINE);
      print();
      draw();
    },
    end: () => void stderr.write(ERASE_LINE),
  };
}

/** A line with the phase of the capture and its seconds. */
function startStatus(): ProgressDisplay {
  const startedAt = Date.now();
  let [phase, isShown] = ["Capturing", false];
  const draw = () => {
    isShown = true;
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    stderr.write(`${ERASE_LINE}${`${phase} ... ${seconds} s`.slice(0, columns() - 1)}`);
  };
  const erase = () => isShown && stderr.write(ERASE_LINE);
  let timer = setTimeout(() => {
    draw();
    timer = setInterval(draw, 1_000);
  }, SILENT_MS);
  return {
    advance: () => {},
    enter(next) {
      phase = next;
      if (isShown) draw();
    },
    interrupt(print) {
      erase();
      print();
      if (isShown) draw();
    },
    end() {
      clearTimeout(timer);
      erase();
    },
  };
}

function columns(): number {
  return stderr.columns || 80;
}
