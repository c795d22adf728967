// What the kernel itself refuses a browser: the bounds that nobody has to look after in time.

/** Address space that an empty browser has taken and does not fill: mostly stacks of its threads. */
const UNFILLED_MEGABYTES = 512;

/** Megabytes of memory from which on the kernel refuses more to a browser that may hold `megabytes`. */
export function allocationLimit(megabytes: number): number {
  return megabytes + UNFILLED_MEGABYTES;
}

/**
 * The command line that starts `command` in its own HOME, with at most so much memory, without core dumps, and with none
 * of our files: what the function itself was given (on Lambda the way to its log) Node would hand on. A process cannot
 * get back what it gave up here (setrlimit(2)), and Node has no call for it; the shell has, and becomes the browser.
 * Memory that is refused is an error in the page's script, or the end of the browser. V8 knows of the bound, and gives
 * typed arrays half of it.
 *
 * Lambda has bash: https://docs.aws.amazon.com/lambda/latest/dg/runtimes-modify.html starts functions by its scripts.
 */
export function withResourceLimits(command: readonly string[], { memoryMegabytes }: { memoryMegabytes: number }) {
  const script = [
    `ulimit -c 0 -d ${allocationLimit(memoryMegabytes) * 1024}`,
    // 3 and 4 are the pipe of DevTools.
    "cd /proc/self/fd; for fd in *; do if ((fd > 4)); then exec {fd}>&-; fi; done",
    'cd "$HOME" && exec "$0" "$@"', // it would be in the folder of the function's code
  ];
  return { executable: "/bin/bash", arguments: ["-c", script.join("; "), ...command] };
}
