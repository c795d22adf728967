// A progress bar on standard error, for several captures on a terminal.
import { stderr } from "node:process";
import { printable } from "./terminal.ts";

const WIDTH = 24;
const ERASE_LINE = "\r\u001b[2K";

export interface ProgressDisplay {
  /** Shows that one more of `total` has ended, and its name. */
  advance(name: string): void;
  /** Removes the bar while `print` runs. */
  interrupt(print: () => void): void;
  end(): void;
}

export function startProgress(total: number, { isQuiet = false } = {}): ProgressDisplay {
  const isShown = stderr.isTTY && total > 1 && !isQuiet;
  let [done, latest] = [0, ""];
  const draw = () => {
    if (!isShown) return;
    const filled = Math.round((done / total) * WIDTH);
    const text = ` ${done}/${total} ${printable(latest)}`.slice(0, Math.max(0, (stderr.columns || 80) - WIDTH - 3));
    stderr.write(`${ERASE_LINE}[${"=".repeat(filled)}${" ".repeat(WIDTH - filled)}]${text}`);
  };
  const erase = () => isShown && stderr.write(ERASE_LINE);
  draw();
  return {
    advance(name) {
      done++;
      latest = name;
      draw();
    },
    interrupt(print) {
      erase();
      print();
      draw();
    },
    end: () => void erase(),
  };
}
