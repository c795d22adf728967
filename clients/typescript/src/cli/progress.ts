// Progress on standard error, on a terminal: a bar for several captures; what a single one is doing, once it takes longer.
import { stderr } from "node:process";
import { columnsOf, ERASE_LINE, type StatusLine, startStatusLine } from "./status-line.ts";
import { printable } from "./terminal.ts";

const WIDTH = 24;

export interface ProgressDisplay extends StatusLine {
  /** Shows that one more of `total` has ended, and its name. */
  advance(name: string): void;
}

export function startProgress(total: number, { isQuiet = false } = {}): ProgressDisplay {
  if (total > 1 && stderr.isTTY && !isQuiet) return startBar(total);
  return { advance: () => {}, ...startStatusLine("Capturing", { isQuiet }) };
}

function startBar(total: number): ProgressDisplay {
  let [done, latest] = [0, ""];
  const draw = () => {
    const filled = Math.round((done / total) * WIDTH);
    const text = ` ${done}/${total} ${printable(latest)}`.slice(0, Math.max(0, columnsOf(stderr) - WIDTH - 3));
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
