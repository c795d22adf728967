// Shows the stages of a start: a line with its seconds for each finished stage and, on a terminal, a spinner for the running ones.
import type { WriteStream } from "node:tty";

/** A terminal, or a file or pipe. */
export type ProgressOutput = Pick<WriteStream, "write"> & Partial<Pick<WriteStream, "isTTY">>;

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const FRAME_MS = 100;
/** Returns to the start of the line and erases it (ECMA-48). */
const ERASE_LINE = "\r\x1b[2K";

/** The stages that run. Several may run at the same time. */
export class Progress {
  readonly #output: ProgressOutput;
  readonly #running = new Set<string>();
  readonly #startedAt = performance.now();
  #spinner: NodeJS.Timeout | undefined;
  #frame = 0;

  constructor(output: ProgressOutput) {
    this.#output = output;
  }

  /** Runs a stage and prints its title with the seconds that it took. Prints nothing when it throws. */
  async run<T>(title: string, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    this.#running.add(title);
    this.#spin();
    try {
      const result = await work();
      this.#finish(title);
      this.print(`  ${title.padEnd(16)} ${seconds(startedAt).padStart(6)} s`);
      return result;
    } catch (error) {
      this.#finish(title);
      throw error;
    }
  }

  /** Prints a line above the spinner. */
  print(line: string): void {
    this.#output.write(`${this.#spinner ? ERASE_LINE : ""}${line}\n`);
    this.#draw();
  }

  #spin(): void {
    if (!this.#output.isTTY) return;
    this.#spinner ??= setInterval(() => this.#draw(), FRAME_MS).unref();
    this.#draw();
  }

  #finish(title: string): void {
    this.#running.delete(title);
    if (this.#running.size > 0 || !this.#spinner) return;
    clearInterval(this.#spinner);
    this.#spinner = undefined;
    this.#output.write(ERASE_LINE);
  }

  #draw(): void {
    if (!this.#spinner) return;
    const frame = FRAMES[this.#frame++ % FRAMES.length];
    this.#output.write(`${ERASE_LINE}${frame} ${[...this.#running].join(", ")} ... ${seconds(this.#startedAt)} s`);
  }
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1);
}
