// A line on standard error with what a program is doing and its seconds, once that takes longer: on a terminal only.
import { stderr } from "node:process";

export const ERASE_LINE = "\r\u001b[2K";
/** What takes no longer shows nothing. */
const SILENT_MS = 2_000;

/** A terminal, or a file or pipe. */
export interface StatusOutput {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

export interface StatusOptions {
  /** True for a program that is to print nothing but its result. @default false */
  readonly isQuiet?: boolean;
  /** @default standard error */
  readonly output?: StatusOutput;
}

export interface StatusLine {
  /** Says what the program does from now on. Shown within a second, so it may be called often. */
  enter(phase: string): void;
  /** Removes the line while `print` runs. */
  interrupt(print: () => void): void;
  /** Removes the line for good. */
  end(): void;
}

const NO_LINE: StatusLine = { enter: () => {}, interrupt: (print) => print(), end: () => {} };

/** Starts with a phase, such as `Capturing`. The seconds are those since the start. */
export function startStatusLine(phase: string, { isQuiet = false, output = stderr }: StatusOptions = {}): StatusLine {
  if (!output.isTTY || isQuiet) return NO_LINE;
  const startedAt = Date.now();
  let [current, isShown] = [phase, false];
  const draw = () => {
    isShown = true;
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    output.write(`${ERASE_LINE}${`${current} ... ${seconds} s`.slice(0, columnsOf(output) - 1)}`);
  };
  const erase = () => isShown && output.write(ERASE_LINE);
  let timer = setTimeout(() => {
    draw();
    timer = setInterval(draw, 1_000);
  }, SILENT_MS);
  return {
    enter(next) {
      current = next;
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

/** Runs `work` with a line, which is removed when it has ended. */
export async function withStatusLine<T>(
  phase: string,
  work: (line: StatusLine) => Promise<T>,
  options?: StatusOptions,
): Promise<T> {
  const line = startStatusLine(phase, options);
  try {
    return await work(line);
  } finally {
    line.end();
  }
}

export function columnsOf(output: StatusOutput): number {
  return output.columns || 80;
}
